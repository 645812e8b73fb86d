//===- RuntimeRows.cpp - Rows along axes that only the run knows -----------===//
#include "lowering/onnx_to_linalg/RuntimeRows.h"
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/support/FloatCasts.h"
using namespace mlir;
using onnxc::onnx::DimExpr;
using onnxc::onnx::Scalar;

namespace onnxc {

/// Whether a dim is among axes that count from the front.
static Value isNamed(IndexMath &math, ArrayRef<Value> axes, int64_t dim) {
  Value result = arith::ConstantOp::create(math.builder, math.loc, math.builder.getBoolAttr(false));
  for (Value axis : axes)
    result = math.either(result, math.equal(axis, math.constant(dim)));
  return result;
}

RuntimeRows::RuntimeRows(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims, Value axes)
    : builder(builder), loc(loc), rank(dims.size()),
      axisCount(cast<RankedTensorType>(axes.getType()).getDimSize(0)) {
  MLIRContext *context = builder.getContext();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  count = one;
  IndexMath math(builder, loc);
  SmallVector<Value> named = math.readAxes(axes, rank);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    isReduced.push_back(isNamed(math, named, i));
    sizes.push_back(materializeIndex(builder, loc, dim));
    outerSizes.push_back(
        arith::SelectOp::create(builder, loc, isReduced.back(), one, sizes.back()));
    Value innerSize = arith::SelectOp::create(builder, loc, isReduced.back(), sizes.back(), one);
    count = arith::MulIOp::create(builder, loc, count, innerSize);
    outer.push_back(onnx::freshSymbol(context, "kept"));
    inner.push_back(onnx::freshSymbol(context, "reduced"));
    rt::BindOp::create(builder, loc, outer.back().symbolName(), outerSizes.back());
    rt::BindOp::create(builder, loc, inner.back().symbolName(), innerSize);
  }
}

Value RuntimeRows::reduce(Value neutral, Value full, ArrayRef<Value> rows,
                          ScalarBodyBuilder body) const {
  MLIRContext *context = builder.getContext();
  SmallVector<DimExpr> loops(outer);
  llvm::append_range(loops, inner);
  llvm::SmallBitVector inside(2 * rank);
  inside.set(rank, 2 * rank);
  // Gives the inner loops their sizes; its elements are never read.
  Type element = cast<RankedTensorType>(full.getType()).getElementType();
  Value window = emptyTensor(builder, loc, inner, element);
  SmallVector<GenericInput> inputs;
  inputs.push_back({window, droppingMap(context, 2 * rank, ~inside)});
  for (Value tensor : rows)
    inputs.push_back({tensor, droppingMap(context, 2 * rank, inside)});
  return buildReduction(builder, loc, loops, inside, neutral, inputs,
                        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                          SmallVector<Value> indices;
                          for (unsigned i = 0; i < rank; ++i)
                            indices.push_back(
                                arith::AddIOp::create(b, loc, linalg::IndexOp::create(b, loc, i),
                                                      linalg::IndexOp::create(b, loc, rank + i)));
                          Value value = tensor::ExtractOp::create(b, loc, full, indices);
                          SmallVector<Value> values(args);
                          values[0] = convertFloat(b, loc, value, computeType(value.getType()));
                          return body(b, loc, values);
                        });
}

Value RuntimeRows::mapRows(Type elementType, ArrayRef<Value> rows, ScalarBodyBuilder body) const {
  SmallVector<GenericInput> inputs;
  for (Value tensor : rows)
    inputs.push_back({tensor, identityMap(builder.getContext(), rank)});
  return buildMap(builder, loc, outer, elementType, inputs, body);
}

Scalar RuntimeRows::rowSize(OpBuilder &builder, Location loc, Type type) const {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value atLeastOne = arith::MaxSIOp::create(builder, loc, count, one);
  Value integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), atLeastOne);
  return onnx::convert(Scalar(builder, loc, integer), type, false);
}

SmallVector<Value> RuntimeRows::resultSizes(bool keepDims) const {
  if (keepDims)
    return outerSizes;
  // Result dim p is the data's dim before which p dims are not reduced.
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> result(rank - axisCount, zero);
  Value position = zero;
  for (unsigned i = 0; i < rank; ++i) {
    for (unsigned p = 0; p < result.size(); ++p) {
      Value wanted = arith::ConstantIndexOp::create(builder, loc, p);
      Value isHere =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, position, wanted);
      Value taken = arith::SelectOp::create(builder, loc, isReduced[i], result[p], sizes[i]);
      result[p] = arith::SelectOp::create(builder, loc, isHere, taken, result[p]);
    }
    Value step = arith::SelectOp::create(builder, loc, isReduced[i], zero, one);
    position = arith::AddIOp::create(builder, loc, position, step);
  }
  return result;
}

} // namespace onnxc
