//===- DimValues.cpp - Symbolic dims as index values -----------------------===//
#include "lowering/support/DimValues.h"
#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {

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

} // namespace onnxc
