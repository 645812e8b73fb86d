//===- MathF32.cpp - The hot functions, in f32 ----------------------------===//
//
// The coefficients are minimax fits printed by fit_polynomials.py. Each formula
// is right with and without fused multiply-adds.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/MathFunctions.h"
#include "mlir/IR/BuiltinTypes.h"
#include <limits>

using namespace mlir;

namespace onnxc::cpu {

static constexpr double log2E = 0x1.715476p+0;
/// ln 2 in two parts; the first has nine bits, so that its product with an
/// exponent is exact (Cephes, single precision, expf.c).
static constexpr double ln2High = 0.693359375;
static constexpr double ln2Low = -2.12194440e-4;
static constexpr double infinity = std::numeric_limits<double>::infinity();

/// exp(x) = 2^n (1 + head + tail), where tail is much smaller than one.
struct ExpParts {
  Lanes n;
  Lanes head;
  Lanes tail;

  Lanes getMantissa() const { return head + tail + 1; }
  /// The same with hardly any error but that of the last rounding.
  Lanes getPreciseMantissa() const {
    Lanes sum = head + 1;
    return sum + ((1 - sum) + head + tail);
  }
};

/// x = n ln 2 + r with |r| <= ln 2 / 2 and a polynomial for exp(r).
static ExpParts splitExp(Lanes x) {
  Rounded n = roundToInt(x, log2E);
  // r = high + low, where high is exact.
  Lanes high = multiplyAdd(n.number, -ln2High, x);
  Lanes low = n.number * -ln2Low;
  Lanes r = high + low;
  Lanes q = polynomial(r, {0x1p-1, 0x1.55549p-3, 0x1.5554cep-5, 0x1.123aa4p-7, 0x1.6d6adap-10});
  return {n.integer, high, multiplyAdd(r * r, q, low)};
}

Lanes expandExp(Lanes x) {
  // Beyond these bounds the result is zero or infinity anyway.
  ExpParts parts = splitExp(atMost(atLeast(x, -104), 89));
  return scaleByPowerOfTwo(parts.getMantissa(), parts.n);
}

Lanes expandExp2(Lanes x) {
  x = atMost(atLeast(x, -151), 129);
  Rounded n = roundToInt(x);
  Lanes r = x - n.number;
  Lanes q = polynomial(r, {0x1.62e43p-1, 0x1.ebfbep-3, 0x1.c6af7ap-5, 0x1.3b2a28p-7, 0x1.5f0958p-10,
                           0x1.444794p-13});
  return scaleByPowerOfTwo(multiplyAdd(r, q, constant(r, 1)), n.integer);
}

Lanes expandLog(Lanes x) {
  auto type = cast<FloatType>(x.getElementType());
  // x = 2^e m with m in [sqrt(1/2), sqrt(2)); denormal numbers are scaled up first.
  Lanes isTiny = less(x, 0x1p-126);
  Lanes bits = toBits(select(isTiny, x * 0x1p23, x));
  Lanes exponent = shiftRightSigned(addInt(bits, -0x3f3504f3), 23);
  Lanes m = fromBits(subInt(bits, shiftLeft(exponent, 23)), type);
  Lanes e = intToFloat(exponent, type);
  e = select(isTiny, e - 23, e);

  // log(1 + f) = f - f^2/2 + f^3 P(f), summed with e ln 2 from the smallest term up.
  Lanes f = m - 1, square = f * f;
  Lanes tail =
      polynomial(f, {0x1.555546p-2, -0x1.ffffeep-3, 0x1.99a542p-3, -0x1.5562dap-3, 0x1.233308p-3,
                     -0x1.fb452ep-4, 0x1.e64e88p-4, -0x1.e2db2ep-4, 0x1.1b34bp-4});
  Lanes sum = multiplyAdd(e, ln2Low, tail * f * square);
  sum = multiplyAdd(square, -0.5, sum) + f;
  Lanes result = multiplyAdd(e, ln2High, sum);

  // Infinity and NaN stay; zero gives minus infinity, a negative number NaN.
  result = select(less(x, infinity), result, x);
  result = select(less(x, 0), constant(x, std::numeric_limits<double>::quiet_NaN()), result);
  return select(equal(x, 0), constant(x, -infinity), result);
}

Lanes expandTanh(Lanes x) {
  // Below 0.55 a polynomial; above, 1 - 2 / (exp(2|x|) + 1), which rounds to one at 9.02.
  Lanes square = x * x;
  Lanes tail = polynomial(
      square, {-0x1.55554ap-2, 0x1.110cecp-3, -0x1.b91dc8p-5, 0x1.58dc36p-6, -0x1.98df9cp-8});
  Lanes small = multiplyAdd(tail * square, x, x);

  Lanes magnitude = absolute(x), y = atMost(magnitude, 10);
  ExpParts parts = splitExp(y + y);
  Lanes exp = parts.getMantissa() * powerOfTwo(parts.n, cast<FloatType>(x.getElementType()));
  // The polynomial loses the sign of minus zero.
  return copySign(select(greater(magnitude, 0.55), 1 - 2 / (exp + 1), small), x);
}

Lanes expandSigmoid(Lanes x) {
  // With t = exp(-|x|): 1 / (1 + t), or t / (1 + t) for negative x, which does not overflow. Errors
  // of t and of the sum may count twice in units of the quotient, so both are kept small: what the
  // sum loses comes off at the end, for 1 / (1 + t) is about one where that matters.
  ExpParts parts = splitExp(atLeast(-absolute(x), -104));
  Lanes t = scaleByPowerOfTwo(parts.getPreciseMantissa(), parts.n);
  Lanes sum = t + 1, lost = t - (sum - 1);
  Lanes quotient = select(less(x, 0), t, constant(x, 1)) / sum;
  return quotient - quotient * lost;
}

Lanes expandErf(Lanes x) {
  // The two intervals and forms are those of N. Juffa's erff (forums.developer.nvidia.com, 2013).
  Lanes square = x * x;
  Lanes small = polynomial(square, {0x1.06eba6p-3, -0x1.8126e8p-2, 0x1.ce1a8ap-4, -0x1.b689dep-6,
                                    0x1.4724dep-8, -0x1.398d36p-11});
  small = multiplyAdd(small, x, x);

  Lanes t = atMost(absolute(x), 4);
  Lanes p = polynomial(t, {0x1.077bp-3, 0x1.45305p-1, 0x1.b343f6p-4, -0x1.85bd5cp-6, 0x1.df0facp-9,
                           -0x1.55c78ep-12, 0x1.839de6p-17});
  ExpParts parts = splitExp(-multiplyAdd(p, t, t));
  Lanes rest = parts.getMantissa() * powerOfTwo(parts.n, cast<FloatType>(x.getElementType()));
  return select(greater(t, 0.925), copySign(1 - rest, x), small);
}

} // namespace onnxc::cpu
