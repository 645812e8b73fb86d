//===- Convolution.cpp - Convolutions to linalg ----------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/ContractionBuilder.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/Requantize.h"
#include "lowering/onnx_to_linalg/WindowBuilder.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::WindowAxis;

namespace {

/// A convolution on lowered tensors. `weights` are in the order of the layout,
/// see `weightOrder`.
struct Convolution {
  SizedTensor data;
  Value weights;
  FactorType dataType, weightType;
  SmallVector<WindowAxis> axes;
  DimExpr group, groupInputs, groupOutputs;
  bool channelsLast;

  bool isGrouped() const { return group.getConstant() != 1; }
  /// One input and one output channel per group: those loops are left out.
  bool isDepthwise() const {
    return isGrouped() && groupInputs.getConstant() == 1 && groupOutputs.getConstant() == 1;
  }
};

/// Arranges the parts of an operand in the order of the layout, leaving out
/// those of loops that the convolution has not.
template <typename T> class Arrangement {
public:
  explicit Arrangement(const Convolution &conv) : conv(conv) {}

  /// [spatial..., g, c] or [g, c, spatial...]
  SmallVector<T> channels(ArrayRef<T> spatial, T group, T channel) const {
    SmallVector<T> result;
    if (conv.channelsLast)
      llvm::append_range(result, spatial);
    if (conv.isGrouped())
      result.push_back(group);
    if (!conv.isDepthwise())
      result.push_back(channel);
    if (!conv.channelsLast)
      llvm::append_range(result, spatial);
    return result;
  }
  /// [n, spatial..., g, c] or [n, g, c, spatial...]
  SmallVector<T> image(T batch, ArrayRef<T> spatial, T group, T channel) const {
    SmallVector<T> result = {batch};
    llvm::append_range(result, channels(spatial, group, channel));
    return result;
  }
  /// [taps..., g, ic, oc] or [g, oc, ic, taps...]
  SmallVector<T> weights(ArrayRef<T> taps, T group, T input, T output) const {
    SmallVector<T> result;
    if (conv.channelsLast)
      llvm::append_range(result, taps);
    if (conv.isGrouped())
      result.push_back(group);
    if (!conv.isDepthwise())
      llvm::append_range(result, conv.channelsLast ? SmallVector<T>{input, output}
                                                   : SmallVector<T>{output, input});
    if (!conv.channelsLast)
      llvm::append_range(result, taps);
    return result;
  }

private:
  const Convolution &conv;
};

/// The loops of a convolution as affine dims.
struct ConvolutionLoops {
  AffineExpr batch, group, output, input;
  SmallVector<AffineExpr> pixels, taps;
  SmallVector<utils::IteratorType> iterators;

