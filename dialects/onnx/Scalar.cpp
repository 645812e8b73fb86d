//===- Scalar.cpp - Scalar formulas as C++ expressions ---------------------===//
#include "dialects/onnx/Scalar.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace onnxc::onnx {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Scalar Scalar::constant(double number) const {
  if (auto floatType = dyn_cast<FloatType>(type()))
    return with(arith::ConstantOp::create(*builder, loc, FloatAttr::get(floatType, number)));
  return integer(static_cast<int64_t>(number));
}

Scalar Scalar::integer(int64_t number) const {
  return with(arith::ConstantOp::create(*builder, loc, IntegerAttr::get(type(), number)));
}

static Scalar limit(Scalar like, bool highest) {
  OpBuilder &builder = like.getBuilder();
  TypedAttr attribute;
  if (auto floatType = dyn_cast<FloatType>(like.type())) {
    attribute = FloatAttr::get(floatType, APFloat::getInf(floatType.getFloatSemantics(), !highest));
  } else {
    unsigned width = like.width();
    bool isUnsigned = like.hasUnsignedType() || width == 1;
    APInt value =
        isUnsigned ? (highest ? APInt::getMaxValue(width) : APInt::getMinValue(width))
                   : (highest ? APInt::getSignedMaxValue(width) : APInt::getSignedMinValue(width));
    attribute = IntegerAttr::get(like.type(), value);
  }
  return like.with(arith::ConstantOp::create(builder, like.getLoc(), attribute));
}

Scalar Scalar::highest() const { return limit(*this, true); }
Scalar Scalar::lowest() const { return limit(*this, false); }

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Scalar operator+(Scalar a, Scalar b) {
  return a.isFloat() ? a.build<arith::AddFOp>(a, b) : a.build<arith::AddIOp>(a, b);
}

Scalar operator-(Scalar a, Scalar b) {
  return a.isFloat() ? a.build<arith::SubFOp>(a, b) : a.build<arith::SubIOp>(a, b);
}

Scalar operator*(Scalar a, Scalar b) {
  return a.isFloat() ? a.build<arith::MulFOp>(a, b) : a.build<arith::MulIOp>(a, b);
}

Scalar operator-(Scalar a) { return a.isFloat() ? a.build<arith::NegFOp>(a) : a.integer(0) - a; }

/// Whether a division by `b` could trap: by zero, or by -1 for signed types.
static bool mayTrap(Scalar b) {
  APInt divisor;
  if (!matchPattern(Value(b), m_ConstantInt(&divisor)))
    return true;
  return divisor.isZero() || (!b.hasUnsignedType() && divisor.isAllOnes());
}

/// Integer quotient or remainder with traps replaced: `ifZero` for a zero
/// divisor, `ifMinusOne` for a signed one of -1.
template <typename SignedOp, typename UnsignedOp>
static Scalar divideSafely(Scalar a, Scalar b, Scalar ifZero, Scalar ifMinusOne) {
  auto divide = [&](Scalar divisor) {
    return a.hasUnsignedType() ? a.build<UnsignedOp>(a, divisor) : a.build<SignedOp>(a, divisor);
  };
  if (!mayTrap(b))
    return divide(b);
  Scalar isZero = b == b.integer(0);
  if (a.hasUnsignedType())
    return select(isZero, ifZero, divide(select(isZero, b.integer(1), b)));
  Scalar isMinusOne = b == b.integer(-1);
  Scalar quotient = divide(select(isZero | isMinusOne, b.integer(1), b));
  return select(isZero, ifZero, select(isMinusOne, ifMinusOne, quotient));
}

Scalar operator/(Scalar a, Scalar b) {
  if (a.isFloat())
    return a.build<arith::DivFOp>(a, b);
  return divideSafely<arith::DivSIOp, arith::DivUIOp>(a, b, a.integer(0), -a);
}

Scalar remainder(Scalar a, Scalar b) {
  if (a.isFloat())
    return a.build<arith::RemFOp>(a, b);
  return divideSafely<arith::RemSIOp, arith::RemUIOp>(a, b, a.integer(0), a.integer(0));
}

Scalar modulo(Scalar a, Scalar b) {
  Scalar rest = remainder(a, b);
  if (a.hasUnsignedType())
    return rest;
  Scalar signsDiffer = (rest < 0.0) ^ (b < 0.0);
  Scalar shifted = select((rest != 0.0) & signsDiffer, rest + b, rest);
  if (!a.isFloat())
    return shifted;
  // A zero takes the divisor's sign.
  Scalar zero = rest.build<math::CopySignOp>(rest.constant(0), b);
  return select(rest == 0.0, zero, shifted);
}

//===----------------------------------------------------------------------===//
// Comparisons, selection, bits
//===----------------------------------------------------------------------===//

