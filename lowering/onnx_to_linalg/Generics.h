//===- Generics.h - Building linalg.generic ops --------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_GENERICS_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_GENERICS_H

#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"

namespace onnxc {

/// A lowered tensor and how a loop nest reads it.
struct GenericInput {
  mlir::Value tensor;
  mlir::AffineMap map;
};

/// A generic with parallel loops over `dims` whose result, of this lowered
/// element type, has exactly these dims.
mlir::Value buildMap(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::ArrayRef<onnx::DimExpr> dims, mlir::Type elementType,
                     llvm::ArrayRef<GenericInput> inputs, ScalarBodyBuilder body);

/// A generic over `dims` that reduces the loops in `reduced`; the result, of
/// `neutral`'s type, has the other dims. The last argument of `body` is the
/// value so far.
mlir::Value buildReduction(mlir::OpBuilder &builder, mlir::Location loc,
                           llvm::ArrayRef<onnx::DimExpr> dims,
                           const llvm::SmallBitVector &reduced, mlir::Value neutral,
                           llvm::ArrayRef<GenericInput> inputs, ScalarBodyBuilder body);

/// The map of a tensor that has all the loops, or all but the dropped ones.
mlir::AffineMap identityMap(mlir::MLIRContext *context, unsigned rank);
mlir::AffineMap droppingMap(mlir::MLIRContext *context, unsigned rank,
                            const llvm::SmallBitVector &dropped);
/// The map of a tensor with numpy broadcasting whose dims are known to fit:
/// the last loops, index 0 where its size is 1 and the loop's is not.
mlir::AffineMap broadcastMap(mlir::MLIRContext *context, llvm::ArrayRef<onnx::DimExpr> dims,
                             llvm::ArrayRef<onnx::DimExpr> loops);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_GENERICS_H
