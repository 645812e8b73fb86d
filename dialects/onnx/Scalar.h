//===- Scalar.h - Scalar formulas as C++ expressions ---------------*- C++ -*-===//
//
// The bodies of element-wise ops and reductions are formulas. A `Scalar` is a
// value under construction whose operators build arith and math ops, so that a
// row of the op tables reads like the formula in the ONNX document:
// `x / (abs(x) + 1.0)`.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_DIALECTS_ONNX_SCALAR_H
#define ONNXC_DIALECTS_ONNX_SCALAR_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace onnxc::onnx {

/// A signless integer or float value with the signedness that ONNX gives it.
class Scalar {
public:
  Scalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, bool isUnsigned = false)
      : builder(&builder), loc(loc), value(value), isUnsigned(isUnsigned) {}

  operator mlir::Value() const { return value; }
  mlir::Type type() const { return value.getType(); }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(type()); }
  unsigned width() const { return type().getIntOrFloatBitWidth(); }
  bool hasUnsignedType() const { return isUnsigned; }
  mlir::OpBuilder &getBuilder() const { return *builder; }
  mlir::Location getLoc() const { return loc; }

  /// Another value beside this one, with the same signedness unless it is i1.
  Scalar with(mlir::Value other) const {
    return Scalar(*builder, loc, other, isUnsigned || other.getType().isInteger(1));
  }
  /// A constant of this scalar's type.
  Scalar constant(double number) const;
  Scalar integer(int64_t number) const;
  /// The largest and lowest value of the type; infinities for floats.
  Scalar highest() const;
  Scalar lowest() const;

  template <typename Op, typename... Operands> Scalar build(Operands... operands) const {
    return with(builder->createOrFold<Op>(loc, mlir::Value(operands)...));
  }

private:
  mlir::OpBuilder *builder;
  mlir::Location loc;
  mlir::Value value;
  bool isUnsigned;
};

Scalar operator+(Scalar a, Scalar b);
Scalar operator-(Scalar a, Scalar b);
Scalar operator*(Scalar a, Scalar b);
/// Integers: truncates; the one overflow wraps, and a zero divisor, which the call
/// refuses, gives 0, so that no input can trap.
Scalar operator/(Scalar a, Scalar b);
Scalar operator-(Scalar a);
inline Scalar operator+(Scalar a, double b) { return a + a.constant(b); }
inline Scalar operator-(Scalar a, double b) { return a - a.constant(b); }
inline Scalar operator*(Scalar a, double b) { return a * a.constant(b); }
inline Scalar operator/(Scalar a, double b) { return a / a.constant(b); }
inline Scalar operator+(double a, Scalar b) { return b.constant(a) + b; }
inline Scalar operator-(double a, Scalar b) { return b.constant(a) - b; }
inline Scalar operator*(double a, Scalar b) { return b.constant(a) * b; }
inline Scalar operator/(double a, Scalar b) { return b.constant(a) / b; }

// Comparisons give an i1; with a NaN only `!=` is true.
Scalar operator<(Scalar a, Scalar b);
Scalar operator<=(Scalar a, Scalar b);
Scalar operator==(Scalar a, Scalar b);
Scalar operator!=(Scalar a, Scalar b);
inline Scalar operator>(Scalar a, Scalar b) { return b < a; }
inline Scalar operator>=(Scalar a, Scalar b) { return b <= a; }
inline Scalar operator<(Scalar a, double b) { return a < a.constant(b); }
inline Scalar operator<=(Scalar a, double b) { return a <= a.constant(b); }
inline Scalar operator>(Scalar a, double b) { return a > a.constant(b); }
inline Scalar operator>=(Scalar a, double b) { return a >= a.constant(b); }
inline Scalar operator==(Scalar a, double b) { return a == a.constant(b); }
inline Scalar operator!=(Scalar a, double b) { return a != a.constant(b); }

