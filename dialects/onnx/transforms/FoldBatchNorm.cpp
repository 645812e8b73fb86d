//===- FoldBatchNorm.cpp - Per-channel scales and offsets into weights -----===//
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxOps.h"
#include "dialects/onnx/transforms/ConstantExpression.h"
#include "dialects/onnx/transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace onnxc::onnx;

namespace onnxc {
#define GEN_PASS_DEF_FOLDBATCHNORM
#include "dialects/onnx/transforms/Passes.h.inc"
} // namespace onnxc

namespace {

/// The op that makes `value`, when its weights can take a factor: they are
/// constant and nothing else reads the result.
WeightedOpInterface matchWeighted(Value value) {
  auto op = value.getDefiningOp<WeightedOpInterface>();
  if (!op || !op.isLinearInWeights() || !value.hasOneUse())
    return {};
  // Small floats would lose bits in the product.
  Type element = getElementTypeOrSelf(value.getType());
  if (!element.isF32() && !element.isF64())
    return {};
  for (Value operand : op->getOperands().drop_front())
    if (!isConstantExpression(operand))
      return {};
  return op;
}

DimExpr outputChannels(WeightedOpInterface op) {
  return getDims(op->getResult(0).getType())[op.getOutputChannelDim()];
}

/// Whether `value` is a constant with one element for each output channel of `weighted`,
/// or one for all. `vectorDim` is the dim of the result along which a vector runs; where
/// it is nothing, the value broadcasts.
bool isPerChannel(Value value, WeightedOpInterface weighted, std::optional<int64_t> vectorDim) {
  auto type = cast<RankedTensorType>(value.getType());
  auto resultType = cast<RankedTensorType>(weighted->getResult(0).getType());
  if (!isConstantExpression(value) || type.getElementType() != resultType.getElementType() ||
      type.getRank() > resultType.getRank())
    return false;
  int64_t first = vectorDim.value_or(resultType.getRank() - type.getRank());
  for (auto [i, dim] : llvm::enumerate(getDims(type))) {
    bool isChannel = first + static_cast<int64_t>(i) == weighted.getOutputChannelDim();
    if (dim.getConstant() != 1 && !(isChannel && dim == outputChannels(weighted)))
      return false;
  }
  return true;
}

Value reshapeConstant(PatternRewriter &rewriter, Value value, ArrayRef<DimExpr> dims) {
  Type type = makeTensorType(dims, getElementTypeOrSelf(value.getType()));
  if (type == value.getType())
    return value;
  return ReshapeOp::create(rewriter, value.getLoc(), type, value,
                           createShapeVector(rewriter, value.getLoc(), dims), /*allowzero=*/1);
}

template <typename Op>
Value createBinary(PatternRewriter &rewriter, Location loc, Value a, Value b) {
  return Op::create(rewriter, loc, ValueRange{a, b})->getResult(0);
}

/// The weights times a factor per output channel, or one for all.
Value scaleWeights(PatternRewriter &rewriter, WeightedOpInterface op, Value factor) {
  Value weights = op->getOperand(1);
  WeightChannels channels = op.getWeightChannels();
  DimExpr one = DimExpr::constant(rewriter.getContext(), 1);
  SmallVector<DimExpr> factorDims(channels.dims.size(), one);
  if (getDims(factor.getType())[0].getConstant() != 1)
    for (int64_t dim : channels.channelDims)
      factorDims[dim] = channels.dims[dim];
  Value scaled =
      createBinary<MulOp>(rewriter, op.getLoc(), reshapeConstant(rewriter, weights, channels.dims),
                          reshapeConstant(rewriter, factor, factorDims));
  return reshapeConstant(rewriter, scaled, getDims(weights.getType()));
}

/// An offset of one element as one per channel.
Value perChannel(PatternRewriter &rewriter, Value value, DimExpr channels) {
  if (getDims(value.getType())[0] == channels)
    return value;
  Type type = makeTensorType(channels, getElementTypeOrSelf(value.getType()));
  return ExpandOp::create(rewriter, value.getLoc(), type, value,
                          createShapeVector(rewriter, value.getLoc(), channels));
}

/// Scale and offset behind weights go into them, such as those of a normalization:
/// Affine(Conv(x, w, b)) -> Conv(x, w * scale, b * scale + offset)
struct FoldAffine : OpInterfaceRewritePattern<AffineOpInterface> {
  FoldAffine(MLIRContext *context, std::function<void()> onFold)
      : OpInterfaceRewritePattern(context), onFold(std::move(onFold)) {}

  LogicalResult matchAndRewrite(AffineOpInterface op, PatternRewriter &rewriter) const override {
    for (unsigned data : op.getAffineOperands()) {
      Value value = op->getOperand(data);
      WeightedOpInterface weighted = matchWeighted(value);
      if (!weighted || value.getType() != op->getResult(0).getType())
        continue;
      SmallVector<Value> parameters(op->getOperands());
      parameters.erase(parameters.begin() + data);
      if (!llvm::all_of(parameters, [&](Value parameter) {
            return isPerChannel(parameter, weighted, op.getParameterDim());
          }))
        continue;
      fold(op, weighted, parameters, rewriter);
      onFold();
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no weights before, or no parameters per channel");
  }

private:
  static void fold(AffineOpInterface op, WeightedOpInterface weighted,
                   MutableArrayRef<Value> parameters, PatternRewriter &rewriter) {
    for (Value &parameter : parameters)
      parameter = reshapeConstant(rewriter, parameter,
                                  numElements(rewriter.getContext(), getDims(parameter.getType())));
    auto [scale, offset] = op.buildScaleAndOffset(rewriter, op.getLoc(), parameters);
    SmallVector<Value> operands(weighted->getOperands().take_front(2));
    Value bias = weighted->getNumOperands() > 2 ? weighted->getOperand(2) : Value();
    if (scale) {
      operands[1] = scaleWeights(rewriter, weighted, scale);
      if (bias)
        bias = createBinary<MulOp>(rewriter, op.getLoc(), bias, scale);
    }
    if (offset)
      bias = bias ? createBinary<AddOp>(rewriter, op.getLoc(), bias, offset)
                  : perChannel(rewriter, offset, outputChannels(weighted));
    if (bias)
      operands.push_back(bias);
    Operation *copy = rewriter.clone(*weighted);
    rewriter.modifyOpInPlace(copy, [&] { copy->setOperands(operands); });
    copy->setLoc(rewriter.getFusedLoc({weighted.getLoc(), op.getLoc()}));
    rewriter.replaceAllUsesWith(op->getResult(0), copy->getResult(0));
    rewriter.eraseOp(op);
  }

  /// Counts what is folded, for the pass's statistic.
  std::function<void()> onFold;
};

struct FoldBatchNorm : onnxc::impl::FoldBatchNormBase<FoldBatchNorm> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldAffine>(&getContext(), [this] { ++foldCount; });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
