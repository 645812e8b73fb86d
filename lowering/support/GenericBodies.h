//===- GenericBodies.h - What the body of a linalg.generic does -----*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_GENERICBODIES_H
#define ONNXC_LOWERING_SUPPORT_GENERICBODIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace onnxc {

/// The op that combines the accumulator of output `i` with the rest of the
/// body, when it is one that can be reordered; null otherwise.
mlir::Operation *findCombiner(mlir::linalg::GenericOp op, unsigned i);

/// Whether the body asks where it is: its loops can neither merge nor change
/// places.
bool usesLoopIndex(mlir::linalg::GenericOp op);

/// Whether an op can be emitted behind a product, tile by tile: element-wise on results
/// of the same kernel (`isMember`), every other operand contiguous or constant along its
/// last dim (a tail is read under a mask), its own result in whole bytes, as tiles of
/// neighbouring tasks would meet within a byte.
bool isEpilogue(mlir::linalg::GenericOp op, llvm::function_ref<bool(mlir::Value)> isMember);

/// The ops of a body that compute a value of it, in order.
llvm::SmallVector<mlir::Operation *> findSlice(mlir::Value value, mlir::Block &body);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_GENERICBODIES_H
