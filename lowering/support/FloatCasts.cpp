//===- FloatCasts.cpp - Conversions between float types ---------------------===//
#include "lowering/support/FloatCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace onnxc {

Value convertFloat(OpBuilder &builder, Location loc, Value value, Type elementType) {
  auto from = dyn_cast<FloatType>(getElementTypeOrSelf(value.getType()));
  auto to = dyn_cast<FloatType>(elementType);
  if (!from || !to || from == to)
    return value;
  Type type = to;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(to);
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  if (from.getWidth() > to.getWidth())
    return arith::TruncFOp::create(builder, loc, type, value);
  // Kinds of the same width (f16 and bf16) meet in f32.
  Value wide = convertFloat(builder, loc, value, builder.getF32Type());
  return convertFloat(builder, loc, wide, elementType);
}

} // namespace onnxc
