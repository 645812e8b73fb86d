//===- OnnxIrregularOps.cpp - Shape rules of the irregular ops -------------===//
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;
using namespace onnxc::onnx;

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxIrregularOps.cpp.inc"

static Type getI64(MLIRContext *context) { return IntegerType::get(context, 64); }

LogicalResult NonZeroOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                                          Adaptor adaptor, SmallVectorImpl<Type> &results) {
  int64_t rank = cast<RankedTensorType>(adaptor.getX().getType()).getRank();
  results.push_back(makeTensorType(
      {DimExpr::constant(context, rank), freshSymbol(context, "nonzero")}, getI64(context)));
  return success();
}

LogicalResult CompressOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                           Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getInput().getType());
  if (cast<RankedTensorType>(adaptor.getCondition().getType()).getRank() != 1)
    return emitOptionalError(location, "expected a condition of rank 1, found ",
                             adaptor.getCondition().getType());
  DimExpr count = freshSymbol(context, "compress");
  if (auto axisAttr = adaptor.getAxisAttr()) {
    FailureOr<int64_t> axis = normalizeAxis(location, axisAttr.getInt(), dims.size());
    if (failed(axis))
      return failure();
    dims[*axis] = count;
  } else {
    dims = {count};
  }
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getInput().getType())));
  return success();
}

LogicalResult UniqueOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                         Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getX().getType());
  DimExpr count = freshSymbol(context, "unique");
  DimExpr inputs = numElements(context, dims);
  if (auto axisAttr = adaptor.getAxisAttr()) {
    FailureOr<int64_t> axis = normalizeAxis(location, axisAttr.getInt(), dims.size());
    if (failed(axis))
      return failure();
    inputs = dims[*axis];
    dims[*axis] = count;
  } else {
    dims = {count};
  }
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getX().getType())));
  for (DimExpr size : {count, inputs, count})
    results.push_back(makeTensorType({size}, getI64(context)));
  return success();
}

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                       Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getX().getType());
  FailureOr<int64_t> axis =
      normalizeAxis(location, static_cast<int64_t>(adaptor.getAxis()), dims.size());
  if (failed(axis))
    return failure();
  if (cast<RankedTensorType>(adaptor.getK().getType()).getNumElements() != 1)
    return emitOptionalError(location, "expected one value of 'K', found ",
                             adaptor.getK().getType());
  DimExpr count = freshSymbol(context, "topk");
  if (auto value = getShapeValue(adaptor.getK()))
    count = value->front();
  auto constant = count.getConstant();
  if (constant && (*constant < 0 || *constant > dims[*axis].getConstant().value_or(*constant)))
    return emitOptionalError(location, "cannot take ", count.str(), " of ", dims[*axis].str(),
                             " elements");
  dims[*axis] = count;
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getX().getType())));
  results.push_back(makeTensorType(dims, getI64(context)));
  return success();
}

LogicalResult NonMaxSuppressionOp::inferReturnTypes(MLIRContext *context,
                                                    std::optional<Location> location,
                                                    Adaptor adaptor,
                                                    SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> boxes = getDims(adaptor.getBoxes().getType());
  if (boxes.size() != 3 || boxes[2].getConstant().value_or(4) != 4 ||
      getDims(adaptor.getScores().getType()).size() != 3)
    return emitOptionalError(location,
                             "expected boxes [batch, n, 4] and scores [batch, classes, "
                             "n], found ",
                             adaptor.getBoxes().getType(), " and ", adaptor.getScores().getType());
  for (auto [value, what] : {std::pair<Value, StringRef>(adaptor.getMaxOutputBoxesPerClass(),
                                                         "max_output_boxes_per_class"),
                             {adaptor.getIouThreshold(), "iou_threshold"},
                             {adaptor.getScoreThreshold(), "score_threshold"}})
    if (failed(checkOneElement(location, value, what)))
      return failure();
  results.push_back(makeTensorType({freshSymbol(context, "nms"), DimExpr::constant(context, 3)},
                                   getI64(context)));
  return success();
}
