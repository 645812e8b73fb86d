//===- BodyCost.h - How much code a body becomes --------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_BODYCOST_H
#define ONNXC_LOWERING_SUPPORT_BODYCOST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace onnxc {

/// Whether an op of a body costs as much as several loads when it is computed again.
bool isExpensive(mlir::Operation &op);

/// About how many instructions on vectors the body of an op becomes: one for most ops,
/// dozens for a function of the math dialect.
int64_t getBodyCost(mlir::linalg::GenericOp op);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_BODYCOST_H
