//===- DimBounds.cpp - Between which numbers a size lies ------------------===//
//
// Interval arithmetic. An end that nothing limits, or whose computation leaves 64
// bits, is `unlimited`.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/DimAnalysis.h"
#include <algorithm>

using namespace mlir;

namespace onnxc::onnx {

using Kind = DimExpr::Kind;
using Wide = __int128;

static constexpr int64_t unlimited = DimBounds::unlimited;

static bool isLimited(int64_t end) { return end != unlimited && end != -unlimited; }

/// The sum of two ends of the same side, which are `none` where nothing limits them.
static int64_t addEnds(int64_t a, int64_t b, int64_t none) {
  Wide sum = Wide(a) + b;
  return a == none || b == none || sum < -unlimited || sum > unlimited ? none
                                                                       : static_cast<int64_t>(sum);
}

static int64_t multiplyEnds(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  if (!isLimited(a) || !isLimited(b))
    return (a < 0) == (b < 0) ? unlimited : -unlimited;
  return static_cast<int64_t>(std::clamp<Wide>(Wide(a) * b, -unlimited, unlimited));
}

/// `b` is positive.
static int64_t divideEnds(int64_t a, int64_t b) {
  if (!isLimited(a))
    return a;
  if (!isLimited(b))
    return a < 0 ? -1 : 0;
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// The extremes of an operation that is monotone in each operand, over the corners.
template <typename Operation>
static DimBounds overCorners(DimBounds a, DimBounds b, Operation operation) {
  int64_t corners[] = {operation(a.min, b.min), operation(a.min, b.max), operation(a.max, b.min),
                       operation(a.max, b.max)};
  int64_t min = *std::min_element(std::begin(corners), std::end(corners));
  int64_t max = *std::max_element(std::begin(corners), std::end(corners));
  // Where even that end has left 64 bits nothing is known of it.
  return {min == unlimited ? -unlimited : min, max == -unlimited ? unlimited : max};
}

static DimBounds moduloBounds(DimBounds a, DimBounds b) {
  if (b.min < 1) // where the divisor is 0, the dividend is left
    return a.min >= 0 && b.min == 0 ? DimBounds{0, a.max} : DimBounds{-unlimited, unlimited};
  if (a.min >= 0 && a.max < b.min)
    return a;
  int64_t largest = b.max == unlimited ? unlimited : b.max - 1;
  return {0, a.min >= 0 ? std::min(largest, a.max) : largest};
}

static DimBounds combineBounds(Kind kind, DimBounds a, DimBounds b) {
  switch (kind) {
  case Kind::Add: return {addEnds(a.min, b.min, -unlimited), addEnds(a.max, b.max, unlimited)};
  case Kind::Mul: return overCorners(a, b, multiplyEnds);
  case Kind::FloorDiv:
    if (b.min < 0)
      return {-unlimited, unlimited};
    return overCorners(a, {std::max<int64_t>(b.min, 1), std::max<int64_t>(b.max, 1)}, divideEnds);
  case Kind::Mod: return moduloBounds(a, b);
  case Kind::Min: return {std::min(a.min, b.min), std::min(a.max, b.max)};
  case Kind::Max: return {std::max(a.min, b.min), std::max(a.max, b.max)};
  case Kind::Broadcast: return {std::min(a.min, b.min), std::max(a.max, b.max)};
  case Kind::Constant:
  case Kind::Symbol: break;
  }
  llvm_unreachable("leaf");
}

DimBounds boundsOf(DimExpr dim, function_ref<DimBounds(StringRef)> symbol) {
  auto leaf = [&](DimExpr expr) {
    if (expr.isConstant())
      return DimBounds{*expr.getConstant(), *expr.getConstant()};
    return symbol(expr.symbolName());
  };
  return evaluate(dim, leaf, combineBounds);
}

} // namespace onnxc::onnx
