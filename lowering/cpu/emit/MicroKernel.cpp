//===- MicroKernel.cpp - register tiles -----------------------------------===//
#include "lowering/cpu/emit/MicroKernel.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace onnxc::emit {

/// Depths up to this are straight code: the first layer's three channels, the
/// taps of small filters.
static constexpr int64_t straightDepth = 4;

Value emitMultiplyAdd(ImplicitLocOpBuilder &builder, Value a, Value b, Value c) {
  if (isa<FloatType>(getScalarType(c.getType()))) {
    if (isa<VectorType>(c.getType()))
      return vector::FMAOp::create(builder, a, b, c);
    // As vector.fma is lowered: fused where that is one instruction, and not a
    // call of libm elsewhere.
    return LLVM::FMulAddOp::create(builder, a, b, c);
  }
  Value product = arith::MulIOp::create(builder, a, b);
  return arith::AddIOp::create(builder, product, c);
}

Value emitWiden(ImplicitLocOpBuilder &builder, Value value, Type accumulatorType, bool isUnsigned) {
  Type from = getScalarType(value.getType());
  if (from == accumulatorType)
    return value;
  if (isa<FloatType>(from))
    return convertFloat(builder, builder.getLoc(), value, accumulatorType);
  Type type = accumulatorType;
  if (auto vectorType = dyn_cast<VectorType>(value.getType()))
    type = vectorType.clone(accumulatorType);
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, type, value);
  return arith::ExtSIOp::create(builder, type, value);
}

SmallVector<Value> emitZeroTile(ImplicitLocOpBuilder &builder, const RegisterTile &tile) {
  Type type = getLanesType(tile.accumulatorType, tile.lanes);
  Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
  return SmallVector<Value>(tile.accumulators(), zero);
}

namespace {
/// The rows of A: those at a constant distance share one pointer, so that the
/// distance folds into the address of the load; others get their own pointer
/// in front of the loop.
struct RowPointers {
  SmallVector<Value> pointers;
  SmallVector<OpFoldResult> offsets;

  RowPointers(ImplicitLocOpBuilder &builder, const TileOperands &operands) {
    for (OpFoldResult row : operands.aRows) {
      bool constant = getConstant(row).has_value();
      pointers.push_back(
          constant ? operands.a
                   : offsetPointer(builder, builder.getLoc(), operands.a, operands.aType, row));
      offsets.push_back(constant ? row : builder.getIndexAttr(0));
    }
  }
};
} // namespace

/// One step of the depth: each row's scalar times each vector of B.
static void emitStep(ImplicitLocOpBuilder &builder, const RegisterTile &tile,
                     const TileOperands &operands, const RowPointers &rows, OpFoldResult depth,
                     MutableArrayRef<Value> accumulators) {
  Location loc = builder.getLoc();
  Type vectorType = getLanesType(tile.accumulatorType, tile.lanes);
  Value bPointer = offsetPointer(builder, loc, operands.b, operands.bType,
                                 mulIndex(builder, loc, depth, operands.bStep));
  SmallVector<Value> columns;
  for (unsigned j = 0; j < tile.vectors; ++j) {
    Value pointer =
        offsetPointer(builder, loc, bPointer, operands.bType, builder.getIndexAttr(j * tile.lanes));
    Value mask = operands.bMasks.empty() ? Value() : operands.bMasks[j];
    Value vector = mask ? maskedLoadFrom(builder, loc, pointer, operands.bType, mask)
                        : loadFrom(builder, loc, pointer, operands.bType, tile.lanes);
    columns.push_back(emitWiden(builder, vector, tile.accumulatorType, operands.bUnsigned));
  }
  OpFoldResult aDistance = mulIndex(builder, loc, depth, operands.aStep);
  for (unsigned i = 0; i < tile.rows; ++i) {
    Value pointer = offsetPointer(builder, loc, rows.pointers[i], operands.aType, aDistance);
    pointer = offsetPointer(builder, loc, pointer, operands.aType, rows.offsets[i]);
    Value scalar = loadFrom(builder, loc, pointer, operands.aType);
    scalar = emitWiden(builder, scalar, tile.accumulatorType, operands.aUnsigned);
    Value row = tile.lanes == 1 ? scalar : vector::BroadcastOp::create(builder, vectorType, scalar);
    for (unsigned j = 0; j < tile.vectors; ++j) {
      Value &accumulator = accumulators[i * tile.vectors + j];
      accumulator = emitMultiplyAdd(builder, row, columns[j], accumulator);
    }
  }
}