static Scalar compare(Scalar a, Scalar b, arith::CmpFPredicate floats,
                      arith::CmpIPredicate signedInts, arith::CmpIPredicate unsignedInts) {
  OpBuilder &builder = a.getBuilder();
  if (a.isFloat())
    return a.with(builder.createOrFold<arith::CmpFOp>(a.getLoc(), floats, a, b));
  bool isUnsigned = a.hasUnsignedType() || a.type().isInteger(1);
  return a.with(builder.createOrFold<arith::CmpIOp>(a.getLoc(),
                                                    isUnsigned ? unsignedInts : signedInts, a, b));
}

Scalar operator<(Scalar a, Scalar b) {
  return compare(a, b, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt,
                 arith::CmpIPredicate::ult);
}

Scalar operator<=(Scalar a, Scalar b) {
  return compare(a, b, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle,
                 arith::CmpIPredicate::ule);
}

Scalar operator==(Scalar a, Scalar b) {
  return compare(a, b, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq,
                 arith::CmpIPredicate::eq);
}

Scalar operator!=(Scalar a, Scalar b) {
  return compare(a, b, arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne,
                 arith::CmpIPredicate::ne);
}

Scalar operator&(Scalar a, Scalar b) { return a.build<arith::AndIOp>(a, b); }
Scalar operator|(Scalar a, Scalar b) { return a.build<arith::OrIOp>(a, b); }
Scalar operator^(Scalar a, Scalar b) { return a.build<arith::XOrIOp>(a, b); }
Scalar operator~(Scalar a) { return a ^ a.integer(-1); }
Scalar operator<<(Scalar a, Scalar count) { return a.build<arith::ShLIOp>(a, count); }

Scalar operator>>(Scalar a, Scalar count) {
  return a.hasUnsignedType() ? a.build<arith::ShRUIOp>(a, count)
                             : a.build<arith::ShRSIOp>(a, count);
}

Scalar select(Scalar condition, Scalar a, Scalar b) {
  return a.build<arith::SelectOp>(condition, a, b);
}

Scalar min(Scalar a, Scalar b) {
  if (a.isFloat())
    return a.build<arith::MinimumFOp>(a, b);
  return a.hasUnsignedType() || a.type().isInteger(1) ? a.build<arith::MinUIOp>(a, b)
                                                      : a.build<arith::MinSIOp>(a, b);
}

Scalar max(Scalar a, Scalar b) {
  if (a.isFloat())
    return a.build<arith::MaximumFOp>(a, b);
  return a.hasUnsignedType() || a.type().isInteger(1) ? a.build<arith::MaxUIOp>(a, b)
                                                      : a.build<arith::MaxSIOp>(a, b);
}

