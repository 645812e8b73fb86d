//===- Requantize.cpp - Results of quantised contractions --------------------===//
#include "lowering/onnx_to_linalg/Requantize.h"
#include "dialects/onnx/OnnxOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {

FailureOr<SizedTensor> requantizeMultiplier(OpBuilder &builder, Location loc, const SizedTensor &a,
                                            const SizedTensor &b, const SizedTensor &y) {
  FailureOr<SmallVector<DimExpr>> dims = onnx::broadcastDims(loc, {a.dims, b.dims, y.dims});
  if (failed(dims))
    return failure();
  auto body = [](OpBuilder &builder, Location loc, ValueRange args) -> Value {
    Value product = arith::MulFOp::create(builder, loc, args[0], args[1]);
    return arith::DivFOp::create(builder, loc, product, args[2]);
  };
  Value result = buildElementwise(builder, loc, {a, b, y}, *dims, builder.getF32Type(), body);
  return SizedTensor{result, *dims};
}

/// A float as an integer of `width` bits or less, saturated in f32.
static Value saturate(OpBuilder &builder, Location loc, Value value, Type type, bool isUnsigned) {
  unsigned width = type.getIntOrFloatBitWidth();
  double low = isUnsigned ? 0 : -std::ldexp(1.0, static_cast<int>(width) - 1);
  double high = std::ldexp(1.0, static_cast<int>(width) - (isUnsigned ? 0 : 1)) - 1;
  auto limit = [&](double bound, arith::CmpFPredicate predicate) {
    Value boundValue =
        arith::ConstantOp::create(builder, loc, builder.getFloatAttr(value.getType(), bound));
    Value beyond = arith::CmpFOp::create(builder, loc, predicate, value, boundValue);
    value = arith::SelectOp::create(builder, loc, beyond, boundValue, value);
  };
  limit(low, arith::CmpFPredicate::OLT);
  limit(high, arith::CmpFPredicate::OGT);
  // Through i32, which vectorises everywhere and holds all 8- and 16-bit values.
  Value wide = arith::FPToSIOp::create(builder, loc, builder.getI32Type(), value);
  return arith::TruncIOp::create(builder, loc, type, wide);
}

Value requantize(OpBuilder &builder, Location loc, const SizedTensor &accumulator,
                 const SizedTensor &multiplier, const SizedTensor &zeroPoint,
                 ArrayRef<DimExpr> dims, Type onnxElement) {
  Type element = lowerType(onnxElement);
  bool isUnsigned = onnxElement.isUnsignedInteger();
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
    Type f32 = builder.getF32Type();
    Value sum = args[0];
    if (isa<IntegerType>(sum.getType()))
      sum = arith::SIToFPOp::create(builder, loc, f32, sum);
    Value scaled = arith::MulFOp::create(builder, loc, sum, args[1]);
    if (isa<FloatType>(element))
      return arith::AddFOp::create(builder, loc, scaled, args[2]);
    Value rounded = math::RoundEvenOp::create(builder, loc, scaled);
    Value zero = isUnsigned ? Value(arith::UIToFPOp::create(builder, loc, f32, args[2]))
                            : Value(arith::SIToFPOp::create(builder, loc, f32, args[2]));
    Value shifted = arith::AddFOp::create(builder, loc, rounded, zero);
    return saturate(builder, loc, shifted, element, isUnsigned);
  };
  return buildElementwise(builder, loc, {accumulator, multiplier, zeroPoint}, dims, element, body);
}

} // namespace onnxc
