//===- Resize.cpp - Resize to linalg ---------------------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "dialects/onnx/ResizeShape.h"
#include "lowering/onnx_to_linalg/Generics.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/SampleBuilder.h"

#include "lowering/support/FloatCasts.h"
using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::ResizeAxis;
using onnx::Scalar;

namespace {

/// A Resize under lowering.
struct Resize {
  /// A handle; MLIR's getters are not const.
  mutable onnx::ResizeOp op;
  Value image, roi, scales, sizes;
  /// As [N, C, spatial...], with all outputs known (maybe as symbols).
  SmallVector<ResizeAxis> axes;
  SmallVector<Value> inputSizes, outputSizes;
  bool byScale;
  int64_t resizedCount = 0;

  bool is(StringRef mode) const { return op.getMode() == mode; }
  bool crops() const { return op.getCoordinateTransformationMode() == "tf_crop_and_resize"; }
  bool isIdentity(const ResizeAxis &axis) const {
    return !axis.resized || (axis.input == axis.output && !crops());
  }
  /// The dim of the tensors that an axis is.
  unsigned dimOf(size_t axis) const {
    if (!op.getChannelsLast() || axis == 0)
      return axis;
    return axis == 1 ? axes.size() - 1 : axis - 1;
  }
};

/// Element `i` of a float or int64 tensor, as a float of `like`'s type.
Scalar readFloat(Scalar like, Value tensor, int64_t i) {
  OpBuilder &builder = like.getBuilder();
  Location loc = like.getLoc();
  Value index = arith::ConstantIndexOp::create(builder, loc, i);
  Value element = tensor::ExtractOp::create(builder, loc, tensor, index);
  if (isa<IntegerType>(element.getType()))
    return like.with(arith::SIToFPOp::create(builder, loc, like.type(), element));
  return like.with(convertFloat(builder, loc, element, like.type()));
}

/// The scale of an axis, a number or what the run gives.
Scalar scaleOf(const Resize &resize, const ResizeAxis &axis, Scalar like) {
  if (axis.scale)
    return like.constant(*axis.scale);
  if (resize.byScale)
    return readFloat(like, resize.scales, axis.index);
  auto stretched = [&](size_t i) {
    return readFloat(like, resize.sizes, resize.axes[i].index) /
           toFloat(like, resize.inputSizes[i]);
  };
  StringRef policy = resize.op.getKeepAspectRatioPolicy();
  if (policy == "stretch")
    return stretched(&axis - resize.axes.data());
  std::optional<Scalar> common;
  for (size_t i = 0; i < resize.axes.size(); ++i) {
    if (!resize.axes[i].resized)
      continue;
    Scalar own = stretched(i);
    common = !common ? own : policy == "not_smaller" ? max(*common, own) : min(*common, own);
  }
  return *common;
}

Scalar zeroF64(OpBuilder &builder, Location loc) {
  return Scalar(builder, loc, arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(0)));
}

/// Computes the output sizes that only the run knows, and binds their symbols.
void bindOutputs(OpBuilder &builder, const Resize &resize, ArrayRef<bool> unknown) {
  Location loc = resize.op.getLoc();
  SmallVector<DimExpr> dims;
  SmallVector<Value> sizes;
  IndexMath math(builder, loc);
  bool keepsRatio = !resize.byScale && resize.op.getKeepAspectRatioPolicy() != "stretch";
  for (auto [i, axis] : llvm::enumerate(resize.axes)) {
    if (!unknown[i])
      continue;
    dims.push_back(axis.output);
    if (!resize.byScale && !keepsRatio) {
      sizes.push_back(math.toIndex(math.read(resize.sizes, axis.index)));
      continue;
    }
    Scalar like = zeroF64(builder, loc);
    Scalar size = scaleOf(resize, axis, like) * toFloat(like, resize.inputSizes[i]);
    sizes.push_back(math.toIndex(keepsRatio ? size + 0.5 : size));
  }
  bindDims(builder, resize.op, dims, sizes);
}

