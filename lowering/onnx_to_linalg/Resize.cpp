//===- Resize.cpp - Resize to linalg ---------------------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "dialects/onnx/ResizeShape.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/SampleBuilder.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::ResizeAxis;
using onnx::Scalar;

namespace {

/// Builds the taps of one axis at one output position, in f64 as the
/// operator's reference does: a rounding error would pick another element.
class AxisSampler {
public:
  AxisSampler(onnx::ResizeOp op, const ResizeAxis &axis, Scalar position, Scalar inputSize,
              Scalar outputSize, Value roi, int64_t roiCount)
      : op(op), axis(axis), position(position), inputSize(inputSize), outputSize(outputSize),
        roi(roi), roiCount(roiCount) {}

  /// Whether the sample lies outside the image, which only cropping can do.
  std::optional<Scalar> isOutside() {
    if (op.getCoordinateTransformationMode() != "tf_crop_and_resize")
      return std::nullopt;
    Scalar x = coordinate();
    return (x < 0.0) | (x > inputSize - 1.0);
  }

  SmallVector<SampleTap> taps(Type weightType) {
    if (op.getMode() == "nearest")
      return {{toIndex(roundNearest(coordinate()), inputSize), Value(), Value()}};
    Scalar x = coordinate();
    Scalar base = floor(x);
    Scalar ratio = x - base;
    bool cubic = op.getMode() == "cubic";
    double reach = cubic ? 2 : 1;
    // Antialiasing widens the taps when the image shrinks.
    double scale = op.getAntialias() ? std::min(*axis.scale, 1.0) : 1.0;
    auto start = static_cast<int64_t>(std::floor(-reach / scale)) + 1;
    int64_t end = 2 - start;
    SmallVector<Scalar> positions, weights;
    for (int64_t offset = start; offset < end; ++offset) {
      Scalar distance = (static_cast<double>(offset) - ratio) * scale;
      Scalar place = base + static_cast<double>(offset);
      Scalar weight = cubic ? cubicWeight(distance, op.getCubicCoeffA().convertToDouble())
                            : atLeast(1.0 - abs(distance), 0.0);
      if (op.getExcludeOutside())
        weight = select(isInside(place, inputSize), weight, 0.0);
      positions.push_back(place);
      weights.push_back(weight);
    }
    if (op.getExcludeOutside() || scale != 1.0)
      normalize(weights);
    SmallVector<SampleTap> result;
    for (auto [place, weight] : llvm::zip_equal(positions, weights))
      result.push_back({toIndex(place, inputSize),
                        convertFloat(weight.getBuilder(), weight.getLoc(), weight, weightType),
                        Value()});
    return result;
  }

private:
  static void normalize(MutableArrayRef<Scalar> weights) {
    Scalar sum = weights.front();
    for (Scalar weight : weights.drop_front())
      sum = sum + weight;
    for (Scalar &weight : weights)
      weight = weight / sum;
  }

  Scalar roundNearest(Scalar x) {
    StringRef mode = op.getNearestMode();
    if (mode == "floor")
      return floor(x);
    if (mode == "ceil")
      return ceil(x);
    return mode == "round_prefer_ceil" ? floor(x + 0.5) : ceil(x - 0.5);
  }

  Scalar scale() {
    return axis.scale ? position.constant(*axis.scale) : outputSize / inputSize;
  }

  /// Element `i` of roi in f64.
  Scalar roiElement(int64_t i) {
    OpBuilder &builder = position.getBuilder();
    Location loc = position.getLoc();
    Value index = arith::ConstantIndexOp::create(builder, loc, i);
    Value element = tensor::ExtractOp::create(builder, loc, roi, index);
    return position.with(convertFloat(builder, loc, element, position.type()));
  }

  Scalar crop() {
    Scalar start = roiElement(*axis.roiIndex), end = roiElement(*axis.roiIndex + roiCount);
    Scalar last = inputSize - 1.0;
    Scalar many = start * last + position * (end - start) * last / (outputSize - 1.0);
    return select(outputSize > 1.0, many, 0.5 * (start + end) * last);
  }

  /// The place in the input that an output position stands for.
  Scalar coordinate() {
    StringRef mode = op.getCoordinateTransformationMode();
    if (mode == "asymmetric")
      return position / scale();
    if (mode == "align_corners")
      return select(outputSize > 1.0, position * (inputSize - 1.0) / (outputSize - 1.0), 0.0);
    if (mode == "tf_crop_and_resize")
      return crop();
    Scalar half = (position + 0.5) / scale() - 0.5;
    if (mode == "pytorch_half_pixel")
      return select(outputSize > 1.0, half, 0.0);
    if (mode == "half_pixel_symmetric") {
      // The sizes were rounded; what is missing is shared by both sides.
      Scalar adjustment = outputSize / (scale() * inputSize);
      return inputSize * 0.5 * (1.0 - adjustment) + half;
    }
    return half;
  }

