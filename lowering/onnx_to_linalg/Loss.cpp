//===- Loss.cpp - Losses and windows to linalg.generic ---------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/RowLoops.h"
#include "lowering/onnx_to_linalg/RuntimeCalls.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::Scalar;

namespace {

/// Reads what belongs to each target: its weight and its score. Targets that are
/// ignored, which alone may lie outside of the classes, have weight 0.
class TargetLoop {
public:
  TargetLoop(onnx::NegativeLogLikelihoodLossOp op, Value input, Value target, Value weight,
             OpBuilder &builder)
      : op(op), input(input), target(target), weight(weight), builder(builder), loc(op.getLoc()) {
    type = computeType(getElementTypeOrSelf(op.getType()));
    dims = onnx::getDims(op.getTarget().getType());
    SmallVector<DimExpr> inputDims = onnx::getDims(op.getInput().getType());
    classes = materializeIndex(builder, loc, inputDims[1]);
  }

  Value weights() {
    return map(
        [&](OpBuilder &b, Location loc, Value wanted) { return readWeight(b, loc, wanted); });
  }
  Value losses() {
    return map([&](OpBuilder &b, Location loc, Value wanted) {
      SmallVector<Value> indices;
      for (unsigned i = 0; i < dims.size(); ++i)
        indices.push_back(linalg::IndexOp::create(b, loc, i));
      indices.insert(indices.begin() + 1, safeClass(b, loc, wanted));
      Value score = tensor::ExtractOp::create(b, loc, input, indices);
      Scalar number(b, loc, convertFloat(b, loc, score, type));
      return -number * readWeight(b, loc, wanted);
    });
  }

  Type type;
  SmallVector<DimExpr> dims;

private:
  Value map(function_ref<Scalar(OpBuilder &, Location, Value)> element) {
    return buildMap(builder, loc, dims, type,
                    {{target, identityMap(builder.getContext(), dims.size())}},
                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                      return element(b, loc, args[0]);
                    });
  }

  Value isClass(OpBuilder &b, Location loc, Value wanted) {
    Value index = IndexMath(b, loc).toIndex(wanted);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index, classes);
  }

  Value safeClass(OpBuilder &b, Location loc, Value wanted) {
    IndexMath math(b, loc);
    return math.select(isClass(b, loc, wanted), math.toIndex(wanted), math.constant(0));
  }

  Scalar readWeight(OpBuilder &b, Location loc, Value wanted) {
    Scalar result = zeroScalar(b, loc, type).constant(1);
    if (weight) {
      Value own = tensor::ExtractOp::create(b, loc, weight, safeClass(b, loc, wanted));
      result = result.with(convertFloat(b, loc, own, type));
    }
    Scalar counts(b, loc, isClass(b, loc, wanted));
    if (op.getIgnoreIndex()) {
      Scalar number(b, loc, wanted);
      counts = counts & (number != number.integer(*op.getIgnoreIndex()));
    }
    return select(counts, result, 0.0);
  }

  onnx::NegativeLogLikelihoodLossOp op;
  Value input, target, weight, classes;
  OpBuilder &builder;
  Location loc;
};

struct LossLowering : OpConversionPattern<onnx::NegativeLogLikelihoodLossOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::NegativeLogLikelihoodLossOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexMath math(rewriter, loc);
    Value classes = materializeIndex(rewriter, loc, onnx::getDims(op.getInput().getType())[1]);
    checkIndices(rewriter, loc, op.getTarget(), adaptor.getTarget(),
                 IndexRange{math.constant(0), math.sub(classes, math.constant(1))},
                 op.getIgnoreIndex());
    TargetLoop loop(op, adaptor.getInput(), adaptor.getTarget(), adaptor.getWeight(), rewriter);
    Type element = getElementTypeOrSelf(op.getType());
    Value losses = loop.losses();
    bool isMean = op.getReduction() == "mean", isNone = op.getReduction() == "none";
    llvm::SmallBitVector inside(loop.dims.size(), !isNone);
    RowLoops rows(rewriter, loc, loop.dims, inside);
    auto total = [&](Value full) {
      return rows.reduce(zeroScalar(rewriter, loc, loop.type), full, {},
                         [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                           return Scalar(b, loc, args[1]) + Scalar(b, loc, args[0]);
                         });
    };
    SmallVector<Value> parts = {isNone ? losses : total(losses)};
    if (isMean)
      parts.push_back(total(loop.weights()));
    rewriter.replaceOp(
        op, rows.mapRows(element, parts, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Scalar sum(b, loc, args[0]);
          return isMean ? sum / Scalar(b, loc, args[1]) : sum;
        }));
    return success();
  }
};

/// a - b * cos(t) + c * cos(2 t) with t = 2 pi n / N
struct SignalWindowLowering : OpInterfaceConversionPattern<onnx::SignalWindowOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult matchAndRewrite(onnx::SignalWindowOpInterface op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value result = op->getResult(0);
    Type element = getElementTypeOrSelf(result.getType());
    SmallVector<DimExpr> dims = onnx::getDims(result.getType());
    IndexMath math(rewriter, loc);
    Value size = math.toIndex(math.read(operands[0]));
    bindDims(rewriter, op, dims, size);
    Type type = element.isF64() ? element : Type(rewriter.getF32Type());
    SmallVector<double> factors = op.getCoefficients();
    Value count =
        op.isPeriodic() ? size : math.max(math.sub(size, math.constant(1)), math.constant(1));
    auto number = [&](OpBuilder &b, Location loc, Value index) {
      Value integer = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
      return convert(Scalar(b, loc, integer), type, false);
    };
    auto body = [&](OpBuilder &b, Location loc, ValueRange indices) -> Value {
      Scalar t = number(b, loc, indices[0]) * (2 * M_PI) / number(b, loc, count);
      Scalar window = factors[0] - factors[1] * cos(t);
      if (factors[2] != 0)
        window = window + factors[2] * cos(t * 2.0);
      if (auto integer = dyn_cast<IntegerType>(element))
        return convert(window, lowerType(integer), integer.isUnsigned());
      return convertFloat(b, loc, window, element);
    };
    rewriter.replaceOp(op, buildFromIndices(rewriter, loc, dims, element, body));
    return success();
  }
};

} // namespace

void onnxc::populateLossPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LossLowering, SignalWindowLowering>(converter, patterns.getContext());
}