// Bits, of integers and of i1.
Scalar operator&(Scalar a, Scalar b);
Scalar operator|(Scalar a, Scalar b);
Scalar operator^(Scalar a, Scalar b);
Scalar operator~(Scalar a);
/// Shifts by 0 to width - 1; the right one keeps the sign of a signed type.
Scalar operator<<(Scalar a, Scalar count);
Scalar operator>>(Scalar a, Scalar count);

Scalar select(Scalar condition, Scalar a, Scalar b);
inline Scalar select(Scalar condition, Scalar a, double b) {
  return select(condition, a, a.constant(b));
}
inline Scalar select(Scalar condition, double a, Scalar b) {
  return select(condition, b.constant(a), b);
}

/// Minimum and maximum; a NaN in either operand comes through.
Scalar min(Scalar a, Scalar b);
Scalar max(Scalar a, Scalar b);
/// `x` limited from below or above. Only a NaN in `x` comes through, which is
/// one instruction where `max` needs several.
Scalar atLeast(Scalar x, Scalar low);
Scalar atMost(Scalar x, Scalar high);
inline Scalar atLeast(Scalar x, double low) { return atLeast(x, x.constant(low)); }
inline Scalar atMost(Scalar x, double high) { return atMost(x, x.constant(high)); }

Scalar abs(Scalar x);
/// -1, 0 (never -0) or 1; a NaN comes through.
Scalar sign(Scalar x);
/// The remainder with the dividend's sign (fmod); integers: 0 where b is 0.
Scalar remainder(Scalar a, Scalar b);
/// The remainder with the divisor's sign.
Scalar modulo(Scalar a, Scalar b);
Scalar isNaN(Scalar x);
Scalar isInfinite(Scalar x);
Scalar sigmoid(Scalar x);
/// log(1 + exp(x)) without overflow.
Scalar softplus(Scalar x);
/// a to the power of b, of possibly another type; the result has a's type.
Scalar power(Scalar a, Scalar b);

/// Conversion to a lowered scalar type as ONNX's Cast does it, to bool, ints,
/// and f32 or f64. `isUnsigned` says what the result is.
Scalar convert(Scalar x, mlir::Type type, bool isUnsigned);
/// The same bits as another type of the same width.
Scalar bitcast(Scalar x, mlir::Type type);

#define ONNXC_FLOAT_FUNCTION(NAME, OP) \
  inline Scalar NAME(Scalar x) { return x.build<::mlir::math::OP>(x); }
ONNXC_FLOAT_FUNCTION(sqrt, SqrtOp)
ONNXC_FLOAT_FUNCTION(exp, ExpOp)
ONNXC_FLOAT_FUNCTION(log, LogOp)
ONNXC_FLOAT_FUNCTION(log1p, Log1pOp)
ONNXC_FLOAT_FUNCTION(floor, FloorOp)
ONNXC_FLOAT_FUNCTION(ceil, CeilOp)
ONNXC_FLOAT_FUNCTION(trunc, TruncOp)
ONNXC_FLOAT_FUNCTION(roundEven, RoundEvenOp)
ONNXC_FLOAT_FUNCTION(erf, ErfOp)
ONNXC_FLOAT_FUNCTION(sin, SinOp)
ONNXC_FLOAT_FUNCTION(cos, CosOp)
ONNXC_FLOAT_FUNCTION(tan, TanOp)
ONNXC_FLOAT_FUNCTION(asin, AsinOp)
ONNXC_FLOAT_FUNCTION(acos, AcosOp)
ONNXC_FLOAT_FUNCTION(atan, AtanOp)
ONNXC_FLOAT_FUNCTION(sinh, SinhOp)
ONNXC_FLOAT_FUNCTION(cosh, CoshOp)
ONNXC_FLOAT_FUNCTION(tanh, TanhOp)
ONNXC_FLOAT_FUNCTION(asinh, AsinhOp)
ONNXC_FLOAT_FUNCTION(acosh, AcoshOp)
ONNXC_FLOAT_FUNCTION(atanh, AtanhOp)
#undef ONNXC_FLOAT_FUNCTION

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_SCALAR_H
