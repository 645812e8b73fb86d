//===- Attributes.cpp - AttributeProto to MLIR attributes -----------------===//
#include "compiler/import/GraphImporter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using ::onnx::AttributeProto;
using ::onnx::NodeProto;
using ::onnx::SparseTensorProto;
using ::onnx::TensorProto;

namespace onnxc {

FailureOr<ElementsAttr> GraphImporter::convertTensor(const TensorProto &tensor, const Twine &prefix,
                                                     Location loc) {
  llvm::Expected<ElementsAttr> elements = file.readTensor(context, tensor);
  if (elements)
    return *elements;
  return fail(loc, prefix + printable(llvm::toString(elements.takeError())));
}

/// The place in a dense tensor of each value of a sparse one: linear indices,
/// or one coordinate per dim.
static FailureOr<SmallVector<int64_t>> sparsePlaces(DenseElementsAttr indices, int64_t count,
                                                    ArrayRef<int64_t> dims, int64_t total) {
  auto type = indices.getType();
  bool isLinear = type.getRank() == 1 && type.getDimSize(0) == count;
  bool isCoordinates = type.getRank() == 2 && type.getDimSize(0) == count &&
                       type.getDimSize(1) == static_cast<int64_t>(dims.size());
  if (!type.getElementType().isInteger(64) || (!isLinear && !isCoordinates))
    return failure();
  auto values = indices.getValues<int64_t>();
  SmallVector<int64_t> places;
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = 0;
    if (isLinear)
      place = values[i];
    else
      for (auto [d, dim] : llvm::enumerate(dims)) {
        int64_t coordinate = values[i * dims.size() + d];
        if (coordinate < 0 || coordinate >= dim)
          return failure();
        place = place * dim + coordinate;
      }
    if (place < 0 || place >= total)
      return failure();
    places.push_back(place);
  }
  return places;
}

FailureOr<ElementsAttr> GraphImporter::convertSparse(const SparseTensorProto &sparse,
                                                     const Twine &prefix, Location loc) {
  constexpr int64_t maxElements = 1 << 28;
  FailureOr<ElementsAttr> values = convertTensor(sparse.values(), prefix, loc);
  FailureOr<ElementsAttr> indices = convertTensor(sparse.indices(), prefix, loc);
  if (mlir::failed(values) || mlir::failed(indices))
    return failure();
  auto dense = dyn_cast<DenseElementsAttr>(*values);
  auto places = dyn_cast<DenseElementsAttr>(*indices);
  ArrayRef<int64_t> dims(sparse.dims().data(), sparse.dims_size());
  int64_t total = 1;
  for (int64_t dim : dims)
    if (dim < 0 || llvm::MulOverflow(total, dim, total) || total > maxElements)
      return fail(loc, prefix + "dims of the sparse tensor are out of range");
  if (!dense || !places)
    return fail(loc, prefix + "sparse tensor with more than 1 KiB of values");
  FailureOr<SmallVector<int64_t>> where = sparsePlaces(places, dense.getNumElements(), dims, total);
  if (mlir::failed(where))
    return fail(loc, prefix + "indices of the sparse tensor do not fit its dims");
  Type elementType = dense.getElementType();
  Attribute zero = builder.getZeroAttr(elementType);
  if (!zero)
    return fail(loc, prefix + "sparse tensor of an element type that is not supported");
  SmallVector<Attribute> elements(total, zero);
  for (auto [place, value] : llvm::zip_equal(*where, dense.getValues<Attribute>()))
    elements[place] = value;
  return ElementsAttr(DenseElementsAttr::get(RankedTensorType::get(dims, elementType), elements));
}

