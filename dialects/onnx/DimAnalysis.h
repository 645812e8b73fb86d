//===- DimAnalysis.h - What can be said of a dim expression -------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_DIMANALYSIS_H
#define ONNXC_DIALECTS_ONNX_DIMANALYSIS_H

#include "dialects/onnx/DimExpr.h"
#include <algorithm>
#include <limits>

namespace onnxc::onnx {

/// What an expression comes to, from its leaves up: `leaf` gives the value of a constant
/// or symbol, `combine(kind, a, b)` that of an operation on two values. Operations of
/// more operands are computed from the left.
template <typename Leaf, typename Combine>
auto evaluate(DimExpr expr, const Leaf &leaf, const Combine &combine) -> decltype(leaf(expr)) {
  if (expr.kind() == DimExpr::Kind::Constant || expr.kind() == DimExpr::Kind::Symbol)
    return leaf(expr);
  llvm::SmallVector<DimExpr, 0> parts = expr.operands();
  auto result = evaluate(parts.front(), leaf, combine);
  for (DimExpr part : llvm::ArrayRef(parts).drop_front())
    result = combine(expr.kind(), result, evaluate(part, leaf, combine));
  return result;
}

/// The least and the largest value of a size, both included. An end that nothing
/// limits is `unlimited` (or minus that).
struct DimBounds {
  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();
  int64_t min = 0, max = unlimited;

  /// The largest size, which is never negative; -1 where nothing limits it.
  int64_t largestSize() const { return max == unlimited ? -1 : std::max<int64_t>(max, 0); }
};

/// The bounds of an expression for symbols within theirs. Where a divisor may be 0, it
/// counts as 1, as at run time.
DimBounds boundsOf(DimExpr expr, llvm::function_ref<DimBounds(llvm::StringRef)> symbol);

/// An expression as a constant times factors that are no products: `8*n*m` is 8 and
/// [m, n], `4*n+4` is 4 and [n+1].
std::pair<int64_t, llvm::SmallVector<DimExpr, 0>> factorsOf(DimExpr expr);

/// The sum of one or more terms. Adding one after the other would make each partial sum of
/// a long list.
DimExpr sumOf(llvm::ArrayRef<DimExpr> terms);

/// Whether an expression has so many terms that shape arithmetic on it, which may double
/// it each time, ends: what comes of it is a value that the run computes.
bool isLarge(DimExpr expr);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_DIMANALYSIS_H
