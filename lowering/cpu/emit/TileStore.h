//===- TileStore.h - finishing and storing register tiles -------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_EMIT_TILESTORE_H
#define ONNXC_LOWERING_CPU_EMIT_TILESTORE_H

#include "lowering/cpu/emit/MicroKernel.h"

namespace onnxc::emit {

/// Turns a finished accumulator into what is stored. `accumulator` is a vector
/// of consecutive output columns or a scalar; `indices` are the coordinates of
/// its first element in the output. Where `mask` is set, only its lanes exist,
/// and memory outside must not be touched. The result has as many lanes, and
/// the output's element type or the accumulator's. Each output element is
/// finished exactly once, so that an operand read at the same coordinates may
/// share its memory with the output.
using Epilogue =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::Value accumulator,
                                   llvm::ArrayRef<mlir::OpFoldResult> indices, mlir::Value mask)>;

/// Where the elements of a tile go.
struct TileTarget {
  const Buffer &output;
  /// The output's coordinates of an element of the tile.
  llvm::function_ref<llvm::SmallVector<mlir::OpFoldResult>(mlir::OpFoldResult row,
                                                           mlir::OpFoldResult column)>
      coordinates;
  Epilogue epilogue; ///< may be null
  /// About how many operations the epilogue is for one vector.
  unsigned epilogueCost = 0;
  bool hasMaskedVectors = false;

  /// Whether the accumulators of a tile may be finished in straight code, right
  /// from registers. Otherwise they go through a scratch buffer, and one copy
  /// of the epilogue stands in a loop.
  bool isStraight(const RegisterTile &tile, mlir::OpFoldResult columns) const;
};

/// Finishes and stores a tile from registers; see `isStraight`.
void emitStoreTile(mlir::ImplicitLocOpBuilder &builder, const RegisterTile &tile,
                   mlir::ValueRange accumulators, mlir::OpFoldResult columns,
                   const TileTarget &target);

/// Finishes and stores `rows` x `columns` accumulators from a dense buffer
/// whose rows are `tile.columns()` long.
void emitStoreScratch(mlir::ImplicitLocOpBuilder &builder, const RegisterTile &tile,
                      mlir::Value scratch, mlir::OpFoldResult rows, mlir::OpFoldResult columns,
                      const TileTarget &target);

/// Accumulators to and from such a buffer; `row` is that of the tile.
void emitSaveTile(mlir::ImplicitLocOpBuilder &builder, const RegisterTile &tile,
                  mlir::ValueRange accumulators, mlir::Value scratch, unsigned rowLength);
llvm::SmallVector<mlir::Value> emitRestoreTile(mlir::ImplicitLocOpBuilder &builder,
                                               const RegisterTile &tile, mlir::Value scratch,
                                               unsigned rowLength);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_TILESTORE_H
