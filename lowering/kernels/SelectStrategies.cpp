//===- SelectStrategies.cpp - Decide how contractions are emitted ----------===//
//
// Contractions and convolutions get a strategy, which their target chooses from
// their sizes, as the attribute `rt.strategy`. Where it wants a packed operand,
// the packing becomes an op of its own, which constant evaluation runs at
// compile time when the operand is a weight.
//
//===----------------------------------------------------------------------===//
#include "lowering/Passes.h"
#include "lowering/support/ConstantOnly.h"
#include "lowering/support/Contractions.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_SELECTSTRATEGIES
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

int64_t orUnknown(OpFoldResult size) { return getConstantIntValue(size).value_or(-1); }

/// Bits of the accumulators, which are the result's elements.
unsigned accumulatorBits(linalg::GenericOp op) {
  return cast<RankedTensorType>(op.getResult(0).getType()).getElementTypeBitWidth();
}

/// Distance in memory from one step of a loop to the next, or -1 when it is not
/// constant. The tensor is dense.
int64_t strideOf(AffineMap map, ArrayRef<OpFoldResult> sizes, unsigned loop) {
  int64_t stride = 1;
  for (unsigned i = map.getNumResults(); i-- > 0;) {
    if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(i)); dim && dim.getPosition() == loop)
      return stride;
    int64_t size = orUnknown(sizes[i]);
    stride = size < 0 || stride < 0 ? -1 : stride * size;
  }
  return 0;
}

/// Reorders `source` to [leading..., ceil(N / nr), middle..., nr]: the dims named
/// in `leading` and `middle` in this order, `columns` split into panels with
/// zeros behind the last column.
Value buildPacking(OpBuilder &builder, Location loc, Value source, ArrayRef<unsigned> leading,
                   ArrayRef<unsigned> middle, unsigned columns, int64_t nr) {
  MLIRContext *context = builder.getContext();
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<OpFoldResult> sizes = *getTensorSizes(source);
  SmallVector<OpFoldResult> packed;
  for (unsigned dim : leading)
    packed.push_back(sizes[dim]);
  int64_t n = orUnknown(sizes[columns]);
  packed.push_back(builder.getIndexAttr(llvm::divideCeil(n, nr)));
  for (unsigned dim : middle)
    packed.push_back(sizes[dim]);
  packed.push_back(builder.getIndexAttr(nr));
  Value init = tensor::EmptyOp::create(builder, loc, packed, type.getElementType());
  unsigned rank = packed.size();
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  auto loopOf = [&](unsigned dim) -> unsigned {
    if (const unsigned *at = llvm::find(leading, dim); at != leading.end())
      return at - leading.begin();
    return leading.size() + 1 + (llvm::find(middle, dim) - middle.begin());
  };
  AffineExpr panel = getAffineDimExpr(leading.size(), context);
  AffineExpr lane = getAffineDimExpr(rank - 1, context);
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  if (n % nr == 0) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim = 0; dim < sizes.size(); ++dim)
      exprs.push_back(dim == columns ? panel * nr + lane : getAffineDimExpr(loopOf(dim), context));
    AffineMap map = AffineMap::get(rank, 0, exprs, context);
    return linalg::GenericOp::create(builder, loc, init.getType(), source, init,
                                     ArrayRef<AffineMap>{map, identity}, iterators,
                                     [](OpBuilder &builder, Location loc, ValueRange args) {
                                       linalg::YieldOp::create(builder, loc, args[0]);
                                     })
        .getResult(0);
  }
  auto body = [&](OpBuilder &builder, Location loc, ValueRange) {
    Value count = arith::ConstantIndexOp::create(builder, loc, n);
    Value last = arith::ConstantIndexOp::create(builder, loc, n - 1);
    Value width = arith::ConstantIndexOp::create(builder, loc, nr);
    Value at = linalg::IndexOp::create(builder, loc, leading.size());
    Value base = arith::MulIOp::create(builder, loc, at, width);
    Value column =
        arith::AddIOp::create(builder, loc, base, linalg::IndexOp::create(builder, loc, rank - 1));
    Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, column, count);
    Value clamped = arith::MinSIOp::create(builder, loc, column, last);
    SmallVector<Value> indices;
    for (unsigned dim = 0; dim < sizes.size(); ++dim)
      indices.push_back(dim == columns
                            ? clamped
                            : linalg::IndexOp::create(builder, loc, loopOf(dim)).getResult());
    Value element = tensor::ExtractOp::create(builder, loc, source, indices);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
    linalg::YieldOp::create(
        builder, loc, arith::SelectOp::create(builder, loc, exists, element, zero).getResult());
  };
  return linalg::GenericOp::create(builder, loc, init.getType(), ValueRange(), init,
                                   ArrayRef<AffineMap>{identity}, iterators, body)
      .getResult(0);
}

