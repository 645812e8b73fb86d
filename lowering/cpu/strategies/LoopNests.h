//===- LoopNests.h - How kernels of loops are walked ----------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_STRATEGIES_LOOPNESTS_H
#define ONNXC_LOWERING_CPU_STRATEGIES_LOOPNESTS_H

#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace onnxc::cpu {

/// Decides how the ops of a kernel are walked: rows, order of the loops, the
/// vectorised one. The arguments are those of the target's method of this name.
rt::LoopsAttr chooseLoops(rt::CpuAttr target, llvm::ArrayRef<mlir::linalg::GenericOp> ops,
                          unsigned rows, llvm::function_ref<bool(mlir::Value)> isStored);

} // namespace onnxc::cpu

#endif // ONNXC_LOWERING_CPU_STRATEGIES_LOOPNESTS_H
