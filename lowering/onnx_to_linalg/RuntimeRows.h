//===- RuntimeRows.h - Rows along axes that only the run knows -----*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_RUNTIMEROWS_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_RUNTIMEROWS_H

#include "dialects/onnx/Scalar.h"
#include "lowering/onnx_to_linalg/Generics.h"

namespace onnxc {

/// The interface of RowLoops for reductions whose axes are a run-time tensor. The
/// loops are doubled: dim d of the data has an outer loop, of size 1 where d is
/// reduced, and a loop in the row, of size 1 where it is not. One of the two
/// indices is always 0, so that their sum is the data's index.
class RuntimeRows {
public:
  RuntimeRows(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<onnx::DimExpr> dims,
              mlir::Value axes);

  mlir::Value reduce(mlir::Value neutral, mlir::Value full, llvm::ArrayRef<mlir::Value> rows,
                     ScalarBodyBuilder body) const;
  mlir::Value mapRows(mlir::Type elementType, llvm::ArrayRef<mlir::Value> rows,
                      ScalarBodyBuilder body) const;
  onnx::Scalar rowSize(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type) const;

  /// The result's sizes: those of the outer loops, without the reduced dims
  /// unless they are kept.
  llvm::SmallVector<mlir::Value> resultSizes(bool keepDims) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  unsigned rank, axisCount;
  /// Whether each dim is reduced, as i1; the data's sizes.
  llvm::SmallVector<mlir::Value> isReduced, sizes, outerSizes;
  llvm::SmallVector<onnx::DimExpr> outer, inner;
  mlir::Value count;
};

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_RUNTIMEROWS_H
