//===- GroupStrategy.h - Strategies of groups without an anchor ------*- C++ -*-===//
#ifndef ONNXC_LOWERING_KERNELS_GROUPSTRATEGY_H
#define ONNXC_LOWERING_KERNELS_GROUPSTRATEGY_H

#include "dialects/rt/RtDialect.h"

namespace onnxc {

/// What the target chooses for an `rt.concat`, or for loops whose first `rows` all
/// ops share. `isStored` says whether the kernel returns a result. On failure an
/// error has been emitted.
mlir::FailureOr<rt::StrategyAttr> chooseStrategy(rt::TargetAttr target,
                                                 llvm::ArrayRef<mlir::Operation *> ops,
                                                 unsigned rows,
                                                 llvm::function_ref<bool(mlir::Value)> isStored);

/// Gives a group without an anchor to another target, which chooses anew. On failure
/// an error has been emitted.
mlir::LogicalResult retarget(rt::GroupOp group, rt::TargetAttr target);

} // namespace onnxc

#endif // ONNXC_LOWERING_KERNELS_GROUPSTRATEGY_H
