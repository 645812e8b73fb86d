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

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_GENERICBODIES_H
