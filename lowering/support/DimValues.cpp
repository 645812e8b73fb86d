//===- DimValues.cpp - Symbolic dims as index values -----------------------===//
#include "lowering/support/DimValues.h"
#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {

Value materializeIndex(OpBuilder &builder, Location loc, DimExpr dim) {
  if (auto constant = dim.getConstant())
    return arith::ConstantIndexOp::create(builder, loc, *constant);
  return rt::SymbolOp::create(builder, loc, builder.getIndexType(), dim.str());
}

OpFoldResult materialize(OpBuilder &builder, Location loc, DimExpr dim) {
  if (auto constant = dim.getConstant())
    return builder.getIndexAttr(*constant);
  return materializeIndex(builder, loc, dim);
}

} // namespace onnxc