/// The places and weights of one axis at one output position, in f64 as the
/// operator's reference does it: a rounding error would pick another element.
class AxisSampler {
public:
  AxisSampler(OpBuilder &builder, Location loc, const Resize &resize, size_t axis, Value position)
      : resize(resize), op(resize.op), axis(resize.axes[axis]),
        position(toFloat(zeroF64(builder, loc), position)), inputLength(resize.inputSizes[axis]),
        inputSize(toFloat(this->position, inputLength)),
        outputSize(toFloat(this->position, resize.outputSizes[axis])) {}

  /// Whether the sample lies outside the image, which only cropping can do.
  Scalar isOutside() {
    Scalar x = coordinate();
    return (x < 0.0) | (x > inputSize - 1.0);
  }

  SmallVector<SampleTap> nearest() {
    return {{toIndex(roundNearest(coordinate()), inputLength), Value(), Value()}};
  }

  /// Two or four taps without antialiasing.
  SmallVector<SampleTap> taps(Type weightType) {
    Scalar x = coordinate(), base = floor(x);
    SmallVector<Scalar> places, weights;
    for (int offset = resize.is("cubic") ? -1 : 0, end = 2 - offset; offset < end; ++offset) {
      places.push_back(base + static_cast<double>(offset));
      weights.push_back(weightAt(static_cast<double>(offset) - (x - base), places.back()));
    }
    if (op.getExcludeOutside())
      normalize(weights);
    SmallVector<SampleTap> result;
    for (auto [place, weight] : llvm::zip_equal(places, weights))
      result.push_back({toIndex(place, inputLength),
                        convertFloat(weight.getBuilder(), weight.getLoc(), weight, weightType),
                        Value()});
    return result;
  }

  /// The first of the taps of an antialiased sample, relative to floor(x): those
  /// that a kernel reaches which is stretched when the image shrinks.
  Scalar firstOffset() {
    return floor(position.constant(resize.is("cubic") ? -2 : -1) / stretch()) + 1.0;
  }
  /// How many taps there are.
  Scalar tapCount() { return 2.0 - firstOffset() * 2.0; }
  /// Tap `t`: its place, and its weight before normalisation.
  Scalar antialiasedPlace(Scalar t) { return floor(coordinate()) + firstOffset() + t; }
  Scalar antialiasedWeight(Scalar t) {
    Scalar place = antialiasedPlace(t);
    return weightAt((place - coordinate()) * stretch(), place);
  }
  Value clampedIndex(Scalar place) { return toIndex(place, inputLength); }

private:
  static void normalize(MutableArrayRef<Scalar> weights) {
    Scalar sum = weights.front();
    for (Scalar weight : weights.drop_front())
      sum = sum + weight;
    for (Scalar &weight : weights)
      weight = weight / sum;
  }

  Scalar weightAt(Scalar distance, Scalar place) {
    Scalar weight = resize.is("cubic")
                        ? cubicWeight(distance, op.getCubicCoeffA().convertToDouble())
                        : atLeast(1.0 - abs(distance), 0.0);
    return op.getExcludeOutside() ? select(isInside(place, inputSize), weight, 0.0) : weight;
  }

  Scalar scale() { return scaleOf(resize, axis, position); }
  Scalar stretch() { return atMost(scale(), 1.0); }

  Scalar roundNearest(Scalar x) {
    StringRef mode = op.getNearestMode();
    if (mode == "floor")
      return floor(x);
    if (mode == "ceil")
      return ceil(x);
    return mode == "round_prefer_ceil" ? floor(x + 0.5) : ceil(x - 0.5);
  }

  Scalar crop() {
    Scalar start = readFloat(position, resize.roi, axis.index);
    Scalar end = readFloat(position, resize.roi, axis.index + resize.resizedCount);
    Scalar last = inputSize - 1.0;
    Scalar scaled = scaledSize();
    Scalar many = start * last + position * (end - start) * last / (scaled - 1.0);
    return select(scaled > 1.0, many, 0.5 * (start + end) * last);
  }

