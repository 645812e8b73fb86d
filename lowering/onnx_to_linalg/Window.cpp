//===- Window.cpp - Pools to linalg ----------------------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/ContractionBuilder.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/WindowBuilder.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::WindowAxis;

namespace {

/// Joins an accumulator and an element, both in the accumulator's type.
using Combiner = llvm::function_ref<Value(OpBuilder &, Location, Value acc, Value element)>;

Value combineMax(OpBuilder &builder, Location loc, Value acc, Value element, bool isUnsigned) {
  if (isa<FloatType>(acc.getType()))
    return arith::MaximumFOp::create(builder, loc, acc, element);
  if (isUnsigned)
    return arith::MaxUIOp::create(builder, loc, acc, element);
  return arith::MaxSIOp::create(builder, loc, acc, element);
}

/// The value that never wins a maximum.
Value lowestOf(OpBuilder &builder, Location loc, Type type, bool isUnsigned) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(
        builder, loc,
        builder.getFloatAttr(type, APFloat::getInf(floatType.getFloatSemantics(), true)));
  unsigned width = type.getIntOrFloatBitWidth();
  APInt low = isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, low));
}

/// |element| to the power of p.
Value powerOf(OpBuilder &builder, Location loc, Value element, int64_t p) {
  if (p == 2)
    return arith::MulFOp::create(builder, loc, element, element);
  Value magnitude = math::AbsFOp::create(builder, loc, element);
  if (p == 1)
    return magnitude;
  Value exponent = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(element.getType(), static_cast<double>(p)));
  return math::PowFOp::create(builder, loc, magnitude, exponent);
}

/// The p-th root of a sum of powers.
Value rootOf(OpBuilder &builder, Location loc, Value sum, int64_t p) {
  if (p == 1)
    return sum;
  if (p == 2)
    return math::SqrtOp::create(builder, loc, sum);
  Value exponent = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(sum.getType(), 1.0 / static_cast<double>(p)));
  return math::PowFOp::create(builder, loc, sum, exponent);
}

//===----------------------------------------------------------------------===//
// Sliding windows
//===----------------------------------------------------------------------===//

/// The loops of a pool: [n, pixels..., c, taps...] or [n, c, pixels..., taps...].
struct PoolLoops {
  unsigned firstPixel, firstTap, channel;
  SmallVector<utils::IteratorType> iterators;
  AffineMap input, window, output;

  PoolLoops(MLIRContext *context, ArrayRef<WindowAxis> axes, bool channelsLast) {
    unsigned spatial = axes.size();
    firstPixel = firstSpatialDim(channelsLast);
    channel = channelsLast ? spatial + 1 : 1;
    firstTap = spatial + 2;
    iterators.assign(firstTap, utils::IteratorType::parallel);
    iterators.append(spatial, utils::IteratorType::reduction);
    SmallVector<AffineExpr> inputs, taps, outputs;
    for (unsigned i = 0; i < firstTap; ++i)
      outputs.push_back(getAffineDimExpr(i, context));
    inputs = outputs;
    for (auto [i, axis] : llvm::enumerate(axes)) {
      taps.push_back(getAffineDimExpr(firstTap + i, context));
      inputs[firstPixel + i] = windowExpr(outputs[firstPixel + i], taps.back(), axis);
    }
    input = AffineMap::get(iterators.size(), 0, inputs, context);
    window = AffineMap::get(iterators.size(), 0, taps, context);
    output = AffineMap::get(iterators.size(), 0, outputs, context);
  }
};

/// A pool under work: its padded image and the result's dims.
struct Pool {
  SizedTensor image;
  SmallVector<WindowAxis> axes;
  SmallVector<DimExpr> resultDims;
  bool channelsLast;
};

/// A tensor that only says how large the window is.
Value windowTensor(OpBuilder &builder, Location loc, const Pool &pool) {
  SmallVector<DimExpr> taps;
  for (const WindowAxis &axis : pool.axes)
    taps.push_back(axis.kernel);
  return emptyTensor(builder, loc, taps, getElementTypeOrSelf(pool.image.tensor.getType()));
}

