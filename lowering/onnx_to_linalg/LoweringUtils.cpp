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

Value broadcastTo(OpBuilder &builder, Location loc, const SizedTensor &tensor,
                  ArrayRef<DimExpr> dims) {
  if (ArrayRef(tensor.dims) == dims)
    return tensor.tensor;
  return buildElementwise(builder, loc, tensor, dims, getElementTypeOrSelf(tensor.tensor.getType()),
                          [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

Value castElements(OpBuilder &builder, Location loc, const SizedTensor &tensor, Type elementType) {
  if (getElementTypeOrSelf(tensor.tensor.getType()) == elementType)
    return tensor.tensor;
  return buildElementwise(builder, loc, tensor, tensor.dims, elementType,
                          [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

} // namespace onnxc
