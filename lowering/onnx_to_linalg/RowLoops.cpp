//===- RowLoops.cpp - Loop nests that share their rows ---------------------===//
#include "lowering/onnx_to_linalg/RowLoops.h"

using namespace mlir;
using onnxc::onnx::DimExpr;
using onnxc::onnx::Scalar;

namespace onnxc {

SmallVector<DimExpr> RowLoops::rowDims() const {
  SmallVector<DimExpr> result;
  for (auto [i, dim] : llvm::enumerate(dims))
    if (!insideRow[i])
      result.push_back(dim);
  return result;
}

Value RowLoops::reduce(Value neutral, ArrayRef<Value> full, ArrayRef<Value> rows,
                       ScalarBodyBuilder body) const {
  MLIRContext *context = builder.getContext();
  SmallVector<GenericInput> inputs;
  for (Value tensor : full)
    inputs.push_back({tensor, identityMap(context, dims.size())});
  for (Value tensor : rows)
    inputs.push_back({tensor, droppingMap(context, dims.size(), insideRow)});
  return buildReduction(builder, loc, dims, insideRow, neutral, inputs, body);
}

Value RowLoops::mapRows(Type elementType, ArrayRef<Value> rows, ScalarBodyBuilder body) const {
  SmallVector<DimExpr> own = rowDims();
  SmallVector<GenericInput> inputs;
  for (Value tensor : rows)
    inputs.push_back({tensor, identityMap(builder.getContext(), own.size())});
  return buildMap(builder, loc, own, elementType, inputs, body);
}

Value RowLoops::map(Type elementType, ArrayRef<Value> full, ArrayRef<Value> rows,
                    ArrayRef<GenericInput> others, ScalarBodyBuilder body) const {
  MLIRContext *context = builder.getContext();
  SmallVector<GenericInput> inputs;
  for (Value tensor : full)
    inputs.push_back({tensor, identityMap(context, dims.size())});
  for (Value tensor : rows)
    inputs.push_back({tensor, droppingMap(context, dims.size(), insideRow)});
  llvm::append_range(inputs, others);
  return buildMap(builder, loc, dims, elementType, inputs, body);
}

Scalar RowLoops::rowSize(OpBuilder &builder, Location loc, Type type) const {
  DimExpr count = DimExpr::constant(builder.getContext(), 1);
  for (auto [i, dim] : llvm::enumerate(dims))
    if (insideRow[i])
      count = count * dim;
  count = count.max(DimExpr::constant(builder.getContext(), 1));
  Scalar zero = zeroScalar(builder, loc, type);
  if (auto constant = count.getConstant())
    return zero.constant(*constant);
  Value size = materializeIndex(builder, loc, count);
  Value integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), size);
  return onnx::convert(Scalar(builder, loc, integer), type, false);
}

Scalar zeroScalar(OpBuilder &builder, Location loc, Type type, bool isUnsigned) {
  return Scalar(builder, loc, arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)),
                isUnsigned);
}

} // namespace onnxc