Scalar atLeast(Scalar x, Scalar low) { return x.isFloat() ? select(x < low, low, x) : max(x, low); }
Scalar atMost(Scalar x, Scalar high) {
  return x.isFloat() ? select(x > high, high, x) : min(x, high);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Scalar abs(Scalar x) {
  if (x.isFloat())
    return x.build<math::AbsFOp>(x);
  return x.hasUnsignedType() ? x : select(x < 0.0, -x, x);
}

Scalar sign(Scalar x) {
  // What is neither is 0 or a NaN, which comes through.
  Scalar zero = x.isFloat() ? select(x == 0.0, 0.0, x) : x.integer(0);
  Scalar positive = select(x > 0.0, x.constant(1), zero);
  return x.hasUnsignedType() ? positive : select(x < 0.0, -1.0, positive);
}

Scalar isNaN(Scalar x) { return x != x; }
Scalar isInfinite(Scalar x) { return abs(x) == x.highest(); }
Scalar sigmoid(Scalar x) { return 1.0 / (1.0 + exp(-x)); }
Scalar softplus(Scalar x) { return atLeast(x, 0.0) + log1p(exp(-abs(x))); }

/// Integer power by squaring, wrapping around.
static Scalar integerPower(Scalar base, Scalar exponent) {
  Scalar one = exponent.integer(1);
  Scalar result = base.integer(1), square = base;
  APInt known;
  bool isKnown = matchPattern(Value(exponent), m_ConstantInt(&known));
  for (unsigned bit = 0, bits = isKnown ? known.getActiveBits() : exponent.width(); bit < bits;
       ++bit) {
    Scalar isSet = ((exponent >> exponent.integer(bit)) & one) != 0.0;
    result = select(isSet, result * square, result);
    square = square * square;
  }
  // 1 / base^n truncates to 0 unless base is 1 or -1.
  if (exponent.hasUnsignedType())
    return result;
  Scalar isUnit = (base == 1.0) | (base == base.integer(-1));
  return select((exponent < 0.0) & (isUnit ^ isUnit.integer(1)), 0.0, result);
}

/// x^n for a small constant n as a few multiplications; nothing otherwise.
static std::optional<Scalar> constantPower(Scalar x, double exponent) {
  if (std::abs(exponent) == 0.5) {
    // A square root but for -0, whose power is 0, and -inf, whose power is inf.
    Scalar root = select(x == x.lowest(), x.highest(), sqrt(x + 0.0));
    return exponent < 0 ? 1.0 / root : root;
  }
  if (exponent == -1)
    return 1.0 / x;
  if (exponent == 1)
    return x;
  if (exponent == 2)
    return x * x;
  if (exponent == 3)
    return x * x * x;
  if (exponent == 4)
    return (x * x) * (x * x);
  return std::nullopt;
}

Scalar power(Scalar a, Scalar b) {
  if (!a.isFloat() && !b.isFloat())
    return integerPower(a, b);
  Type type = a.isFloat() ? a.type() : Float64Type::get(a.type().getContext());
  Scalar base = convert(a, type, false), exponent = convert(b, type, false);
  FloatAttr constant;
  std::optional<Scalar> simple;
  if (matchPattern(Value(exponent), m_Constant(&constant)))
    simple = constantPower(base, constant.getValueAsDouble());
  if (!simple && !b.isFloat()) {
    // A float may not hold the exponent's last bit, which decides about the sign.
    Scalar isOdd = (b & b.integer(1)) != 0.0;
    Scalar magnitude = base.build<math::PowFOp>(abs(base), exponent);
    return select(isOdd, base.build<math::CopySignOp>(magnitude, base), magnitude);
  }
  Scalar result = simple ? *simple : base.build<math::PowFOp>(base, exponent);
  if (a.isFloat())
    return result;
  // A power that is a whole number may come out a few last bits too small.
  Scalar whole = roundEven(result);
  Scalar isWhole = abs(result - whole) <= abs(whole) * 0x1p-50;
  return convert(select(isWhole, whole, result), a.type(), a.hasUnsignedType());
}

/// Float to integer, through an integer of at least 32 bits so that a value
/// beyond a narrow type, or below 0, wraps around as it does in C.
static Scalar floatToInteger(Scalar x, Type type, bool isUnsigned) {
  OpBuilder &builder = x.getBuilder();
  unsigned width = type.getIntOrFloatBitWidth();
  if (isUnsigned && width == 64) {
    // A negative value wraps around as a signed one: beyond its range there is nothing to keep.
    Location loc = x.getLoc();
    Scalar below(builder, loc, builder.createOrFold<arith::FPToSIOp>(loc, type, x), isUnsigned);
    Scalar above(builder, loc, builder.createOrFold<arith::FPToUIOp>(loc, type, x), isUnsigned);
    return select(x < 0.0, below, above);
  }
  bool needs64 = width > 32 || (isUnsigned && width == 32);
  Type wide = builder.getIntegerType(needs64 ? 64 : 32);
  Value result = builder.createOrFold<arith::FPToSIOp>(x.getLoc(), wide, x);
  if (wide != type)
    result = builder.createOrFold<arith::TruncIOp>(x.getLoc(), type, result);
  return Scalar(builder, x.getLoc(), result, isUnsigned);
}

static Value convertInteger(Scalar x, Type type) {
  OpBuilder &builder = x.getBuilder();
  Location loc = x.getLoc();
  bool isUnsigned = x.hasUnsignedType() || x.type().isInteger(1);
  if (isa<FloatType>(type))
    return isUnsigned ? builder.createOrFold<arith::UIToFPOp>(loc, type, x)
                      : builder.createOrFold<arith::SIToFPOp>(loc, type, x);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == x.width())
    return x;
  if (width < x.width())
    return builder.createOrFold<arith::TruncIOp>(loc, type, x);
  return isUnsigned ? builder.createOrFold<arith::ExtUIOp>(loc, type, x)
                    : builder.createOrFold<arith::ExtSIOp>(loc, type, x);
}

Scalar convert(Scalar x, Type type, bool isUnsigned) {
  OpBuilder &builder = x.getBuilder();
  auto result = [&](Value value) { return Scalar(builder, x.getLoc(), value, isUnsigned); };
  if (type.isInteger(1))
    return result(x.type() == type ? Value(x) : Value(x != 0.0));
  if (!x.isFloat())
    return result(convertInteger(x, type));
  if (isa<IntegerType>(type))
    return result(floatToInteger(x, type, isUnsigned));
  if (x.width() < type.getIntOrFloatBitWidth())
    return result(builder.createOrFold<arith::ExtFOp>(x.getLoc(), type, Value(x)));
  if (x.width() > type.getIntOrFloatBitWidth())
    return result(builder.createOrFold<arith::TruncFOp>(x.getLoc(), type, Value(x)));
  return x;
}

Scalar bitcast(Scalar x, Type type) {
  return x.with(x.getBuilder().createOrFold<arith::BitcastOp>(x.getLoc(), type, Value(x)));
}

} // namespace onnxc::onnx
