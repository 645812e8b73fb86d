//===- Sampling.cpp - Grids and deformable convolution to linalg -----------===//
#include "dialects/onnx/OnnxOps.h"
#include "dialects/onnx/WindowShape.h"
#include "lowering/onnx_to_linalg/ContractionBuilder.h"
#include "lowering/onnx_to_linalg/ConvolutionBuilder.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/SampleBuilder.h"
#include "lowering/support/FloatCasts.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::Scalar;

namespace {

/// A generic without inputs; elements are built in their computation type.
Value buildRounded(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims, Type element,
                   ElementBuilder build) {
  auto rounded = [&](OpBuilder &builder, Location loc, ValueRange indices) {
    return convertFloat(builder, loc, build(builder, loc, indices), element);
  };
  return buildFromIndices(builder, loc, dims, element, rounded);
}

/// An element of a float tensor in its computation type.
Scalar extractFloat(OpBuilder &builder, Location loc, Value tensor, ArrayRef<Value> indices) {
  Value element = tensor::ExtractOp::create(builder, loc, tensor, indices);
  return Scalar(builder, loc, convertFloat(builder, loc, element, computeType(element.getType())));
}

SmallVector<Value> materializeAll(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims) {
  return llvm::map_to_vector(dims,
                             [&](DimExpr dim) { return materializeIndex(builder, loc, dim); });
}

//===----------------------------------------------------------------------===//
// GridSample
//===----------------------------------------------------------------------===//

/// How places outside the image are treated along one axis of GridSample.
class GridAxis {
public:
  GridAxis(onnx::GridSampleOp op, Scalar coordinate, Value length)
      : op(op), length(length), size(toFloat(coordinate, length)), x(denormalize(coordinate)) {}

  SmallVector<SampleTap> taps() {
    if (op.getMode() == "nearest")
      return {makeTap(roundEven(x), std::nullopt)};
    Scalar place = fit(x);
    Scalar base = floor(place);
    Scalar ratio = place - base;
    bool cubic = isCubic();
    SmallVector<SampleTap> result;
    for (int offset = cubic ? -1 : 0, end = cubic ? 3 : 2; offset < end; ++offset) {
      Scalar distance = static_cast<double>(offset) - ratio;
      Scalar weight = cubic ? cubicWeight(distance, -0.75) : 1.0 - abs(distance);
      result.push_back(makeTap(base + static_cast<double>(offset), weight));
    }
    return result;
  }

private:
  Scalar low() { return x.constant(op.getAlignCorners() ? 0.0 : -0.5); }
  Scalar high() { return op.getAlignCorners() ? size - 1.0 : size - 0.5; }

  /// From [-1, 1] to elements.
  Scalar denormalize(Scalar g) {
    if (op.getAlignCorners())
      return (g + 1.0) * 0.5 * (size - 1.0);
    return ((g + 1.0) * size - 1.0) * 0.5;
  }

  /// Mirrors a place at both borders until it is between them.
  Scalar reflect(Scalar place) {
    Scalar lowest = low(), highest = high();
    Scalar range = highest - lowest;
    Scalar isBelow = place < lowest;
    Scalar beyond = select(isBelow, lowest - place, place - highest);
    Scalar turns = floor(beyond / range);
    Scalar rest = beyond - turns * range;
    Scalar isEven = turns == floor(turns * 0.5) * 2.0;
    Scalar fromLow = select(isEven, select(isBelow, lowest + rest, highest - rest),
                            select(isBelow, highest - rest, lowest + rest));
    return select((place >= lowest) & (place <= highest), place, fromLow);
  }

  bool isCubic() { return op.getMode() == "cubic" || op.getMode() == "bicubic"; }

  /// The padding mode for a place between elements. Up to its border the image has
  /// places whose taps are clamped one by one; those beyond go to the last element.
  /// Cubic weights reach further, so that each tap of any place is clamped, as in
  /// PyTorch and onnxruntime (ONNX's reference clamps the place).
  Scalar fit(Scalar place) {
    if (op.getPaddingMode() == "reflection")
      return reflect(place);
    if (op.getPaddingMode() != "border" || isCubic())
      return place;
    Scalar last = size - 1.0;
    Scalar clamped = select(place > 0.0, place, 0.0);
    clamped = select(clamped < last, clamped, last);
    return select((place >= low()) & (place <= high()), place, clamped);
  }

  SampleTap makeTap(Scalar element, std::optional<Scalar> weight) {
    SampleTap tap{Value(), weight ? Value(*weight) : Value(), Value()};
    if (op.getPaddingMode() == "zeros")
      tap.inside = isInside(element, size);
    if (op.getPaddingMode() == "reflection")
      element = reflect(element);
    tap.index = toIndex(element, length);
    return tap;
  }

