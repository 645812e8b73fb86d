//===- OnnxNormalizationOps.cpp - Scaling by statistics --------------------===//
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxNormalizationOps.cpp.inc"

using namespace onnxc::onnx;

static int64_t rankOf(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

/// Softmax and the like take one axis of the operand.
template <typename Adaptor>
static LogicalResult checkAxis(std::optional<Location> location, Adaptor adaptor) {
  return normalizeAxis(location, adaptor.getAxis(), rankOf(adaptor.getInput()));
}

LogicalResult SoftmaxOp::check(std::optional<Location> location, Adaptor adaptor) {
  return checkAxis(location, adaptor);
}

LogicalResult LogSoftmaxOp::check(std::optional<Location> location, Adaptor adaptor) {
  return checkAxis(location, adaptor);
}

LogicalResult HardmaxOp::check(std::optional<Location> location, Adaptor adaptor) {
  return checkAxis(location, adaptor);
}

LogicalResult LpNormalizationOp::check(std::optional<Location> location, Adaptor adaptor) {
  if (adaptor.getP() != 1 && adaptor.getP() != 2)
    return emitOptionalError(location, "expected p to be 1 or 2, found ", adaptor.getP());
  return checkAxis(location, adaptor);
}

LogicalResult MeanVarianceNormalizationOp::check(std::optional<Location> location,
                                                 Adaptor adaptor) {
  return normalizeAxes(location, adaptor.getAxes(), rankOf(adaptor.getX()));
}

/// A per-channel operand has one element for each channel, which is dim 1.
static LogicalResult checkChannels(std::optional<Location> location, Value data, Value perChannel,
                                   StringRef name) {
  if (rankOf(data) < 2)
    return emitOptionalError(location, "expected an input of rank 2 or more, found rank ",
                             rankOf(data));
  if (rankOf(perChannel) != 1)
    return emitOptionalError(location, "expected '", name, "' of rank 1, found rank ",
                             rankOf(perChannel));
  std::optional<int64_t> channels = getDims(data.getType())[1].getConstant();
  std::optional<int64_t> size = getDims(perChannel.getType())[0].getConstant();
  if (channels && size && *channels != *size)
    return emitOptionalError(location, "expected ", *channels, " elements in '", name,
                             "', one for each channel, found ", *size);
  return success();
}

LogicalResult InstanceNormalizationOp::check(std::optional<Location> location, Adaptor adaptor) {
  return success(
      succeeded(checkChannels(location, adaptor.getInput(), adaptor.getScale(), "scale")) &&
      succeeded(checkChannels(location, adaptor.getInput(), adaptor.getB(), "B")));
}

LogicalResult GroupNormalizationOp::check(std::optional<Location> location, Adaptor adaptor) {
  if (failed(checkChannels(location, adaptor.getX(), adaptor.getScale(), "scale")) ||
      failed(checkChannels(location, adaptor.getX(), adaptor.getBias(), "bias")))
    return failure();
  int64_t groups = adaptor.getNumGroups();
  std::optional<int64_t> channels = getDims(adaptor.getX().getType())[1].getConstant();
  if (groups < 1 || (channels && *channels % groups != 0))
    return emitOptionalError(location, "expected num_groups to divide the ", channels.value_or(0),
                             " channels, found ", groups);
  return success();
}

LogicalResult LRNOp::check(std::optional<Location> location, Adaptor adaptor) {
  if (rankOf(adaptor.getX()) < 2)
    return emitOptionalError(location, "expected an input of rank 2 or more, found rank ",
                             rankOf(adaptor.getX()));
  if (adaptor.getSize() < 1)
    return emitOptionalError(location, "expected a size of 1 or more, found ", adaptor.getSize());
  return success();
}

/// A scale or bias must broadcast to the data.
static LogicalResult checkBroadcastsTo(std::optional<Location> location, Value x, Value parameter,
                                       StringRef name) {
  if (!parameter)
    return success();
  SmallVector<DimExpr> whole = getDims(x.getType()), dims = getDims(parameter.getType());
  bool fits = dims.size() <= whole.size();
  for (size_t i = 1; fits && i <= dims.size(); ++i) {
    std::optional<int64_t> size = dims[dims.size() - i].getConstant();
    std::optional<int64_t> all = whole[whole.size() - i].getConstant();
    fits = !size || *size == 1 || !all || *size == *all;
  }
  if (fits)
    return success();
  return emitOptionalError(location, "expected '", name, "' to broadcast to ", x.getType(),
                           ", found ", parameter.getType());
}

LogicalResult LayerNormalizationOp::inferReturnTypes(MLIRContext *context,
                                                     std::optional<Location> location,
                                                     ValueRange operands, DictionaryAttr attributes,
                                                     OpaqueProperties properties,
                                                     RegionRange regions,
                                                     SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  Type type = adaptor.getX().getType();
  FailureOr<int64_t> axis = normalizeAxis(location, adaptor.getAxis(), rankOf(adaptor.getX()));
  if (failed(axis))
    return failure();
  if (failed(checkBroadcastsTo(location, adaptor.getX(), adaptor.getScale(), "Scale")) ||
      failed(checkBroadcastsTo(location, adaptor.getX(), adaptor.getB(), "B")))
    return failure();
  SmallVector<DimExpr> dims = getDims(type);
  for (DimExpr &dim : MutableArrayRef(dims).drop_front(*axis))
    dim = DimExpr::constant(context, 1);
  // Statistics are in f32 unless stash_type names another float type.
  Type stash = elementTypeOf(context, adaptor.getStashType());
  if (!isa_and_nonnull<FloatType>(stash))
    return emitOptionalError(location, "expected stash_type to be a float type, found ",
                             adaptor.getStashType());
  results.assign({type, makeTensorType(dims, stash), makeTensorType(dims, stash)});
  return success();
}

LogicalResult RMSNormalizationOp::inferReturnTypes(MLIRContext *context,
                                                   std::optional<Location> location,
                                                   ValueRange operands, DictionaryAttr attributes,
                                                   OpaqueProperties properties, RegionRange regions,
                                                   SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (failed(normalizeAxis(location, adaptor.getAxis(), rankOf(adaptor.getX()))) ||
      failed(checkBroadcastsTo(location, adaptor.getX(), adaptor.getScale(), "scale")))
    return failure();
  results.push_back(makeTensorType(getDims(adaptor.getX().getType()),
                                   getElementTypeOrSelf(adaptor.getScale().getType())));
  return success();
}

LogicalResult BatchNormalizationOp::inferReturnTypes(MLIRContext *context,
                                                     std::optional<Location> location,
                                                     ValueRange operands, DictionaryAttr attributes,
                                                     OpaqueProperties properties,
                                                     RegionRange regions,
                                                     SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  Value x = adaptor.getX();
  // A rank-1 input has one channel; all else has them in dim 1.
  if (rankOf(x) > 1)
    for (auto [value, name] : {std::pair<Value, StringRef>(adaptor.getScale(), "scale"),
                               {adaptor.getB(), "B"},
                               {adaptor.getInputMean(), "input_mean"},
                               {adaptor.getInputVar(), "input_var"}})
      if (failed(checkChannels(location, x, value, name)))
        return failure();
  results.assign({x.getType(), adaptor.getInputMean().getType(), adaptor.getInputVar().getType()});
  return success();
}

SmallVector<unsigned> BatchNormalizationOp::getAffineOperands() {
  return getTrainingMode() ? SmallVector<unsigned>() : SmallVector<unsigned>{0};
}

std::optional<int64_t> BatchNormalizationOp::getParameterDim() {
  return std::min<int64_t>(rankOf(getX()) - 1, 1);
}

/// scale / sqrt(var + epsilon), and B - mean * that.
ScaleAndOffset BatchNormalizationOp::buildScaleAndOffset(OpBuilder &builder, Location loc,
                                                         ValueRange parameters) {
  auto create = [&](auto op, ValueRange operands) {
    return decltype(op)::create(builder, loc, operands)->getResult(0);
  };
  Value scale = parameters[0], offset = parameters[1], mean = parameters[2], var = parameters[3];
  Type element = getElementTypeOrSelf(scale.getType());
  Value epsilon = ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({}, element),
                             builder.getFloatAttr(element, getEpsilon().convertToDouble())));
  Value deviation = create(SqrtOp(), create(AddOp(), {var, epsilon}));
  Value factor = create(DivOp(), {scale, deviation});
  return {factor, create(SubOp(), {offset, create(MulOp(), {mean, factor})})};
}
