//===- RuntimeCalls.h - Calls of the runtime's C functions ---------*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_RUNTIMECALLS_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_RUNTIMECALLS_H

#include "lowering/onnx_to_linalg/LoweringUtils.h"

namespace onnxc {

/// ONNXC_RT_ADD and so on for a reduction attribute ("none", "add" ...).
int64_t reductionCode(llvm::StringRef reduction);

/// Calls `callee`, which writes into `inits`; returns the results.
llvm::SmallVector<mlir::Value>
callRuntime(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef callee,
            llvm::ArrayRef<mlir::Value> inputs, llvm::ArrayRef<mlir::Value> inits,
            llvm::ArrayRef<int64_t> parameters, llvm::ArrayRef<mlir::Value> dynamicParameters = {});

/// Allowed values of the indices in one column, both included.
struct IndexRange {
  mlir::Value low, high;
};
/// Checks that element i of an integer tensor is in `ranges[i % ranges.size()]`:
/// at compile time as far as the elements are known. Elements equal to `ignored` are
/// not looked at.
void checkIndices(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value original,
                  mlir::Value lowered, llvm::ArrayRef<IndexRange> ranges,
                  std::optional<int64_t> ignored = std::nullopt);
/// Checks that no element of an integer tensor is 0: at compile time when the
/// elements are known, else with one more pass over the divisors.
void checkDivisors(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value original,
                   mlir::Value lowered);
/// The range [-size, size) of an index that may count from the back.
IndexRange rangeOfAxis(mlir::OpBuilder &builder, mlir::Location loc, onnx::DimExpr size);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_RUNTIMECALLS_H