  /// The output's size before it was rounded, which is what ONNX's formulas mean.
  Scalar scaledSize() {
    bool rounded = resize.byScale || op.getKeepAspectRatioPolicy() != "stretch";
    return rounded ? scale() * inputSize : outputSize;
  }

  /// The place in the input that the output position stands for.
  Scalar coordinate() {
    StringRef mode = op.getCoordinateTransformationMode();
    Scalar scaled = scaledSize();
    if (mode == "asymmetric")
      return position / scale();
    if (mode == "align_corners")
      return select(scaled != 1.0, position * (inputSize - 1.0) / (scaled - 1.0), 0.0);
    if (mode == "tf_crop_and_resize")
      return crop();
    Scalar half = (position + 0.5) / scale() - 0.5;
    if (mode == "pytorch_half_pixel")
      return select(scaled != 1.0, half, 0.0);
    if (mode == "half_pixel_symmetric") {
      // The sizes were rounded; what is missing is shared by both sides.
      Scalar adjustment = outputSize / (scale() * inputSize);
      return inputSize * 0.5 * (1.0 - adjustment) + half;
    }
    return half;
  }

  const Resize &resize;
  onnx::ResizeOp op;
  const ResizeAxis &axis;
  Scalar position;
  Value inputLength;
  Scalar inputSize, outputSize;
};

/// A sample as the result's element: integers are truncated as Cast does it.
Value toElement(OpBuilder &builder, Location loc, Value sample, Type element, bool isUnsigned) {
  if (isa<FloatType>(element) || sample.getType() == element)
    return convertFloat(builder, loc, sample, element);
  return onnx::convert(Scalar(builder, loc, sample), element, isUnsigned);
}

/// The value of samples outside the image.
Value extrapolation(OpBuilder &builder, Location loc, onnx::ResizeOp op, Type element,
                    bool isUnsigned) {
  double value = op.getExtrapolationValue().convertToDouble();
  if (isa<FloatType>(element))
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, value));
  Value wide = arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
  return onnx::convert(Scalar(builder, loc, wide), element, isUnsigned);
}

/// One generic that reads each element's neighbours along `axes`, of an image that is
/// already resized along others. `isLast` passes make the result's elements, others are
/// in the type of the weights.
Value buildPass(OpBuilder &builder, Location loc, const Resize &resize, Value image,
                ArrayRef<size_t> axes, ArrayRef<DimExpr> dims, Type weightType, bool isLast) {
  Type onnxElement = getElementTypeOrSelf(resize.op.getType());
  bool isUnsigned = onnxElement.isUnsignedInteger();
  Type element = isLast ? lowerType(onnxElement) : weightType;
  auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
    SmallVector<SampledDim> sampled;
    for (size_t i : axes) {
      unsigned dim = resize.dimOf(i);
      AxisSampler sampler(builder, loc, resize, i, indices[dim]);
      sampled.push_back({dim, weightType ? sampler.taps(weightType) : sampler.nearest()});
    }
    Value sample = buildSample(builder, loc, image, llvm::to_vector(indices), sampled,
                               sampled.empty() ? Type() : weightType, isUnsigned);
    sample = toElement(builder, loc, sample, element, isUnsigned);
    if (!isLast || !resize.crops())
      return sample;
    std::optional<Scalar> outside;
    for (auto [i, axis] : llvm::enumerate(resize.axes)) {
      if (resize.isIdentity(axis))
        continue;
      AxisSampler sampler(builder, loc, resize, i, indices[resize.dimOf(i)]);
      outside = outside ? *outside | sampler.isOutside() : sampler.isOutside();
    }
    if (!outside)
      return sample;
    return arith::SelectOp::create(builder, loc, *outside,
                                   extrapolation(builder, loc, resize.op, element, isUnsigned),
                                   sample);
  };
  return buildFromIndices(builder, loc, dims, element, build);
}

