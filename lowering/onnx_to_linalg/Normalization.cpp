//===- Normalization.cpp - Softmax, LayerNormalization and the like --------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/RowLoops.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::Scalar;

namespace {

/// The elements of a point as Scalars.
struct Args {
  OpBuilder &builder;
  Location loc;
  ValueRange values;
  Scalar operator[](unsigned i) const { return Scalar(builder, loc, values[i]); }
};

Type storageType(Value onnxValue) { return getElementTypeOrSelf(onnxValue.getType()); }
Type computeTypeOf(Value onnxValue) { return computeType(storageType(onnxValue)); }

/// Loops over a value's dims with rows along `first` to `last` (exclusive).
RowLoops rowsAlong(OpBuilder &builder, Location loc, Value onnxValue, int64_t first, int64_t last) {
  SmallVector<DimExpr> dims = onnx::getDims(onnxValue.getType());
  llvm::SmallBitVector inside(dims.size());
  inside.set(first, last);
  return RowLoops(builder, loc, dims, inside);
}

int64_t axisOf(Value onnxValue, int64_t axis) {
  return axis < 0 ? axis + cast<RankedTensorType>(onnxValue.getType()).getRank() : axis;
}

/// Row sums of `term` of the full tensors' and row tensors' elements.
Value rowSums(const RowLoops &loops, OpBuilder &builder, Location loc, Type type,
              ArrayRef<Value> full, ArrayRef<Value> rows, function_ref<Scalar(Args)> term) {
  return loops.reduce(zeroScalar(builder, loc, type), full, rows,
                      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                        return Scalar(b, loc, args.back()) + term({b, loc, args});
                      });
}

/// Row maxima. A NaN is left out; it comes back with the elements themselves.
Value rowMaxima(const RowLoops &loops, OpBuilder &builder, Location loc, Type type, Value full) {
  Scalar neutral = zeroScalar(builder, loc, type).lowest();
  return loops.reduce(neutral, full, {}, [&](OpBuilder &b, Location loc, ValueRange args) {
    return arith::MaxNumFOp::create(b, loc, args[1], args[0]);
  });
}

/// The rows along the axis of a (log-)softmax, and their maxima.
struct SoftmaxRows {
  template <typename Op>
  SoftmaxRows(OpBuilder &builder, Op op, Value input)
      : type(computeTypeOf(op.getInput())), loops(makeLoops(builder, op)),
        maxima(rowMaxima(loops, builder, op.getLoc(), type, input)) {}
  template <typename Op> static RowLoops makeLoops(OpBuilder &builder, Op op) {
    int64_t axis = axisOf(op.getInput(), op.getAxis());
    return rowsAlong(builder, op.getLoc(), op.getInput(), axis, axis + 1);
  }
  Type type;
  RowLoops loops;
  Value maxima;
};

/// y = exp(x - max) * (1 / sum(exp(x - max)))
struct SoftmaxLowering : OpConversionPattern<onnx::SoftmaxOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::SoftmaxOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto [type, loops, maxima] = SoftmaxRows(rewriter, op, adaptor.getInput());
    Value exps = loops.map(type, adaptor.getInput(), maxima, {},
                           [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                             Args x{b, loc, args};
                             return exp(x[0] - x[1]);
                           });
    Value sums = rowSums(loops, rewriter, loc, type, exps, {}, [](Args x) { return x[0]; });
    Value factors =
        loops.mapRows(type, sums, [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return 1.0 / Scalar(b, loc, args[0]);
        });
    rewriter.replaceOp(op, loops.map(storageType(op.getOutput()), exps, factors, {},
                                     [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                       Args x{b, loc, args};
                                       return x[0] * x[1];
                                     }));
    return success();
  }
};

