//===- CheckOrder.h - Checks before what relies on them -------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_CHECKORDER_H
#define ONNXC_LOWERING_SUPPORT_CHECKORDER_H

#include "mlir/IR/Operation.h"

namespace onnxc {

/// A check that stands too late in its block.
struct LateCheck {
  mlir::Operation *check;
  /// The computation of the same origin that it could stand before.
  mlir::Operation *computation;
  /// What the check depends on between the two, in order: ops without effects, which
  /// can move with it.
  llvm::SmallVector<mlir::Operation *> dependencies;
};

/// The checks (`rt.check`, an `rt.call` without results) of a block that stand behind
/// a computation of the same onnx op (`getOrigin`), though what they look at is known
/// before it.
llvm::SmallVector<LateCheck> findLateChecks(mlir::Block &block);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_CHECKORDER_H
