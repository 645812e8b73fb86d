//===- SelectStrategies.cpp - Decide how contractions are emitted ----------===//
//
// Contractions and convolutions get a strategy, which their target chooses from
// their sizes, as the attribute `rt.strategy`. Where it wants a packed operand,
// the packing becomes an op of its own, which constant evaluation runs at
// compile time when the operand is a weight.
//
//===----------------------------------------------------------------------===//
#include "lowering/Passes.h"
#include "lowering/kernels/PackOperand.h"
#include "lowering/support/AttentionParts.h"
#include "lowering/support/ConstantOnly.h"
#include "lowering/support/Contractions.h"
#include "lowering/support/DimValues.h"
#include "lowering/support/SymbolBounds.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {
#define GEN_PASS_DEF_SELECTSTRATEGIES
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

int64_t orUnknown(DimExpr size) { return size.getConstant().value_or(-1); }

/// Bits of the accumulators, which are the result's elements.
unsigned accumulatorBits(linalg::GenericOp op) {
  return cast<RankedTensorType>(op.getResult(0).getType()).getElementTypeBitWidth();
}

/// Distance in memory from one step of a loop to the next, or -1 when it is not
/// constant. The tensor is dense.
int64_t strideOf(AffineMap map, ArrayRef<DimExpr> sizes, unsigned loop) {
  int64_t stride = 1;
  for (unsigned i = map.getNumResults(); i-- > 0;) {
    if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(i)); dim && dim.getPosition() == loop)
      return stride;
    int64_t size = orUnknown(sizes[i]);
    stride = size < 0 || stride < 0 ? -1 : stride * size;
  }
  return 0;
}

/// Bytes that are summed in 32 bits, and the signs of all.
rt::FactorTypes typesOf(const Factor &a, const Factor &b, Type sum) {
  bool areBytes = a.storage.isInteger(8) && b.storage.isInteger(8) && sum.isInteger(32);
  return {areBytes, a.isUnsigned, b.isUnsigned};
}

/// The operand's dim that a loop runs along.
unsigned dimOf(AffineMap map, unsigned loop) {
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && dim.getPosition() == loop)
      return i;
  llvm_unreachable("the operand has the loop");
}

/// A sum of products of the run, with or without what `onnxc-fuse-prologues` fused.
bool canBeTiled(linalg::GenericOp op) {
  std::optional<SumOfProducts> sum = matchSumOfProducts(op);
  return sum && !sum->hasZeroPoints() && !isConstantOnly(op.getResult(0)) &&
         llvm::all_of(sum->factors, [&](const Factor &factor) {
           return !factor.prologue || isConstantOnly(op->getOperand(factor.operand));
         });
}

/// Whether the op is a contraction whose sizes are known.
bool selectContraction(linalg::GenericOp op, rt::TargetAttr target, const SymbolBounds &bounds) {
  std::optional<MatchedContraction> info = matchContraction(op);
  if (!info)
    return false;
  FailureOr<SmallVector<DimExpr>> sizes = getLoopDims(op);
  FailureOr<SmallVector<DimExpr>> sizesA = getTensorDims(op->getOperand(info->a.operand));
  FailureOr<SmallVector<DimExpr>> sizesB = getTensorDims(op->getOperand(info->b.operand));
  if (failed(sizes) || failed(sizesA) || failed(sizesB))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap mapA = maps[info->a.operand], mapB = maps[info->b.operand];
  auto largest = [&](DimExpr size) { return bounds.of(size).largestSize(); };
  rt::GemmShape shape{info->m ? largest((*sizes)[*info->m]) : 1, orUnknown((*sizes)[info->n]),
                      largest((*sizes)[info->k])};
  shape.accumulatorBits = accumulatorBits(op);
  shape.constantB = isConstantOnly(op->getOperand(info->b.operand));
  shape.computedB = static_cast<bool>(info->b.prologue);
  shape.contiguousRowsOfB = strideOf(mapB, *sizesB, info->n) == 1;
  shape.contiguousColumnsOfB = strideOf(mapB, *sizesB, info->k) == 1;
  shape.depthStrideOfA = strideOf(mapA, *sizesA, info->k);
  shape.factors = typesOf(info->a, info->b, info->sum);
  rt::StrategyAttr strategy = target.chooseGemm(shape);
  if (!strategy)
    return true;
  op->setAttr(rt::attributes::strategy, strategy);
  std::optional<rt::PanelLayout> layout = strategy.getPanelLayout();
  if (!layout)
    return true;
  PackedDims dims;
  for (unsigned loop : info->batch)
    if (mapB.isFunctionOfDim(loop))
      dims.leading.push_back(dimOf(mapB, loop));
  dims.depth.push_back(dimOf(mapB, info->k));
  dims.columns = dimOf(mapB, info->n);
  packOperand(op, info->b.operand, dims, *layout);
  return true;
}

