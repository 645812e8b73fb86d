//===- PixelGrid.cpp - Output pixels of convolutions ------------------------===//
#include "lowering/cpu/emit/PixelGrid.h"

using namespace mlir;

namespace onnxc::emit {

SmallVector<OpFoldResult> PixelTile::position(SizeMath math, OpFoldResult pixel) const {
  OpFoldResult width = math.of(columns);
  OpFoldResult row = rows == 1 ? math.of(0) : math.div(pixel, width);
  OpFoldResult column = rows == 1 ? pixel : math.rem(pixel, width);
  SmallVector<OpFoldResult> position(leading);
  position.push_back(math.add(firstRow, row));
  position.push_back(math.add(firstColumn, column));
  return position;
}

SmallVector<OpFoldResult> PixelTile::firstInput(SizeMath math, ArrayRef<int64_t> strides) const {
  SmallVector<OpFoldResult> origin = position(math, math.of(0));
  for (auto [i, stride] : llvm::enumerate(strides))
    origin[1 + i] = math.mul(origin[1 + i], math.of(stride));
  return origin;
}

PixelGrid PixelGrid::compute(SizeMath math, OpFoldResult images, ArrayRef<OpFoldResult> outputSizes,
                             int64_t tileRows, int64_t tileColumns) {
  PixelGrid grid;
  grid.leading.push_back(images);
  llvm::append_range(grid.leading, outputSizes.drop_back(2));
  grid.leadingCount = productIndex(math.builder, math.loc, grid.leading);
  grid.rows = Tiling::compute(math, outputSizes[outputSizes.size() - 2], tileRows);
  grid.columns = Tiling::compute(math, outputSizes.back(), tileColumns);
  return grid;
}

OpFoldResult PixelGrid::shareRows(SizeMath math, OpFoldResult target, OpFoldResult work) {
  rowsPerTask = math.balance(rows.tiles, math.clamp(math.ceilDiv(target, work), rows.tiles));
  rowBlocks = math.ceilDiv(rows.tiles, rowsPerTask);
  return math.mul(work, rowsPerTask);
}

void PixelGrid::shareLeading(SizeMath math, OpFoldResult target, OpFoldResult work) {
  leadingPerTask = math.clamp(math.div(target, work), leadingCount);
  leadingBlocks = math.ceilDiv(leadingCount, leadingPerTask);
}

void PixelGrid::forEachLeading(ImplicitLocOpBuilder &builder, OpFoldResult block,
                               function_ref<void(ArrayRef<OpFoldResult>)> body) const {
  SizeMath math{builder, builder.getLoc()};
  Range range = Range::part(math, block, leadingPerTask, leadingCount);
  emitLoop(builder, range.first, range.last, 1,
           [&](OpFoldResult number) { body(delinearize(builder, math.loc, number, leading)); });
}

void PixelGrid::forEachTile(ImplicitLocOpBuilder &builder, ArrayRef<OpFoldResult> leadingIndices,
                            Range tileRows, function_ref<void(const PixelTile &)> body) const {
  auto nothing = [](OpFoldResult, OpFoldResult) {};
  auto eachRow = [&](unsigned rowCount, OpFoldResult firstRow) {
    auto eachColumn = [&](unsigned columnCount, OpFoldResult firstColumn) {
      body({leadingIndices, firstRow, firstColumn, rowCount, columnCount});
    };
    emitTiles(builder, columns, getIndex(builder, 0), columns.tiles, eachColumn, nothing);
  };
  emitTiles(builder, rows, tileRows.first, tileRows.last, eachRow, nothing);
}

void withoutRowDimension(Epilogue epilogue, function_ref<void(Epilogue)> emit) {
  auto dropRow = [&](OpBuilder &builder, Location loc, Value value, ArrayRef<OpFoldResult> indices,
                     Value mask) {
    SmallVector<OpFoldResult> known(indices);
    known.erase(known.begin() + 1);
    return epilogue(builder, loc, value, known, mask);
  };
  emit(epilogue ? Epilogue(dropRow) : epilogue);
}

} // namespace onnxc::emit
