//===- Pack.cpp - copying operands into the layout a tile reads -----------===//
#include "lowering/cpu/emit/Pack.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace onnxc::emit {

SmallVector<Value> emitTranspose(ImplicitLocOpBuilder &builder, ValueRange rows) {
  // Step by step, one bit of the row number is exchanged with the same bit of
  // the lane number.
  int64_t size = rows.size();
  SmallVector<Value> current(rows);
  for (int64_t bit = 1; bit < size; bit *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < size; ++lane) {
      bool upper = lane & bit;
      low.push_back(upper ? size + lane - bit : lane);
      high.push_back(upper ? size + lane : lane + bit);
    }
    SmallVector<Value> next(size);
    for (int64_t row = 0; row < size; ++row) {
      if (row & bit)
        continue;
      Value first = current[row], second = current[row + bit];
      next[row] = vector::ShuffleOp::create(builder, first, second, low);
      next[row + bit] = vector::ShuffleOp::create(builder, first, second, high);
    }
    current = std::move(next);
  }
  return current;
}

namespace {
class PanelPacker {
public:
  PanelPacker(ImplicitLocOpBuilder &builder, const PanelPacking &packing)
      : builder(builder), loc(builder.getLoc()), packing(packing) {
    target = makeDenseBuffer(builder, loc, packing.destination, packing.type,
                             {packing.depth, index(packing.nr)});
  }

  void pack() {
    if (isConstant(packing.source.strides[1], 1))
      return packRows();
    if (isConstant(packing.source.strides[0], 1) && packing.lanes > 1)
      return packColumns();
    packElements(index(0), packing.depth, index(0), index(packing.nr));
  }

private:
  OpFoldResult index(int64_t value) { return builder.getIndexAttr(value); }

  /// A column that exists: the last one stands in for those behind it.
  OpFoldResult clampColumn(OpFoldResult column) {
    OpFoldResult last = addIndex(builder, loc, packing.columns, index(-1));
    return minIndex(builder, loc, column, last);
  }

  void move(OpFoldResult depth, OpFoldResult from, OpFoldResult to, unsigned lanes) {
    Value value = load(builder, loc, packing.source, {depth, from}, lanes);
    value = emitWiden(builder, value, packing.type, packing.isUnsigned);
    store(builder, loc, value, target, {depth, to});
  }

  void packElements(OpFoldResult fromDepth, OpFoldResult toDepth, OpFoldResult fromColumn,
                    OpFoldResult toColumn) {
    emitLoop(builder, fromDepth, toDepth, 1, [&](OpFoldResult depth) {
      emitLoop(builder, fromColumn, toColumn, 1,
               [&](OpFoldResult column) { move(depth, clampColumn(column), column, 1); });
    });
  }

  /// Contiguous rows by vectors. The last ones of a row end where the row ends
  /// and may overlap others. Inside a loop they come in pairs, as single ones
  /// would become a call of memcpy for each row.
  void packRows() {
    int64_t lanes = packing.lanes;
    OpFoldResult columns = packing.columns;
    auto fromEnd = [&](int64_t distance) {
      return subIndex(builder, loc, columns, index(distance));
    };
    auto eachDepth = [&](function_ref<void(OpFoldResult)> body) {
      emitLoop(builder, index(0), packing.depth, 1, body);
    };
    auto moveVector = [&](OpFoldResult depth, OpFoldResult column) {
      move(depth, column, column, lanes);
    };
    emitIfGreater(builder, columns, index(2 * lanes - 1), [&] {
      eachDepth([&](OpFoldResult depth) {
        movePairs(depth);
        moveVector(depth, fromEnd(2 * lanes));
        moveVector(depth, fromEnd(lanes));
      });
    });
    emitIfGreater(builder, index(2 * lanes), columns, [&] {
      emitIfGreater(builder, columns, index(lanes - 1), [&] {
        eachDepth([&](OpFoldResult depth) {
          moveVector(depth, index(0));
          moveVector(depth, fromEnd(lanes));
        });
      });
    });
    emitIfGreater(builder, index(lanes), columns, [&] {
      emitLoop(builder, index(0), columns, 1, [&](OpFoldResult column) {
        eachDepth([&](OpFoldResult depth) { move(depth, column, column, 1); });
      });
    });
  }

  /// The pairs of vectors of a row in front of its last two.
  void movePairs(OpFoldResult depth) {
    int64_t lanes = packing.lanes;
    OpFoldResult end = subIndex(builder, loc, packing.columns, index(2 * lanes));
    auto movePair = [&](OpFoldResult column) {
      OpFoldResult next = addIndex(builder, loc, column, index(lanes));
      move(depth, column, column, lanes);
      move(depth, next, next, lanes);
    };
    if (std::optional<int64_t> constant = getConstant(end)) {
      for (int64_t column = 0; column < *constant; column += 2 * lanes)
        movePair(index(column));
      return;
    }
    emitLoop(builder, index(0), end, 2 * lanes, movePair);
  }

  /// Contiguous columns: squares of lanes x lanes, then single elements.
  void packColumns() {
    unsigned lanes = packing.lanes;
    OpFoldResult whole =
        mulIndex(builder, loc, divIndex(builder, loc, packing.depth, index(lanes)), index(lanes));
    emitLoop(builder, index(0), index(packing.nr), lanes, [&](OpFoldResult column) {
      emitLoop(builder, index(0), whole, lanes,
               [&](OpFoldResult depth) { packSquare(depth, column); });
    });
    packElements(whole, packing.depth, index(0), index(packing.nr));
  }

  void packSquare(OpFoldResult depth, OpFoldResult column) {
    SmallVector<Value> rows;
    for (unsigned i = 0; i < packing.lanes; ++i) {
      OpFoldResult from = clampColumn(addIndex(builder, loc, column, index(i)));
      Value value = load(builder, loc, packing.source, {depth, from}, packing.lanes);
      rows.push_back(emitWiden(builder, value, packing.type, packing.isUnsigned));
    }
    rows = emitTranspose(builder, rows);
    for (unsigned i = 0; i < packing.lanes; ++i)
      store(builder, loc, rows[i], target, {addIndex(builder, loc, depth, index(i)), column});
  }

  ImplicitLocOpBuilder &builder;
  Location loc;
  const PanelPacking &packing;
  Buffer target;
};
} // namespace

void emitPackPanel(ImplicitLocOpBuilder &builder, const PanelPacking &packing) {
  PanelPacker(builder, packing).pack();
}

} // namespace onnxc::emit