void selectConvolution(linalg::GenericOp op, rt::TargetAttr target) {
  std::optional<MatchedConvolution> info = matchConvolution(op);
  FailureOr<SmallVector<DimExpr>> sizes = getLoopDims(op);
  if (!info || failed(sizes))
    return;
  auto sizeOf = [&](std::optional<unsigned> loop) {
    return loop ? orUnknown((*sizes)[*loop]) : int64_t(1);
  };
  unsigned rank = info->pixels.size();
  auto fromEnd = [&](ArrayRef<unsigned> loops, unsigned i) {
    return i < rank ? orUnknown((*sizes)[loops[rank - 1 - i]]) : int64_t(1);
  };
  // Only the weights know the taps, and packed ones state no sizes.
  if (llvm::any_of(info->taps, [&](unsigned loop) { return sizeOf(loop) < 0; }))
    return;
  if (info->isDepthwise()) {
    rt::DepthwiseShape shape{};
    shape.outputRows = fromEnd(info->pixels, 1);
    shape.outputColumns = fromEnd(info->pixels, 0);
    shape.tapRows = fromEnd(info->taps, 1);
    shape.tapColumns = fromEnd(info->taps, 0);
    shape.strideRows = rank > 1 ? info->strides[rank - 2] : 1;
    shape.strideColumns = info->strides[rank - 1];
    shape.channels = sizeOf(info->group);
    shape.accumulatorBits = accumulatorBits(op);
    if (rt::StrategyAttr strategy = target.chooseDepthwise(shape))
      op->setAttr(rt::attributes::strategy, strategy);
    return;
  }
  if (sizeOf(info->outputChannel) < 0)
    return;
  rt::ConvShape shape;
  shape.outputRows = fromEnd(info->pixels, 1);
  shape.outputColumns = fromEnd(info->pixels, 0);
  shape.outputChannels = sizeOf(info->outputChannel);
  shape.accumulatorBits = accumulatorBits(op);
  int64_t channels = sizeOf(info->inputChannel) * sizeOf(info->group);
  shape.pixelBytes = info->strides[rank - 1] * std::max<int64_t>(channels, 0) *
                     rt::getStorageBytes(getElementTypeOrSelf(op->getOperand(0)));
  shape.inputChannels = sizeOf(info->inputChannel);
  shape.contiguousTaps = info->dilations.back() == 1 && sizeOf(info->group) == 1;
  shape.factors = typesOf(info->data, info->weights, info->sum);
  rt::StrategyAttr strategy = target.chooseConv(shape);
  if (!strategy)
    return;
  op->setAttr(rt::attributes::strategy, strategy);
  std::optional<rt::PanelLayout> layout = strategy.getPanelLayout();
  if (!layout)
    return;
  // [taps..., g, ic, oc] -> [g, ceil(oc / nr), taps..., ic, nr]
  AffineMap weights = op.getIndexingMapsArray()[info->weights.operand];
  PackedDims dims;
  if (info->group)
    dims.leading.push_back(dimOf(weights, *info->group));
  for (unsigned tap : info->taps)
    dims.outerDepth.push_back(dimOf(weights, tap));
  dims.depth.push_back(dimOf(weights, *info->inputChannel));
  // As one depth they need their own steps where a pixel has no whole ones.
  if (layout->joinTaps && shape.inputChannels % layout->step != 0)
    dims.depth.insert(dims.depth.begin(), dims.outerDepth.pop_back_val());
  dims.columns = dimOf(weights, *info->outputChannel);
  packOperand(op, info->weights.operand, dims, *layout);
}

