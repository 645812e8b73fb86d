//===- Gemm.h - contractions ------------------------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_EMIT_GEMM_H
#define ONNXC_LOWERING_CPU_EMIT_GEMM_H

#include "dialects/rt/RtDialect.h"
#include "lowering/cpu/emit/TileStore.h"

namespace onnxc::emit {

/// C[batch..., M, N] = epilogue(A[batch..., M, K] x B[batch..., K, N]).
/// Every size is a constant or an index value. A batch dimension that an
/// operand lacks has stride 0 in its buffer.
struct GemmProblem {
  llvm::SmallVector<mlir::OpFoldResult> batch;
  mlir::OpFoldResult m, n, k;
  Buffer a; ///< [batch..., M, K], any strides
  /// [batch..., K, N], any strides; packed: [batch..., ceil(N / nr), K, nr], or
  /// [batch..., ceil(N / nr), ceil(K / step), nr, step] where the product takes several
  /// steps of K
  Buffer b;
  Buffer c; ///< [batch..., M, N]; fast when the stride of N is the constant 1
  mlir::Type accumulatorType;
  bool aUnsigned = false; ///< integers only
  bool bUnsigned = false;
  /// Makes the factor from B; its coordinates are [batch..., depth, column]. B is packed
  /// then, its sizes are constants, and each task computes a panel once. May be null.
  Prologue prologueB;
};

/// What operands the strategy is for, where these are others; else nothing.
std::optional<llvm::StringRef> findMismatch(const GemmProblem &problem, rt::GemmAttr strategy,
                                            rt::CpuAttr target);

/// The number of tasks. It depends on nothing but the sizes.
mlir::OpFoldResult emitGemmTaskCount(mlir::OpBuilder &builder, mlir::Location loc,
                                     const GemmProblem &problem, rt::GemmAttr strategy);

/// Computes the part of C that belongs to `task` (an index value). The
/// epilogue's coordinates are those of C: [batch..., row, column].
void emitGemm(mlir::OpBuilder &builder, mlir::Location loc, const GemmProblem &problem,
              rt::GemmAttr strategy, rt::CpuAttr target, mlir::OpFoldResult task,
              Epilogue epilogue = nullptr, unsigned epilogueCost = 0);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_GEMM_H
