//===- PackOperand.h - Packing as an op of its own ------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_KERNELS_PACKOPERAND_H
#define ONNXC_LOWERING_KERNELS_PACKOPERAND_H

#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace onnxc {

/// The dims of an operand in the order in which they are packed.
struct PackedDims {
  llvm::SmallVector<unsigned> leading, outerDepth;
  /// Walked as one depth; their sizes are constants where the layout has steps.
  llvm::SmallVector<unsigned> depth;
  unsigned columns; ///< of constant size
};

/// Replaces an operand by an `rt.packed` view of its packed form, which an op in front
/// of `op` makes: [leading..., ceil(N / nr), depth..., nr], or with steps
/// [leading..., ceil(N / nr), outerDepth..., ceil(K / step), nr, step].
void packOperand(mlir::linalg::GenericOp op, unsigned operand, const PackedDims &dims,
                 const rt::PanelLayout &layout);

} // namespace onnxc

#endif // ONNXC_LOWERING_KERNELS_PACKOPERAND_H
