//===- Pack.h - copying operands into the layout a tile reads ---*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_EMIT_PACK_H
#define ONNXC_LOWERING_CPU_EMIT_PACK_H

#include "lowering/cpu/emit/MicroKernel.h"

namespace onnxc::emit {

/// A panel of B to be packed: `depth` x `columns` elements of `source`, a
/// [K, N] buffer whose origin is the panel's first element.
struct PanelPacking {
  Buffer source;
  mlir::OpFoldResult depth;
  mlir::OpFoldResult columns; ///< at least one
  /// [depth][nr] of `type`; with a `step` above 1 [ceil(depth / step)][nr][step] of the
  /// source's type, integers.
  mlir::Value destination;
  mlir::Type type;
  int64_t nr;
  unsigned lanes;
  unsigned step = 1;
  bool isUnsigned = false;

  /// Elements to allocate for up to `depth` rows: transposing writes whole
  /// squares of lanes.
  static int64_t elements(int64_t depth, int64_t nr, unsigned lanes, unsigned step) {
    return llvm::alignTo(depth, step == 1 ? lanes : step) * nr;
  }
};

/// Packs a panel and, unless it interleaves steps of the depth, widens its elements.
/// Columns from `columns` to `nr` hold anything; a last step is padded with zeros. Rows
/// of B or columns of B that are contiguous are moved by vectors, columns through a
/// transposition in registers.
void emitPackPanel(mlir::ImplicitLocOpBuilder &builder, const PanelPacking &packing);

/// Transposes a square of as many vectors as they have lanes.
llvm::SmallVector<mlir::Value> emitTranspose(mlir::ImplicitLocOpBuilder &builder,
                                             mlir::ValueRange rows);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_PACK_H