  ConvolutionLoops(MLIRContext *context, const Convolution &conv) {
    auto add = [&](utils::IteratorType iterator) {
      iterators.push_back(iterator);
      return getAffineDimExpr(iterators.size() - 1, context);
    };
    auto parallel = utils::IteratorType::parallel, reduction = utils::IteratorType::reduction;
    auto addPixels = [&] {
      for (size_t i = 0; i < conv.axes.size(); ++i)
        pixels.push_back(add(parallel));
    };
    batch = add(parallel);
    if (conv.channelsLast)
      addPixels();
    if (conv.isGrouped())
      group = add(parallel);
    if (!conv.isDepthwise())
      output = add(parallel);
    if (!conv.channelsLast)
      addPixels();
    for (size_t i = 0; i < conv.axes.size(); ++i)
      taps.push_back(add(reduction));
    if (!conv.isDepthwise())
      input = add(reduction);
  }
};

/// Subtracts a zero point inside a body.
Value subtractZeroPoint(OpBuilder &builder, Location loc, Value factor, Value zeroPoint,
                        const FactorType &type) {
  Value zero = buildFactor(builder, loc, zeroPoint, type.zeroPointUnsigned, factor.getType());
  return arith::SubIOp::create(builder, loc, factor, zero);
}

/// The sums of products of an already padded image, with dims
/// [n, pixels..., g, oc] in the order of the layout.
Value buildWindowedProduct(OpBuilder &builder, Location loc, const Convolution &conv,
                           Type accumulator) {
  MLIRContext *context = builder.getContext();
  ConvolutionLoops loops(context, conv);
  Arrangement<AffineExpr> exprs(conv);
  Arrangement<DimExpr> dims(conv);
  SmallVector<AffineExpr> window;
  SmallVector<DimExpr> outputSizes, inputSizes, taps;
  unsigned first = firstSpatialDim(conv.channelsLast);
  for (auto [i, axis] : llvm::enumerate(conv.axes)) {
    window.push_back(windowExpr(loops.pixels[i], loops.taps[i], axis));
    outputSizes.push_back(axis.output);
    inputSizes.push_back(conv.data.dims[first + i]);
    taps.push_back(axis.kernel);
  }
  auto makeMap = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(loops.iterators.size(), 0, results, context);
  };
  DimExpr batch = conv.data.dims[0];
  SmallVector<Value> inputs = {
      reshapeTo(builder, loc, conv.data,
                dims.image(batch, inputSizes, conv.group, conv.groupInputs)),
      reshapeTo(builder, loc, conv.weights,
                dims.weights(taps, conv.group, conv.groupInputs, conv.groupOutputs))};
  SmallVector<AffineMap> maps = {
      makeMap(exprs.image(loops.batch, window, loops.group, loops.input)),
      makeMap(exprs.weights(loops.taps, loops.group, loops.input, loops.output))};
  if (conv.dataType.zeroPoint) {
    inputs.push_back(conv.dataType.zeroPoint->tensor);
    maps.push_back(makeMap({}));
  }
  if (conv.weightType.zeroPoint) {
    bool scalar = cast<RankedTensorType>(conv.weightType.zeroPoint->tensor.getType()).getRank() == 0;
    inputs.push_back(scalar ? conv.weightType.zeroPoint->tensor
                            : reshapeTo(builder, loc, conv.weightType.zeroPoint->tensor,
                                        dims.channels({}, conv.group, conv.groupOutputs)));
    maps.push_back(makeMap(scalar ? SmallVector<AffineExpr>()
                                  : exprs.channels({}, loops.group, loops.output)));
  }
  maps.push_back(makeMap(exprs.image(loops.batch, loops.pixels, loops.group, loops.output)));
  Value init = filledTensor(builder, loc,
                            dims.image(batch, outputSizes, conv.group, conv.groupOutputs),
                            zeroOf(builder, loc, accumulator));
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    Value x = buildFactor(builder, loc, args[0], conv.dataType.isUnsigned, accumulator);
    Value w = buildFactor(builder, loc, args[1], conv.weightType.isUnsigned, accumulator);
    unsigned next = 2;
    if (conv.dataType.zeroPoint)
      x = subtractZeroPoint(builder, loc, x, args[next++], conv.dataType);
    if (conv.weightType.zeroPoint)
      w = subtractZeroPoint(builder, loc, w, args[next++], conv.weightType);
    linalg::YieldOp::create(builder, loc, buildMultiplyAdd(builder, loc, x, w, args.back()));
  };
  return linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, maps,
                                   loops.iterators, body)
      .getResult(0);
}

/// Pads the image (with the zero point of quantised data) and convolves it; the
/// result has `resultDims` and the accumulator's type.
Value buildConvolution(OpBuilder &builder, Location loc, Convolution conv,
                       ArrayRef<DimExpr> resultDims, Type accumulator) {
  Type element = getElementTypeOrSelf(conv.data.tensor.getType());
  auto padding = [&](OpBuilder &builder, Location loc) -> Value {
    if (conv.dataType.zeroPoint)
      return tensor::ExtractOp::create(builder, loc, conv.dataType.zeroPoint->tensor,
                                       ValueRange());
    return zeroOf(builder, loc, element);
  };
  conv.data = padImage(builder, loc, conv.data, conv.axes, conv.channelsLast, padding);
  Value product = buildWindowedProduct(builder, loc, conv, accumulator);
  return reshapeTo(builder, loc, product, resultDims);
}

