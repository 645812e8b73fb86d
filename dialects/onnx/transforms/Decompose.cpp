//===- Decompose.cpp - Ops without a lowering to simpler ops ---------------===//
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxOps.h"
#include "dialects/onnx/transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_DECOMPOSE
#include "dialects/onnx/transforms/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;
using namespace onnxc::onnx;

namespace {

/// A scalar constant of a float type.
Value floatConstant(OpBuilder &builder, Location loc, Type element, double value) {
  auto type = RankedTensorType::get({}, element);
  return ConstantOp::create(builder, loc,
                            DenseElementsAttr::get(type, FloatAttr::get(element, value)));
}

/// CastLike(x, like)  ->  Cast(x) to like's element type
struct DecomposeCastLike : OpRewritePattern<CastLikeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CastLikeOp op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getTargetType().getType());
    Type type = op.getType();
    rewriter.replaceOpWithNewOp<CastOp>(op, type, op.getInput(), op.getRoundModeAttr(),
                                        op.getSaturateAttr(),
                                        rewriter.getI64IntegerAttr(dataTypeOf(element)));
    return success();
  }
};

/// scale = (max(x, 0) - min(x, 0)) / 255, or 1 for a range of 0
/// zero  = round(clip(-min / scale, 0, 255))
/// y     = QuantizeLinear(x, scale, zero)
struct DecomposeDynamicQuantize : OpRewritePattern<DynamicQuantizeLinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DynamicQuantizeLinearOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = op.getX();
    Type scalar = op.getYScale().getType(), byte = op.getYZeroPoint().getType();
    Type flag = RankedTensorType::get({}, rewriter.getI1Type());
    auto constant = [&](double value) {
      return floatConstant(rewriter, loc, getElementTypeOrSelf(scalar), value);
    };
    Value zero = constant(0), highest = constant(255);
    auto extreme = [&](auto reduce, auto combine) -> Value {
      Value result = decltype(reduce)::create(rewriter, loc, scalar, x, Value(), 0, 0);
      return decltype(combine)::create(rewriter, loc, scalar, ValueRange{result, zero});
    };
    Value low = extreme(ReduceMinOp(), MinOp()), high = extreme(ReduceMaxOp(), MaxOp());
    Value range = SubOp::create(rewriter, loc, scalar, high, low);
    Value isEmpty = EqualOp::create(rewriter, loc, flag, range, zero);
    Value quotient = DivOp::create(rewriter, loc, scalar, range, highest);
    Value scale = WhereOp::create(rewriter, loc, scalar, isEmpty, constant(1), quotient);
    Value scaledLow = DivOp::create(rewriter, loc, scalar, low, scale);
    Value shift = SubOp::create(rewriter, loc, scalar, zero, scaledLow);
    Value clipped = ClipOp::create(rewriter, loc, scalar, shift, zero, highest);
    Value rounded = RoundOp::create(rewriter, loc, scalar, clipped);
    Value zeroPoint = CastOp::create(rewriter, loc, byte, rounded, "up", 1,
                                     dataTypeOf(getElementTypeOrSelf(byte)));
    Value y = QuantizeLinearOp::create(rewriter, loc, op.getY().getType(), x, scale, zeroPoint, 1,
                                       0, 0, 0, 1);
    rewriter.replaceOp(op, {y, scale, zeroPoint});
    return success();
  }
};

/// log_prob = LogSoftmax(scores) along the classes
/// output   = NegativeLogLikelihoodLoss(log_prob, labels, weights)
struct DecomposeCrossEntropy : OpRewritePattern<SoftmaxCrossEntropyLossOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxCrossEntropyLossOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value logs = LogSoftmaxOp::create(rewriter, loc, op.getLogProb().getType(), op.getScores(), 1);
    Value loss = NegativeLogLikelihoodLossOp::create(
        rewriter, loc, op.getOutput().getType(), logs, op.getLabels(), op.getWeights(),
        op.getIgnoreIndexAttr(), op.getReductionAttr());
    rewriter.replaceOp(op, {loss, logs});
    return success();
  }
};

struct Decompose : onnxc::impl::DecomposeBase<Decompose> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeCastLike, DecomposeCrossEntropy, DecomposeDynamicQuantize>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
