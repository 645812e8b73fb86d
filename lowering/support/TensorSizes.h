//===- TensorSizes.h - The sizes of a tensor as index values --------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_TENSORSIZES_H
#define ONNXC_LOWERING_SUPPORT_TENSORSIZES_H

#include "dialects/onnx/DimExpr.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

namespace onnxc {

/// The sizes of a tensor after the linalg stage: constants, or the index values
/// that its defining op was built with, on the host `rt.symbol` ops, in kernels their
/// arguments. From linalg on every dynamic tensor is
/// written into a `tensor.empty`, or passes an `rt.reshape` that states its
/// sizes. Returns failure (without a message) where nothing states them.
mlir::FailureOr<llvm::SmallVector<mlir::OpFoldResult>> getTensorSizes(mlir::Value tensor);

/// The size of each loop of a linalg op, from its operands' sizes.
mlir::FailureOr<llvm::SmallVector<mlir::OpFoldResult>> getLoopSizes(mlir::linalg::LinalgOp op);

/// The expression that a size stands for: of a constant or an `rt.symbol`; null for any
/// other value.
onnx::DimExpr getDim(mlir::MLIRContext *context, mlir::OpFoldResult size);

/// The same as expressions, before the kernels are outlined: equal ones are equal
/// sizes. Failure also where a size is no `rt.symbol`.
mlir::FailureOr<llvm::SmallVector<onnx::DimExpr>> getTensorDims(mlir::Value tensor);
mlir::FailureOr<llvm::SmallVector<onnx::DimExpr>> getLoopDims(mlir::linalg::LinalgOp op);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_TENSORSIZES_H
