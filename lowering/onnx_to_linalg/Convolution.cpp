//===- Convolution.cpp - Convolutions to linalg ----------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/ConvolutionBuilder.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/Requantize.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::WindowAxis;

namespace {

/// Whether each output pixel sees exactly the input pixel at its place.
bool isPointwise(const Convolution &conv) {
  return !conv.isGrouped() && llvm::all_of(conv.axes, [](const WindowAxis &axis) {
    return axis.kernel.getConstant() == 1 && axis.stride == 1 && axis.padBegin.getConstant() == 0 &&
           axis.output == axis.input;
  });
}

/// A pointwise convolution: the matrix product of pixels and channels. The
/// weights are ONNX's [M, C, 1...].
Value buildPointwise(OpBuilder &builder, Location loc, const Convolution &conv,
                     ArrayRef<DimExpr> resultDims, Type accumulator) {
  enum : int { outputLabel, inputLabel, batchLabel, pixelLabel };
  LabelSizes sizes;
  sizes[outputLabel] = conv.groupOutputs;
  sizes[inputLabel] = conv.groupInputs;
  sizes[batchLabel] = conv.data.dims[0];
  SmallVector<int> pixels;
  for (auto [i, axis] : llvm::enumerate(conv.axes)) {
    pixels.push_back(pixelLabel + static_cast<int>(i));
    sizes[pixels.back()] = axis.input;
  }
  Arrangement<int> labels(conv);
  ContractionOperand data{{conv.data.tensor, labels.image(batchLabel, pixels, 0, inputLabel)},
                          conv.dataType};
  Value matrix = reshapeTo(builder, loc, conv.weights, {conv.groupOutputs, conv.groupInputs});
  ContractionOperand weights{{matrix, {outputLabel, inputLabel}}, conv.weightType};
  if (weights.type.zeroPoint &&
      cast<RankedTensorType>(weights.type.zeroPoint->tensor.getType()).getRank() == 1)
    weights.type.zeroPoint->labels = {outputLabel};
  Value product =
      buildContraction(builder, loc, {data, weights},
                       labels.image(batchLabel, pixels, 0, outputLabel), sizes, accumulator);
  return reshapeTo(builder, loc, product, resultDims);
}

/// ONNX's weights [M, C/group, taps...] in the order of the layout.
Value arrangeWeights(OpBuilder &builder, Location loc, const Convolution &conv) {
  SmallVector<DimExpr> dims = {conv.group, conv.groupOutputs, conv.groupInputs};
  SmallVector<int64_t> taps;
  for (auto [i, axis] : llvm::enumerate(conv.axes)) {
    dims.push_back(axis.kernel);
    taps.push_back(3 + static_cast<int64_t>(i));
  }
  if (!conv.channelsLast)
    return reshapeTo(builder, loc, conv.weights, dims);
  SmallVector<int64_t> perm = taps;
  llvm::append_range(perm, ArrayRef<int64_t>{0, 2, 1});
  return permuteTensor(builder, loc, {reshapeTo(builder, loc, conv.weights, dims), dims}, perm)
      .tensor;
}

/// The convolution of an op with ONNX's weights.
Value lowerConvolution(OpBuilder &builder, Location loc, Convolution conv,
                       ArrayRef<DimExpr> resultDims, bool widenIntegers) {
  Type accumulator =
      accumulatorType(getElementTypeOrSelf(conv.data.tensor.getType()), widenIntegers);
  if (isPointwise(conv))
    return buildPointwise(builder, loc, conv, resultDims, accumulator);
  conv.weights = arrangeWeights(builder, loc, conv);
  return buildConvolution(builder, loc, conv, resultDims, accumulator);
}

Convolution makeConvolution(OpBuilder &builder, Location loc, const onnx::ConvolutionShape &shape,
                            Value data, Type dataType, Value weights, Type weightType,
                            bool channelsLast) {
  Convolution conv;
  conv.data = {data, onnx::getDims(dataType)};
  conv.weights = weights;
  conv.dataType.isUnsigned = getElementTypeOrSelf(dataType).isUnsignedInteger();
  conv.weightType.isUnsigned = getElementTypeOrSelf(weightType).isUnsignedInteger();
  conv.axes = shape.axes;
  conv.group = DimExpr::constant(dataType.getContext(), shape.group);
  conv.groupOutputs = shape.outputChannels.floorDiv(conv.group);
  conv.channelsLast = channelsLast;
  setInputChannels(builder, loc, conv, onnx::getDims(weightType)[1] * conv.group);
  return conv;
}

/// The zero point of the data: a scalar (rank 0).
std::optional<LabelledTensor> readZeroPoint(OpBuilder &builder, Location loc, Value lowered,
                                            Value original) {
  if (!original)
    return std::nullopt;
  for (DimExpr dim : onnx::getDims(original.getType()))
    checkSameSize(builder, loc, dim, DimExpr::constant(builder.getContext(), 1),
                  "the zero point of the data has not one element");
  return LabelledTensor{reshapeTo(builder, loc, lowered, {}), {}};
}

/// That of the weights: a scalar, or one per output channel (rank 1).
std::optional<LabelledTensor> readZeroPoint(OpBuilder &builder, Location loc, Value lowered,
                                            Value original, DimExpr channels) {
  if (!original)
    return std::nullopt;
  SmallVector<DimExpr> dims = onnx::getDims(original.getType());
  if (dims.empty() || dims[0].getConstant() == 1)
    return LabelledTensor{reshapeTo(builder, loc, lowered, {}), {}};
  // A dim that may be 1 or not is broadcast by a copy.
  return LabelledTensor{broadcastTo(builder, loc, {lowered, dims}, channels), {}};
}

/// onnx.Conv  ->  padding, the convolution, then the bias
struct ConvLowering : OpConversionPattern<onnx::ConvOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ConvOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto shape = onnx::readConvolution(loc, op, op.getX(), op.getW());
    if (failed(shape))
      return failure();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    Convolution conv = makeConvolution(rewriter, loc, *shape, adaptor.getX(), op.getX().getType(),
                                       adaptor.getW(), op.getW().getType(), op.getChannelsLast());
    Value sums = lowerConvolution(rewriter, loc, conv, dims, /*widenIntegers=*/false);
    rewriter.replaceOp(op, addBias(rewriter, loc, {sums, dims}, sized(adaptor.getB(), op.getB()),
                                   op.getChannelsLast(),
                                   lowerType(getElementTypeOrSelf(op.getType()))));
    return success();
  }
};

