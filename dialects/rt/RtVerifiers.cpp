//===- RtVerifiers.cpp - What rt ops demand of their operands --------------===//
//
// Passes read sizes, types and counts of these ops without asking again; what
// they rely on is checked here.
//
//===----------------------------------------------------------------------===//
#include "dialects/rt/RtDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace onnxc::rt;

/// Whether a tensor of one type may be seen as the other: dims that both know
/// are equal.
static bool isCompatible(Type a, Type b) {
  return getElementTypeOrSelf(a) == getElementTypeOrSelf(b) &&
         succeeded(verifyCompatibleShape(a, b));
}

/// Inits, what a region yields, and results: one of each kind, alike.
static LogicalResult verifyAlike(Operation *op, StringRef whatA, TypeRange a, StringRef whatB,
                                 TypeRange b) {
  if (a.size() != b.size())
    return op->emitOpError("expects as many ")
           << whatA << " as " << whatB << ", found " << a.size() << " and " << b.size();
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(a, b)))
    if (!isCompatible(std::get<0>(pair), std::get<1>(pair)))
      return op->emitOpError("expects ")
             << whatA << " of the types of its " << whatB << ", found " << std::get<0>(pair)
             << " and " << std::get<1>(pair) << " at " << i;
  return success();
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("expects elements of type ")
           << source.getElementType() << " in its result, found " << result.getElementType();
  if (getSizes().size() != result.getNumDynamicDims())
    return emitOpError("expects a size for each of the ")
           << result.getNumDynamicDims() << " dynamic dims of its result, found "
           << getSizes().size();
  if (source.hasStaticShape() && result.hasStaticShape() &&
      source.getNumElements() != result.getNumElements())
    return emitOpError("expects as many elements as ") << source << " has, found " << result;
  return success();
}

LogicalResult PackedOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  if (source.getElementType() != result.getElementType())
    return emitOpError("expects elements of type ")
           << source.getElementType() << " in its result, found " << result.getElementType();
  auto step = static_cast<int64_t>(getStep()), nr = static_cast<int64_t>(getNr());
  if (step < 1)
    return emitOpError("expects a step of at least 1, found ") << step;
  if (step == 1 && source.getRank() != result.getRank() + 1)
    return emitOpError("expects a result of rank ") << source.getRank() - 1 << ", found " << result;
  if (step > 1 &&
      (source.getRank() > result.getRank() + 2 || source.getRank() < 4 || result.getRank() < 2))
    return emitOpError("expects panels, steps, columns and elements of a step in at most ")
           << result.getRank() + 2 << " dims, found " << source;
  ArrayRef<int64_t> shape = source.getShape();
  if (step > 1 && shape.back() != step)
    return emitOpError("expects steps of ") << step << " elements, found " << source;
  if (shape[shape.size() - (step > 1 ? 2 : 1)] != nr)
    return emitOpError("expects panels of ") << nr << " columns, found " << source;
  return success();
}

LogicalResult ConcatOp::verify() {
  RankedTensorType result = getResult().getType();
  auto axis = static_cast<int64_t>(getAxis());
  if (axis < 0 || axis >= result.getRank())
    return emitOpError("expects an axis of ") << result << ", found " << axis;
  for (Type type : getInputs().getTypes()) {
    auto input = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape(result.getShape());
    if (input.getRank() == result.getRank())
      shape[axis] = ShapedType::kDynamic;
    if (!isCompatible(input, result.clone(shape)))
      return emitOpError("expects inputs that differ from ")
             << result << " along axis " << axis << " only, found " << input;
  }
  return verifyAlike(*this, "inits", getInit().getType(), "results", result);
}

LogicalResult CallOp::verify() {
  if (getInits().size() > getOutputs().size())
    return emitOpError("expects an output for each of its ")
           << getInits().size() << " inits, found " << getOutputs().size();
  TypeRange written = getOutputs().take_front(getInits().size()).getTypes();
  int64_t dims = 0;
  for (Type type : getOutputs().drop_front(getInits().size()).getTypes())
    dims += cast<RankedTensorType>(type).getRank();
  if (static_cast<int64_t>(getDims().size()) != dims)
    return emitOpError("expects all ")
           << dims << " dims of the outputs that have no init, found " << getDims().size();
  return verifyAlike(*this, "inits", getInits().getTypes(), "outputs", written);
}

LogicalResult GroupOp::verifyRegions() {
  Block &block = getBody().front();
  if (failed(verifyAlike(*this, "inits", getInits().getTypes(), "results", getResultTypes())) ||
      failed(verifyAlike(*this, "block arguments", block.getArgumentTypes(), "inits",
                         getInits().getTypes())))
    return failure();
  return verifyAlike(*this, "yielded values", block.getTerminator()->getOperandTypes(), "results",
                     getResultTypes());
}

LogicalResult KernelOp::verifyRegions() {
  Block &block = getBody().front();
  auto yield = dyn_cast_or_null<YieldOp>(block.empty() ? nullptr : &block.back());
  if (!yield)
    return emitOpError("expects a body that ends with 'rt.yield'");
  TypeRange arguments = block.getArgumentTypes(), results = yield->getOperandTypes();
  if (arguments.size() < results.size())
    return emitOpError("expects an argument to write each of its ")
           << results.size() << " results into, found " << arguments.size() << " arguments";
  return verifyAlike(*this, "last arguments", arguments.take_back(results.size()), "yielded values",
                     results);
}
