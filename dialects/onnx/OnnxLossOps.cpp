//===- OnnxLossOps.cpp - Losses and windows --------------------------------===//
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;

namespace onnxc::onnx {

static LogicalResult inferSignalWindow(std::optional<Location> location, Value size,
                                       int64_t dataType, SmallVectorImpl<Type> &results) {
  MLIRContext *context = size.getContext();
  Type element = elementTypeOf(context, dataType);
  if (!element || !element.isIntOrFloat())
    return emitOptionalError(location, "expected output_datatype to be a number type, found ",
                             dataType);
  if (failed(checkOneElement(location, size, "size")))
    return failure();
  std::optional<ShapeValue> known = getShapeValue(size);
  DimExpr length = known && known->size() == 1 ? known->front() : freshSymbol(context, "window");
  if (length.getConstant().value_or(0) < 0)
    return emitOptionalError(location, "expected a size of 0 or more, found ",
                             *length.getConstant());
  results.push_back(makeTensorType(length, element));
  return success();
}

/// Targets have the dims of the scores without the classes, which are dim 1.
static LogicalResult inferLoss(std::optional<Location> location, Value scores, Value targets,
                               Value weights, StringRef reduction, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(scores.getType()), own = getDims(targets.getType());
  if (dims.size() < 2 || own.size() + 1 != dims.size())
    return emitOptionalError(location,
                             "expected scores of rank 2 or more and targets of one less, "
                             "found ranks ",
                             dims.size(), " and ", own.size());
  for (size_t i = 0; i < own.size(); ++i) {
    DimExpr dim = dims[i == 0 ? 0 : i + 1];
    if (dim.isConstant() && own[i].isConstant() && dim != own[i])
      return emitOptionalError(location,
                               "expected scores and targets to have the same sizes but "
                               "for the classes, found ",
                               scores.getType(), " and ", targets.getType());
  }
  if (weights && getDims(weights.getType()).size() != 1)
    return emitOptionalError(location, "expected weights of rank 1, found rank ",
                             getDims(weights.getType()).size());
  if (failed(checkChoice(location, "reduction", reduction, {"none", "sum", "mean"})))
    return failure();
  Type element = getElementTypeOrSelf(scores.getType());
  results.push_back(reduction == "none" ? makeTensorType(own, element)
                                        : RankedTensorType::get({}, element));
  return success();
}

} // namespace onnxc::onnx

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxLossOps.cpp.inc"

using namespace onnxc::onnx;

LogicalResult NegativeLogLikelihoodLossOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, ValueRange operands, DictionaryAttr attributes,
    OpaqueProperties properties, RegionRange regions, SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferLoss(location, adaptor.getInput(), adaptor.getTarget(), adaptor.getWeight(),
                   adaptor.getReduction(), results);
}

LogicalResult SoftmaxCrossEntropyLossOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, ValueRange operands, DictionaryAttr attributes,
    OpaqueProperties properties, RegionRange regions, SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (failed(inferLoss(location, adaptor.getScores(), adaptor.getLabels(), adaptor.getWeights(),
                       adaptor.getReduction(), results)))
    return failure();
  results.push_back(adaptor.getScores().getType());
  return success();
}
