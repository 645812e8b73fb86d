//===- LoweringUtils.cpp - What every lowering to linalg needs -------------===//
#include "lowering/onnx_to_linalg/LoweringUtils.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {

Type lowerType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::get(tensor.getShape(), lowerType(tensor.getElementType()));
  if (auto integer = dyn_cast<IntegerType>(type); integer && !integer.isSignless())
    return IntegerType::get(type.getContext(), integer.getWidth());
  return type;
}

Value materializeIndex(OpBuilder &builder, Location loc, DimExpr dim) {
  using Kind = DimExpr::Kind;
  if (auto constant = dim.getConstant())
    return arith::ConstantIndexOp::create(builder, loc, *constant);
  if (dim.kind() == Kind::Symbol)
    return rt::SymbolOp::create(builder, loc, builder.getIndexType(),
                                builder.getStringAttr(dim.symbolName()));
  SmallVector<Value> parts;
  for (DimExpr operand : dim.operands())
    parts.push_back(materializeIndex(builder, loc, operand));
  Value result = parts.front();
  for (Value part : ArrayRef(parts).drop_front()) {
    switch (dim.kind()) {
    case Kind::Add: result = arith::AddIOp::create(builder, loc, result, part); break;
    case Kind::Mul: result = arith::MulIOp::create(builder, loc, result, part); break;
    case Kind::FloorDiv: result = arith::FloorDivSIOp::create(builder, loc, result, part); break;
    case Kind::Mod: {
      // The remainder with the divisor's sign: a - floor(a / b) * b.
      Value quotient = arith::FloorDivSIOp::create(builder, loc, result, part);
      Value whole = arith::MulIOp::create(builder, loc, quotient, part);
      result = arith::SubIOp::create(builder, loc, result, whole);
      break;
    }
    case Kind::Min: result = arith::MinSIOp::create(builder, loc, result, part); break;
    case Kind::Max: result = arith::MaxSIOp::create(builder, loc, result, part); break;
    case Kind::Broadcast: {
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, result, one);
      result = arith::SelectOp::create(builder, loc, isOne, part, result);
      break;
    }
    default: llvm_unreachable("leaf");
    }
  }
  return result;
}

OpFoldResult materialize(OpBuilder &builder, Location loc, DimExpr dim) {
  if (auto constant = dim.getConstant())
    return builder.getIndexAttr(*constant);
  return materializeIndex(builder, loc, dim);
}

Value emptyTensor(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims, Type elementType) {
  SmallVector<OpFoldResult> sizes;
  for (DimExpr dim : dims)
    sizes.push_back(materialize(builder, loc, dim));
  return tensor::EmptyOp::create(builder, loc, sizes, lowerType(elementType));
}

Value emptyTensor(OpBuilder &builder, Location loc, Type onnxType) {
  return emptyTensor(builder, loc, onnx::getDims(onnxType),
                     cast<RankedTensorType>(onnxType).getElementType());
}

Value filledTensor(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims, Value scalar) {
  Value empty = emptyTensor(builder, loc, dims, scalar.getType());
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

Value reshapeTo(OpBuilder &builder, Location loc, Value tensor, ArrayRef<DimExpr> dims) {
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  SmallVector<Value> sizes;
  SmallVector<int64_t> shape;
  for (DimExpr dim : dims) {
    shape.push_back(dim.getConstant().value_or(ShapedType::kDynamic));
    if (!dim.isConstant())
      sizes.push_back(materializeIndex(builder, loc, dim));
  }
  Type type = RankedTensorType::get(shape, element);
  if (type == tensor.getType() && sizes.empty())
    return tensor;
  return rt::ReshapeOp::create(builder, loc, type, tensor, sizes);
}

Value reshapeTo(OpBuilder &builder, Location loc, const SizedTensor &tensor,
                ArrayRef<DimExpr> dims) {
  return ArrayRef(tensor.dims) == dims ? tensor.tensor
                                       : reshapeTo(builder, loc, tensor.tensor, dims);
}

Type computeType(Type elementType) {
  auto type = dyn_cast<FloatType>(elementType);
  return type && type.getWidth() < 32 ? Float32Type::get(type.getContext()) : elementType;
}

Type elementTypeOf(Value tensor) {
  return lowerType(cast<RankedTensorType>(tensor.getType()).getElementType());
}

SizedTensor sized(Value lowered, Value original) {
  return original ? SizedTensor{lowered, onnx::getDims(original.getType())} : SizedTensor{};
}

bool isUnsigned(Value value) {
  return value && getElementTypeOrSelf(value.getType()).isUnsignedInteger();
}

Value castElements(OpBuilder &builder, Location loc, const SizedTensor &tensor, Type elementType) {
  if (getElementTypeOrSelf(tensor.tensor.getType()) == elementType)
    return tensor.tensor;
  return buildElementwise(builder, loc, tensor, tensor.dims, elementType,
                          [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

} // namespace onnxc
