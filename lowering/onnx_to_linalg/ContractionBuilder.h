//===- ContractionBuilder.h - Sums of products over labelled dims --*- C++ -*-===//
//
// Every matrix product, and Einsum, is a sum of products of tensors whose dims
// carry labels: dims with the same label run together, and a label that the
// result lacks is summed over. Transposes are an order of labels and cost
// nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_CONTRACTIONBUILDER_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_CONTRACTIONBUILDER_H

#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "llvm/ADT/MapVector.h"

namespace onnxc {

/// A lowered tensor with a label for each dim.
struct LabelledTensor {
  mlir::Value tensor;
  llvm::SmallVector<int> labels;
};

/// The size of each label.
using LabelSizes = llvm::MapVector<int, onnx::DimExpr>;

/// How the elements of one operand enter the products.
struct FactorType {
  bool isUnsigned = false;
  /// Subtracted from each element; its labels are among the operand's.
  std::optional<LabelledTensor> zeroPoint;
  bool zeroPointUnsigned = false;
};

struct ContractionOperand {
  LabelledTensor value;
  FactorType type;
};

/// The type in which products of elements of this (lowered) type are summed:
/// f32 for small floats, i32 for small integers when `widenIntegers`.
mlir::Type accumulatorType(mlir::Type elementType, bool widenIntegers);

/// A factor as the accumulator's type, inside a body.
mlir::Value buildFactor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value element,
                        bool isUnsigned, mlir::Type accumulator);

/// acc + a * b.
mlir::Value buildMultiplyAdd(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a,
                             mlir::Value b, mlir::Value acc);

/// A zero of a float or integer type.
mlir::Value zeroOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

/// The sum of products, a tensor of the accumulator's type with its dims in the
/// order of `resultLabels`. Dims of size 1 that are labelled in one operand
/// only are dropped, and neighbouring dims that go together are merged into one,
/// so that `[b, s, k] x [k, n]` becomes one large matrix product.
mlir::Value buildContraction(mlir::OpBuilder &builder, mlir::Location loc,
                             llvm::ArrayRef<ContractionOperand> operands,
                             llvm::ArrayRef<int> resultLabels, LabelSizes sizes,
                             mlir::Type accumulator);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_CONTRACTIONBUILDER_H