/// y = (x - max) - log(sum(exp(x - max)))
struct LogSoftmaxLowering : OpConversionPattern<onnx::LogSoftmaxOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::LogSoftmaxOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto [type, loops, maxima] = SoftmaxRows(rewriter, op, adaptor.getInput());
    Value sums = rowSums(loops, rewriter, loc, type, adaptor.getInput(), maxima,
                         [](Args x) { return exp(x[0] - x[1]); });
    Value logs =
        loops.mapRows(type, sums, [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return log(Scalar(b, loc, args[0]));
        });
    rewriter.replaceOp(op,
                       loops.map(storageType(op.getOutput()), adaptor.getInput(), {maxima, logs},
                                 {}, [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                   Args x{b, loc, args};
                                   return (x[0] - x[1]) - x[2];
                                 }));
    return success();
  }
};

/// y = norm == 0 ? 0 : x / norm
struct LpNormalizationLowering : OpConversionPattern<onnx::LpNormalizationOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::LpNormalizationOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = computeTypeOf(op.getInput());
    int64_t axis = axisOf(op.getInput(), op.getAxis());
    bool euclidean = op.getP() == 2;
    RowLoops loops = rowsAlong(rewriter, loc, op.getInput(), axis, axis + 1);
    Value norms = rowSums(loops, rewriter, loc, type, adaptor.getInput(), {},
                          [&](Args x) { return euclidean ? x[0] * x[0] : abs(x[0]); });
    if (euclidean)
      norms = loops.mapRows(type, norms, [](OpBuilder &b, Location loc, ValueRange args) -> Value {
        return sqrt(Scalar(b, loc, args[0]));
      });
    rewriter.replaceOp(op, loops.map(storageType(op.getOutput()), adaptor.getInput(), norms, {},
                                     [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                       Args x{b, loc, args};
                                       return select(x[1] == 0.0, 0.0, x[0] / x[1]);
                                     }));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Mean and variance
//===----------------------------------------------------------------------===//

/// The mean of each row and the mean square distance from it.
struct Moments {
  Value mean, variance;
};

Value rowMeans(const RowLoops &loops, OpBuilder &builder, Location loc, Type type,
               ArrayRef<Value> full, ArrayRef<Value> rows, function_ref<Scalar(Args)> term) {
  Value sums = rowSums(loops, builder, loc, type, full, rows, term);
  return loops.mapRows(type, sums, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return Scalar(b, loc, args[0]) / loops.rowSize(b, loc, type);
  });
}

Moments moments(const RowLoops &loops, OpBuilder &builder, Location loc, Type type, Value x) {
  Moments result;
  result.mean = rowMeans(loops, builder, loc, type, x, {}, [](Args x) { return x[0]; });
  result.variance = rowMeans(loops, builder, loc, type, x, result.mean, [](Args x) {
    Scalar distance = x[0] - x[1];
    return distance * distance;
  });
  return result;
}

/// 1 / sqrt(variance + epsilon)
Value inverseDeviation(const RowLoops &loops, Type type, Value variance, double epsilon) {
  return loops.mapRows(type, variance, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return 1.0 / sqrt(Scalar(b, loc, args[0]) + epsilon);
  });
}

/// y = (x - mean) * inverse * scale + bias; `parameters` are scale and, when
/// there is one, bias.
Value scaleAndShift(const RowLoops &loops, Type resultType, Value x, Value mean, Value inverse,
                    ArrayRef<GenericInput> parameters) {
  return loops.map(resultType, x, {mean, inverse}, parameters,
                   [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                     Args x{b, loc, args};
                     auto wide = [&](Scalar value) { return convert(value, x[0].type(), false); };
                     Scalar y = (x[0] - x[1]) * x[2] * wide(x[3]);
                     return parameters.size() > 1 ? y + wide(x[4]) : y;
                   });
}

