//===- OnnxRecurrentOps.cpp - Recurrent networks ---------------------------===//
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;

namespace onnxc::onnx {

static LogicalResult inferRecurrent(std::optional<Location> location, Value x, Value r,
                                    StringRef direction, std::optional<uint64_t> hiddenSize,
                                    bool batchFirst, int64_t gates, int64_t states,
                                    SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> xDims = getDims(x.getType()), rDims = getDims(r.getType());
  if (xDims.size() != 3 || rDims.size() != 3)
    return emitOptionalError(location, "expected X and R of rank 3, found ranks ", xDims.size(),
                             " and ", rDims.size());
  if (failed(
          checkChoice(location, "direction", direction, {"forward", "reverse", "bidirectional"})))
    return failure();
  MLIRContext *context = x.getContext();
  DimExpr hidden = rDims[2];
  if (!hidden.isConstant() || rDims[1] != hidden * gates)
    return emitOptionalError(location, "expected R with ", gates, " gates of a known size, found ",
                             rDims[1].str(), " rows and ", hidden.str(), " columns");
  if (hiddenSize && hidden.getConstant() != static_cast<int64_t>(*hiddenSize))
    return emitOptionalError(location, "hidden_size is ", static_cast<int64_t>(*hiddenSize),
                             ", but R has ", hidden.str(), " columns");
  DimExpr directions = DimExpr::constant(context, direction == "bidirectional" ? 2 : 1);
  if (rDims[0] != directions)
    return emitOptionalError(location, "expected R for ", directions.str(), " directions, found ",
                             rDims[0].str());
  DimExpr steps = xDims[batchFirst ? 1 : 0], batch = xDims[batchFirst ? 0 : 1];
  Type element = getElementTypeOrSelf(x.getType());
  SmallVector<DimExpr> all = {steps, directions, batch, hidden}, last = {directions, batch, hidden};
  if (batchFirst) {
    all = {batch, steps, directions, hidden};
    last = {batch, directions, hidden};
  }
  results.push_back(makeTensorType(all, element));
  results.append(states, makeTensorType(last, element));
  return success();
}

} // namespace onnxc::onnx

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxRecurrentOps.cpp.inc"
