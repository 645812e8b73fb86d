//===- MathRounding.cpp - Rounding without rounding instructions ----------===//
#include "lowering/cpu/MathFunctions.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace onnxc::cpu {

/// |x| rounded to even by adding and subtracting 2^(mantissa bits); numbers
/// from there on are integers already, and NaN stays.
static Lanes roundMagnitude(Lanes magnitude) {
  unsigned bits = cast<FloatType>(magnitude.getElementType()).getFPMantissaWidth() - 1;
  double large = static_cast<double>(int64_t(1) << bits);
  return select(less(magnitude, large), magnitude + large - large, magnitude);
}

Lanes expandRoundEven(Lanes x) { return copySign(roundMagnitude(absolute(x)), x); }

Lanes expandTrunc(Lanes x) {
  Lanes magnitude = absolute(x), rounded = roundMagnitude(magnitude);
  return copySign(select(greater(rounded, magnitude), rounded - 1, rounded), x);
}

Lanes expandFloor(Lanes x) {
  Lanes rounded = expandRoundEven(x);
  return copySign(select(greater(rounded, x), rounded - 1, rounded), x);
}

Lanes expandCeil(Lanes x) {
  Lanes rounded = expandRoundEven(x);
  return copySign(select(less(rounded, x), rounded + 1, rounded), x);
}

Lanes expandRound(Lanes x) {
  // Halves go away from zero. The fraction of the magnitude is exact.
  Lanes magnitude = absolute(x);
  Lanes whole = magnitude.with(math::TruncOp::create(*x.builder, magnitude.value));
  Lanes isHalf = xorInt(less(magnitude - whole, 0.5), 1);
  // Infinity has no fraction: the difference is NaN.
  isHalf = andInt(isHalf, less(magnitude, 0x1p52));
  return copySign(select(isHalf, whole + 1, whole), x);
}

} // namespace onnxc::cpu
