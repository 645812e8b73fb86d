//===- MathBuilder.cpp - Formulas on scalars and vectors ------------------===//
#include "lowering/cpu/MathBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace onnxc::cpu {

static Type withShapeOf(Type like, Type elementType) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(elementType);
  return elementType;
}

Type Lanes::getTypeOf(Type elementType) const { return withShapeOf(value.getType(), elementType); }

Type Lanes::getIntType() const { return getTypeOf(builder->getIntegerType(getBitWidth())); }

static Lanes makeConstant(Lanes like, TypedAttr element) {
  TypedAttr attribute = element;
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    attribute = DenseElementsAttr::get(vector, Attribute(element));
  return like.with(arith::ConstantOp::create(*like.builder, attribute));
}

Lanes constant(Lanes like, double value) {
  return makeConstant(like, like.builder->getFloatAttr(like.getElementType(), value));
}

Lanes intConstant(Lanes like, int64_t value) {
  auto type = cast<IntegerType>(like.getElementType());
  APInt bits(64, static_cast<uint64_t>(value), /*isSigned=*/true);
  return makeConstant(like, IntegerAttr::get(type, bits.sextOrTrunc(type.getWidth())));
}

template <typename OpTy> static Lanes binary(Lanes a, Lanes b) {
  return a.with(OpTy::create(*a.builder, a.value, b.value));
}

Lanes operator+(Lanes a, Lanes b) { return binary<arith::AddFOp>(a, b); }
Lanes operator-(Lanes a, Lanes b) { return binary<arith::SubFOp>(a, b); }
Lanes operator*(Lanes a, Lanes b) { return binary<arith::MulFOp>(a, b); }
Lanes operator/(Lanes a, Lanes b) { return binary<arith::DivFOp>(a, b); }
Lanes operator-(Lanes a) { return a.with(arith::NegFOp::create(*a.builder, a.value)); }
Lanes operator+(Lanes a, double b) { return a + constant(a, b); }
Lanes operator-(Lanes a, double b) { return a - constant(a, b); }
Lanes operator*(Lanes a, double b) { return a * constant(a, b); }
Lanes operator-(double a, Lanes b) { return constant(b, a) - b; }
Lanes operator/(double a, Lanes b) { return constant(b, a) / b; }

Lanes multiplyAdd(Lanes a, Lanes b, Lanes c) {
  if (a.builder->hasFma)
    return a.with(math::FmaOp::create(*a.builder, a.value, b.value, c.value));
  return a * b + c;
}

Lanes multiplyAdd(Lanes a, double b, Lanes c) { return multiplyAdd(a, constant(a, b), c); }

