//===- NodeForm.cpp - A node on its way to an op --------------------------===//
#include "compiler/import/NodeForm.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace onnxc {

LogicalResult NodeForm::fail(const Twine &message) {
  failed = true;
  return importer.fail(loc, messagePrefix + message);
}

//===----------------------------------------------------------------------===//
// Attributes and inputs
//===----------------------------------------------------------------------===//

Attribute NodeForm::take(StringRef name, StringRef kind, function_ref<bool(Attribute)> fits) {
  Attribute attribute = attributes.erase(name);
  if (!attribute || fits(attribute))
    return attribute;
  (void)fail("attribute '" + name + "' is no " + kind);
  return {};
}

std::optional<int64_t> NodeForm::takeInt(StringRef name) {
  Attribute value = take(name, "integer", llvm::IsaPred<IntegerAttr>);
  return value ? std::optional(cast<IntegerAttr>(value).getInt()) : std::nullopt;
}

std::optional<float> NodeForm::takeFloat(StringRef name) {
  Attribute value = take(name, "float", llvm::IsaPred<FloatAttr>);
  return value ? std::optional(cast<FloatAttr>(value).getValue().convertToFloat()) : std::nullopt;
}

std::optional<std::string> NodeForm::takeString(StringRef name) {
  Attribute value = take(name, "string", llvm::IsaPred<StringAttr>);
  return value ? std::optional(cast<StringAttr>(value).str()) : std::nullopt;
}

std::optional<SmallVector<int64_t>> NodeForm::takeInts(StringRef name) {
  Attribute value = take(name, "list of integers", llvm::IsaPred<DenseI64ArrayAttr>);
  if (!value)
    return std::nullopt;
  return SmallVector<int64_t>(cast<DenseI64ArrayAttr>(value).asArrayRef());
}

std::optional<SmallVector<float>> NodeForm::takeFloats(StringRef name) {
  Attribute value = take(name, "list of floats", llvm::IsaPred<DenseF32ArrayAttr>);
  if (!value)
    return std::nullopt;
  return SmallVector<float>(cast<DenseF32ArrayAttr>(value).asArrayRef());
}

void NodeForm::setInt(StringRef name, int64_t value) {
  attributes.set(name, importer.getBuilder().getI64IntegerAttr(value));
}

void NodeForm::setString(StringRef name, StringRef value) {
  attributes.set(name, importer.getBuilder().getStringAttr(value));
}

const ::onnx::GraphProto *NodeForm::findGraph(StringRef name) const {
  for (auto [key, graph] : graphs)
    if (key == name)
      return graph;
  return nullptr;
}

void NodeForm::setInput(size_t i, Value value) {
  if (inputs.size() <= i)
    inputs.resize(i + 1);
  inputs[i] = value;
}

RankedTensorType NodeForm::type(size_t i) const {
  return input(i) ? dyn_cast<RankedTensorType>(input(i).getType()) : RankedTensorType();
}

//===----------------------------------------------------------------------===//
// Ops around the node
//===----------------------------------------------------------------------===//

Value NodeForm::scalar(int64_t value) {
  OpBuilder &builder = importer.getBuilder();
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return onnx::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, value));
}

Value NodeForm::ints(ArrayRef<int64_t> values) {
  OpBuilder &builder = importer.getBuilder();
  auto type = RankedTensorType::get(static_cast<int64_t>(values.size()), builder.getI64Type());
  return onnx::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, values));
}

Value NodeForm::floats(ArrayRef<float> values) {
  OpBuilder &builder = importer.getBuilder();
  auto type = RankedTensorType::get(static_cast<int64_t>(values.size()), builder.getF32Type());
  return onnx::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, values));
}

Value NodeForm::scalarLikeInput(float value) {
  OpBuilder &builder = importer.getBuilder();
  auto element = type(0) ? dyn_cast<FloatType>(type(0).getElementType()) : FloatType();
  if (!element)
    element = builder.getF32Type();
  return onnx::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({}, element),
                             Attribute(builder.getFloatAttr(element, value))));
}

NamedAttribute NodeForm::attribute(StringRef name, int64_t value) const {
  Builder &builder = importer.getBuilder();
  return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
}

NamedAttribute NodeForm::attribute(StringRef name, ArrayRef<int64_t> values) const {
  Builder &builder = importer.getBuilder();
  return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
}

Value NodeForm::create(StringRef name, ArrayRef<Value> operands,
                       ArrayRef<NamedAttribute> newAttributes) {
  if (failed)
    return {};
  const Operator *found = importer.getOperators().find("", name);
  assert(found && "rules name operators that have an op");
  FailureOr<SmallVector<Value>> values =
      importer.createOp(loc, found->op, operands, NamedAttrList(newAttributes));
  failed |= mlir::failed(values);
  return failed ? Value() : values->front();
}

Value NodeForm::refine(Value value, ArrayRef<onnx::DimExpr> dims) {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  return onnx::RefineOp::create(importer.getBuilder(), loc, onnx::makeTensorType(dims, element),
                                value);
}

FailureOr<SmallVector<Value>> NodeForm::finish() {
  if (failed)
    return failure();
  if (results)
    return *results;
  const Operator *found = importer.getOperators().find(domain, op);
  for (auto [name, graph] : graphs)
    (void)fail(hasAttribute(found->op, name)
                   ? "attribute '" + printable(name) + "' has the unsupported type GRAPH"
                   : "unknown attribute '" + printable(name) + "'");
  FailureOr<SmallVector<Value>> values = importer.createOp(loc, found->op, inputs, attributes);
  if (failed)
    return failure();
  return values;
}

} // namespace onnxc