struct LayerNormalizationLowering : OpConversionPattern<onnx::LayerNormalizationOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::LayerNormalizationOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = computeTypeOf(op.getX());
    SmallVector<DimExpr> dims = onnx::getDims(op.getX().getType());
    RowLoops loops =
        rowsAlong(rewriter, loc, op.getX(), axisOf(op.getX(), op.getAxis()), dims.size());
    Moments stats = moments(loops, rewriter, loc, type, adaptor.getX());
    Value inverse =
        inverseDeviation(loops, type, stats.variance, op.getEpsilon().convertToDouble());

    SmallVector<GenericInput> parameters;
    auto addParameter = [&](Value original, Value lowered) {
      parameters.push_back(
          broadcastInput(rewriter, loc, lowered, onnx::getDims(original.getType()), dims));
    };
    addParameter(op.getScale(), adaptor.getScale());
    if (op.getB())
      addParameter(op.getB(), adaptor.getB());
    Value y = scaleAndShift(loops, storageType(op.getY()), adaptor.getX(), stats.mean, inverse,
                            parameters);
    auto statistic = [&](Value rows, Value result) -> Value {
      if (storageType(result) != type)
        rows = loops.mapRows(storageType(result), rows,
                             [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                               return convertFloat(b, loc, args[0], storageType(result));
                             });
      return reshapeTo(rewriter, loc, rows, onnx::getDims(result.getType()));
    };
    rewriter.replaceOp(
        op, {y, statistic(stats.mean, op.getMean()), statistic(inverse, op.getInvStdDev())});
    return success();
  }
};

/// y = x / sqrt(mean(x^2) + epsilon) * scale
struct RMSNormalizationLowering : OpConversionPattern<onnx::RMSNormalizationOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::RMSNormalizationOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = computeTypeOf(op.getX());
    SmallVector<DimExpr> dims = onnx::getDims(op.getX().getType());
    RowLoops loops =
        rowsAlong(rewriter, loc, op.getX(), axisOf(op.getX(), op.getAxis()), dims.size());
    Value squares = rowMeans(loops, rewriter, loc, type, adaptor.getX(), {},
                             [](Args x) { return x[0] * x[0]; });
    Value inverse = inverseDeviation(loops, type, squares, op.getEpsilon().convertToDouble());
    GenericInput scale = broadcastInput(rewriter, loc, adaptor.getScale(),
                                        onnx::getDims(op.getScale().getType()), dims);
    rewriter.replaceOp(op, loops.map(storageType(op.getY()), adaptor.getX(), inverse, scale,
                                     [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                       Args x{b, loc, args};
                                       return x[0] * x[1] * convert(x[2], type, false);
                                     }));
    return success();
  }
};

struct InstanceNormalizationLowering : OpConversionPattern<onnx::InstanceNormalizationOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::InstanceNormalizationOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = computeTypeOf(op.getInput());
    SmallVector<DimExpr> dims = onnx::getDims(op.getInput().getType());
    RowLoops loops = rowsAlong(rewriter, loc, op.getInput(), 2, dims.size());
    Moments stats = moments(loops, rewriter, loc, type, adaptor.getInput());
    Value inverse =
        inverseDeviation(loops, type, stats.variance, op.getEpsilon().convertToDouble());
    auto parameter = [&](Value original, Value lowered) {
      return perIndexInput(rewriter, loc, lowered, onnx::getDims(original.getType())[0], dims, 1);
    };
    rewriter.replaceOp(op, scaleAndShift(loops, storageType(op.getOutput()), adaptor.getInput(),
                                         stats.mean, inverse,
                                         {parameter(op.getScale(), adaptor.getScale()),
                                          parameter(op.getB(), adaptor.getB())}));
    return success();
  }
};