/// Replaces an operand by a view of its packed form.
void packOperand(linalg::GenericOp op, unsigned operand, ArrayRef<unsigned> leading,
                 ArrayRef<unsigned> middle, unsigned columns, int64_t nr) {
  OpBuilder builder(op);
  Value source = op->getOperand(operand);
  Value packed = buildPacking(builder, op.getLoc(), source, leading, middle, columns, nr);
  op->setOperand(operand, rt::PackedOp::create(builder, op.getLoc(), source.getType(), packed, nr));
}

/// The operand's dim that a loop runs along.
unsigned dimOf(AffineMap map, unsigned loop) {
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && dim.getPosition() == loop)
      return i;
  llvm_unreachable("the operand has the loop");
}

/// Whether the op is a contraction whose sizes are known.
bool selectContraction(linalg::GenericOp op, rt::TargetAttr target) {
  std::optional<MatchedContraction> info = matchContraction(op);
  if (!info)
    return false;
  FailureOr<SmallVector<OpFoldResult>> sizes = getLoopSizes(op);
  FailureOr<SmallVector<OpFoldResult>> sizesA = getTensorSizes(op->getOperand(info->a));
  FailureOr<SmallVector<OpFoldResult>> sizesB = getTensorSizes(op->getOperand(info->b));
  if (failed(sizes) || failed(sizesA) || failed(sizesB))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap mapA = maps[info->a], mapB = maps[info->b];
  rt::GemmShape shape{info->m ? orUnknown((*sizes)[*info->m]) : 1, orUnknown((*sizes)[info->n]),
                      orUnknown((*sizes)[info->k])};
  shape.accumulatorBits = accumulatorBits(op);
  shape.constantB = isConstantOnly(op->getOperand(info->b));
  shape.contiguousRowsOfB = strideOf(mapB, *sizesB, info->n) == 1;
  shape.contiguousColumnsOfB = strideOf(mapB, *sizesB, info->k) == 1;
  shape.depthStrideOfA = strideOf(mapA, *sizesA, info->k);
  rt::StrategyAttr strategy = target.chooseGemm(shape);
  if (!strategy)
    return true;
  op->setAttr(rt::attributes::strategy, strategy);
  std::optional<int64_t> columns = strategy.getPackedColumns();
  if (!columns)
    return true;
  SmallVector<unsigned> leading;
  for (unsigned loop : info->batch)
    if (mapB.isFunctionOfDim(loop))
      leading.push_back(dimOf(mapB, loop));
  packOperand(op, info->b, leading, {dimOf(mapB, info->k)}, dimOf(mapB, info->n), *columns);
  return true;
}

void selectConvolution(linalg::GenericOp op, rt::TargetAttr target) {
  std::optional<MatchedConvolution> info = matchConvolution(op);
  FailureOr<SmallVector<OpFoldResult>> sizes = getLoopSizes(op);
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
  rt::StrategyAttr strategy = target.chooseConv(shape);
  if (!strategy)
    return;
  op->setAttr(rt::attributes::strategy, strategy);
  std::optional<int64_t> columns = strategy.getPackedColumns();
  if (!columns)
    return;
  // [taps..., g, ic, oc] -> [g, ceil(oc / nr), taps..., ic, nr]
  AffineMap weights = op.getIndexingMapsArray()[1];
  SmallVector<unsigned> leading, middle;
  if (info->group)
    leading.push_back(dimOf(weights, *info->group));
  for (unsigned tap : info->taps)
    middle.push_back(dimOf(weights, tap));
  middle.push_back(dimOf(weights, *info->inputChannel));
  packOperand(op, 1, leading, middle, dimOf(weights, *info->outputChannel), *columns);
}

struct SelectStrategies : onnxc::impl::SelectStrategiesBase<SelectStrategies> {
  using Base::Base;
  void runOnOperation() override {
    rt::TargetAttr target = rt::getTarget(getOperation());
    SmallVector<linalg::GenericOp> candidates;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isSumOfProducts(op) && !isConstantOnly(op.getResult(0)))
        candidates.push_back(op);
    });
    for (linalg::GenericOp op : candidates)
      if (!selectContraction(op, target))
        selectConvolution(op, target);
  }
};

} // namespace
