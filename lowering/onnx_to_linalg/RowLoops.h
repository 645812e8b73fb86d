//===- RowLoops.h - Loop nests that share their rows ---------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_ROWLOOPS_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_ROWLOOPS_H

#include "dialects/onnx/Scalar.h"
#include "lowering/onnx_to_linalg/Generics.h"

namespace onnxc {

/// Builds the generics of an op such as Softmax: loops over the dims of a *full*
/// tensor, where some dims lie inside a *row*. A row tensor has one element for
/// each row: the dims outside, in order.
class RowLoops {
public:
  RowLoops(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<onnx::DimExpr> dims,
           llvm::SmallBitVector insideRow)
      : builder(builder), loc(loc), dims(dims), insideRow(std::move(insideRow)) {}

  /// One row tensor from the elements of full tensors. `body` gets the elements
  /// of `full`, then of `rows`, then the value so far.
  mlir::Value reduce(mlir::Value neutral, llvm::ArrayRef<mlir::Value> full,
                     llvm::ArrayRef<mlir::Value> rows, ScalarBodyBuilder body) const;
  /// One row tensor from others.
  mlir::Value mapRows(mlir::Type elementType, llvm::ArrayRef<mlir::Value> rows,
                      ScalarBodyBuilder body) const;
  /// One full tensor from full tensors, row tensors and others, in that order.
  mlir::Value map(mlir::Type elementType, llvm::ArrayRef<mlir::Value> full,
                  llvm::ArrayRef<mlir::Value> rows, llvm::ArrayRef<GenericInput> others,
                  ScalarBodyBuilder body) const;

  /// The number of elements in a row, as a scalar of a float or integer type;
  /// 1 for an empty row, whose mean is 0 as in onnxruntime.
  onnx::Scalar rowSize(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type) const;
  llvm::SmallVector<onnx::DimExpr> rowDims() const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<onnx::DimExpr> dims;
  llvm::SmallBitVector insideRow;
};

/// A constant zero of a type, from which other constants are made.
onnx::Scalar zeroScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                        bool isUnsigned = false);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_ROWLOOPS_H
