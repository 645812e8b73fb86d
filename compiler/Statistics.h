//===- Statistics.h - What a compiled model consists of -------------*- C++ -*-===//
#ifndef ONNXC_COMPILER_STATISTICS_H
#define ONNXC_COMPILER_STATISTICS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace onnxc {

/// Prints, one `name: value` a line, the kernels and calls of a module in the llvm
/// dialect, the bytes of its weights, and its memory plan: the workspace, and the
/// largest set of intermediate tensors that the sequence of kernels keeps alive at
/// once, which no plan can undercut. Both are known when all dims are.
void printStatistics(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace onnxc

#endif // ONNXC_COMPILER_STATISTICS_H