  onnx::GridSampleOp op;
  Value length;
  Scalar size, x;
};

/// onnx.GridSample  ->  one generic that reads the neighbours of each place
struct GridSampleLowering : OpConversionPattern<onnx::GridSampleOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::GridSampleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    SmallVector<DimExpr> image = onnx::getDims(op.getX().getType());
    checkNotEmpty(rewriter, loc, ArrayRef(image).drop_front(2), /*first=*/2, dims, emptyImage);
    SmallVector<Value> sizes = materializeAll(rewriter, loc, image);
    Type onnxElement = getElementTypeOrSelf(op.getType());
    Type element = lowerType(onnxElement);
    bool isUnsigned = onnxElement.isUnsignedInteger();
    size_t spatial = dims.size() - 2;
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      SmallVector<SampledDim> sampled;
      Type coordinateType;
      for (size_t i = 0; i < spatial; ++i) {
        SmallVector<Value> at = {indices[0]};
        llvm::append_range(at, indices.drop_front(2));
        // The grid names the last axis first.
        at.push_back(arith::ConstantIndexOp::create(builder, loc, spatial - 1 - i));
        Scalar coordinate = extractFloat(builder, loc, adaptor.getGrid(), at);
        coordinateType = coordinate.type();
        GridAxis axis(op, coordinate, sizes[2 + i]);
        sampled.push_back({static_cast<unsigned>(2 + i), axis.taps()});
      }
      Type weightType = op.getMode() == "nearest" ? Type() : coordinateType;
      Value sample = buildSample(builder, loc, adaptor.getX(), llvm::to_vector(indices), sampled,
                                 weightType, isUnsigned);
      if (isa<FloatType>(element) || sample.getType() == element)
        return sample;
      return onnx::convert(Scalar(builder, loc, sample), element, isUnsigned);
    };
    rewriter.replaceOp(op, buildRounded(rewriter, loc, dims, element, build));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// AffineGrid
//===----------------------------------------------------------------------===//

/// onnx.AffineGrid  ->  theta times the coordinates of each element
struct AffineGridLowering : OpConversionPattern<onnx::AffineGridOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::AffineGridOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    size_t spatial = dims.size() - 2;
    if (!onnx::getShapeValue(op.getSize())) {
      SmallVector<Value> stated =
          IndexMath(rewriter, loc).readShape(op.getSize(), adaptor.getSize());
      stated.erase(stated.begin() + 1);
      bindDims(rewriter, op, ArrayRef(dims).drop_back(), stated);
      checkSameSize(rewriter, loc, onnx::getDims(op.getTheta().getType())[0], dims[0],
                    "there is not one matrix for each batch");
    }
    SmallVector<Value> sizes = materializeAll(rewriter, loc, dims);
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      auto thetaAt = [&](size_t column) {
        Value at = arith::ConstantIndexOp::create(builder, loc, column);
        return extractFloat(builder, loc, adaptor.getTheta(), {indices[0], indices.back(), at});
      };
      Scalar sum = thetaAt(spatial);
      for (size_t i = 0; i < spatial; ++i) {
        // Column 0 belongs to the last axis.
        size_t dim = spatial - i;
        Scalar position = toFloat(sum, indices[dim]), size = toFloat(sum, sizes[dim]);
        Scalar coordinate = op.getAlignCorners() ? position * 2.0 / (size - 1.0) - 1.0
                                                 : (position * 2.0 + 1.0) / size - 1.0;
        sum = sum + thetaAt(i) * coordinate;
      }
      return sum;
    };
    rewriter.replaceOp(
        op, buildRounded(rewriter, loc, dims, getElementTypeOrSelf(op.getType()), build));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// DeformConv
//===----------------------------------------------------------------------===//