/// The reduction of each window, a tensor of the accumulator's type.
SizedTensor buildPool(OpBuilder &builder, Location loc, const Pool &pool, Value init,
                      Combiner combine) {
  PoolLoops loops(builder.getContext(), pool.axes, pool.channelsLast);
  Value window = windowTensor(builder, loc, pool);
  Value accumulators = filledTensor(builder, loc, pool.resultDims, init);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    Value element = convertFloat(builder, loc, args[0], args.back().getType());
    linalg::YieldOp::create(builder, loc, combine(builder, loc, args.back(), element));
  };
  Value result = linalg::GenericOp::create(builder, loc, accumulators.getType(),
                                           ValueRange{pool.image.tensor, window}, accumulators,
                                           ArrayRef{loops.input, loops.window, loops.output},
                                           loops.iterators, body)
                     .getResult(0);
  return {result, pool.resultDims};
}

/// The pool of an op with its image padded by `padding`.
template <typename Op>
FailureOr<Pool> preparePool(OpBuilder &builder, Op op, Value image, ScalarSource padding) {
  FailureOr<onnx::PoolShape> shape = onnx::readPool(op.getLoc(), op);
  if (failed(shape))
    return failure();
  bool channelsLast = op.getChannelsLast();
  Pool pool{{image, onnx::getDims(op.getX().getType())},
            shape->axes,
            onnx::getDims(op->getResult(0).getType()),
            channelsLast};
  pool.image = padImage(builder, op.getLoc(), pool.image, pool.axes, channelsLast, padding);
  return pool;
}

/// The flat position in [N, C, spatial...] of the element that a point of the
/// loops looks at.
Value flatPosition(OpBuilder &builder, Location loc, const PoolLoops &loops,
                   const onnx::PoolShape &shape, int64_t storageOrder, ArrayRef<Value> sizes,
                   ArrayRef<Value> begins, Value channels) {
  auto multiplyAdd = [&](Value a, Value b, Value c) -> Value {
    return arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, a, b), c);
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value batch = linalg::IndexOp::create(builder, loc, 0);
  Value flat = multiplyAdd(batch, channels, linalg::IndexOp::create(builder, loc, loops.channel));
  SmallVector<Value> positions;
  for (auto [i, axis] : llvm::enumerate(shape.axes)) {
    Value pixel = linalg::IndexOp::create(builder, loc, loops.firstPixel + i);
    Value tap = linalg::IndexOp::create(builder, loc, loops.firstTap + i);
    Value step = arith::MulIOp::create(builder, loc, tap, constant(axis.dilation));
    Value padded = multiplyAdd(pixel, constant(axis.stride), step);
    positions.push_back(arith::SubIOp::create(builder, loc, padded, begins[i]));
  }
  size_t count = positions.size();
  for (size_t i = 0; i < count; ++i) {
    size_t axis = storageOrder == 0 ? i : count - 1 - i;
    flat = multiplyAdd(flat, sizes[axis], positions[axis]);
  }
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), flat);
}

/// onnx.MaxPool  ->  a maximum over windows, with its position when it is used
struct MaxPoolLowering : OpConversionPattern<onnx::MaxPoolOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::MaxPoolOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type onnxElement = getElementTypeOrSelf(op.getX().getType());
    Type element = lowerType(onnxElement);
    bool isUnsigned = onnxElement.isUnsignedInteger();
    auto padding = [&](OpBuilder &builder, Location loc) {
      return lowestOf(builder, loc, element, isUnsigned);
    };
    FailureOr<Pool> pool = preparePool(rewriter, op, adaptor.getX(), padding);
    if (failed(pool))
      return failure();
    Value init = lowestOf(rewriter, loc, computeType(element), isUnsigned);
    if (!op.getIndices().use_empty())
      return lowerWithIndices(rewriter, op, *pool, init, isUnsigned);
    auto combine = [&](OpBuilder &builder, Location loc, Value acc, Value value) {
      return combineMax(builder, loc, acc, value, isUnsigned);
    };
    SizedTensor result = buildPool(rewriter, loc, *pool, init, combine);
    Value unused = emptyTensor(rewriter, loc, op.getIndices().getType());
    rewriter.replaceOp(op, {castElements(rewriter, loc, result, element), unused});
    return success();
  }