/// Lays out what scores are changed with so that whole vectors of queries can be read:
/// [batch dims..., K2, M rounded up to `lanes`], the last query repeated behind it. Masks
/// that several attentions share are laid out once.
class ScoreInputs {
public:
  void layOut(rt::AttentionOp op, int64_t lanes) {
    SmallVector<AffineMap> maps = op.getMaps();
    for (auto [i, input] : llvm::enumerate(op.getInputsMutable())) {
      AffineMap &map = maps[i + 3];
      if (!map.isFunctionOfDim(op.getM()))
        continue;
      Layout &layout = known[{input.get(), map, lanes}];
      if (!layout.tensor || layout.tensor.getParentBlock() != op->getBlock())
        layout = build(op, input.get(), map, lanes);
      input.set(layout.tensor);
      map = layout.map;
    }
    op.setIndexingMapsAttr(OpBuilder(op).getAffineMapArrayAttr(maps));
  }

private:
  struct Layout {
    Value tensor;
    AffineMap map;
  };
  llvm::DenseMap<std::tuple<Value, AffineMap, int64_t>, Layout> known;

  static Layout build(rt::AttentionOp op, Value input, AffineMap map, int64_t lanes) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    SmallVector<DimExpr> from = *getTensorDims(input);
    // The loops that the input has, M last; their sizes here, and where each stands.
    SmallVector<unsigned> loops;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (loop != op.getM() && map.isFunctionOfDim(loop))
        loops.push_back(loop);
    loops.push_back(op.getM());
    SmallVector<OpFoldResult> sizes;
    for (unsigned loop : loops)
      sizes.push_back(materialize(builder, loc, from[dimOf(map, loop)]));
    DimExpr queries = from[dimOf(map, op.getM())];
    DimExpr vectors = queries.ceilDiv(DimExpr::constant(context, lanes));
    sizes.back() = materialize(builder, loc, vectors * lanes);
    Value count = materializeIndex(builder, loc, queries);
    auto loopOf = [&](unsigned loop) { return llvm::find(loops, loop) - loops.begin(); };
    auto type = cast<RankedTensorType>(input.getType());
    Value init = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
    SmallVector<utils::IteratorType> iterators(sizes.size(), utils::IteratorType::parallel);
    auto body = [&](OpBuilder &builder, Location loc, ValueRange) {
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      Value last = arith::SubIOp::create(builder, loc, count, one);
      SmallVector<Value> indices;
      for (AffineExpr expr : map.getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        Value index = dim ? linalg::IndexOp::create(builder, loc, loopOf(dim.getPosition())) : zero;
        if (dim && dim.getPosition() == op.getM())
          index = arith::MinSIOp::create(builder, loc, index, last);
        indices.push_back(index);
      }
      Value element = tensor::ExtractOp::create(builder, loc, input, indices);
      linalg::YieldOp::create(builder, loc, element);
    };
    SmallVector<AffineExpr> exprs;
    for (unsigned loop : loops)
      exprs.push_back(getAffineDimExpr(loop, context));
    AffineMap identity = builder.getMultiDimIdentityMap(sizes.size());
    auto copy = linalg::GenericOp::create(builder, loc, init.getType(), ValueRange(), init,
                                          ArrayRef<AffineMap>{identity}, iterators, body);
    return {copy.getResult(0), AffineMap::get(op.getNumLoops(), 0, exprs, context)};
  }
};

/// Attentions that are left have a strategy: `onnxc-decompose-attention` took the others
/// apart.
void selectAttention(rt::AttentionOp op, rt::TargetAttr target, ScoreInputs &inputs) {
  rt::StrategyAttr strategy = chooseAttention(target, op);
  if (!strategy)
    return;
  op->setAttr(rt::attributes::strategy, strategy);
  if (int64_t lanes = cast<rt::AttentionTargetAttr>(target).getScoreLanes(strategy))
    inputs.layOut(op, lanes);
}

struct SelectStrategies : onnxc::impl::SelectStrategiesBase<SelectStrategies> {
  using Base::Base;
  void runOnOperation() override {
    rt::TargetAttr target = rt::getTarget(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SymbolBounds bounds(function);
      SmallVector<linalg::GenericOp> candidates;
      function.walk([&](linalg::GenericOp op) {
        if (canBeTiled(op))
          candidates.push_back(op);
      });
      for (linalg::GenericOp op : candidates)
        if (!selectContraction(op, target, bounds))
          selectConvolution(op, target);
    }
    SmallVector<rt::AttentionOp> attentions;
    getOperation().walk([&](rt::AttentionOp op) { attentions.push_back(op); });
    ScoreInputs inputs;
    for (rt::AttentionOp op : attentions)
      selectAttention(op, target, inputs);
  }
};

} // namespace