FailureOr<ElementsAttr> GraphImporter::constantValue(const NodeProto &node, Location loc) {
  if (node.attribute_size() != 1)
    return fail(loc, "has " + Twine(node.attribute_size()) + " attributes, expected one value");
  const AttributeProto &attribute = node.attribute(0);
  StringRef name = attribute.name();
  auto vector = [&](int64_t size, Type type) { return RankedTensorType::get({size}, type); };
  auto scalar = [&](Type type) { return RankedTensorType::get({}, type); };
  Type stringType = onnx::StringType::get(context);
  if (name == "value" && attribute.type() == AttributeProto::TENSOR)
    return convertTensor(attribute.t(), "attribute 'value': ", loc);
  if (name == "sparse_value" && attribute.type() == AttributeProto::SPARSE_TENSOR)
    return convertSparse(attribute.sparse_tensor(), "attribute 'sparse_value': ", loc);
  if (name == "value_int" && attribute.type() == AttributeProto::INT)
    return ElementsAttr(DenseElementsAttr::get(scalar(builder.getI64Type()), attribute.i()));
  if (name == "value_float" && attribute.type() == AttributeProto::FLOAT)
    return ElementsAttr(DenseElementsAttr::get(scalar(builder.getF32Type()), attribute.f()));
  if (name == "value_ints" && attribute.type() == AttributeProto::INTS)
    return ElementsAttr(
        DenseElementsAttr::get(vector(attribute.ints_size(), builder.getI64Type()),
                               ArrayRef<int64_t>(attribute.ints().data(), attribute.ints_size())));
  if (name == "value_floats" && attribute.type() == AttributeProto::FLOATS)
    return ElementsAttr(DenseElementsAttr::get(
        vector(attribute.floats_size(), builder.getF32Type()),
        ArrayRef<float>(attribute.floats().data(), attribute.floats_size())));
  if (name == "value_string" && attribute.type() == AttributeProto::STRING)
    return ElementsAttr(
        DenseStringElementsAttr::get(scalar(stringType), {StringRef(attribute.s())}));
  if (name == "value_strings" && attribute.type() == AttributeProto::STRINGS) {
    SmallVector<StringRef> strings(attribute.strings().begin(), attribute.strings().end());
    return ElementsAttr(DenseStringElementsAttr::get(vector(strings.size(), stringType), strings));
  }
  return fail(loc, "attribute '" + printable(name) + "' is unknown or has the wrong type");
}

FailureOr<Attribute> GraphImporter::convertAttribute(const AttributeProto &attribute,
                                                     Location loc) {
  switch (attribute.type()) {
  case AttributeProto::INT: return Attribute(builder.getI64IntegerAttr(attribute.i()));
  case AttributeProto::FLOAT: return Attribute(builder.getF32FloatAttr(attribute.f()));
  case AttributeProto::STRING: return Attribute(builder.getStringAttr(attribute.s()));
  case AttributeProto::INTS:
    return Attribute(builder.getDenseI64ArrayAttr(
        ArrayRef<int64_t>(attribute.ints().data(), attribute.ints_size())));
  case AttributeProto::FLOATS:
    return Attribute(builder.getDenseF32ArrayAttr(
        ArrayRef<float>(attribute.floats().data(), attribute.floats_size())));
  case AttributeProto::STRINGS: {
    SmallVector<StringRef> strings(attribute.strings().begin(), attribute.strings().end());
    return Attribute(builder.getStrArrayAttr(strings));
  }
  case AttributeProto::TENSOR: {
    FailureOr<ElementsAttr> elements =
        convertTensor(attribute.t(), "attribute '" + printable(attribute.name()) + "': ", loc);
    if (mlir::failed(elements))
      return failure();
    return Attribute(*elements);
  }
  case AttributeProto::TYPE_PROTO: {
    FailureOr<Type> type = convertType(context, attribute.tp());
    if (mlir::failed(type))
      return fail(loc, "attribute '" + printable(attribute.name()) + "' is not a supported type");
    return Attribute(TypeAttr::get(*type));
  }
  default:
    return fail(loc, "attribute '" + printable(attribute.name()) + "' has the unsupported type " +
                         AttributeProto::AttributeType_Name(attribute.type()));
  }
}

FailureOr<const NodeProto *> GraphImporter::resolveAttributes(const NodeProto &node, Location loc) {
  llvm::StringSet<> names;
  bool hasReference = false;
  for (const AttributeProto &attribute : node.attribute()) {
    if (!names.insert(attribute.name()).second)
      return fail(loc, "attribute '" + printable(attribute.name()) + "' occurs twice");
    hasReference |= !attribute.ref_attr_name().empty();
    if (!attribute.ref_attr_name().empty() && !frame)
      return fail(loc, "attribute '" + printable(attribute.name()) +
                           "' refers to a function's attribute outside of any function");
  }
  if (!hasReference)
    return &node;
  NodeProto resolved = node;
  resolved.clear_attribute();
  for (const AttributeProto &attribute : node.attribute()) {
    if (attribute.ref_attr_name().empty()) {
      *resolved.add_attribute() = attribute;
      continue;
    }
    const AttributeProto *actual = frame->attributes.lookup(attribute.ref_attr_name());
    if (!actual)
      continue;
    AttributeProto *copy = resolved.add_attribute();
    *copy = *actual;
    copy->set_name(attribute.name());
  }
  return &file.keep(std::move(resolved));
}

} // namespace onnxc