/// One generic for all axes; where an element would have more neighbours than that is
/// worth, one for each axis: the taps of an axis do not depend on the other axes.
Value buildWithoutAntialias(OpBuilder &builder, Location loc, const Resize &resize,
                            ArrayRef<DimExpr> dims) {
  constexpr size_t mostNeighbours = 64;
  Type element = lowerType(getElementTypeOrSelf(resize.op.getType()));
  Type weightType;
  if (!resize.is("nearest"))
    weightType = element.isF64() ? element : Type(builder.getF32Type());
  SmallVector<size_t> axes;
  size_t neighbours = 1;
  for (auto [i, axis] : llvm::enumerate(resize.axes)) {
    if (resize.isIdentity(axis))
      continue;
    axes.push_back(i);
    neighbours = std::min(neighbours * (resize.is("cubic") ? 4 : 2), mostNeighbours + 1);
  }
  Value image = resize.image;
  if (weightType && neighbours > mostNeighbours) {
    SmallVector<DimExpr> sizes = onnx::getDims(resize.op.getX().getType());
    while (axes.size() > 1) {
      size_t axis = axes.front();
      sizes[resize.dimOf(axis)] = resize.axes[axis].output;
      image = buildPass(builder, loc, resize, image, axis, sizes, weightType, /*isLast=*/false);
      axes.erase(axes.begin());
    }
  }
  return buildPass(builder, loc, resize, image, axes, dims, weightType, /*isLast=*/true);
}

/// How many taps an antialiased axis has; binds a symbol where the run says.
DimExpr countTaps(OpBuilder &builder, Location loc, const Resize &resize, size_t axis) {
  if (auto scale = resize.axes[axis].scale) {
    double reach = resize.is("cubic") ? 2 : 1;
    auto start = static_cast<int64_t>(std::floor(-reach / std::min(*scale, 1.0))) + 1;
    return DimExpr::constant(builder.getContext(), 2 - 2 * start);
  }
  DimExpr taps = onnx::freshSymbol(builder.getContext(), "taps");
  IndexMath math(builder, loc);
  AxisSampler sampler(builder, loc, resize, axis, math.constant(0));
  rt::BindOp::create(builder, loc, builder.getStringAttr(taps.symbolName()),
                     math.toIndex(sampler.tapCount()));
  return taps;
}

/// One axis of an antialiased Resize: a sum over the taps of the image times the
/// weights, which are computed once for each output position.
SizedTensor buildAntialiasedPass(OpBuilder &builder, Location loc, const Resize &resize,
                                 size_t axis, const SizedTensor &image, Type weightType,
                                 bool isUnsigned) {
  MLIRContext *context = builder.getContext();
  unsigned dim = resize.dimOf(axis);
  DimExpr taps = countTaps(builder, loc, resize, axis);
  SmallVector<DimExpr> weightDims = {resize.axes[axis].output, taps};
  auto weight = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
    AxisSampler sampler(builder, loc, resize, axis, indices[0]);
    Scalar t = toFloat(zeroF64(builder, loc), indices[1]);
    return convertFloat(builder, loc, sampler.antialiasedWeight(t), weightType);
  };
  Value weights = buildFromIndices(builder, loc, weightDims, weightType, weight);
  auto add = [](OpBuilder &builder, Location loc, ValueRange args) -> Value {
    return arith::AddFOp::create(builder, loc, args[0], args[1]);
  };
  Value neutral = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(weightType, 0));
  llvm::SmallBitVector alongTaps(2);
  alongTaps.set(1);
  Value sums = buildReduction(builder, loc, weightDims, alongTaps, neutral,
                              GenericInput{weights, identityMap(context, 2)}, add);

  SizedTensor result{Value(), image.dims};
  result.dims[dim] = resize.axes[axis].output;
  SmallVector<DimExpr> loops = result.dims;
  loops.push_back(taps);
  unsigned rank = loops.size();
  llvm::SmallBitVector reduced(rank);
  reduced.set(rank - 1);
  AffineExpr place = getAffineDimExpr(dim, context), tap = getAffineDimExpr(rank - 1, context);
  SmallVector<GenericInput> inputs = {{weights, AffineMap::get(rank, 0, {place, tap}, context)},
                                      {sums, AffineMap::get(rank, 0, {place}, context)}};
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
    SmallVector<Value> indices;
    for (unsigned i = 0; i + 1 < rank; ++i)
      indices.push_back(linalg::IndexOp::create(builder, loc, i));
    AxisSampler sampler(builder, loc, resize, axis, indices[dim]);
    Scalar t = toFloat(zeroF64(builder, loc), linalg::IndexOp::create(builder, loc, rank - 1));
    indices[dim] = sampler.clampedIndex(sampler.antialiasedPlace(t));
    Value element = buildSample(builder, loc, image.tensor, indices, {}, weightType, isUnsigned);
    Value normalized = arith::DivFOp::create(builder, loc, args[0], args[1]);
    Value term = arith::MulFOp::create(builder, loc, element, normalized);
    return arith::AddFOp::create(builder, loc, args[2], term);
  };
  result.tensor = buildReduction(builder, loc, loops, reduced, neutral, inputs, body);
  return result;
}

