//===- HostSizes.cpp - The values of sizes ---------------------------------===//
//
// Sizes are expressions up to here. Those that the input symbols decide are computed
// once, at the head of each function; others where they are needed, from the values
// that their symbols have there.
//
//===----------------------------------------------------------------------===//
#include "lowering/host/HostLowering.h"

using namespace mlir;
using namespace onnxc;
using namespace onnxc::emit;
using onnxc::onnx::DimExpr;
using Kind = DimExpr::Kind;

static Value combineIndices(OpBuilder &builder, Location loc, Kind kind, Value a, Value b) {
  switch (kind) {
  case Kind::Add: return arith::AddIOp::create(builder, loc, a, b);
  case Kind::Mul: return arith::MulIOp::create(builder, loc, a, b);
  case Kind::FloorDiv: return arith::FloorDivSIOp::create(builder, loc, a, b);
  case Kind::Mod: {
    // The remainder with the divisor's sign: a - floor(a / b) * b.
    Value quotient = arith::FloorDivSIOp::create(builder, loc, a, b);
    Value whole = arith::MulIOp::create(builder, loc, quotient, b);
    return arith::SubIOp::create(builder, loc, a, whole);
  }
  case Kind::Min: return arith::MinSIOp::create(builder, loc, a, b);
  case Kind::Max: return arith::MaxSIOp::create(builder, loc, a, b);
  case Kind::Broadcast: {
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, one);
    return arith::SelectOp::create(builder, loc, isOne, b, a);
  }
  case Kind::Constant:
  case Kind::Symbol: break;
  }
  llvm_unreachable("leaf");
}

/// At the builder's place. A symbol must have its value there.
Value HostLowering::computeSize(DimExpr dim) {
  if (std::optional<int64_t> constant = dim.getConstant())
    return arith::ConstantIndexOp::create(builder, loc, *constant);
  if (dim.kind() == Kind::Symbol) {
    if (Value value = symbolValues.lookup(dim.symbolName()))
      return value;
    mlir::emitError(loc, "symbol '") << dim.symbolName() << "' is used before it is bound";
    isBroken = true;
    return arith::ConstantIndexOp::create(builder, loc, 0);
  }
  SmallVector<Value> parts =
      llvm::map_to_vector(dim.operands(), [&](DimExpr part) { return valueOf(part); });
  Value result = parts.front();
  for (Value part : ArrayRef(parts).drop_front())
    result = combineIndices(builder, loc, dim.kind(), result, part);
  return result;
}

Value HostLowering::valueOf(DimExpr dim) {
  if (dim.isConstant() || dim.kind() == Kind::Symbol || !head || !buffers.isPlanned(dim))
    return computeSize(dim);
  if (Value known = plannedSizes.lookup(dim.getAttribute()))
    return known;
  for (DimExpr part : dim.operands())
    valueOf(part);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(head);
  Value value = computeSize(dim);
  head = value.getDefiningOp();
  plannedSizes[dim.getAttribute()] = value;
  return value;
}

SmallVector<OpFoldResult> HostLowering::valuesOf(ArrayRef<DimExpr> dims) {
  return llvm::map_to_vector(dims, [&](DimExpr dim) -> OpFoldResult {
    if (std::optional<int64_t> constant = dim.getConstant())
      return getIndex(builder, *constant);
    return valueOf(dim);
  });
}

/// A size as a float, which no product of symbols wraps. Halves and whole divisors are
/// kept: it is not below the size.
Value HostLowering::wideSize(DimExpr dim) {
  auto leaf = [&](DimExpr expr) -> Value {
    if (std::optional<int64_t> constant = expr.getConstant())
      return constantF64(static_cast<double>(*constant));
    return arith::SIToFPOp::create(builder, loc, builder.getF64Type(), toI64(valueOf(expr)));
  };
  auto select = [&](Value tested, double number, Value then, Value otherwise) -> Value {
    Value is =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, tested, constantF64(number));
    return arith::SelectOp::create(builder, loc, is, then, otherwise);
  };
  auto combine = [&](Kind kind, Value a, Value b) -> Value {
    switch (kind) {
    case Kind::Add: return arith::AddFOp::create(builder, loc, a, b);
    case Kind::Mul: return arith::MulFOp::create(builder, loc, a, b);
    case Kind::FloorDiv:
      // A divisor of 0 counts as 1, as it does in integers.
      return arith::DivFOp::create(builder, loc, a, select(b, 0, constantF64(1), b));
    case Kind::Mod: return b;
    case Kind::Min: return arith::MinimumFOp::create(builder, loc, a, b);
    case Kind::Max: return arith::MaximumFOp::create(builder, loc, a, b);
    case Kind::Broadcast: return select(a, 1, b, a);
    case Kind::Constant:
    case Kind::Symbol: break;
    }
    llvm_unreachable("leaf");
  };
  return onnx::evaluate(dim, leaf, combine);
}

/// Clones what a check computes from sizes that the input symbols decide.
Value HostLowering::mapPlanned(Value value) {
  if (Value mapped = mapping.lookupOrNull(value))
    return mapped;
  Operation *op = value.getDefiningOp();
  if (auto size = dyn_cast<rt::SymbolOp>(op)) {
    mapping.map(value, valueOf(*DimExpr::parse(op->getContext(), size.getSymbol())));
    return mapping.lookup(value);
  }
  for (Value operand : op->getOperands())
    mapPlanned(operand);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}
