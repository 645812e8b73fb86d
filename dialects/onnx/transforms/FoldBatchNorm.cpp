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

/// An op with weights, per output channel of its result.
struct WeightedOp {
  Operation *op = nullptr;
  unsigned weightIndex = 1, biasIndex = 2;
  /// The dim of the result that counts output channels.
  int64_t channelDim = 1;
  DimExpr channels;
};

template <typename Op> WeightedOp describe(Op op, int64_t channelDim) {
  WeightedOp result;
  result.op = op;
  result.channelDim = channelDim;
  result.channels = getDims(op.getType())[channelDim];
  return result;
}

/// The op that makes `value`, when its weights can take a factor: they are
/// constant and nothing else reads the result.
std::optional<WeightedOp> matchWeighted(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || op->getNumOperands() < 2 ||
      !isConstantExpression(op->getOperand(1)))
    return std::nullopt;
  // Small floats would lose bits in the product.
  Type element = getElementTypeOrSelf(value.getType());
  if (!element.isF32() && !element.isF64())
    return std::nullopt;
  if (op->getNumOperands() > 2 && !isConstantExpression(op->getOperand(2)))
    return std::nullopt;
  if (auto conv = dyn_cast<ConvOp>(op); conv && !conv.getChannelsLast())
    return describe(conv, 1);
  if (auto conv = dyn_cast<ConvTransposeOp>(op); conv && !conv.getChannelsLast())
    return describe(conv, 1);
  if (auto gemm = dyn_cast<GemmOp>(op);
      gemm && (!gemm.getC() || gemm.getBeta().isExactlyValue(1.0)))
    return describe(gemm, 1);
  return std::nullopt;
}

/// A constant with one element for each channel or one for all, in the shape
/// [channels] or [1]; null when `value` is no such constant.
Value matchPerChannel(PatternRewriter &rewriter, Value value, const WeightedOp &weighted,
                      Type resultType) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t rank = cast<RankedTensorType>(resultType).getRank();
  if (!isConstantExpression(value) || type.getRank() > rank)
    return {};
  SmallVector<DimExpr> dims = getDims(type);
  int64_t offset = rank - type.getRank();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bool isChannel = static_cast<int64_t>(i) + offset == weighted.channelDim;
    if (dim.getConstant() != 1 && !(isChannel && dim == weighted.channels))
      return {};
  }
  DimExpr count = numElements(rewriter.getContext(), dims);
  Type flat = makeTensorType(count, type.getElementType());
  if (flat == type)
    return value;
  return ReshapeOp::create(rewriter, value.getLoc(), flat, value,
                           createShapeVector(rewriter, value.getLoc(), count), /*allowzero=*/1);
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

/// The factor in a shape that broadcasts along the weights' output channels.
/// `weightDims` may be regrouped by the caller.
Value alignFactor(PatternRewriter &rewriter, Value factor, size_t rank, size_t dim) {
  SmallVector<DimExpr> dims(rank, DimExpr::constant(rewriter.getContext(), 1));
  dims[dim] = getDims(factor.getType())[0];
  return reshapeConstant(rewriter, factor, dims);
}

/// The weights times a factor per output channel.
Value scaleWeights(PatternRewriter &rewriter, Operation *op, Value weights, Value factor) {
  Location loc = op->getLoc();
  SmallVector<DimExpr> dims = getDims(weights.getType());
  if (auto gemm = dyn_cast<GemmOp>(op))
    return createBinary<MulOp>(rewriter, loc, weights,
                               alignFactor(rewriter, factor, 2, gemm.getTransB() ? 0 : 1));
  if (isa<ConvOp>(op))
    return createBinary<MulOp>(rewriter, loc, weights,
                               alignFactor(rewriter, factor, dims.size(), 0));
  // ConvTranspose: [C, M/group, k...], the channels of a group in a block of C.
  auto conv = cast<ConvTransposeOp>(op);
  DimExpr group = DimExpr::constant(rewriter.getContext(), conv.getGroup());
  SmallVector<DimExpr> grouped = {group, dims[0].floorDiv(group)};
  llvm::append_range(grouped, ArrayRef(dims).drop_front());
  DimExpr one = DimExpr::constant(rewriter.getContext(), 1);
  SmallVector<DimExpr> factorDims(grouped.size(), one);
  if (getDims(factor.getType())[0].getConstant() != 1) {
    factorDims[0] = group;
    factorDims[2] = dims[1];
  }
  Value scaled = createBinary<MulOp>(rewriter, loc, reshapeConstant(rewriter, weights, grouped),
                                     reshapeConstant(rewriter, factor, factorDims));
  return reshapeConstant(rewriter, scaled, dims);
}

/// A factor or offset of one element as one per channel.
Value perChannel(PatternRewriter &rewriter, Value value, DimExpr channels) {
  if (getDims(value.getType())[0] == channels)
    return value;
  Type type = makeTensorType(channels, getElementTypeOrSelf(value.getType()));
  return ExpandOp::create(rewriter, value.getLoc(), type, value,
                          createShapeVector(rewriter, value.getLoc(), channels));
}

Value getBias(const WeightedOp &weighted) {
  return weighted.op->getNumOperands() > weighted.biasIndex
             ? weighted.op->getOperand(weighted.biasIndex)
             : Value();
}

