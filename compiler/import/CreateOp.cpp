//===- CreateOp.cpp - Any onnx op from its argument table -----------------===//
#include "compiler/import/GraphImporter.h"
#include "dialects/onnx/OnnxMovement.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace onnxc {
using onnx::ArgumentSpec;

namespace {

/// Operands in ODS order and how many belong to each argument.
struct OperandLayout {
  SmallVector<Value> operands;
  SmallVector<int32_t> segments;
};

FailureOr<OperandLayout> layOutOperands(Location loc, ArrayRef<ArgumentSpec> specs,
                                        ValueRange inputs) {
  OperandLayout layout;
  unsigned next = 0;
  for (const ArgumentSpec &spec : specs) {
    if (!spec.isOperand())
      continue;
    if (spec.kind == 'v') {
      // Only the last operand of an ONNX operator is variadic.
      if (next >= inputs.size())
        return emitError(loc) << "has no input '" << spec.name << "', expected one or more";
      layout.segments.push_back(inputs.size() - std::min<size_t>(next, inputs.size()));
      for (; next < inputs.size(); ++next) {
        if (!inputs[next])
          return emitError(loc) << "input " << next << " is omitted, but is not optional";
        layout.operands.push_back(inputs[next]);
      }
      continue;
    }
    Value input = next < inputs.size() ? inputs[next] : Value();
    if (!input && spec.kind == 'r')
      return emitError(loc) << "input " << next << " ('" << spec.name
                            << "') is missing, but is not optional";
    ++next;
    layout.segments.push_back(input ? 1 : 0);
    if (input)
      layout.operands.push_back(input);
  }
  // Omitted inputs at the end may be spelled out beyond what the op knows.
  for (; next < inputs.size(); ++next)
    if (inputs[next])
      return emitError(loc) << "has " << inputs.size() << " inputs, the operator takes at most "
                            << llvm::count_if(specs, [](auto &s) { return s.isOperand(); });
  return layout;
}

/// Every operator here works on tensors; their type rules rely on it.
LogicalResult checkTensors(Location loc, ValueRange inputs) {
  for (auto [i, input] : llvm::enumerate(inputs))
    if (input && !isa<RankedTensorType>(input.getType()))
      return emitError(loc) << "input " << i << " is " << input.getType()
                            << ", expected a tensor of known rank";
  return success();
}

/// Whether the attributes that the op needs are there and of the right kind;
/// type rules rely on it.
LogicalResult checkAttributes(Location loc, RegisteredOperationName name,
                              ArrayRef<ArgumentSpec> specs, DictionaryAttr attributes) {
  bool known = true;
  for (NamedAttribute attribute : attributes)
    if (!hasAttribute(name, attribute.getName())) {
      emitError(loc) << "unknown attribute '" << printable(attribute.getName()) << "'";
      known = false;
    }
  if (!known)
    return failure();
  for (const ArgumentSpec &spec : specs)
    if (spec.kind == 'A' && !attributes.contains(spec.name))
      return emitError(loc) << "attribute '" << spec.name << "' is missing";
  NamedAttrList list(attributes);
  return name.verifyInherentAttrs(list, [&] { return emitError(loc); });
}

/// No result may be larger than any address space, for later stages compute with
/// sizes in 64 bits, or have more dims than any tensor. Shape operands say what they will.
LogicalResult checkSizes(Location loc, ArrayRef<Type> types) {
  constexpr int64_t maxElements = int64_t(1) << 40;
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    if (tensor.getRank() > onnx::maxRank)
      return emitError(loc) << "a result has " << tensor.getRank() << " dims, expected at most "
                            << onnx::maxRank;
    int64_t count = 1;
    for (int64_t size : tensor.getShape())
      if (!ShapedType::isDynamic(size) && size < 0)
        return emitError(loc) << "a result has a dim of " << size << " elements";
      else if (size > 0 && (llvm::MulOverflow(count, size, count) || count > maxElements))
        return emitError(loc) << "result " << type << " has more than " << maxElements
                              << " elements";
  }
  return success();
}

/// An op with no results yet, for its properties.
FailureOr<Operation *> createUntyped(Location loc, RegisteredOperationName name,
                                     const OperandLayout &layout, DictionaryAttr attributes) {
  MLIRContext *context = loc.getContext();
  NamedAttrList all(attributes);
  if (name.hasTrait<OpTrait::AttrSizedOperandSegments>())
    all.set("operandSegmentSizes", DenseI32ArrayAttr::get(context, layout.segments));
  OperationState state(loc, name);
  state.addOperands(layout.operands);
  Operation *op = Operation::create(state);
  auto emit = [&] { return emitError(loc); };
  // An op without attributes has no properties.
  if (op->getPropertiesStorageSize() == 0)
    return op;
  if (failed(name.setOpPropertiesFromAttribute(op->getName(), op->getPropertiesStorage(),
                                               all.getDictionary(context), emit))) {
    op->destroy();
    return failure();
  }
  return op;
}

/// The values of an op after folding; the op is erased when all are folded.
SmallVector<Value> foldAtBirth(OpBuilder &builder, Operation *op) {
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(op, folded))) {
    op->erase();
    return folded;
  }
  SmallVector<Value> elements;
  if (onnx::foldShapeArithmetic(builder, op, elements)) {
    op->erase();
    return elements;
  }
  return op->getResults();
}

} // namespace

bool hasAttribute(RegisteredOperationName op, StringRef name) {
  return llvm::any_of(
      op.getInterface<onnx::OnnxOpInterface>()->getArgumentSpecs(),
      [&](const ArgumentSpec &spec) { return spec.isNodeAttribute() && spec.name == name; });
}

FailureOr<SmallVector<Value>> createOnnxOp(OpBuilder &builder, Location loc,
                                           RegisteredOperationName name, ValueRange inputs,
                                           DictionaryAttr attributes) {
  auto *onnxOp = name.getInterface<onnx::OnnxOpInterface>();
  auto *typeRule = name.getInterface<InferTypeOpInterface>();
  assert(onnxOp && typeRule && "an operator with a table and a type rule");
  if (failed(checkTensors(loc, inputs)))
    return failure();
  FailureOr<OperandLayout> layout = layOutOperands(loc, onnxOp->getArgumentSpecs(), inputs);
  if (failed(layout))
    return failure();
  if (failed(checkAttributes(loc, name, onnxOp->getArgumentSpecs(), attributes)))
    return failure();
  FailureOr<Operation *> untyped = createUntyped(loc, name, *layout, attributes);
  if (failed(untyped))
    return failure();

  SmallVector<Type> types;
  LogicalResult inferred = typeRule->inferReturnTypes(
      loc.getContext(), loc, (*untyped)->getOperands(), (*untyped)->getAttrDictionary(),
      (*untyped)->getPropertiesStorage(), (*untyped)->getRegions(), types);
  Operation *op = nullptr;
  if (succeeded(inferred) && succeeded(checkSizes(loc, types)))
    op = Operation::create(loc, (*untyped)->getName(), types, (*untyped)->getOperands(),
                           NamedAttrList(), (*untyped)->getPropertiesStorage());
  (*untyped)->destroy();
  if (!op)
    return failure();
  builder.insert(op);
  if (failed(name.verifyInvariants(op)) || failed(onnx::checkSizeRules(loc, op))) {
    op->erase();
    return failure();
  }
  return foldAtBirth(builder, op);
}

} // namespace onnxc