/// Whether each output pixel sees exactly the input pixel at its place.
bool isPointwise(const Convolution &conv) {
  return !conv.isGrouped() && llvm::all_of(conv.axes, [](const WindowAxis &axis) {
    return axis.kernel.getConstant() == 1 && axis.stride == 1 &&
           axis.padBegin.getConstant() == 0 && axis.output == axis.input;
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
  Value product = buildContraction(builder, loc, {data, weights},
                                   labels.image(batchLabel, pixels, 0, outputLabel), sizes,
                                   accumulator);
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

Convolution makeConvolution(const onnx::ConvolutionShape &shape, Value data, Type dataType,
                            Value weights, Type weightType, bool channelsLast) {
  Convolution conv;
  conv.data = {data, onnx::getDims(dataType)};
  conv.weights = weights;
  conv.dataType.isUnsigned = getElementTypeOrSelf(dataType).isUnsignedInteger();
  conv.weightType.isUnsigned = getElementTypeOrSelf(weightType).isUnsignedInteger();
  conv.axes = shape.axes;
  conv.group = DimExpr::constant(dataType.getContext(), shape.group);
  conv.groupInputs = shape.input.channels.floorDiv(conv.group);
  conv.groupOutputs = shape.outputChannels.floorDiv(conv.group);
  conv.channelsLast = channelsLast;
  return conv;
}

/// A per-channel parameter with the dims that put it beside the image's
/// channels; scalars stay as they are.
SizedTensor alignChannels(OpBuilder &builder, Location loc, const SizedTensor &parameter,
                          size_t imageRank, bool channelsLast) {
  if (parameter.dims.empty() || channelsLast)
    return parameter;
  SmallVector<DimExpr> dims = parameter.dims;
  dims.resize(imageRank - 1, DimExpr::constant(builder.getContext(), 1));
  return {reshapeTo(builder, loc, parameter.tensor, dims), dims};
}

/// The sums with their bias added, rounded to the result's element type.
Value addBias(OpBuilder &builder, Location loc, const SizedTensor &sums, Value bias,
              const Value &originalBias, bool channelsLast, Type elementType) {
  if (!bias)
    return castElements(builder, loc, sums, elementType);
  SizedTensor aligned =
      alignChannels(builder, loc, {bias, onnx::getDims(originalBias.getType())},
                    sums.dims.size(), channelsLast);
  auto body = [](OpBuilder &builder, Location loc, ValueRange args) -> Value {
    if (isa<FloatType>(args[0].getType()))
      return arith::AddFOp::create(builder, loc, args[0], args[1]);
    return arith::AddIOp::create(builder, loc, args[0], args[1]);
  };
  return buildElementwise(builder, loc, {sums, aligned}, sums.dims, elementType, body);
}

/// A zero point as a scalar (rank 0), or per output channel (rank 1).
std::optional<LabelledTensor> readZeroPoint(OpBuilder &builder, Location loc, Value lowered,
                                            Value original) {
  if (!original)
    return std::nullopt;
  SmallVector<DimExpr> dims = onnx::getDims(original.getType());
  if (dims.size() == 1 && dims[0].getConstant() == 1)
    dims.clear();
  return LabelledTensor{reshapeTo(builder, loc, lowered, dims), {}};
}

bool isUnsigned(Value value) {
  return value && getElementTypeOrSelf(value.getType()).isUnsignedInteger();
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
    Convolution conv = makeConvolution(*shape, adaptor.getX(), op.getX().getType(),
                                       adaptor.getW(), op.getW().getType(), op.getChannelsLast());
    Value sums = lowerConvolution(rewriter, loc, conv, dims, /*widenIntegers=*/false);
    rewriter.replaceOp(op, addBias(rewriter, loc, {sums, dims}, adaptor.getB(), op.getB(),
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
    Convolution conv = makeConvolution(*shape, adaptor.getX(), op.getX().getType(),
                                       adaptor.getW(), op.getW().getType(), op.getChannelsLast());
    conv.dataType.zeroPoint =
        readZeroPoint(rewriter, loc, adaptor.getXZeroPoint(), op.getXZeroPoint());
    conv.weightType.zeroPoint =
        readZeroPoint(rewriter, loc, adaptor.getWZeroPoint(), op.getWZeroPoint());
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
    Convolution conv = makeConvolution(*shape, adaptor.getX(), op.getX().getType(),
                                       adaptor.getW(), op.getW().getType(), channelsLast);
    conv.dataType.zeroPoint =
        readZeroPoint(rewriter, loc, adaptor.getXZeroPoint(), op.getXZeroPoint());
    conv.weightType.zeroPoint =
        readZeroPoint(rewriter, loc, adaptor.getWZeroPoint(), op.getWZeroPoint());
    conv.dataType.zeroPointUnsigned = isUnsigned(op.getXZeroPoint());
    conv.weightType.zeroPointUnsigned = isUnsigned(op.getWZeroPoint());
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    Value sums = lowerConvolution(rewriter, loc, conv, dims, /*widenIntegers=*/true);
    sums = addBias(rewriter, loc, {sums, dims}, adaptor.getB(), op.getB(), channelsLast,
                   rewriter.getI32Type());
    auto sized = [](Value lowered, Value original) {
      return SizedTensor{lowered, onnx::getDims(original.getType())};
    };
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
