//===- Recompose.cpp - Operators that exporters took apart -----------------===//
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxOps.h"
#include "dialects/onnx/transforms/ConstantNumber.h"
#include "dialects/onnx/transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <cmath>

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_RECOMPOSE
#include "dialects/onnx/transforms/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;
using namespace onnxc::onnx;

namespace {

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Whether a constant is this number, up to the rounding of its type.
bool isNumber(Value value, double number) {
  std::optional<double> found = constantNumber(value);
  if (!found)
    return false;
  bool isSmall = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() < 32;
  return std::abs(*found - number) <= (isSmall ? 4e-3 : 1e-5) * std::abs(number);
}

/// The other operand of a commutative op whose one operand satisfies `matches`.
template <typename Op> Value otherOperand(Value value, function_ref<bool(Value)> matches) {
  auto op = value.getDefiningOp<Op>();
  if (!op)
    return {};
  if (matches(op.getB()))
    return op.getA();
  return matches(op.getA()) ? op.getB() : Value();
}

template <typename Op> Value otherThanNumber(Value value, double number) {
  return otherOperand<Op>(value, [&](Value operand) { return isNumber(operand, number); });
}

/// x^2 as Pow(x, 2) or Mul(x, x): the x.
Value matchSquare(Value value) {
  if (auto power = value.getDefiningOp<PowOp>(); power && isNumber(power.getY(), 2))
    return power.getX();
  auto product = value.getDefiningOp<MulOp>();
  return product && product.getA() == product.getB() ? product.getA() : Value();
}

/// A mean over the last dims, which stay: the averaged value. `first` is the
/// first of those dims.
Value matchRowMean(Value value, int64_t &first) {
  auto mean = value.getDefiningOp<ReduceMeanOp>();
  std::optional<llvm::SmallBitVector> reduced = mean ? mean.getReducedDims() : std::nullopt;
  if (!reduced || !mean.keepsDims() || reduced->none())
    return {};
  first = reduced->find_first();
  if (static_cast<int64_t>(reduced->count()) != static_cast<int64_t>(reduced->size()) - first)
    return {};
  return mean.getData();
}

/// sqrt(mean + epsilon) over the last dims: the averaged value.
Value matchDeviation(Value value, int64_t &first, double &epsilon) {
  auto root = value.getDefiningOp<SqrtOp>();
  if (!root)
    return {};
  std::optional<double> number;
  Value mean = otherOperand<AddOp>(root.getX(), [&](Value operand) {
    number = constantNumber(operand);
    return number.has_value();
  });
  if (!mean)
    return {};
  epsilon = *number;
  return matchRowMean(mean, first);
}

/// x / d, or x * (1 / d): the x and, in `deviation`, the d.
Value matchQuotient(Value value, Value &deviation) {
  if (auto quotient = value.getDefiningOp<DivOp>()) {
    deviation = quotient.getB();
    return quotient.getA();
  }
  return otherOperand<MulOp>(value, [&](Value operand) {
    if (auto reciprocal = operand.getDefiningOp<ReciprocalOp>())
      deviation = reciprocal.getX();
    else if (auto one = operand.getDefiningOp<DivOp>(); one && isNumber(one.getA(), 1))
      deviation = one.getB();
    else
      return false;
    return true;
  });
}

/// Whether a value has the dims from `first` on of a type, or dims of size 1, so
/// that it can scale its rows.
bool fitsRow(Value value, RankedTensorType type, int64_t first) {
  SmallVector<DimExpr> own = getDims(value.getType()), dims = getDims(type);
  if (getElementTypeOrSelf(value.getType()) != type.getElementType() ||
      static_cast<int64_t>(own.size()) > type.getRank() - first)
    return false;
  return llvm::all_of(llvm::zip(llvm::reverse(own), llvm::reverse(dims)), [](auto pair) {
    auto [size, dim] = pair;
    return size == dim || size.getConstant() == 1;
  });
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

/// A normalized value found in the graph: (x - mean) / deviation or x / deviation.
struct Normalized {
  Value x;
  int64_t first;
  double epsilon;
  bool centred;
};

std::optional<Normalized> matchNormalized(Value value) {
  Normalized result;
  Value deviation, distance = matchQuotient(value, deviation);
  if (!distance)
    return std::nullopt;
  Value squares = matchDeviation(deviation, result.first, result.epsilon);
  if (!squares || matchSquare(squares) == Value())
    return std::nullopt;
  Value base = matchSquare(squares);
  auto difference = distance.getDefiningOp<SubOp>();
  auto baseDifference = base.getDefiningOp<SubOp>();
  // Exporters may subtract the mean twice, once for each use.
  bool same = base == distance ||
              (difference && baseDifference && difference.getA() == baseDifference.getA() &&
               difference.getB() == baseDifference.getB());
  if (!same)
    return std::nullopt;
  int64_t first;
  if (difference && matchRowMean(difference.getB(), first) == difference.getA()) {
    if (first != result.first)
      return std::nullopt;
    result.x = difference.getA();
    result.centred = true;
    return result;
  }
  result.x = distance;
  result.centred = false;
  return result;
}

/// The normalized value times a scale of its rows, when it is one.
std::optional<Normalized> matchScaled(Value value, Value &scale) {
  auto product = value.getDefiningOp<MulOp>();
  if (!product)
    return std::nullopt;
  for (auto [candidate, other] :
       {std::pair(product.getA(), product.getB()), std::pair(product.getB(), product.getA())}) {
    std::optional<Normalized> found = matchNormalized(candidate);
    if (!found || !fitsRow(other, cast<RankedTensorType>(found->x.getType()), found->first))
      continue;
    scale = other;
    return found;
  }
  return std::nullopt;
}

void replaceByLayerNormalization(Operation *op, const Normalized &found, Value scale, Value bias,
                                 PatternRewriter &rewriter) {
  Type stash = Float32Type::get(op->getContext());
  auto type = cast<RankedTensorType>(found.x.getType());
  SmallVector<DimExpr> dims = getDims(type);
  for (DimExpr &dim : MutableArrayRef(dims).drop_front(found.first))
    dim = DimExpr::constant(op->getContext(), 1);
  Type statistic = makeTensorType(dims, stash);
  auto layerNorm = LayerNormalizationOp::create(
      rewriter, op->getLoc(), TypeRange{type, statistic, statistic}, found.x, scale, bias,
      rewriter.getI64IntegerAttr(found.first), rewriter.getF32FloatAttr(found.epsilon),
      rewriter.getI64IntegerAttr(dataTypeOf(stash)));
  rewriter.replaceOp(op, layerNorm.getY());
}

/// Add(Mul((x - mean) / sqrt(variance + epsilon), scale), bias)
///   ->  LayerNormalization(x, scale, bias)
struct RecomposeLayerNormalization : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (auto [product, bias] :
         {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
      Value scale;
      std::optional<Normalized> found = matchScaled(product, scale);
      if (!found || !found->centred || found->x.getType() != op.getType() ||
          !fitsRow(bias, cast<RankedTensorType>(op.getType()), found->first))
        continue;
      replaceByLayerNormalization(op, *found, scale, bias, rewriter);
      return success();
    }
    return failure();
  }
};

/// Mul(x / sqrt(mean(x^2) + epsilon), scale)  ->  RMSNormalization(x, scale)
struct RecomposeRMSNormalization : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    Value scale;
    std::optional<Normalized> found = matchScaled(op.getResult(), scale);
    if (!found || found->centred || found->x.getType() != op.getType())
      return failure();
    rewriter.replaceOpWithNewOp<RMSNormalizationOp>(
        op, op.getType(), found->x, scale, rewriter.getI64IntegerAttr(found->first),
        rewriter.getF32FloatAttr(found->epsilon), rewriter.getI64IntegerAttr(1));
    return success();
  }
};

