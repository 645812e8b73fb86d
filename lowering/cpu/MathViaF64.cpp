//===- MathViaF64.cpp - f32 functions computed in f64 ---------------------===//
//
// A relative error below 1e-10 in f64 leaves one rounding to f32, so short
// polynomials and plain formulas do. Every finite f32 is a normal f64: no case
// for denormals. The coefficients are minimax fits printed by
// fit_polynomials.py.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/MathFunctions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include <limits>

using namespace mlir;

namespace onnxc::cpu {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
static constexpr double log2E = 0x1.71547652b82fep+0;
static constexpr double log10E = 0x1.bcb7b1526e50ep-2;
static constexpr double ln2 = 0x1.62e42fefa39efp-1;
/// ln 2 in two parts; the first has 33 bits.
static constexpr double ln2High = 0x1.62e42feep-1;
static constexpr double ln2Low = 0x1.a39ef35793c76p-33;
static constexpr double halfPi = 0x1.921fb54442d18p+0;
static constexpr double pi = 0x1.921fb54442d18p+1;

static Lanes toF64(Lanes x) { return extendFloat(x, x.builder->getF64Type()); }
static Lanes toF32(Lanes x) { return truncateFloat(x, x.builder->getF32Type()); }
static FloatType f64Of(Lanes x) { return x.builder->getF64Type(); }

//===-- Cores in f64 ------------------------------------------------------===//

/// exp(r) - 1 for |r| <= ln 2 / 2.
static Lanes expMinusOneReduced(Lanes r) {
  Lanes q = polynomial(r, {0x1.fffffffff4c5ap-2, 0x1.55555573880d8p-3, 0x1.5555557c0423dp-5,
                           0x1.1110b1ce5cb16p-7, 0x1.6c163ac7cb7e5p-10, 0x1.a16fd6e1cc30bp-13,
                           0x1.a17311821e2b2p-16});
  return multiplyAdd(r * r, q, r);
}

/// exp(x) - 1, never infinite: beyond +-700 it is as good as infinity in f32.
static Lanes expMinusOne(Lanes x) {
  x = atMost(atLeast(x, -700), 700);
  Rounded n = roundToInt(x, log2E);
  Lanes r = multiplyAdd(n.number, -ln2Low, multiplyAdd(n.number, -ln2High, x));
  Lanes scale = powerOfTwo(n.integer, f64Of(x));
  return multiplyAdd(scale, expMinusOneReduced(r), scale - 1);
}

/// 2^x, never infinite nor zero.
static Lanes exp2(Lanes x) {
  x = atMost(atLeast(x, -1000), 1000);
  Rounded n = roundToInt(x);
  Lanes r = (x - n.number) * ln2;
  return (expMinusOneReduced(r) + 1) * powerOfTwo(n.integer, f64Of(x));
}

/// x = 2^e m with m in [sqrt(1/2), sqrt(2)), for a positive normal x.
struct LogParts {
  Lanes e;
  Lanes logM;
};

static LogParts splitLog(Lanes x) {
  // The biased exponent becomes a float by standing in the mantissa of 2^52.
  Lanes bits = toBits(x);
  Lanes biased = shiftRight(addInt(bits, 0x3ff0000000000000 - 0x3fe6a09e667f3bcd), 52);
  Lanes e = fromBits(orInt(biased, 0x4330000000000000), f64Of(x)) - (0x1p52 + 1023);
  Lanes m = fromBits(subInt(bits, shiftLeft(addInt(biased, -1023), 52)), f64Of(x));
  // log(m) = 2 atanh(s) with s = (m - 1) / (m + 1).
  Lanes s = (m - 1) / (m + 1);
  Lanes z = s * s;
  Lanes p = polynomial(z, {0x1.555555555395fp-2, 0x1.999999a29312ep-3, 0x1.2492417866801p-3,
                           0x1.c722779b3fa8dp-4, 0x1.732c35c2e7107p-4, 0x1.5876c222bd81fp-4});
  Lanes twice = s + s;
  return {e, multiplyAdd(twice * z, p, twice)};
}

/// `result` for positive finite x; the limits of a logarithm elsewhere.
static Lanes withLogLimits(Lanes x, Lanes result) {
  result = select(less(x, infinity), result, x);
  result = select(less(x, 0), constant(x, notANumber), result);
  return select(equal(x, 0), constant(x, -infinity), result);
}

static Lanes log(Lanes x) {
  LogParts parts = splitLog(x);
  return withLogLimits(x, multiplyAdd(parts.e, ln2, parts.logM));
}

static Lanes log2(Lanes x) {
  LogParts parts = splitLog(x);
  return withLogLimits(x, multiplyAdd(parts.logM, log2E, parts.e));
}

/// log(1 + x): what the rounding of u = 1 + x loses comes back as the first
/// term of log(u + d) = log(u) + d / u (D. Goldberg, 1991, theorem 4).
static Lanes logOnePlus(Lanes x) {
  Lanes u = x + 1;
  Lanes lost = (x - (u - 1)) / u;
  Lanes result = log(u) + select(less(absolute(lost), 1), lost, constant(x, 0));
  return select(equal(x, 0), x, result);
}

/// atan(numerator / denominator) for operands that are not negative, not both
/// zero and not both infinite.
static Lanes arcTangent(Lanes numerator, Lanes denominator) {
  // Above one, atan(t) = pi/2 - atan(1/t).
  Lanes swap = greater(numerator, denominator);
  Lanes t = select(swap, denominator, numerator) / select(swap, numerator, denominator);
  Lanes z = t * t;
  Lanes p = polynomial(z, {-0x1.5555553281a35p-2, 0x1.999985edb6470p-3, -0x1.24905757d811ep-3,
                           0x1.c6eab861e6731p-4, -0x1.72e3f96135eb7p-4, 0x1.33d3f7bd78aa3p-4,
                           -0x1.f1227b849ac78p-5, 0x1.6b6e7ef3dd7f4p-5, -0x1.b6276f4977ceep-6,
                           0x1.8639f0d199a35p-7, -0x1.ba8a2f81b7feap-9, 0x1.d6d87f6bf544fp-12});
  Lanes angle = multiplyAdd(t * z, p, t);
  return select(swap, halfPi - angle, angle);
}

//===-- Exponentials and logarithms ---------------------------------------===//

Lanes expandExpM1(Lanes x) {
  Lanes result = toF32(expMinusOne(toF64(x)));
  return select(equal(x, 0), x, result);
}

Lanes expandLog2(Lanes x) { return toF32(log2(toF64(x))); }
Lanes expandLog10(Lanes x) { return toF32(log(toF64(x)) * log10E); }
Lanes expandLog1p(Lanes x) { return toF32(logOnePlus(toF64(x))); }

Lanes expandCbrt(Lanes x) {
  Lanes wide = toF64(x);
  Lanes magnitude = absolute(wide);
  Lanes root = exp2(log2(magnitude) * (1.0 / 3.0));
  root = select(less(magnitude, infinity), root, magnitude);
  root = select(equal(magnitude, 0), magnitude, root);
  return toF32(copySign(root, wide));
}

Lanes expandPow(Lanes x, Lanes y) {
  Lanes base = toF64(x), exponent = toF64(y);
  Lanes magnitude = absolute(base);
  Lanes power = toF32(exp2(exponent * log2(magnitude)));
  Lanes one = constant(x, 1);
  // 1^y and x^0 are one even for NaN; (-1)^inf is one.
  power = select(equal(magnitude, 1), select(isNan(y), select(equal(x, 1), one, y), one), power);
  // A negative base, minus zero included: odd exponents keep the sign, fractions are undefined
  // unless the result is zero or infinite.
  Lanes half = exponent * 0.5;
  Lanes isInteger = equal(expandRoundEven(exponent), exponent);
  Lanes isOdd = andInt(isInteger, notEqualOrNan(expandRoundEven(half), half));
  Lanes isNegative = lessSigned(toBits(x), 0);
  power = select(andInt(isNegative, isOdd), -power, power);
  Lanes isFiniteNegative = andInt(less(x, 0), greater(x, -infinity));
  Lanes isUndefined = andInt(isFiniteNegative, xorInt(isInteger, 1));
  power = select(isUndefined, constant(x, notANumber), power);
  return select(equal(y, 0), one, power);
}

//===-- Hyperbolic functions ----------------------------------------------===//

Lanes expandSinh(Lanes x) {
  Lanes wide = toF64(x);
  Lanes e = expMinusOne(absolute(wide));
  return toF32(copySign((e + e / (e + 1)) * 0.5, wide));
}

Lanes expandCosh(Lanes x) {
  Lanes e = expMinusOne(absolute(toF64(x))) + 1;
  return toF32((e + 1 / e) * 0.5);
}

Lanes expandAsinh(Lanes x) {
  Lanes wide = toF64(x);
  Lanes t = absolute(wide), square = t * t;
  Lanes result = logOnePlus(t + square / (squareRoot(square + 1) + 1));
  // Infinity divided by infinity.
  result = select(less(t, infinity), result, t);
  return toF32(copySign(result, wide));
}

Lanes expandAcosh(Lanes x) {
  Lanes t = toF64(x) - 1;
  Lanes result = logOnePlus(t + squareRoot(t * (t + 2)));
  return toF32(select(less(t, 0), constant(t, notANumber), result));
}

Lanes expandAtanh(Lanes x) {
  Lanes wide = toF64(x);
  Lanes t = absolute(wide);
  Lanes result = logOnePlus((t + t) / (1 - t)) * 0.5;
  return toF32(copySign(result, wide));
}

//===-- Trigonometric functions -------------------------------------------===//

Lanes expandAtan(Lanes x) {
  Lanes wide = toF64(x);
  return toF32(copySign(arcTangent(absolute(wide), constant(wide, 1)), wide));
}

Lanes expandAsin(Lanes x) {
  Lanes wide = toF64(x);
  Lanes t = absolute(wide);
  return toF32(copySign(arcTangent(t, squareRoot((1 - t) * (t + 1))), wide));
}

Lanes expandAcos(Lanes x) {
  // acos(x) = 2 atan(sqrt((1 - x) / (1 + x))).
  Lanes wide = toF64(x);
  return toF32(arcTangent(squareRoot(1 - wide), squareRoot(wide + 1)) * 2);
}

Lanes expandAtan2(Lanes y, Lanes x) {
  Lanes wideY = toF64(y), wideX = toF64(x);
  Lanes a = absolute(wideY), b = absolute(wideX);
  // Two infinities are as good as two ones, two zeros as zero and one.
  Lanes bothInfinite = andInt(equal(a, infinity), equal(b, infinity));
  a = select(bothInfinite, constant(a, 1), a);
  b = select(bothInfinite, constant(b, 1), b);
  Lanes bothZero = andInt(equal(a, 0), equal(b, 0));
  b = select(bothZero, constant(b, 1), b);
  Lanes angle = arcTangent(a, b);
  // The left half plane, which the sign bit of x tells, that of minus zero too.
  angle = select(less(copySign(constant(wideX, 1), wideX), 0), pi - angle, angle);
  Lanes result = toF32(copySign(angle, wideY));
  return select(isNan(x), x, select(isNan(y), y, result));
}

namespace {
/// sin and cos of an angle.
struct SinCos {
  Lanes sin;
  Lanes cos;
};
} // namespace

/// Angles up to this bound are reduced by the formula below.
static constexpr double largestAngle = 0x1p20;

/// sin and cos of |x| <= largestAngle.
static SinCos sinCos(Lanes x) {
  // x = n pi/2 + r with pi/2 in two parts, the first of 33 bits (fdlibm, e_rem_pio2.c).
  Rounded n = roundToInt(x, 2 / pi);
  Lanes r = multiplyAdd(n.number, -0x1.921fb544p+0, x);
  r = multiplyAdd(n.number, -0x1.0b4611a626331p-34, r);
  Lanes z = r * r;
  Lanes sinTail =
      polynomial(z, {-0x1.55555555523fbp-3, 0x1.1111110ca38e7p-7, -0x1.a019f95c82f79p-13,
                     0x1.71d77e2051bd0p-19, -0x1.a96751aa92b62p-26});
  Lanes sinR = multiplyAdd(r * z, sinTail, r);
  Lanes cosTail = polynomial(z, {0x1.5555554f53bdap-5, -0x1.6c16b89ebf735p-10,
                                 0x1.a01123f52d52ap-16, -0x1.242b961ff54b0p-22});
  Lanes cosR = multiplyAdd(z * z, cosTail, 1 - z * 0.5);
  // Each quarter turn swaps the two and moves the signs.
  Lanes isOdd = equalInt(andInt(n.integer, 1), 1);
  Lanes sinSign = shiftLeft(andInt(n.integer, 2), 62);
  Lanes cosSign = shiftLeft(andInt(addInt(n.integer, 1), 2), 62);
  Lanes sin = select(isOdd, cosR, sinR), cos = select(isOdd, sinR, cosR);
  return {fromBits(xorInt(toBits(sin), sinSign), f64Of(x)),
          fromBits(xorInt(toBits(cos), cosSign), f64Of(x))};
}

/// `result`, except that the runtime's function computes the lanes whose angle
/// is too large. One branch skips it when there are none.
static Lanes withLargeAngles(Lanes x, Lanes result, StringRef function) {
  MathBuilder &builder = *x.builder;
  Lanes isLarge = greater(absolute(x), largestAngle);
  Value isAnyLarge = isLarge.value;
  if (isa<VectorType>(x.getType()))
    isAnyLarge = vector::ReductionOp::create(builder, vector::CombiningKind::OR, isLarge.value);
  auto branch = scf::IfOp::create(builder, TypeRange(result.getType()), isAnyLarge,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Lanes slow = select(isLarge, callRuntime(function, {x}), result);
  scf::YieldOp::create(builder, slow.value);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, result.value);
  return result.with(branch.getResult(0));
}

Lanes expandSin(Lanes x) {
  Lanes wide = toF64(x);
  Lanes result = toF32(withLargeAngles(wide, sinCos(wide).sin, "onnxc_rt_sin_f64"));
  return select(equal(x, 0), x, result);
}

Lanes expandCos(Lanes x) {
  Lanes wide = toF64(x);
  return toF32(withLargeAngles(wide, sinCos(wide).cos, "onnxc_rt_cos_f64"));
}

Lanes expandTan(Lanes x) {
  Lanes wide = toF64(x);
  SinCos both = sinCos(wide);
  Lanes result = toF32(withLargeAngles(wide, both.sin / both.cos, "onnxc_rt_tan_f64"));
  return select(equal(x, 0), x, result);
}

} // namespace onnxc::cpu
