//===- RecomposeAttention.cpp - Attention that exporters took apart --------===//
//
// MatMul, scale, masks, Softmax, MatMul become one onnx.FusedAttention when nothing else
// uses what is in between. The walk goes from the second product up.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/OnnxAttention.h"
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxShapes.h"
#include "dialects/onnx/transforms/ConstantNumber.h"
#include "dialects/onnx/transforms/Passes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <numeric>

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_RECOMPOSEATTENTION
#include "dialects/onnx/transforms/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;
using namespace onnxc::onnx;

namespace {

/// A product or quotient of a value of the same type and a number: the value, while
/// `scale` takes the factor; null for anything else.
Value peelFactor(Value value, double &scale) {
  auto peel = [&](Value x, Value number, bool divides) -> Value {
    std::optional<double> factor = constantNumber(number);
    if (!factor || x.getType() != value.getType())
      return {};
    scale *= divides ? 1 / *factor : *factor;
    return x;
  };
  if (auto quotient = value.getDefiningOp<DivOp>())
    return peel(quotient.getA(), quotient.getB(), /*divides=*/true);
  auto product = value.getDefiningOp<MulOp>();
  if (!product)
    return {};
  if (Value x = peel(product.getA(), product.getB(), /*divides=*/false))
    return x;
  return peel(product.getB(), product.getA(), /*divides=*/false);
}

/// A factor of a product: transpose(tensor, perm).
struct Factor {
  Value tensor;
  SmallVector<int64_t> perm;

  Factor(Value tensor, std::optional<ArrayRef<int64_t>> folded) : tensor(tensor) {
    perm.resize(cast<RankedTensorType>(tensor.getType()).getRank());
    std::iota(perm.begin(), perm.end(), 0);
    if (folded)
      perm = llvm::to_vector(*folded);
  }
  SmallVector<DimExpr> dims() const {
    return applyPermutation(ArrayRef(getDims(tensor.getType())), perm);
  }
  /// Moves behind the numbers that it is multiplied by, and transposes.
  void peel(double &scale) {
    while (true) {
      if (Value inner = peelFactor(tensor, scale)) {
        tensor = inner;
      } else if (auto transpose = tensor.getDefiningOp<TransposeOp>()) {
        perm = applyPermutation(ArrayRef(transpose.getPermutation()), perm);
        tensor = transpose.getData();
      } else {
        return;
      }
    }
  }
};

/// What changes scores; in an attention whose scores pass through a view with the first
/// dim split in two, `isSplit` says whether this stands there.
struct Mask {
  Value value;
  MaskKind kind;
  double fill;
  bool isSplit;
};

bool isIdentity(std::optional<ArrayRef<int64_t>> perm) {
  return !perm || llvm::equal(*perm, llvm::seq<int64_t>(0, perm->size()));
}

/// Whether `merged` are the dims `split`, the first two as one.
bool mergesFirstTwo(ArrayRef<DimExpr> split, ArrayRef<DimExpr> merged) {
  return split.size() == merged.size() + 1 && split.size() >= 4 &&
         split[0] * split[1] == merged[0] && split.drop_front(2) == merged.drop_front();
}

/// What stands between two products.
class Chain {
public:
  MatMulOp products;
  double scale = 1;
  bool zeroForNaN = false;
  SmallVector<Mask> masks; ///< the last one first
  /// The two dims that the first dim of the scores is split into, by swin's windows.
  std::optional<std::pair<DimExpr, DimExpr>> split;

  /// From the probabilities up to the first product; says why not.
  const char *match(Value probabilities) {
    Value softmaxResult = probabilities;
    if (Value guarded = matchGuard(probabilities)) {
      zeroForNaN = true;
      softmaxResult = guarded;
    } else if (!probabilities.hasOneUse()) {
      return "the probabilities have other users";
    }
    auto softmax = softmaxResult.getDefiningOp<SoftmaxOp>();
    if (!softmax)
      return "the first factor is no softmax";
    int64_t rank = cast<RankedTensorType>(softmax.getType()).getRank();
    auto axis = static_cast<int64_t>(softmax.getAxis());
    if (axis != -1 && axis != rank - 1)
      return "the softmax is not along the keys";
    return matchScores(softmax.getInput(), /*isSplit=*/false)
               ? nullptr
               : "the scores are no product that is scaled and masked, or have other users";
  }

private:
  /// Where(IsNaN(x), 0, x), which is all that uses x: the x.
  static Value matchGuard(Value value) {
    auto where = value.getDefiningOp<WhereOp>();
    auto isNaN = where ? where.getCondition().getDefiningOp<IsNaNOp>() : nullptr;
    if (!isNaN || isNaN.getX() != where.getY() || constantNumber(where.getX()) != 0.0 ||
        !value.hasOneUse() || !isNaN->hasOneUse() || !where.getY().hasNUses(2))
      return {};
    return where.getY();
  }

