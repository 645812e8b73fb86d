//===- ColumnDots.cpp - dot products with contiguous columns --------------===//
//
// Each column has a vector of partial sums along the depth. At the end they are
// added pairwise while they are interleaved, so that the last sum has one lane
// per column.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/emit/ColumnDots.h"
#include "lowering/cpu/emit/Tiling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace onnxc::emit {

namespace {
class DotEmitter {
public:
  DotEmitter(ImplicitLocOpBuilder &builder, const ColumnDots &dots)
      : builder(builder), math{builder, builder.getLoc()}, dots(dots) {
    // The last column stands in for those that do not exist.
    OpFoldResult last = math.sub(dots.columns, math.of(1));
    for (unsigned j = 0; j < dots.lanes; ++j)
      starts.push_back(
          elementPointer(builder, math.loc, dots.b, {math.of(0), math.min(math.of(j), last)}));
  }

  Value emit();

private:
  SmallVector<Value> emitStep(OpFoldResult depth, ValueRange sums, Value mask);
  Value emitRest(OpFoldResult first, Value sums);
  Value sumAcross(SmallVector<Value> sums);
  Value read(Value start, Type type, OpFoldResult depth, unsigned lanes, Value mask,
             bool isUnsigned) {
    Value pointer = offsetPointer(builder, math.loc, start, type, depth);
    Value value = mask ? maskedLoadFrom(builder, math.loc, pointer, type, mask)
                       : loadFrom(builder, math.loc, pointer, type, lanes);
    return emitWiden(builder, value, dots.accumulatorType, isUnsigned);
  }

  ImplicitLocOpBuilder &builder;
  SizeMath math;
  const ColumnDots &dots;
  SmallVector<Value> starts;
};
} // namespace

SmallVector<Value> DotEmitter::emitStep(OpFoldResult depth, ValueRange sums, Value mask) {
  Value row = read(dots.row, dots.rowType, depth, dots.lanes, mask, dots.aUnsigned);
  SmallVector<Value> next;
  for (auto [start, sum] : llvm::zip_equal(starts, sums)) {
    Value column = read(start, dots.b.elementType, depth, dots.lanes, mask, dots.bUnsigned);
    next.push_back(emitMultiplyAdd(builder, row, column, sum));
  }
  return next;
}

Value DotEmitter::sumAcross(SmallVector<Value> sums) {
  int64_t lanes = dots.lanes;
  bool isFloat = isa<FloatType>(dots.accumulatorType);
  for (int64_t bit = 1; bit < lanes; bit *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool upper = lane & bit;
      low.push_back(upper ? lanes + lane - bit : lane);
      high.push_back(upper ? lanes + lane : lane + bit);
    }
    SmallVector<Value> next;
    for (size_t i = 0; i < sums.size(); i += 2) {
      Value a = vector::ShuffleOp::create(builder, sums[i], sums[i + 1], low);
      Value b = vector::ShuffleOp::create(builder, sums[i], sums[i + 1], high);
      next.push_back(isFloat ? arith::AddFOp::create(builder, a, b).getResult()
                             : arith::AddIOp::create(builder, a, b).getResult());
    }
    sums = std::move(next);
  }
  return sums.front();
}

/// The depths behind the last whole vector, one by one.
Value DotEmitter::emitRest(OpFoldResult first, Value sums) {
  Type type = sums.getType();
  SmallVector<Value> carried = emitCarriedLoop(
      builder, math.sub(dots.depth, first), ValueRange{sums},
      [&](OpFoldResult i, ValueRange current) {
        OpFoldResult depth = math.add(first, i);
        Value scalar = read(dots.row, dots.rowType, depth, 1, Value(), dots.aUnsigned);
        Value row = vector::BroadcastOp::create(builder, type, scalar);
        SmallVector<Value> elements;
        for (Value start : starts)
          elements.push_back(read(start, dots.b.elementType, depth, 1, Value(), dots.bUnsigned));
        Value column = vector::FromElementsOp::create(builder, type, elements);
        return SmallVector<Value>{emitMultiplyAdd(builder, row, column, current.front())};
      });
  return carried.front();
}

Value DotEmitter::emit() {
  OpFoldResult lanes = math.of(dots.lanes);
  OpFoldResult vectors = math.div(dots.depth, lanes);
  OpFoldResult whole = math.mul(vectors, lanes);
  RegisterTile tile{dots.lanes, 1, dots.lanes, dots.accumulatorType};
  SmallVector<Value> sums = emitCarriedLoop(builder, vectors, emitZeroTile(builder, tile),
                                            [&](OpFoldResult i, ValueRange carried) {
                                              return emitStep(math.mul(i, lanes), carried, Value());
                                            });
  OpFoldResult rest = math.sub(dots.depth, whole);
  if (isConstant(rest, 0))
    return sumAcross(sums);
  if (!dots.hasMaskedVectors)
    return emitRest(whole, sumAcross(sums));
  Value mask = makeTailMask(builder, math.loc, rest, dots.lanes);
  return sumAcross(emitStep(whole, sums, mask));
}

Value emitColumnDots(ImplicitLocOpBuilder &builder, const ColumnDots &dots) {
  return DotEmitter(builder, dots).emit();
}

} // namespace onnxc::emit