  onnx::ResizeOp op;
  const ResizeAxis &axis;
  Scalar position, inputSize, outputSize;
  Value roi;
  int64_t roiCount;
};

/// onnx.Resize  ->  one generic that reads each element's neighbours
struct ResizeLowering : OpConversionPattern<onnx::ResizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ResizeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto axes = onnx::readResize(loc, op);
    if (failed(axes))
      return failure();
    bool crops = op.getCoordinateTransformationMode() == "tf_crop_and_resize";
    if (crops && !op.getRoi())
      return op.emitError("expected 'roi' with tf_crop_and_resize");
    int64_t roiCount = 0;
    for (const ResizeAxis &axis : *axes) {
      roiCount += axis.resized;
      if (op.getAntialias() && axis.resized && !axis.scale && op.getMode() != "nearest")
        return op.emitError("expected scales that are known at compile time with antialias");
    }
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    SmallVector<Value> inputSizes, outputSizes;
    for (const ResizeAxis &axis : *axes) {
      inputSizes.push_back(materializeIndex(rewriter, loc, axis.input));
      outputSizes.push_back(materializeIndex(rewriter, loc, axis.output));
    }
    Type onnxElement = getElementTypeOrSelf(op.getType());
    Type element = lowerType(onnxElement);
    bool isUnsigned = onnxElement.isUnsignedInteger();
    Type weightType;
    if (op.getMode() != "nearest")
      weightType = element.isF64() ? element : Type(rewriter.getF32Type());
    int64_t rank = static_cast<int64_t>(dims.size());
    auto physicalDim = [&](int64_t axis) -> unsigned {
      if (!op.getChannelsLast() || axis == 0)
        return axis;
      return axis == 1 ? rank - 1 : axis - 1;
    };
    auto body = [&](OpBuilder &builder, Location loc, ValueRange) {
      SmallVector<Value> indices;
      for (int64_t i = 0; i < rank; ++i)
        indices.push_back(linalg::IndexOp::create(builder, loc, i));
      SmallVector<SampledDim> sampled;
      std::optional<Scalar> outside;
      Value zero = arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(0));
      for (auto [i, axis] : llvm::enumerate(*axes)) {
        if (!axis.resized || (axis.input == axis.output && !crops))
          continue;
        Scalar like(builder, loc, zero);
        unsigned dim = physicalDim(i);
        AxisSampler sampler(op, axis, toFloat(like, indices[dim]), toFloat(like, inputSizes[i]),
                            toFloat(like, outputSizes[i]), adaptor.getRoi(), roiCount);
        if (auto beyond = sampler.isOutside())
          outside = outside ? *outside | *beyond : *beyond;
        sampled.push_back({dim, sampler.taps(weightType)});
      }
      Value sample = buildSample(builder, loc, adaptor.getX(), indices, sampled,
                                 sampled.empty() ? Type() : weightType, isUnsigned);
      sample = toElement(builder, loc, sample, element, isUnsigned);
      if (outside)
        sample = arith::SelectOp::create(builder, loc, *outside,
                                         extrapolation(builder, loc, op, element, isUnsigned),
                                         sample);
      linalg::YieldOp::create(builder, loc, sample);
    };
    Value init = emptyTensor(rewriter, loc, op.getType());
    SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(op, init.getType(), ValueRange(), init,
                                                   rewriter.getMultiDimIdentityMap(rank),
                                                   iterators, body);
    return success();
  }

private:
  /// A sample as the result's element: integers are truncated as Cast does it.
  static Value toElement(OpBuilder &builder, Location loc, Value sample, Type element,
                         bool isUnsigned) {
    if (isa<FloatType>(element) || sample.getType() == element)
      return convertFloat(builder, loc, sample, element);
    return onnx::convert(Scalar(builder, loc, sample), element, isUnsigned);
  }

  static Value extrapolation(OpBuilder &builder, Location loc, onnx::ResizeOp op, Type element,
                             bool isUnsigned) {
    double value = op.getExtrapolationValue().convertToDouble();
    if (isa<FloatType>(element))
      return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, value));
    Value wide = arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
    return onnx::convert(Scalar(builder, loc, wide), element, isUnsigned);
  }
};

} // namespace

void onnxc::populateResizePatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ResizeLowering>(converter, patterns.getContext());
}
