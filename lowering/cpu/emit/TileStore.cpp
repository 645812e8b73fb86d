//===- TileStore.cpp - finishing and storing register tiles ---------------===//
#include "lowering/cpu/emit/TileStore.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace onnxc::emit {

/// Epilogue operations in straight code for one tile; beyond this the code of
/// all the tile shapes of a kernel grows faster than it saves time.
static constexpr unsigned straightEpilogue = 160;

bool TileTarget::isStraight(const RegisterTile &tile, OpFoldResult columns) const {
  if (epilogueCost * tile.accumulators() > straightEpilogue)
    return false;
  std::optional<int64_t> constant = getConstant(columns);
  return hasMaskedVectors || (constant && *constant % tile.lanes == 0);
}

/// Finishes one vector or scalar and stores it.
static void finish(ImplicitLocOpBuilder &builder, const TileTarget &target, Value value,
                   OpFoldResult row, OpFoldResult column, Value mask) {
  Location loc = builder.getLoc();
  SmallVector<OpFoldResult> indices = target.coordinates(row, column);
  if (target.epilogue)
    value = target.epilogue(builder, loc, value, indices, mask);
  Type elementType = target.output.elementType;
  if (isa<FloatType>(elementType))
    value = convertFloat(builder, loc, value, elementType);
  bool contiguous = isConstant(target.output.strides.back(), 1);
  auto vectorType = dyn_cast<VectorType>(value.getType());
  if (!vectorType || (contiguous && !mask))
    return store(builder, loc, value, target.output, indices);
  if (contiguous)
    return maskedStore(builder, loc, value, target.output, indices, mask);
  // Columns apart from each other: one by one.
  for (int64_t lane = 0; lane < vectorType.getNumElements(); ++lane) {
    SmallVector<OpFoldResult> position = indices;
    position.back() = addIndex(builder, loc, position.back(), builder.getIndexAttr(lane));
    auto storeLane = [&] {
      Value element = vector::ExtractOp::create(builder, value, lane);
      store(builder, loc, element, target.output, position);
    };
    if (mask)
      emitIf(builder, vector::ExtractOp::create(builder, mask, lane), storeLane);
    else
      storeLane();
  }
}

/// The mask of the vector that starts at `first` when `columns` exist; null
/// where all its lanes do.
static Value getMask(ImplicitLocOpBuilder &builder, OpFoldResult columns, int64_t first,
                     unsigned lanes) {
  std::optional<int64_t> constant = getConstant(columns);
  if (constant && *constant >= first + lanes)
    return Value();
  Location loc = builder.getLoc();
  OpFoldResult left = subIndex(builder, loc, columns, builder.getIndexAttr(first));
  return makeTailMask(builder, loc, left, lanes);
}

void emitStoreTile(ImplicitLocOpBuilder &builder, const RegisterTile &tile, ValueRange accumulators,
                   OpFoldResult columns, const TileTarget &target) {
  for (unsigned j = 0; j < tile.vectors; ++j) {
    int64_t column = j * tile.lanes;
    std::optional<int64_t> constant = getConstant(columns);
    if (constant && *constant <= column)
      break;
    Value mask = getMask(builder, columns, column, tile.lanes);
    for (unsigned i = 0; i < tile.rows; ++i)
      finish(builder, target, accumulators[i * tile.vectors + j], builder.getIndexAttr(i),
             builder.getIndexAttr(column), mask);
  }
}

void emitStoreScratch(ImplicitLocOpBuilder &builder, const RegisterTile &tile, Value scratch,
                      OpFoldResult rows, OpFoldResult columns, const TileTarget &target) {
  Location loc = builder.getLoc();
  Buffer buffer = makeDenseBuffer(builder, loc, scratch, tile.accumulatorType,
                                  {rows, OpFoldResult(builder.getIndexAttr(tile.columns()))});
  OpFoldResult lanes = builder.getIndexAttr(tile.lanes);
  OpFoldResult whole = mulIndex(builder, loc, divIndex(builder, loc, columns, lanes), lanes);
  OpFoldResult zero = builder.getIndexAttr(0);
  emitLoop(builder, zero, rows, 1, [&](OpFoldResult row) {
    emitLoop(builder, zero, whole, tile.lanes, [&](OpFoldResult column) {
      Value value = load(builder, loc, buffer, {row, column}, tile.lanes);
      finish(builder, target, value, row, column, Value());
    });
    if (!target.hasMaskedVectors) {
      emitLoop(builder, whole, columns, 1, [&](OpFoldResult column) {
        Value value = load(builder, loc, buffer, {row, column});
        finish(builder, target, value, row, column, Value());
      });
      return;
    }
    OpFoldResult left = subIndex(builder, loc, columns, whole);
    auto finishTail = [&] {
      Value mask = makeTailMask(builder, loc, left, tile.lanes);
      Value value = load(builder, loc, buffer, {row, whole}, tile.lanes);
      finish(builder, target, value, row, whole, mask);
    };
    emitIfGreater(builder, left, zero, finishTail);
  });
}

void emitSaveTile(ImplicitLocOpBuilder &builder, const RegisterTile &tile, ValueRange accumulators,
                  Value scratch, unsigned rowLength) {
  Location loc = builder.getLoc();
  for (unsigned i = 0; i < tile.rows; ++i)
    for (unsigned j = 0; j < tile.vectors; ++j) {
      OpFoldResult offset = builder.getIndexAttr(i * rowLength + j * tile.lanes);
      Value pointer = offsetPointer(builder, loc, scratch, tile.accumulatorType, offset);
      storeTo(builder, loc, accumulators[i * tile.vectors + j], pointer);
    }
}

SmallVector<Value> emitRestoreTile(ImplicitLocOpBuilder &builder, const RegisterTile &tile,
                                   Value scratch, unsigned rowLength) {
  Location loc = builder.getLoc();
  SmallVector<Value> accumulators;
  for (unsigned i = 0; i < tile.rows; ++i)
    for (unsigned j = 0; j < tile.vectors; ++j) {
      OpFoldResult offset = builder.getIndexAttr(i * rowLength + j * tile.lanes);
      Value pointer = offsetPointer(builder, loc, scratch, tile.accumulatorType, offset);
      accumulators.push_back(loadFrom(builder, loc, pointer, tile.accumulatorType, tile.lanes));
    }
  return accumulators;
}

} // namespace onnxc::emit