SmallVector<Value> emitReduction(ImplicitLocOpBuilder &builder, const RegisterTile &tile,
                                 const TileOperands &operands, OpFoldResult depth,
                                 ValueRange accumulators) {
  RowPointers rows(builder, operands);
  SmallVector<Value> current(accumulators);
  std::optional<int64_t> constant = getConstant(depth);
  if (constant && *constant <= straightDepth) {
    for (int64_t k = 0; k < *constant; ++k)
      emitStep(builder, tile, operands, rows, builder.getIndexAttr(k), current);
    return current;
  }
  return emitCarriedLoop(builder, depth, current, [&](OpFoldResult k, ValueRange carried) {
    SmallVector<Value> next(carried);
    emitStep(builder, tile, operands, rows, k, next);
    return next;
  });
}

SmallVector<Value>
emitCarriedLoop(ImplicitLocOpBuilder &builder, OpFoldResult count, ValueRange carried,
                function_ref<SmallVector<Value>(OpFoldResult, ValueRange)> body) {
  if (isConstant(count, 1))
    return body(builder.getIndexAttr(0), carried);
  Location loc = builder.getLoc();
  auto loop = scf::ForOp::create(builder, asValue(builder, loc, builder.getIndexAttr(0)),
                                 asValue(builder, loc, count),
                                 asValue(builder, loc, builder.getIndexAttr(1)), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, next);
  return SmallVector<Value>(loop.getResults());
}

void emitLoop(ImplicitLocOpBuilder &builder, OpFoldResult lower, OpFoldResult upper, int64_t step,
              function_ref<void(OpFoldResult)> body) {
  std::optional<int64_t> from = getConstant(lower), to = getConstant(upper);
  if (from && to && *to <= *from)
    return;
  if (from && to && *to <= *from + step)
    return body(lower);
  Location loc = builder.getLoc();
  auto loop =
      scf::ForOp::create(builder, asValue(builder, loc, lower), asValue(builder, loc, upper),
                         asValue(builder, loc, builder.getIndexAttr(step)));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void emitIf(ImplicitLocOpBuilder &builder, Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(builder, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

void emitIfGreater(ImplicitLocOpBuilder &builder, OpFoldResult a, OpFoldResult b,
                   function_ref<void()> body) {
  std::optional<int64_t> left = getConstant(a), right = getConstant(b);
  if (left && right) {
    if (*left > *right)
      body();
    return;
  }
  Location loc = builder.getLoc();
  emitIf(builder,
         arith::CmpIOp::create(builder, arith::CmpIPredicate::sgt, asValue(builder, loc, a),
                               asValue(builder, loc, b)),
         body);
}

void emitSwitch(ImplicitLocOpBuilder &builder, OpFoldResult value, unsigned limit,
                function_ref<void(unsigned)> body) {
  if (std::optional<int64_t> constant = getConstant(value)) {
    if (*constant > 0)
      body(*constant);
    return;
  }
  SmallVector<int64_t> cases;
  for (unsigned i = 1; i <= limit; ++i)
    cases.push_back(i);
  Location loc = builder.getLoc();
  auto branch =
      scf::IndexSwitchOp::create(builder, TypeRange(), asValue(builder, loc, value), cases, limit);
  OpBuilder::InsertionGuard guard(builder);
  for (unsigned i = 1; i <= limit; ++i) {
    builder.setInsertionPointToStart(&branch.getCaseRegions()[i - 1].emplaceBlock());
    body(i);
    scf::YieldOp::create(builder);
  }
  builder.setInsertionPointToStart(&branch.getDefaultRegion().emplaceBlock());
  scf::YieldOp::create(builder);
}

} // namespace onnxc::emit