/// onnx.ConvInteger  ->  a convolution on i32
struct ConvIntegerLowering : OpConversionPattern<onnx::ConvIntegerOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ConvIntegerOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto shape = onnx::readConvolution(loc, op, op.getX(), op.getW());
    if (failed(shape))
      return failure();
    Convolution conv = makeConvolution(rewriter, loc, *shape, adaptor.getX(), op.getX().getType(),
                                       adaptor.getW(), op.getW().getType(), op.getChannelsLast());
    conv.dataType.zeroPoint =
        readZeroPoint(rewriter, loc, adaptor.getXZeroPoint(), op.getXZeroPoint());
    conv.weightType.zeroPoint = readZeroPoint(rewriter, loc, adaptor.getWZeroPoint(),
                                              op.getWZeroPoint(), shape->outputChannels);
    conv.dataType.zeroPointUnsigned = isUnsigned(op.getXZeroPoint());
    conv.weightType.zeroPointUnsigned = isUnsigned(op.getWZeroPoint());
    rewriter.replaceOp(op, lowerConvolution(rewriter, loc, conv, onnx::getDims(op.getType()),
                                            /*widenIntegers=*/true));
    return success();
  }
};

/// onnx.QLinearConv  ->  a convolution on i32 with its bias, then requantised
struct QLinearConvLowering : OpConversionPattern<onnx::QLinearConvOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::QLinearConvOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto shape = onnx::readConvolution(loc, op, op.getX(), op.getW());
    if (failed(shape))
      return failure();
    bool channelsLast = op.getChannelsLast();
    Convolution conv = makeConvolution(rewriter, loc, *shape, adaptor.getX(), op.getX().getType(),
                                       adaptor.getW(), op.getW().getType(), channelsLast);
    conv.dataType.zeroPoint =
        readZeroPoint(rewriter, loc, adaptor.getXZeroPoint(), op.getXZeroPoint());
    conv.weightType.zeroPoint = readZeroPoint(rewriter, loc, adaptor.getWZeroPoint(),
                                              op.getWZeroPoint(), shape->outputChannels);
    conv.dataType.zeroPointUnsigned = isUnsigned(op.getXZeroPoint());
    conv.weightType.zeroPointUnsigned = isUnsigned(op.getWZeroPoint());
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    Value sums = lowerConvolution(rewriter, loc, conv, dims, /*widenIntegers=*/true);
    sums = addBias(rewriter, loc, {sums, dims}, sized(adaptor.getB(), op.getB()), channelsLast,
                   rewriter.getI32Type());
    FailureOr<SizedTensor> multiplier = requantizeMultiplier(
        rewriter, loc, sized(adaptor.getXScale(), op.getXScale()),
        sized(adaptor.getWScale(), op.getWScale()), sized(adaptor.getYScale(), op.getYScale()));
    if (failed(multiplier))
      return failure();
    SizedTensor aligned = alignChannels(rewriter, loc, *multiplier, dims.size(), channelsLast);
    rewriter.replaceOp(op, requantize(rewriter, loc, {sums, dims}, aligned,
                                      sized(adaptor.getYZeroPoint(), op.getYZeroPoint()), dims,
                                      getElementTypeOrSelf(op.getType())));
    return success();
  }
};

} // namespace

void onnxc::populateConvolutionPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvLowering, ConvIntegerLowering, QLinearConvLowering>(converter,
                                                                       patterns.getContext());
}
