//===- Pack.cpp - copying operands into the layout a tile reads -----------===//
#include "lowering/cpu/emit/Pack.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// Interleaves rows of equal length, a power of two of them: element 0 of each, element
/// 1 of each and so on, in as many vectors.
static SmallVector<Value> emitInterleave(ImplicitLocOpBuilder &builder, ValueRange rows) {
  if (rows.size() == 1)
    return {rows.front()};
  // Even rows and odd ones first; then these alternate.
  SmallVector<Value> even, odd, result;
  for (auto [i, row] : llvm::enumerate(rows))
    (i % 2 ? odd : even).push_back(row);
  int64_t lanes = cast<VectorType>(rows.front().getType()).getNumElements();
  for (auto [a, b] : llvm::zip_equal(emitInterleave(builder, even), emitInterleave(builder, odd)))
    for (int64_t first : {int64_t(0), lanes / 2}) {
      SmallVector<int64_t> order;
      for (int64_t i = first; i < first + lanes / 2; ++i)
        llvm::append_range(order, std::array{i, lanes + i});
      result.push_back(vector::ShuffleOp::create(builder, a, b, order));
    }
  return result;
}

namespace {
class PanelPacker {
public:
  PanelPacker(ImplicitLocOpBuilder &builder, const PanelPacking &packing)
      : builder(builder), loc(builder.getLoc()), packing(packing) {
    OpFoldResult step = index(packing.step);
    target =
        makeDenseBuffer(builder, loc, packing.destination, packing.type,
                        {ceilDivIndex(builder, loc, packing.depth, step), index(packing.nr), step});
    wholeSteps = divIndex(builder, loc, packing.depth, step);
  }

  void pack() {
    if (packing.step > 1)
      return packSteps();
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

  /// The elements of a step in `lanes` columns.
  void move(OpFoldResult step, OpFoldResult from, OpFoldResult to, unsigned lanes) {
    SmallVector<Value> rows;
    OpFoldResult first = mulIndex(builder, loc, step, index(packing.step));
    for (unsigned i = 0; i < packing.step; ++i) {
      OpFoldResult depth = addIndex(builder, loc, first, index(i));
      Value value = load(builder, loc, packing.source, {depth, from}, lanes);
      rows.push_back(emitWiden(builder, value, packing.type, packing.isUnsigned));
    }
    if (lanes > 1)
      rows = emitInterleave(builder, rows);
    for (auto [i, row] : llvm::enumerate(rows))
      storeTo(builder, loc, row,
              offsetPointer(builder, loc,
                            elementPointer(builder, loc, target, {step, to, index(0)}),
                            packing.type, index(i * lanes)));
  }

  /// With steps that are interleaved: whole steps, then the one that is padded.
  void packSteps() {
    if (isConstant(packing.source.strides[1], 1) && packing.lanes > 1)
      packRows();
    else if (isConstant(packing.source.strides[0], 1))
      packStepsOfColumns();
    else
      packElements(index(0), wholeSteps, index(0), index(packing.nr));
    OpFoldResult left = remIndex(builder, loc, packing.depth, index(packing.step));
    emitIfGreater(builder, left, index(0), [&] { packShortStep(left); });
  }

  /// A column's elements of a step lie together already.
  void packStepsOfColumns() {
    emitLoop(builder, index(0), index(packing.nr), 1, [&](OpFoldResult column) {
      OpFoldResult from = clampColumn(column);
      emitLoop(builder, index(0), wholeSteps, 1, [&](OpFoldResult step) {
        OpFoldResult depth = mulIndex(builder, loc, step, index(packing.step));
        Value group =
            loadGroup(builder, loc, elementPointer(builder, loc, packing.source, {depth, from}),
                      packing.type, packing.step);
        storeTo(builder, loc, group,
                elementPointer(builder, loc, target, {step, column, index(0)}));
      });
    });
  }

  void packShortStep(OpFoldResult left) {
    Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(packing.type));
    OpFoldResult first = mulIndex(builder, loc, wholeSteps, index(packing.step));
    emitLoop(builder, index(0), index(packing.nr), 1, [&](OpFoldResult column) {
      OpFoldResult from = clampColumn(column);
      for (unsigned i = 0; i < packing.step; ++i) {
        // The last row stands in for those that do not exist, and is not used.
        OpFoldResult last = addIndex(builder, loc, left, index(-1));
        OpFoldResult depth = addIndex(builder, loc, first, minIndex(builder, loc, index(i), last));
        Value value = load(builder, loc, packing.source, {depth, from});
        Value exists =
            arith::CmpIOp::create(builder, arith::CmpIPredicate::sgt, asValue(builder, loc, left),
                                  asValue(builder, loc, index(i)));
        value = arith::SelectOp::create(builder, exists, value, zero);
        store(builder, loc, value, target, {wholeSteps, column, index(i)});
      }
    });
  }

  /// Element by element; from and to count steps.
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
      emitLoop(builder, index(0), wholeSteps, 1, body);
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
      store(builder, loc, rows[i], target,
            {addIndex(builder, loc, depth, index(i)), column, index(0)});
  }

  ImplicitLocOpBuilder &builder;
  Location loc;
  const PanelPacking &packing;
  Buffer target;           ///< [steps, nr, step]
  OpFoldResult wholeSteps; ///< those that are not padded
};
} // namespace

void emitPackPanel(ImplicitLocOpBuilder &builder, const PanelPacking &packing) {
  PanelPacker(builder, packing).pack();
}

} // namespace onnxc::emit