private:
  static LogicalResult lowerWithIndices(ConversionPatternRewriter &rewriter, onnx::MaxPoolOp op,
                                        const Pool &pool, Value init, bool isUnsigned) {
    Location loc = op.getLoc();
    FailureOr<onnx::PoolShape> shape = onnx::readPool(loc, op);
    if (failed(shape))
      return failure();
    PoolLoops loops(rewriter.getContext(), pool.axes, pool.channelsLast);
    SmallVector<Value> sizes, begins;
    for (const WindowAxis &axis : pool.axes) {
      sizes.push_back(materializeIndex(rewriter, loc, axis.input));
      begins.push_back(materializeIndex(rewriter, loc, axis.padBegin));
    }
    Value channels = materializeIndex(rewriter, loc, shape->input.channels);
    Value none = arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(-1));
    SmallVector<Value> inits = {filledTensor(rewriter, loc, pool.resultDims, init),
                                filledTensor(rewriter, loc, pool.resultDims, none)};
    SmallVector<Value> inputs = {pool.image.tensor, windowTensor(rewriter, loc, pool)};
    auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
      Value acc = args[2];
      Value value = convertFloat(builder, loc, args[0], acc.getType());
      Value better =
          isa<FloatType>(acc.getType())
              ? Value(arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, value, acc))
              : Value(arith::CmpIOp::create(builder, loc,
                                            isUnsigned ? arith::CmpIPredicate::ugt
                                                       : arith::CmpIPredicate::sgt,
                                            value, acc));
      Value position =
          flatPosition(builder, loc, loops, *shape, op.getStorageOrder(), sizes, begins, channels);
      Value best = arith::SelectOp::create(builder, loc, better, value, acc);
      Value where = arith::SelectOp::create(builder, loc, better, position, args[3]);
      linalg::YieldOp::create(builder, loc, ValueRange{best, where});
    };
    auto generic = linalg::GenericOp::create(
        rewriter, loc, TypeRange{inits[0].getType(), inits[1].getType()}, inputs, inits,
        ArrayRef{loops.input, loops.window, loops.output, loops.output}, loops.iterators, body);
    Type element = lowerType(getElementTypeOrSelf(op.getX().getType()));
    Value best = castElements(rewriter, loc, {generic.getResult(0), pool.resultDims}, element);
    rewriter.replaceOp(op, {best, generic.getResult(1)});
    return success();
  }
};

/// How many taps of a window lie in [low, high), for the output position
/// `pixel` along one axis. Positions count from the padded begin.
Value countTaps(OpBuilder &builder, Location loc, const WindowAxis &axis, Value pixel, Value low,
                Value high) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value kernel = materializeIndex(builder, loc, axis.kernel);
  Value start = arith::MulIOp::create(builder, loc, pixel, constant(axis.stride));
  auto tapsBefore = [&](Value bound) -> Value {
    // ceil((bound - start) / dilation), within 0 and the kernel's size.
    Value room = arith::SubIOp::create(builder, loc, bound, start);
    Value zero = constant(0);
    room = arith::MaxSIOp::create(builder, loc, room, zero);
    if (axis.dilation != 1) {
      room = arith::AddIOp::create(builder, loc, room, constant(axis.dilation - 1));
      room = arith::DivUIOp::create(builder, loc, room, constant(axis.dilation));
    }
    return arith::MinSIOp::create(builder, loc, room, kernel);
  };
  return arith::SubIOp::create(builder, loc, tapsBefore(high), tapsBefore(low));
}

/// Whether the count of taps along an axis is the same for all windows.
bool hasFullWindows(const WindowAxis &axis, bool countPads) {
  DimExpr reach = (axis.output - 1) * axis.stride + axis.extent() - axis.input - axis.padBegin;
  DimExpr allowed = countPads ? axis.padEnd : axis.padEnd - axis.padEnd;
  auto beyond = (reach - allowed).getConstant();
  return beyond && *beyond <= 0 && (countPads || axis.padBegin.getConstant() == 0);
}

