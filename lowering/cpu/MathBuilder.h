//===- MathBuilder.h - Formulas on scalars and vectors ----------*- C++ -*-===//
//
// Expansions are written as formulas on `Lanes`, a value that is a scalar or a
// 1-D vector; constants take the shape of the value they are combined with.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_CPU_MATHBUILDER_H
#define ONNXC_LOWERING_CPU_MATHBUILDER_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace onnxc::cpu {

/// Where ops are created, and what the target can do.
struct MathBuilder : mlir::ImplicitLocOpBuilder {
  MathBuilder(mlir::Operation *before, bool hasFma)
      : ImplicitLocOpBuilder(before->getLoc(), before), hasFma(hasFma) {}
  bool hasFma;
};

/// A number, or a vector of numbers, in a formula.
struct Lanes {
  mlir::Value value;
  MathBuilder *builder;

  mlir::Type getType() const { return value.getType(); }
  mlir::Type getElementType() const { return mlir::getElementTypeOrSelf(value.getType()); }
  unsigned getBitWidth() const { return getElementType().getIntOrFloatBitWidth(); }
  /// This value's shape with another element type.
  mlir::Type getTypeOf(mlir::Type elementType) const;
  /// An integer of the width of this value's elements, in its shape.
  mlir::Type getIntType() const;
  Lanes with(mlir::Value other) const { return {other, builder}; }
};

/// Constants in the shape and element type of `like`.
Lanes constant(Lanes like, double value);
Lanes intConstant(Lanes like, int64_t value);

/// Float arithmetic, each op rounded by itself.
Lanes operator+(Lanes a, Lanes b);
Lanes operator-(Lanes a, Lanes b);
Lanes operator*(Lanes a, Lanes b);
Lanes operator/(Lanes a, Lanes b);
Lanes operator-(Lanes a);
Lanes operator+(Lanes a, double b);
Lanes operator-(Lanes a, double b);
Lanes operator*(Lanes a, double b);
Lanes operator-(double a, Lanes b);
Lanes operator/(double a, Lanes b);

/// a * b + c: rounded once where the target has the instruction, else twice.
Lanes multiplyAdd(Lanes a, Lanes b, Lanes c);
Lanes multiplyAdd(Lanes a, double b, Lanes c);

/// Horner's scheme; the coefficient of x^0 comes first.
Lanes polynomial(Lanes x, llvm::ArrayRef<double> coefficients);

Lanes absolute(Lanes a);
Lanes squareRoot(Lanes a);
/// The magnitude of `a` with the sign of `b`.
Lanes copySign(Lanes a, Lanes b);

/// Integer arithmetic, wrapping.
Lanes addInt(Lanes a, Lanes b);
Lanes addInt(Lanes a, int64_t b);
Lanes subInt(Lanes a, Lanes b);
Lanes andInt(Lanes a, Lanes b);
Lanes andInt(Lanes a, int64_t b);
Lanes orInt(Lanes a, Lanes b);
Lanes orInt(Lanes a, int64_t b);
Lanes xorInt(Lanes a, Lanes b);
Lanes xorInt(Lanes a, int64_t b);
Lanes shiftLeft(Lanes a, int64_t bits);
Lanes shiftRight(Lanes a, int64_t bits);       ///< logical
Lanes shiftRightSigned(Lanes a, int64_t bits); ///< arithmetic

/// Comparisons; on floats they are false for NaN unless the name says so.
Lanes less(Lanes a, Lanes b);
Lanes less(Lanes a, double b);
Lanes greater(Lanes a, Lanes b);
Lanes greater(Lanes a, double b);
Lanes equal(Lanes a, double b);
Lanes equal(Lanes a, Lanes b);
Lanes notEqualOrNan(Lanes a, Lanes b);
Lanes isNan(Lanes a);
Lanes equalInt(Lanes a, int64_t b);
Lanes lessSigned(Lanes a, int64_t b);
Lanes lessUnsigned(Lanes a, int64_t b);
Lanes greaterUnsigned(Lanes a, int64_t b);
Lanes select(Lanes condition, Lanes ifTrue, Lanes ifFalse);

/// The larger or smaller of x and a constant; a NaN in x stays.
Lanes atLeast(Lanes x, double low);
Lanes atMost(Lanes x, double high);

/// The same bits as an integer or as a float of the same width.
Lanes toBits(Lanes a);
Lanes fromBits(Lanes bits, mlir::FloatType type);

/// Conversions that keep the shape.
Lanes extendFloat(Lanes a, mlir::FloatType type);
Lanes truncateFloat(Lanes a, mlir::FloatType type);
Lanes intToFloat(Lanes a, mlir::FloatType type); ///< signed
Lanes resizeInt(Lanes a, unsigned width);        ///< zero-extends or truncates

/// A float and the integer that it is, for |x| < 2^(mantissa bits - 2).
struct Rounded {
  Lanes number;
  Lanes integer;
};
/// x * factor rounded to the nearest integer. Adds and subtracts a number so
/// large that the unit of its last place is one: no conversion, hence nothing
/// undefined when x is NaN (the integer is then arbitrary).
Rounded roundToInt(Lanes x, double factor = 1);

/// Calls `name` of the runtime, once for each lane. The runtime's functions take
/// and return values of one type.
Lanes callRuntime(llvm::StringRef name, llvm::ArrayRef<Lanes> arguments);

/// 2^n for an integer n inside the range of normal exponents.
Lanes powerOfTwo(Lanes n, mlir::FloatType type);

/// x * 2^n, right for results that overflow and for denormal ones.
Lanes scaleByPowerOfTwo(Lanes x, Lanes n);

} // namespace onnxc::cpu

#endif // ONNXC_LOWERING_CPU_MATHBUILDER_H
