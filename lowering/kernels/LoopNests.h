//===- LoopNests.h - How kernels of loops are walked ----------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_KERNELS_LOOPNESTS_H
#define ONNXC_LOWERING_KERNELS_LOOPNESTS_H

#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace onnxc {

/// Decides how the ops of a kernel are walked: rows, order of the loops, the
/// vectorised one. `rows` are the leading loops that several ops share; one op
/// alone chooses its rows itself. `isStored` says whether the kernel returns a
/// result; others stay inside.
rt::LoopsAttr chooseLoops(rt::TargetAttr target, llvm::ArrayRef<mlir::linalg::GenericOp> ops,
                          unsigned rows, llvm::function_ref<bool(mlir::Value)> isStored);

/// The op that combines the accumulator of output `i` with the rest of the
/// body, when it is one that can be reordered; null otherwise.
mlir::Operation *findCombiner(mlir::linalg::GenericOp op, unsigned i);

/// Whether the body asks where it is: its loops can neither merge nor change
/// places.
bool usesLoopIndex(mlir::linalg::GenericOp op);

} // namespace onnxc

#endif // ONNXC_LOWERING_KERNELS_LOOPNESTS_H