/// onnx.AveragePool  ->  a sum over windows, then a division by their sizes
struct AveragePoolLowering : OpConversionPattern<onnx::AveragePoolOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::AveragePoolOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = getElementTypeOrSelf(op.getX().getType());
    auto padding = [&](OpBuilder &builder, Location loc) { return zeroOf(builder, loc, element); };
    FailureOr<Pool> pool = preparePool(rewriter, op, adaptor.getX(), padding);
    if (failed(pool))
      return failure();
    auto combine = [](OpBuilder &builder, Location loc, Value acc, Value value) -> Value {
      return arith::AddFOp::create(builder, loc, acc, value);
    };
    SizedTensor sums =
        buildPool(rewriter, loc, *pool, zeroOf(rewriter, loc, computeType(element)), combine);
    rewriter.replaceOp(op,
                       divide(rewriter, loc, *pool, sums, op.getCountIncludePad() != 0, element));
    return success();
  }

private:
  static Value divide(OpBuilder &builder, Location loc, const Pool &pool, const SizedTensor &sums,
                      bool countPads, Type element) {
    SmallVector<Value> lows, highs;
    for (const WindowAxis &axis : pool.axes) {
      DimExpr zero = axis.padBegin - axis.padBegin;
      DimExpr end = axis.padBegin + axis.input;
      lows.push_back(materializeIndex(builder, loc, countPads ? zero : axis.padBegin));
      highs.push_back(materializeIndex(builder, loc, countPads ? end + axis.padEnd : end));
    }
    unsigned first = firstSpatialDim(pool.channelsLast);
    auto body = [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
      Value count = arith::ConstantIndexOp::create(builder, loc, 1);
      for (auto [i, axis] : llvm::enumerate(pool.axes)) {
        Value taps;
        if (hasFullWindows(axis, countPads))
          taps = materializeIndex(builder, loc, axis.kernel);
        else
          taps = countTaps(builder, loc, axis, linalg::IndexOp::create(builder, loc, first + i),
                           lows[i], highs[i]);
        count = builder.createOrFold<arith::MulIOp>(loc, count, taps);
      }
      // The mean of a window that lies in the padding is 0.
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      count = builder.createOrFold<arith::MaxSIOp>(loc, count, one);
      Value integer = builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(), count);
      Value divisor = builder.createOrFold<arith::SIToFPOp>(loc, args[0].getType(), integer);
      return arith::DivFOp::create(builder, loc, args[0], divisor);
    };
    return buildElementwise(builder, loc, sums, sums.dims, element, body);
  }
};

/// onnx.LpPool  ->  a sum of powers over windows, then the root
struct LpPoolLowering : OpConversionPattern<onnx::LpPoolOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::LpPoolOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t p = op.getP();
    Type element = getElementTypeOrSelf(op.getX().getType());
    auto padding = [&](OpBuilder &builder, Location loc) { return zeroOf(builder, loc, element); };
    FailureOr<Pool> pool = preparePool(rewriter, op, adaptor.getX(), padding);
    if (failed(pool))
      return failure();
    auto combine = [&](OpBuilder &builder, Location loc, Value acc, Value value) -> Value {
      return arith::AddFOp::create(builder, loc, acc, powerOf(builder, loc, value, p));
    };
    SizedTensor sums =
        buildPool(rewriter, loc, *pool, zeroOf(rewriter, loc, computeType(element)), combine);
    auto root = [&](OpBuilder &builder, Location loc, ValueRange args) {
      return rootOf(builder, loc, args[0], p);
    };
    rewriter.replaceOp(op, buildElementwise(rewriter, loc, sums, sums.dims, element, root));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Global pools
//===----------------------------------------------------------------------===//