/// The same with rows over several channels: on (N, groups, channels / groups,
/// elements).
struct GroupNormalizationLowering : OpConversionPattern<onnx::GroupNormalizationOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::GroupNormalizationOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = computeTypeOf(op.getX());
    SmallVector<DimExpr> dims = onnx::getDims(op.getX().getType());
    DimExpr groups = DimExpr::constant(getContext(), op.getNumGroups());
    DimExpr inGroup = dims[1].floorDiv(groups);
    DimExpr elements = onnx::numElements(getContext(), ArrayRef(dims).drop_front(2));
    SmallVector<DimExpr> grouped = {dims[0], groups, inGroup, elements};
    llvm::SmallBitVector inside(4);
    inside.set(2, 4);
    RowLoops loops(rewriter, loc, grouped, inside);
    Value x = reshapeTo(rewriter, loc, adaptor.getX(), grouped);
    Moments stats = moments(loops, rewriter, loc, type, x);
    Value inverse =
        inverseDeviation(loops, type, stats.variance, op.getEpsilon().convertToDouble());
    AffineMap channel = AffineMap::get(
        4, 0, {rewriter.getAffineDimExpr(1), rewriter.getAffineDimExpr(2)}, getContext());
    auto parameter = [&](Value original, Value lowered) {
      checkSameSize(rewriter, loc, onnx::getDims(original.getType())[0], groups * inGroup,
                    "the channels do not fit the groups");
      return GenericInput{reshapeTo(rewriter, loc, lowered, {groups, inGroup}), channel};
    };
    checkSameSize(rewriter, loc, dims[1], groups * inGroup, "the channels do not fit the groups");
    Value y = scaleAndShift(
        loops, storageType(op.getY()), x, stats.mean, inverse,
        {parameter(op.getScale(), adaptor.getScale()), parameter(op.getBias(), adaptor.getBias())});
    rewriter.replaceOp(op, reshapeTo(rewriter, loc, y, dims));
    return success();
  }
};

/// y = (x - mean) / (sqrt(variance) + 1e-9)
struct MeanVarianceNormalizationLowering : OpConversionPattern<onnx::MeanVarianceNormalizationOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::MeanVarianceNormalizationOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = computeTypeOf(op.getX());
    SmallVector<DimExpr> dims = onnx::getDims(op.getX().getType());
    llvm::SmallBitVector inside(dims.size());
    for (int64_t axis : op.getAxes())
      inside.set(axisOf(op.getX(), axis));
    RowLoops loops(rewriter, loc, dims, inside);
    Moments stats = moments(loops, rewriter, loc, type, adaptor.getX());
    Value inverse = loops.mapRows(type, stats.variance,
                                  [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                    return 1.0 / (sqrt(Scalar(b, loc, args[0])) + 1e-9);
                                  });
    rewriter.replaceOp(op, loops.map(storageType(op.getY()), adaptor.getX(), {stats.mean, inverse},
                                     {}, [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                       Args x{b, loc, args};
                                       return (x[0] - x[1]) * x[2];
                                     }));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// BatchNormalization
//===----------------------------------------------------------------------===//

/// y = x * factor + offset, with factor = scale / sqrt(variance + epsilon) and
/// offset = bias - mean * factor for each channel.
struct BatchNormalizationLowering : OpConversionPattern<onnx::BatchNormalizationOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::BatchNormalizationOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = computeTypeOf(op.getX());
    SmallVector<DimExpr> dims = onnx::getDims(op.getX().getType());
    if (dims.size() < 2)
      return rewriter.notifyMatchFailure(op, "no channels");
    llvm::SmallBitVector inside(dims.size(), true);
    inside.reset(1);
    RowLoops channels(rewriter, loc, dims, inside);

    for (auto value : {op.getScale(), op.getB(), op.getInputMean(), op.getInputVar()})
      checkSameSize(rewriter, loc, onnx::getDims(value.getType())[0], dims[1],
                    "a parameter has the wrong size");
    SmallVector<Value> results = {{}, adaptor.getInputMean(), adaptor.getInputVar()};
    Value mean = adaptor.getInputMean(), variance = adaptor.getInputVar();
    if (op.getTrainingMode()) {
      Moments stats = moments(channels, rewriter, loc, type, adaptor.getX());
      results[1] = updated(op, channels, adaptor.getInputMean(), stats.mean);
      results[2] = updated(op, channels, adaptor.getInputVar(), stats.variance);
      mean = stats.mean;
      variance = stats.variance;
    }
    double epsilon = op.getEpsilon().convertToDouble();
    Value factor = channels.mapRows(type, {adaptor.getScale(), variance},
                                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                      Args x{b, loc, args};
                                      return convert(x[0], type, false) /
                                             sqrt(convert(x[1], type, false) + epsilon);
                                    });
    Value offset =
        channels.mapRows(type, {adaptor.getB(), mean, factor},
                         [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                           Args x{b, loc, args};
                           return convert(x[0], type, false) - convert(x[1], type, false) * x[2];
                         });
    results[0] = channels.map(storageType(op.getY()), adaptor.getX(), {factor, offset}, {},
                              [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                Args x{b, loc, args};
                                return x[0] * x[1] + x[2];
                              });
    rewriter.replaceOp(op, results);
    return success();
  }

  /// running * momentum + batch * (1 - momentum)
  static Value updated(onnx::BatchNormalizationOp op, const RowLoops &channels, Value running,
                       Value batch) {
    double momentum = op.getMomentum().convertToDouble();
    return channels.mapRows(getElementTypeOrSelf(running.getType()), {running, batch},
                            [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                              Args x{b, loc, args};
                              return x[0] * momentum +
                                     convert(x[1], x[0].type(), false) * (1.0 - momentum);
                            });
  }
};

