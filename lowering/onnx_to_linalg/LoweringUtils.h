//===- LoweringUtils.h - What every lowering to linalg needs -------*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_LOWERINGUTILS_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_LOWERINGUTILS_H

#include "dialects/onnx/DimExpr.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/support/DimValues.h"
#include "lowering/support/NodeNames.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"

namespace onnxc {

/// The type after lowering: no encoding, signless integers.
mlir::Type lowerType(mlir::Type type);

/// A `tensor.empty` of an onnx tensor type's shape and lowered element type.
mlir::Value emptyTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type onnxType);
mlir::Value emptyTensor(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::ArrayRef<onnx::DimExpr> dims, mlir::Type elementType);
/// An empty tensor filled with a scalar.
mlir::Value filledTensor(mlir::OpBuilder &builder, mlir::Location loc,
                         llvm::ArrayRef<onnx::DimExpr> dims, mlir::Value scalar);
/// An `rt.reshape` of a lowered tensor to these dims.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                      llvm::ArrayRef<onnx::DimExpr> dims);

/// The type in which scalars of a storage type are computed: f32 for the small
/// floats, else the type itself.
mlir::Type computeType(mlir::Type elementType);

/// A lowered tensor with the dims of its onnx value.
struct SizedTensor {
  mlir::Value tensor;
  llvm::SmallVector<onnx::DimExpr> dims;
};

/// The lowered value of an onnx value; nothing for an operand that is left out.
SizedTensor sized(mlir::Value lowered, mlir::Value original);
/// What the elements of an onnx value are after the lowering.
mlir::Type elementTypeOf(mlir::Value tensor);
/// Whether an onnx value is there and has unsigned elements.
bool isUnsigned(mlir::Value value);

/// The tensor with other dims of as many elements: `reshapeTo`, or the tensor
/// itself when it has these dims.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc, const SizedTensor &tensor,
                      llvm::ArrayRef<onnx::DimExpr> dims);

/// Builds a scalar from scalars in their compute types.
using ScalarBodyBuilder =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// An element-wise `linalg.generic` over operands that broadcast to
/// `resultDims`, with run-time checks where only the run knows whether they do.
mlir::Value buildElementwise(mlir::OpBuilder &builder, mlir::Location loc,
                             llvm::ArrayRef<SizedTensor> operands,
                             llvm::ArrayRef<onnx::DimExpr> resultDims, mlir::Type resultElement,
                             ScalarBodyBuilder buildScalar);

/// The tensor broadcast to these dims, a copy; itself when it has them already.
mlir::Value broadcastTo(mlir::OpBuilder &builder, mlir::Location loc, const SizedTensor &tensor,
                        llvm::ArrayRef<onnx::DimExpr> dims);

/// A tensor of another float type, element by element; the tensor itself when
/// the types agree.
mlir::Value castElements(mlir::OpBuilder &builder, mlir::Location loc, const SizedTensor &tensor,
                         mlir::Type elementType);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_LOWERINGUTILS_H