/// The values that the taps of a deformable convolution read, as a tensor
/// [n, c, taps..., pixels...].
SizedTensor buildDeformedTaps(OpBuilder &builder, Location loc, onnx::DeformConvOp op,
                              onnx::DeformConvOp::Adaptor adaptor,
                              const onnx::ConvolutionShape &shape) {
  size_t spatial = shape.axes.size();
  SmallVector<DimExpr> dims = {shape.input.batch, shape.input.channels};
  SmallVector<Value> inputSizes, taps;
  for (const onnx::WindowAxis &axis : shape.axes) {
    dims.push_back(axis.kernel);
    taps.push_back(materializeIndex(builder, loc, axis.kernel));
    inputSizes.push_back(materializeIndex(builder, loc, axis.input));
  }
  SmallVector<DimExpr> image;
  for (const onnx::WindowAxis &axis : shape.axes) {
    dims.push_back(axis.output);
    image.push_back(axis.input);
  }
  checkNotEmpty(builder, loc, image, /*first=*/2, dims, emptyImage);
  DimExpr groups = DimExpr::constant(builder.getContext(), op.getOffsetGroup());
  Value channelsPerGroup = materializeIndex(builder, loc, shape.input.channels.floorDiv(groups));
  Type element = computeType(lowerType(getElementTypeOrSelf(op.getType())));
  auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
    auto multiplyAdd = [&](Value a, Value b, Value c) -> Value {
      return arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, a, b), c);
    };
    Value tap = arith::DivUIOp::create(builder, loc, indices[1], channelsPerGroup);
    for (size_t i = 0; i < spatial; ++i)
      tap = multiplyAdd(tap, taps[i], indices[2 + i]);
    SmallVector<Value> pixel(indices.take_back(spatial));
    auto readAt = [&](Value tensor, Value channel) {
      SmallVector<Value> at = {indices[0], channel};
      llvm::append_range(at, pixel);
      return extractFloat(builder, loc, tensor, at);
    };
    SmallVector<SampledDim> sampled;
    for (auto [i, axis] : llvm::enumerate(shape.axes)) {
      auto constant = [&](int64_t value) -> Value {
        return arith::ConstantIndexOp::create(builder, loc, value);
      };
      Scalar offset = readAt(adaptor.getOffset(), multiplyAdd(tap, constant(spatial), constant(i)));
      Value start = arith::MulIOp::create(builder, loc, pixel[i], constant(axis.stride));
      Value place = multiplyAdd(indices[2 + i], constant(axis.dilation), start);
      place =
          arith::SubIOp::create(builder, loc, place, materializeIndex(builder, loc, axis.padBegin));
      sampled.push_back({static_cast<unsigned>(2 + i),
                         linearTaps(toFloat(offset, place) + offset, inputSizes[i])});
    }
    SmallVector<Value> at(indices.take_front(2 + spatial));
    Value sample = buildSample(builder, loc, adaptor.getX(), at, sampled, element, false);
    if (adaptor.getMask())
      sample = arith::MulFOp::create(builder, loc, sample, readAt(adaptor.getMask(), tap));
    return sample;
  };
  return {buildRounded(builder, loc, dims, element, build), dims};
}

/// onnx.DeformConv  ->  the values at the displaced taps, then a contraction
struct DeformConvLowering : OpConversionPattern<onnx::DeformConvOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::DeformConvOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto shape = onnx::readDeformConvolution(loc, op);
    if (failed(shape))
      return failure();
    SizedTensor values = buildDeformedTaps(rewriter, loc, op, adaptor, *shape);
    enum : int { batchLabel, groupLabel, inputLabel, outputLabel, firstTap };
    int spatial = static_cast<int>(shape->axes.size());
    DimExpr group = DimExpr::constant(getContext(), shape->group);
    LabelSizes sizes;
    sizes[batchLabel] = shape->input.batch;
    sizes[groupLabel] = group;
    sizes[inputLabel] = shape->input.channels.floorDiv(group);
    sizes[outputLabel] = shape->outputChannels.floorDiv(group);
    SmallVector<int> dataLabels = {batchLabel, groupLabel, inputLabel};
    SmallVector<int> weightLabels = {groupLabel, outputLabel, inputLabel};
    SmallVector<int> resultLabels = {batchLabel, groupLabel, outputLabel};
    for (int i = 0; i < spatial; ++i) {
      sizes[firstTap + i] = shape->axes[i].kernel;
      dataLabels.push_back(firstTap + i);
      weightLabels.push_back(firstTap + i);
    }
    for (int i = 0; i < spatial; ++i) {
      sizes[firstTap + spatial + i] = shape->axes[i].output;
      dataLabels.push_back(firstTap + spatial + i);
      resultLabels.push_back(firstTap + spatial + i);
    }
    auto labelled = [&](Value tensor, ArrayRef<int> labels) {
      SmallVector<DimExpr> dims =
          llvm::map_to_vector(labels, [&](int label) { return sizes.lookup(label); });
      return ContractionOperand{{reshapeTo(rewriter, loc, tensor, dims), llvm::to_vector(labels)},
                                {}};
    };
    Type element = lowerType(getElementTypeOrSelf(op.getType()));
    Value sums = buildContraction(
        rewriter, loc,
        {labelled(adaptor.getW(), weightLabels), labelled(values.tensor, dataLabels)}, resultLabels,
        sizes, accumulatorType(element, false));
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    sums = reshapeTo(rewriter, loc, sums, dims);
    SizedTensor bias;
    if (op.getB())
      bias = {adaptor.getB(), onnx::getDims(op.getB().getType())};
    rewriter.replaceOp(op,
                       addBias(rewriter, loc, {sums, dims}, bias, /*channelsLast=*/false, element));
    return success();
  }
};

} // namespace

void onnxc::populateSamplingPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<AffineGridLowering, DeformConvLowering, GridSampleLowering>(converter,
                                                                           patterns.getContext());
}