/// An antialiased Resize, one axis after the other.
Value buildWithAntialias(OpBuilder &builder, Location loc, const Resize &resize) {
  Type onnxElement = getElementTypeOrSelf(resize.op.getType());
  Type element = lowerType(onnxElement);
  Type weightType = element.isF64() ? element : Type(builder.getF32Type());
  SizedTensor image{resize.image, onnx::getDims(resize.op.getX().getType())};
  bool isUnsigned = onnxElement.isUnsignedInteger();
  for (size_t i = 0; i < resize.axes.size(); ++i)
    if (!resize.isIdentity(resize.axes[i]))
      image = buildAntialiasedPass(builder, loc, resize, i, image, weightType, isUnsigned);
  auto finish = [&](OpBuilder &builder, Location loc, ValueRange args) {
    return toElement(builder, loc, args[0], element, isUnsigned);
  };
  return buildElementwise(builder, loc, image, image.dims, element, finish);
}

/// onnx.Resize  ->  one generic, or one for each axis with antialiasing or many axes
struct ResizeLowering : OpConversionPattern<onnx::ResizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ResizeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto axes = onnx::readResize(loc, op);
    if (failed(axes))
      return failure();
    Resize resize{op,
                  adaptor.getX(),
                  adaptor.getRoi(),
                  adaptor.getScales(),
                  adaptor.getSizes(),
                  *axes,
                  {},
                  {},
                  onnx::isGivenOperand(op.getScales())};
    if (resize.crops() && !resize.roi)
      return op.emitError("expected 'roi' with tf_crop_and_resize");
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    SmallVector<bool> unknown;
    for (auto [i, axis] : llvm::enumerate(resize.axes)) {
      resize.resizedCount += axis.resized;
      unknown.push_back(!axis.output);
      axis.output = dims[resize.dimOf(i)];
      resize.inputSizes.push_back(materializeIndex(rewriter, loc, axis.input));
    }
    bindOutputs(rewriter, resize, unknown);
    for (const ResizeAxis &axis : resize.axes)
      resize.outputSizes.push_back(materializeIndex(rewriter, loc, axis.output));
    SmallVector<DimExpr> image;
    for (const ResizeAxis &axis : resize.axes)
      image.push_back(axis.input);
    checkNotEmpty(rewriter, loc, image, /*first=*/0, dims, emptyImage);
    bool antialias = op.getAntialias() && !resize.is("nearest") && !resize.crops();
    rewriter.replaceOp(op, antialias ? buildWithAntialias(rewriter, loc, resize)
                                     : buildWithoutAntialias(rewriter, loc, resize, dims));
    return success();
  }
};

} // namespace

void onnxc::populateResizePatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ResizeLowering>(converter, patterns.getContext());
}