  bool matchScores(Value value, bool isSplit) {
    if (!value.hasOneUse())
      return false;
    if (auto product = value.getDefiningOp<MatMulOp>()) {
      products = product;
      return !isSplit && isIdentity(product.getPermY());
    }
    auto below = [&](Value scores, Value mask, MaskKind kind, double fill) {
      return matchMask(value, scores, {mask, kind, fill, isSplit});
    };
    if (auto sum = value.getDefiningOp<AddOp>())
      return below(sum.getA(), sum.getB(), MaskKind::add, 0) ||
             below(sum.getB(), sum.getA(), MaskKind::add, 0);
    if (auto where = value.getDefiningOp<WhereOp>()) {
      if (std::optional<double> fill = constantNumber(where.getY()))
        return below(where.getX(), where.getCondition(), MaskKind::keep, *fill);
      if (std::optional<double> fill = constantNumber(where.getX()))
        return below(where.getY(), where.getCondition(), MaskKind::replace, *fill);
      return false;
    }
    if (auto reshape = value.getDefiningOp<ReshapeOp>())
      return matchReshape(reshape, isSplit);
    double factor = 1;
    Value scaled = peelFactor(value, factor);
    size_t outer = masks.size();
    // A scale of what has been masked already is none of the products.
    if (!scaled || !matchScores(scaled, isSplit) || masks.size() != outer)
      return false;
    scale *= factor;
    return true;
  }

  /// `value` is `scores` under a mask.
  bool matchMask(Value value, Value scores, const Mask &mask) {
    if (scores.getType() != value.getType() || scores == mask.value)
      return false;
    Chain before = *this;
    masks.push_back(mask);
    if (matchScores(scores, mask.isSplit))
      return true;
    *this = before;
    return false;
  }

  bool matchReshape(ReshapeOp reshape, bool isSplit) {
    SmallVector<DimExpr> from = getDims(reshape.getData().getType());
    SmallVector<DimExpr> to = getDims(reshape.getType());
    ArrayRef<DimExpr> parts = isSplit ? to : from, merged = isSplit ? from : to;
    if (!mergesFirstTwo(parts, merged) || (split && *split != std::pair(parts[0], parts[1])))
      return false;
    split = std::pair(parts[0], parts[1]);
    return matchScores(reshape.getData(), !isSplit);
  }
};

/// MatMul(Softmax(mask(scale(MatMul(q, k)))), v)  ->  FusedAttention(q, k, v, masks)
struct FuseAttention : OpRewritePattern<MatMulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatMulOp op, PatternRewriter &rewriter) const override {
    Chain chain;
    if (const char *reason = chain.match(op.getA()))
      return rewriter.notifyMatchFailure(op, reason);
    if (!isIdentity(op.getPermA()))
      return rewriter.notifyMatchFailure(op, "the probabilities are transposed");
    Factor query(chain.products.getA(), chain.products.getPermA());
    Factor key(chain.products.getB(), chain.products.getPermB());
    Factor value(op.getB(), op.getPermB());
    double scale = chain.scale;
    query.peel(scale);
    key.peel(scale);
    double none = 1;
    value.peel(none);
    if (none != 1)
      value = Factor(op.getB(), op.getPermB());
    size_t rank = query.perm.size();
    if (rank < 3 || key.perm.size() != rank || value.perm.size() != rank)
      return rewriter.notifyMatchFailure(op, "the factors have different ranks, or no batch");
    // key is [..., K2, K1], not transposed as the product wants it.
    std::swap(key.perm[rank - 2], key.perm[rank - 1]);
    SmallVector<DimExpr> dimsQ = query.dims(), dimsK = key.dims(), dimsV = value.dims();
    auto batch = [&](ArrayRef<DimExpr> dims) { return dims.drop_back(2); };
    if (batch(dimsQ) != batch(dimsK) || batch(dimsQ) != batch(dimsV))
      return rewriter.notifyMatchFailure(op, "the batch dims are stretched");
    if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
            getElementTypeOrSelf(op.getType())))
      return rewriter.notifyMatchFailure(op, "the elements are no floats");
    SmallVector<int64_t> permY(rank);
    std::iota(permY.begin(), permY.end(), 0);
    if (op.getPermY())
      permY = llvm::to_vector(*op.getPermY());
    SmallVector<DimExpr> dimsY = dimsQ;
    dimsY.back() = dimsV.back();
    if (makeTensorType(applyPermutation(ArrayRef(dimsY), permY),
                       getElementTypeOrSelf(op.getType())) != op.getType())
      return rewriter.notifyMatchFailure(op, "the result has other dims");
    SmallVector<Value> masks;
    SmallVector<int64_t> kinds;
    SmallVector<double> fills;
    if (chain.split && (query.perm[0] != 0 || key.perm[0] != 0 || value.perm[0] != 0 ||
                        permY[0] != 0 || chain.split->first * chain.split->second != dimsQ[0]))
      return rewriter.notifyMatchFailure(op, "the split dim is not the first one");
    for (const Mask &mask : llvm::reverse(chain.masks)) {
      Value tensor = mask.value;
      if (chain.split && !mask.isSplit)
        tensor = splitMask(rewriter, op.getLoc(), tensor, rank, *chain.split);
      masks.push_back(tensor);
      kinds.push_back(static_cast<int64_t>(mask.kind));
      fills.push_back(mask.fill);
    }
    if (chain.split)
      for (Factor *factor : {&query, &key, &value}) {
        factor->tensor = splitFirst(rewriter, op.getLoc(), factor->tensor, *chain.split);
        factor->perm = splitPerm(factor->perm);
      }
    auto fused = FusedAttentionOp::create(
        rewriter, op.getLoc(), query.tensor, key.tensor, value.tensor, masks,
        rewriter.getF64FloatAttr(scale), rewriter.getDenseI64ArrayAttr(kinds),
        rewriter.getDenseF64ArrayAttr(fills),
        chain.zeroForNaN ? rewriter.getUnitAttr() : UnitAttr(),
        rewriter.getDenseI64ArrayAttr(query.perm), rewriter.getDenseI64ArrayAttr(key.perm),
        rewriter.getDenseI64ArrayAttr(value.perm),
        rewriter.getDenseI64ArrayAttr(chain.split ? splitPerm(permY) : permY));
    rewriter.replaceOp(op, reshape(rewriter, op.getLoc(), fused.getY(), getDims(op.getType())));
    return success();
  }