/// Reduces all pixels of an image: [n, pixels, c] or [n, c, pixels] to [n, c],
/// in the accumulator's type.
SizedTensor reducePixels(OpBuilder &builder, Location loc, Value image, const onnx::ImageDims &dims,
                         bool channelsLast, Value init, Combiner combine) {
  MLIRContext *context = builder.getContext();
  DimExpr pixels = onnx::numElements(context, dims.spatial);
  onnx::ImageDims flat{dims.batch, dims.channels, {pixels}};
  Value matrix = reshapeTo(builder, loc, SizedTensor{image, onnx::imageDims(dims, channelsLast)},
                           onnx::imageDims(flat, channelsLast));
  AffineExpr batch, channel, pixel;
  bindDims(context, batch, channel, pixel);
  AffineMap input = channelsLast ? AffineMap::get(3, 0, {batch, pixel, channel}, context)
                                 : AffineMap::get(3, 0, {batch, channel, pixel}, context);
  AffineMap output = AffineMap::get(3, 0, {batch, channel}, context);
  SmallVector<utils::IteratorType> iterators = {
      utils::IteratorType::parallel, utils::IteratorType::parallel, utils::IteratorType::reduction};
  SmallVector<DimExpr> resultDims = {dims.batch, dims.channels};
  Value accumulators = filledTensor(builder, loc, resultDims, init);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    Value element = convertFloat(builder, loc, args[0], args[1].getType());
    linalg::YieldOp::create(builder, loc, combine(builder, loc, args[1], element));
  };
  Value result = linalg::GenericOp::create(builder, loc, accumulators.getType(), matrix,
                                           accumulators, ArrayRef{input, output}, iterators, body)
                     .getResult(0);
  return {result, resultDims};
}

/// A global pool: what to start with, how to join, and what to do at the end.
template <typename Op> struct GlobalPoolLowering : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool channelsLast = op.getChannelsLast();
    FailureOr<onnx::ImageDims> dims = onnx::readImage(loc, op.getX().getType(), channelsLast);
    if (failed(dims))
      return failure();
    Type element = getElementTypeOrSelf(op.getX().getType());
    Type accumulator = computeType(element);
    Value init;
    if constexpr (std::is_same_v<Op, onnx::GlobalMaxPoolOp>)
      init = lowestOf(rewriter, loc, accumulator, /*isUnsigned=*/false);
    else
      init = zeroOf(rewriter, loc, accumulator);
    auto combine = [&](OpBuilder &builder, Location loc, Value acc, Value value) -> Value {
      if constexpr (std::is_same_v<Op, onnx::GlobalMaxPoolOp>)
        return combineMax(builder, loc, acc, value, /*isUnsigned=*/false);
      else if constexpr (std::is_same_v<Op, onnx::GlobalLpPoolOp>)
        return arith::AddFOp::create(builder, loc, acc, powerOf(builder, loc, value, op.getP()));
      else
        return arith::AddFOp::create(builder, loc, acc, value);
    };
    SizedTensor reduced =
        reducePixels(rewriter, loc, adaptor.getX(), *dims, channelsLast, init, combine);
    Value count;
    if constexpr (std::is_same_v<Op, onnx::GlobalAveragePoolOp>) {
      // The mean of no pixels is 0.
      MLIRContext *context = rewriter.getContext();
      DimExpr divisor =
          onnx::numElements(context, dims->spatial).max(DimExpr::constant(context, 1));
      Value pixels = materializeIndex(rewriter, loc, divisor);
      Value integer = rewriter.createOrFold<arith::IndexCastOp>(loc, rewriter.getI64Type(), pixels);
      count = rewriter.createOrFold<arith::SIToFPOp>(loc, accumulator, integer);
    }
    auto finish = [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
      if constexpr (std::is_same_v<Op, onnx::GlobalAveragePoolOp>)
        return arith::DivFOp::create(builder, loc, args[0], count);
      else if constexpr (std::is_same_v<Op, onnx::GlobalLpPoolOp>)
        return rootOf(builder, loc, args[0], op.getP());
      else
        return args[0];
    };
    Value result = buildElementwise(rewriter, loc, reduced, reduced.dims, element, finish);
    rewriter.replaceOp(op, reshapeTo(rewriter, loc, SizedTensor{result, reduced.dims},
                                     onnx::getDims(op.getType())));
    return success();
  }
};

} // namespace

void onnxc::populateWindowPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<AveragePoolLowering, GlobalPoolLowering<onnx::GlobalAveragePoolOp>,
               GlobalPoolLowering<onnx::GlobalLpPoolOp>, GlobalPoolLowering<onnx::GlobalMaxPoolOp>,
               LpPoolLowering, MaxPoolLowering>(converter, patterns.getContext());
}
