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
                           llvm::ArrayRef<onnx::DimExpr> dims, const llvm::SmallBitVector &reduced,
                           mlir::Value neutral, llvm::ArrayRef<GenericInput> inputs,
                           ScalarBodyBuilder body);

/// The map of a tensor that has all the loops, or all but the dropped ones.
mlir::AffineMap identityMap(mlir::MLIRContext *context, unsigned rank);
mlir::AffineMap droppingMap(mlir::MLIRContext *context, unsigned rank,
                            const llvm::SmallBitVector &dropped);
/// A tensor that broadcasts to the loops, or one with an element for each index
/// of a loop. Sizes that may not fit are checked at run time.
GenericInput broadcastInput(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                            llvm::ArrayRef<onnx::DimExpr> dims,
                            llvm::ArrayRef<onnx::DimExpr> loops);
GenericInput perIndexInput(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                           onnx::DimExpr size, llvm::ArrayRef<onnx::DimExpr> loops, unsigned loop);
} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_GENERICS_H