/// Gives the op other weights and another bias, and puts it in place of `user`.
void replaceWeighted(PatternRewriter &rewriter, Operation *user, const WeightedOp &weighted,
                     Value weights, Value bias) {
  SmallVector<Value> operands = {weighted.op->getOperand(0), weights};
  if (bias)
    operands.push_back(bias);
  Operation *copy = rewriter.clone(*weighted.op);
  rewriter.modifyOpInPlace(copy, [&] { copy->setOperands(operands); });
  copy->setLoc(rewriter.getFusedLoc({weighted.op->getLoc(), user->getLoc()}));
  rewriter.replaceAllUsesWith(user->getResult(0), copy->getResult(0));
  rewriter.eraseOp(user);
}

/// Counts what is folded, for the pass's statistic.
struct FoldPattern {
  explicit FoldPattern(std::function<void()> onFold) : onFold(std::move(onFold)) {}
  std::function<void()> onFold;
};

/// Mul(Conv(x, w, b), s) -> Conv(x, w * s, b * s)
struct FoldScale : OpRewritePattern<MulOp>, FoldPattern {
  FoldScale(MLIRContext *context, std::function<void()> onFold)
      : OpRewritePattern(context), FoldPattern(std::move(onFold)) {}
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    for (auto [value, other] : {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
      std::optional<WeightedOp> weighted = matchWeighted(value);
      if (!weighted || value.getType() != op.getType())
        continue;
      Value factor = matchPerChannel(rewriter, other, *weighted, op.getType());
      if (!factor)
        continue;
      Value weights = scaleWeights(rewriter, weighted->op, weighted->op->getOperand(1), factor);
      Value bias = getBias(*weighted);
      if (bias)
        bias = createBinary<MulOp>(rewriter, op.getLoc(), bias, factor);
      replaceWeighted(rewriter, op, *weighted, weights, bias);
      onFold();
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no weights before, or no factor per channel");
  }
};

/// Add(Conv(x, w, b), t) -> Conv(x, w, b + t)
struct FoldOffset : OpRewritePattern<AddOp>, FoldPattern {
  FoldOffset(MLIRContext *context, std::function<void()> onFold)
      : OpRewritePattern(context), FoldPattern(std::move(onFold)) {}
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (auto [value, other] : {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
      std::optional<WeightedOp> weighted = matchWeighted(value);
      if (!weighted || value.getType() != op.getType())
        continue;
      Value offset = matchPerChannel(rewriter, other, *weighted, op.getType());
      if (!offset)
        continue;
      Value bias = getBias(*weighted);
      bias = bias ? createBinary<AddOp>(rewriter, op.getLoc(), bias, offset)
                  : perChannel(rewriter, offset, weighted->channels);
      replaceWeighted(rewriter, op, *weighted, weighted->op->getOperand(1), bias);
      onFold();
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no weights before, or no offset per channel");
  }
};

/// BatchNormalization(Conv(x, w, b)) -> Conv(x, w * s, b * s + t), s = scale /
/// sqrt(var + epsilon), t = B - mean * s
struct FoldNormalization : OpRewritePattern<BatchNormalizationOp>, FoldPattern {
  FoldNormalization(MLIRContext *context, std::function<void()> onFold)
      : OpRewritePattern(context), FoldPattern(std::move(onFold)) {}
  LogicalResult matchAndRewrite(BatchNormalizationOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    std::optional<WeightedOp> weighted = matchWeighted(op.getX());
    if (!weighted || op.getTrainingMode())
      return rewriter.notifyMatchFailure(op, "no constant weights before, or training mode");
    Type element = getElementTypeOrSelf(op.getX().getType());
    for (Value parameter : op->getOperands().drop_front())
      if (!isConstantExpression(parameter) || getElementTypeOrSelf(parameter.getType()) != element)
        return rewriter.notifyMatchFailure(op, "parameters are no constants of the data's type");
    auto scalarType = RankedTensorType::get({}, element);
    Value epsilon = ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(scalarType,
                               rewriter.getFloatAttr(element, op.getEpsilon().convertToDouble())));
    Value variance = createBinary<AddOp>(rewriter, loc, op.getInputVar(), epsilon);
    Value deviation = SqrtOp::create(rewriter, loc, ValueRange(variance))->getResult(0);
    Value scale = createBinary<DivOp>(rewriter, loc, op.getScale(), deviation);
    Value shift = createBinary<MulOp>(rewriter, loc, op.getInputMean(), scale);
    Value offset = createBinary<SubOp>(rewriter, loc, op.getB(), shift);
    Value weights = scaleWeights(rewriter, weighted->op, weighted->op->getOperand(1), scale);
    Value bias = getBias(*weighted);
    bias = bias ? createBinary<AddOp>(rewriter, loc,
                                      createBinary<MulOp>(rewriter, loc, bias, scale), offset)
                : offset;
    replaceWeighted(rewriter, op, *weighted, weights, bias);
    onFold();
    return success();
  }
};

struct FoldBatchNorm : onnxc::impl::FoldBatchNormBase<FoldBatchNorm> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    auto onFold = [this] { ++foldCount; };
    patterns.add<FoldNormalization, FoldOffset, FoldScale>(&getContext(), onFold);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