/// erf(x / sqrt(2)) + 1: the x.
Value matchErfTerm(Value value) {
  Value erf = otherThanNumber<AddOp>(value, 1);
  auto erfOp = erf ? erf.getDefiningOp<ErfOp>() : nullptr;
  if (!erfOp)
    return {};
  if (auto quotient = erfOp.getInput().getDefiningOp<DivOp>();
      quotient && isNumber(quotient.getB(), M_SQRT2))
    return quotient.getA();
  return otherThanNumber<MulOp>(erfOp.getInput(), M_SQRT1_2);
}

/// x^3, as Pow(x, 3) or products.
bool isCube(Value value, Value x) {
  if (auto power = value.getDefiningOp<PowOp>())
    return power.getX() == x && isNumber(power.getY(), 3);
  Value square = otherOperand<MulOp>(value, [&](Value operand) { return operand == x; });
  return square && matchSquare(square) == x;
}

/// tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)) + 1: the x.
Value matchTanhTerm(Value value) {
  Value tanh = otherThanNumber<AddOp>(value, 1);
  auto tanhOp = tanh ? tanh.getDefiningOp<TanhOp>() : nullptr;
  Value sum = tanhOp ? otherThanNumber<MulOp>(tanhOp.getInput(), 0.7978845608) : Value();
  auto add = sum ? sum.getDefiningOp<AddOp>() : nullptr;
  if (!add)
    return {};
  for (auto [x, term] : {std::pair(add.getA(), add.getB()), std::pair(add.getB(), add.getA())}) {
    Value cube = otherThanNumber<MulOp>(term, 0.044715);
    if (cube && isCube(cube, x))
      return x;
  }
  return {};
}

/// The three factors x, 0.5 and erf or tanh term, multiplied in any order
///   ->  Gelu(x)
struct RecomposeGelu : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    for (auto [product, last] :
         {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
      auto inner = product.getDefiningOp<MulOp>();
      if (!inner)
        continue;
      SmallVector<Value> factors = {inner.getA(), inner.getB(), last};
      auto half = llvm::find_if(factors, [](Value factor) { return isNumber(factor, 0.5); });
      if (half == factors.end())
        continue;
      factors.erase(half);
      for (auto [x, term] :
           {std::pair(factors[0], factors[1]), std::pair(factors[1], factors[0])}) {
        bool isErf = matchErfTerm(term) == x;
        if ((!isErf && matchTanhTerm(term) != x) || x.getType() != op.getType())
          continue;
        rewriter.replaceOpWithNewOp<GeluOp>(op, op.getType(), x,
                                            rewriter.getStringAttr(isErf ? "none" : "tanh"));
        return success();
      }
    }
    return failure();
  }
};

struct Recompose : onnxc::impl::RecomposeBase<Recompose> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RecomposeGelu, RecomposeLayerNormalization, RecomposeRMSNormalization>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
