//===- ColumnDots.h - dot products with contiguous columns ------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_EMIT_COLUMNDOTS_H
#define ONNXC_LOWERING_CPU_EMIT_COLUMNDOTS_H

#include "lowering/cpu/emit/MicroKernel.h"

namespace onnxc::emit {

/// One row of A times some columns of B, both contiguous along the depth: for
/// few rows, where a transposition of B would cost more than the products.
struct ColumnDots {
  mlir::Value row; ///< of A, at depth 0
  mlir::Type rowType;
  Buffer b; ///< [K, N] at depth 0 and the first column; stride of K is 1
  mlir::OpFoldResult depth;
  mlir::OpFoldResult columns; ///< at least one; `lanes` at most
  unsigned lanes;
  mlir::Type accumulatorType;
  bool hasMaskedVectors = false;
  bool aUnsigned = false;
  bool bUnsigned = false;
};

/// A vector with the product of each column; lanes from `columns` on hold
/// anything.
mlir::Value emitColumnDots(mlir::ImplicitLocOpBuilder &builder, const ColumnDots &dots);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_COLUMNDOTS_H