Lanes polynomial(Lanes x, ArrayRef<double> coefficients) {
  Lanes sum = constant(x, coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = multiplyAdd(sum, x, constant(x, coefficient));
  return sum;
}

Lanes absolute(Lanes a) { return a.with(math::AbsFOp::create(*a.builder, a.value)); }
Lanes squareRoot(Lanes a) { return a.with(math::SqrtOp::create(*a.builder, a.value)); }
Lanes copySign(Lanes a, Lanes b) { return binary<math::CopySignOp>(a, b); }

Lanes addInt(Lanes a, Lanes b) { return binary<arith::AddIOp>(a, b); }
Lanes addInt(Lanes a, int64_t b) { return addInt(a, intConstant(a, b)); }
Lanes subInt(Lanes a, Lanes b) { return binary<arith::SubIOp>(a, b); }
Lanes andInt(Lanes a, Lanes b) { return binary<arith::AndIOp>(a, b); }
Lanes andInt(Lanes a, int64_t b) { return andInt(a, intConstant(a, b)); }
Lanes orInt(Lanes a, Lanes b) { return binary<arith::OrIOp>(a, b); }
Lanes orInt(Lanes a, int64_t b) { return orInt(a, intConstant(a, b)); }
Lanes xorInt(Lanes a, Lanes b) { return binary<arith::XOrIOp>(a, b); }
Lanes xorInt(Lanes a, int64_t b) { return xorInt(a, intConstant(a, b)); }
Lanes shiftLeft(Lanes a, int64_t bits) { return binary<arith::ShLIOp>(a, intConstant(a, bits)); }
Lanes shiftRight(Lanes a, int64_t bits) { return binary<arith::ShRUIOp>(a, intConstant(a, bits)); }
Lanes shiftRightSigned(Lanes a, int64_t bits) {
  return binary<arith::ShRSIOp>(a, intConstant(a, bits));
}

static Lanes compare(arith::CmpFPredicate predicate, Lanes a, Lanes b) {
  return a.with(arith::CmpFOp::create(*a.builder, predicate, a.value, b.value));
}

static Lanes compare(arith::CmpIPredicate predicate, Lanes a, Lanes b) {
  return a.with(arith::CmpIOp::create(*a.builder, predicate, a.value, b.value));
}

Lanes less(Lanes a, Lanes b) { return compare(arith::CmpFPredicate::OLT, a, b); }
Lanes less(Lanes a, double b) { return less(a, constant(a, b)); }
Lanes greater(Lanes a, Lanes b) { return compare(arith::CmpFPredicate::OGT, a, b); }
Lanes greater(Lanes a, double b) { return greater(a, constant(a, b)); }
Lanes equal(Lanes a, Lanes b) { return compare(arith::CmpFPredicate::OEQ, a, b); }
Lanes equal(Lanes a, double b) { return equal(a, constant(a, b)); }
Lanes notEqualOrNan(Lanes a, Lanes b) { return compare(arith::CmpFPredicate::UNE, a, b); }
Lanes isNan(Lanes a) { return compare(arith::CmpFPredicate::UNO, a, a); }
Lanes equalInt(Lanes a, int64_t b) {
  return compare(arith::CmpIPredicate::eq, a, intConstant(a, b));
}
Lanes lessSigned(Lanes a, int64_t b) {
  return compare(arith::CmpIPredicate::slt, a, intConstant(a, b));
}
Lanes lessUnsigned(Lanes a, int64_t b) {
  return compare(arith::CmpIPredicate::ult, a, intConstant(a, b));
}
Lanes greaterUnsigned(Lanes a, int64_t b) {
  return compare(arith::CmpIPredicate::ugt, a, intConstant(a, b));
}

Lanes select(Lanes condition, Lanes ifTrue, Lanes ifFalse) {
  return ifTrue.with(
      arith::SelectOp::create(*ifTrue.builder, condition.value, ifTrue.value, ifFalse.value));
}

Lanes atLeast(Lanes x, double low) { return select(less(x, low), constant(x, low), x); }

Lanes atMost(Lanes x, double high) { return select(greater(x, high), constant(x, high), x); }

Lanes toBits(Lanes a) {
  return a.with(arith::BitcastOp::create(*a.builder, a.getIntType(), a.value));
}

Lanes fromBits(Lanes bits, FloatType type) {
  return bits.with(arith::BitcastOp::create(*bits.builder, bits.getTypeOf(type), bits.value));
}

Lanes extendFloat(Lanes a, FloatType type) {
  return a.with(arith::ExtFOp::create(*a.builder, a.getTypeOf(type), a.value));
}

Lanes truncateFloat(Lanes a, FloatType type) {
  return a.with(arith::TruncFOp::create(*a.builder, a.getTypeOf(type), a.value));
}

Lanes intToFloat(Lanes a, FloatType type) {
  return a.with(arith::SIToFPOp::create(*a.builder, a.getTypeOf(type), a.value));
}

Lanes resizeInt(Lanes a, unsigned width) {
  Type type = a.getTypeOf(a.builder->getIntegerType(width));
  if (width > a.getBitWidth())
    return a.with(arith::ExtUIOp::create(*a.builder, type, a.value));
  if (width < a.getBitWidth())
    return a.with(arith::TruncIOp::create(*a.builder, type, a.value));
  return a;
}

/// Mantissa bits without the hidden one.
static unsigned getMantissaBits(FloatType type) { return type.getFPMantissaWidth() - 1; }

static int64_t getExponentBias(FloatType type) {
  return APFloat::semanticsMaxExponent(type.getFloatSemantics());
}

Rounded roundToInt(Lanes x, double factor) {
  auto type = cast<FloatType>(x.getElementType());
  double large = 1.5 * static_cast<double>(int64_t(1) << getMantissaBits(type));
  Lanes shifted = factor == 1 ? x + large : multiplyAdd(x, factor, constant(x, large));
  Lanes largeBits = toBits(constant(x, large));
  return {shifted - large, subInt(toBits(shifted), largeBits)};
}

/// The declaration of a runtime function in the enclosing module.
static func::FuncOp declareRuntime(MathBuilder &builder, StringRef name, FunctionType type) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  Operation *module = parent->getParentOfType<ModuleOp>();
  if (auto existing = SymbolTable::lookupSymbolIn(module, name))
    return cast<func::FuncOp>(existing);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(cast<ModuleOp>(module).getBody());
  auto function = func::FuncOp::create(builder, name, type);
  function.setPrivate();
  return function;
}

Lanes callRuntime(StringRef name, ArrayRef<Lanes> arguments) {
  MathBuilder &builder = *arguments[0].builder;
  Type type = arguments[0].getElementType();
  SmallVector<Type> types(arguments.size(), type);
  func::FuncOp function = declareRuntime(builder, name, builder.getFunctionType(types, type));
  auto vector = dyn_cast<VectorType>(arguments[0].getType());
  if (!vector) {
    auto values = llvm::map_to_vector(arguments, [](Lanes lanes) { return lanes.value; });
    return arguments[0].with(func::CallOp::create(builder, function, values).getResult(0));
  }
  // A loop keeps the code small: the calls are slow anyway.
  auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, value); };
  auto loop = scf::ForOp::create(builder, index(0), index(vector.getNumElements()), index(1),
                                 arguments[0].value);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  OpFoldResult lane = loop.getInductionVar();
  auto values = llvm::map_to_vector(arguments, [&](Lanes lanes) -> Value {
    return vector::ExtractOp::create(builder, lanes.value, lane);
  });
  Value element = func::CallOp::create(builder, function, values).getResult(0);
  Value result = vector::InsertOp::create(builder, element, loop.getRegionIterArg(0), lane);
  scf::YieldOp::create(builder, result);
  return arguments[0].with(loop.getResult(0));
}

Lanes powerOfTwo(Lanes n, FloatType type) {
  Lanes exponent = addInt(n, getExponentBias(type));
  return fromBits(shiftLeft(exponent, getMantissaBits(type)), type);
}

Lanes scaleByPowerOfTwo(Lanes x, Lanes n) {
  auto type = cast<FloatType>(x.getElementType());
  Lanes half = shiftRightSigned(n, 1);
  return x * powerOfTwo(half, type) * powerOfTwo(subInt(n, half), type);
}

} // namespace onnxc::cpu
