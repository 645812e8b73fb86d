//===- PixelGrid.h - Output pixels of convolutions ------------------*- C++ -*-===//
//
// What direct and depthwise convolutions share: the last two spatial dimensions
// fall into tiles, all in front of them are walked one by one.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_CPU_EMIT_PIXELGRID_H
#define ONNXC_LOWERING_CPU_EMIT_PIXELGRID_H

#include "lowering/cpu/emit/TileStore.h"
#include "lowering/cpu/emit/Tiling.h"

namespace onnxc::emit {

/// The output pixels of a register tile, row-major.
struct PixelTile {
  llvm::ArrayRef<mlir::OpFoldResult> leading; ///< image, outer spatial dimensions
  mlir::OpFoldResult firstRow, firstColumn;
  unsigned rows, columns;

  unsigned size() const { return rows * columns; }
  /// [image, spatial...] of the tile's pixel with this number.
  llvm::SmallVector<mlir::OpFoldResult> position(SizeMath math, mlir::OpFoldResult pixel) const;
  /// [image, spatial...] of the input that the first pixel's first tap reads.
  llvm::SmallVector<mlir::OpFoldResult> firstInput(SizeMath math,
                                                   llvm::ArrayRef<int64_t> strides) const;
};

/// How the output falls into tiles and tasks.
struct PixelGrid {
  llvm::SmallVector<mlir::OpFoldResult> leading;
  mlir::OpFoldResult leadingCount;
  Tiling rows, columns;
  /// Shares of a task, and how many there are.
  mlir::OpFoldResult leadingPerTask, leadingBlocks, rowsPerTask, rowBlocks;

  /// Without the shares.
  static PixelGrid compute(SizeMath math, mlir::OpFoldResult images,
                           llvm::ArrayRef<mlir::OpFoldResult> outputSizes, int64_t tileRows,
                           int64_t tileColumns);
  /// As many rows of tiles as are worth `target`, when one is worth `work`; returns
  /// what they are worth together.
  mlir::OpFoldResult shareRows(SizeMath math, mlir::OpFoldResult target, mlir::OpFoldResult work);
  /// The same for the leading dimensions.
  void shareLeading(SizeMath math, mlir::OpFoldResult target, mlir::OpFoldResult work);

  /// Visits the leading indices of a task's block.
  void forEachLeading(mlir::ImplicitLocOpBuilder &builder, mlir::OpFoldResult block,
                      llvm::function_ref<void(llvm::ArrayRef<mlir::OpFoldResult>)> body) const;
  /// Visits the tiles of some rows of tiles, with every size that they have.
  void forEachTile(mlir::ImplicitLocOpBuilder &builder,
                   llvm::ArrayRef<mlir::OpFoldResult> leadingIndices, Range tileRows,
                   llvm::function_ref<void(const PixelTile &)> body) const;
};

/// A problem with one spatial dimension gets a second one of size one in front of
/// it. `buffers` are [image, spatial...], `lists` have an element per dimension.
template <typename... Lists>
void addRowDimension(mlir::OpBuilder &builder, llvm::ArrayRef<Buffer *> buffers,
                     llvm::SmallVector<mlir::OpFoldResult> &outputSizes, Lists &...lists) {
  auto prepend = [&](auto &list) {
    using Element = typename std::remove_reference_t<decltype(list)>::value_type;
    if constexpr (std::is_same_v<Element, mlir::OpFoldResult>)
      list.insert(list.begin(), getIndex(builder, 1));
    else
      list.insert(list.begin(), Element(1));
  };
  prepend(outputSizes);
  (prepend(lists), ...);
  for (Buffer *buffer : buffers) {
    buffer->sizes.insert(buffer->sizes.begin() + 1, getIndex(builder, 1));
    buffer->strides.insert(buffer->strides.begin() + 1, getIndex(builder, 0));
  }
}

/// Calls `emit` with an epilogue that sees positions as they were before a row
/// dimension was added.
void withoutRowDimension(Epilogue epilogue, llvm::function_ref<void(Epilogue)> emit);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_PIXELGRID_H