private:
  static Value reshape(OpBuilder &builder, Location loc, Value tensor, ArrayRef<DimExpr> dims) {
    Type type = makeTensorType(dims, getElementTypeOrSelf(tensor.getType()));
    if (type == tensor.getType())
      return tensor;
    Value shape = createShapeVector(builder, loc, dims);
    return ReshapeOp::create(builder, loc, type, tensor, shape, /*allowzero=*/1);
  }
  static Value splitFirst(OpBuilder &builder, Location loc, Value tensor,
                          std::pair<DimExpr, DimExpr> parts) {
    SmallVector<DimExpr> dims = getDims(tensor.getType());
    dims[0] = parts.first;
    dims.insert(dims.begin() + 1, parts.second);
    return reshape(builder, loc, tensor, dims);
  }
  static SmallVector<int64_t> splitPerm(ArrayRef<int64_t> perm) {
    SmallVector<int64_t> result = {0};
    for (int64_t position : perm)
      result.push_back(position + 1);
    return result;
  }
  /// A mask of the merged view in the split one.
  static Value splitMask(OpBuilder &builder, Location loc, Value mask, size_t rank,
                         std::pair<DimExpr, DimExpr> parts) {
    SmallVector<DimExpr> dims = getDims(mask.getType());
    if (dims.size() < rank)
      return mask;
    DimExpr one = DimExpr::constant(mask.getContext(), 1);
    return splitFirst(builder, loc, mask, dims[0] == one ? std::pair(one, one) : parts);
  }
};

/// Reshape(Transpose(Reshape(x))) that merges leading dims, swaps the last two and splits
/// the leading ones again  ->  Transpose(x)
struct UnwrapTranspose : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto transpose = op.getData().getDefiningOp<TransposeOp>();
    auto merge = transpose ? transpose.getData().getDefiningOp<ReshapeOp>() : nullptr;
    if (!merge)
      return rewriter.notifyMatchFailure(op, "no transpose between reshapes");
    SmallVector<DimExpr> from = getDims(merge.getData().getType());
    SmallVector<DimExpr> merged = getDims(merge.getType()), to = getDims(op.getType());
    SmallVector<int64_t> perm = transpose.getPermutation();
    size_t rank = from.size(), inner = merged.size();
    SmallVector<int64_t> swap(rank), swapMerged(inner);
    std::iota(swap.begin(), swap.end(), 0);
    std::iota(swapMerged.begin(), swapMerged.end(), 0);
    if (rank < 3 || inner < 3)
      return rewriter.notifyMatchFailure(op, "no leading dims");
    std::swap(swap[rank - 2], swap[rank - 1]);
    std::swap(swapMerged[inner - 2], swapMerged[inner - 1]);
    if (perm != swapMerged || ArrayRef(from).take_back(2) != ArrayRef(merged).take_back(2) ||
        applyPermutation(ArrayRef(from), swap) != to)
      return rewriter.notifyMatchFailure(op, "more than the last two dims move");
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), merge.getData(),
                                             rewriter.getDenseI64ArrayAttr(swap));
    return success();
  }
};

struct RecomposeAttention : onnxc::impl::RecomposeAttentionBase<RecomposeAttention> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet views(&getContext()), patterns(&getContext());
    views.add<UnwrapTranspose>(&getContext());
    patterns.add<FuseAttention>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(views))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