//===----------------------------------------------------------------------===//
// LRN
//===----------------------------------------------------------------------===//

/// y = x / (bias + alpha / size * sum of x^2 over nearby channels)^beta
struct LRNLowering : OpConversionPattern<onnx::LRNOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::LRNOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getX().getType());
    Value sums = squareSums(op, adaptor.getX(), rewriter);
    AffineMap identity = identityMap(getContext(), dims.size());
    double factor = op.getAlpha().convertToDouble() / op.getSize();
    rewriter.replaceOp(
        op, buildMap(rewriter, loc, dims, storageType(op.getY()),
                     {{adaptor.getX(), identity}, {sums, identity}},
                     [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                       Args x{b, loc, args};
                       Scalar base = x[1] * factor + op.getBias().convertToDouble();
                       return x[0] / power(base, base.constant(op.getBeta().convertToDouble()));
                     }));
    return success();
  }

  /// Sums over a window of channels, which is the innermost loop. Channels
  /// outside of the tensor count as zero.
  static Value squareSums(onnx::LRNOp op, Value x, OpBuilder &builder) {
    Location loc = op.getLoc();
    MLIRContext *context = builder.getContext();
    Type type = computeTypeOf(op.getX());
    SmallVector<DimExpr> loops = onnx::getDims(op.getX().getType());
    unsigned rank = loops.size();
    Value channels = materializeIndex(builder, loc, loops[1]);
    DimExpr size = DimExpr::constant(context, op.getSize());
    loops.push_back(size);
    llvm::SmallBitVector inside(loops.size());
    inside.set(rank);
    // The window has no elements of its own; it only gives the loop its size.
    Value window = emptyTensor(builder, loc, {size}, type);
    GenericInput windowInput = {window,
                                AffineMap::get(loops.size(), 0, builder.getAffineDimExpr(rank))};
    auto body = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      SmallVector<Value> indices;
      for (unsigned i = 0; i < rank; ++i)
        indices.push_back(linalg::IndexOp::create(b, loc, i));
      auto index = [&](Value value) { return Scalar(b, loc, value); };
      Scalar position = index(indices[1]) + index(linalg::IndexOp::create(b, loc, rank)) -
                        index(arith::ConstantIndexOp::create(b, loc, (op.getSize() - 1) / 2));
      Scalar zero = index(arith::ConstantIndexOp::create(b, loc, 0));
      Value isInside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, position, channels);
      indices[1] = arith::SelectOp::create(b, loc, isInside, position, zero);
      Value element = tensor::ExtractOp::create(b, loc, x, indices);
      Scalar value(b, loc, convertFloat(b, loc, element, type));
      return Scalar(b, loc, args.back()) + select(Scalar(b, loc, isInside), value * value, 0.0);
    };
    return buildReduction(builder, loc, loops, inside, zeroScalar(builder, loc, type), windowInput,
                          body);
  }
};

} // namespace

void onnxc::populateNormalizationPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<BatchNormalizationLowering, GroupNormalizationLowering, InstanceNormalizationLowering,
           LayerNormalizationLowering, LogSoftmaxLowering, LpNormalizationLowering, LRNLowering,
           MeanVarianceNormalizationLowering, RMSNormalizationLowering, SoftmaxLowering>(
          converter, patterns.getContext());
}
