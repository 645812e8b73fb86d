//===- Tiling.h - how sizes fall into tiles and tasks -----------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_EMIT_TILING_H
#define ONNXC_LOWERING_CPU_EMIT_TILING_H

#include "lowering/cpu/emit/MicroKernel.h"

namespace onnxc::emit {

/// Folding index arithmetic at one place of the code.
struct SizeMath {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  using Index = mlir::OpFoldResult;
  Index of(int64_t value) { return builder.getIndexAttr(value); }
  Index add(Index a, Index b) { return addIndex(builder, loc, a, b); }
  Index sub(Index a, Index b) { return subIndex(builder, loc, a, b); }
  Index mul(Index a, Index b) { return mulIndex(builder, loc, a, b); }
  Index min(Index a, Index b) { return minIndex(builder, loc, a, b); }
  Index max(Index a, Index b) { return maxIndex(builder, loc, a, b); }
  /// Quotients of sizes that may be zero at run time.
  Index div(Index a, Index b) { return divIndex(builder, loc, a, max(b, of(1))); }
  Index ceilDiv(Index a, Index b) { return ceilDivIndex(builder, loc, a, max(b, of(1))); }
  Index rem(Index a, Index b) { return remIndex(builder, loc, a, max(b, of(1))); }
  /// `value` between one and `limit`; one for a limit of zero.
  Index clamp(Index value, Index limit) { return max(min(value, limit), of(1)); }
  /// The smallest share with which `total` needs no more parts than with
  /// `share`.
  Index balance(Index total, Index share) { return ceilDiv(total, ceilDiv(total, share)); }
};

/// How a dimension falls into tiles of at most some size: `bigTiles` of
/// `bigSize`, then either tiles that are one shorter (constant dimension), or
/// one shorter tile (dimension known at run time).
struct Tiling {
  mlir::OpFoldResult size, tiles, bigTiles;
  unsigned bigSize;
  mlir::OpFoldResult tailSize; ///< run-time dimension: of the shorter tile

  static Tiling compute(SizeMath math, mlir::OpFoldResult size, int64_t tileSize);

  /// Where a tile starts; for `tiles`, the end of the dimension.
  mlir::OpFoldResult start(SizeMath math, mlir::OpFoldResult tile) const;
};

/// Visits the tiles from `first` to `last`: `compute` with every size that a
/// tile may have, then `finish` once per place, so that what does not depend on
/// the size is not repeated.
void emitTiles(mlir::ImplicitLocOpBuilder &builder, const Tiling &tiling, mlir::OpFoldResult first,
               mlir::OpFoldResult last,
               llvm::function_ref<void(unsigned size, mlir::OpFoldResult start)> compute,
               llvm::function_ref<void(mlir::OpFoldResult size, mlir::OpFoldResult start)> finish);

/// The part of 0 ... `total` that belongs to number `position` of the parts.
struct Range {
  mlir::OpFoldResult first, last;
  static Range part(SizeMath math, mlir::OpFoldResult position, mlir::OpFoldResult share,
                    mlir::OpFoldResult total) {
    mlir::OpFoldResult first = math.mul(position, share);
    return {first, math.min(math.add(first, share), total)};
  }
};

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_TILING_H
