//===- EinsumEquation.h - Einsum's equation, taken apart -----------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_EINSUMEQUATION_H
#define ONNXC_DIALECTS_ONNX_EINSUMEQUATION_H

#include "dialects/onnx/OnnxShapes.h"
#include "llvm/ADT/MapVector.h"

namespace onnxc::onnx {

/// The labels of each operand's dims and of the result's. A letter is its
/// character code; the dims of an ellipsis are negative, -1 the last one.
struct EinsumEquation {
  llvm::SmallVector<llvm::SmallVector<int>> operands;
  llvm::SmallVector<int> result;
  /// The size of each label: that of the dims that are not 1.
  llvm::MapVector<int, DimExpr> sizes;
};

/// Takes the equation apart for operands of these types; reports an equation
/// that is malformed or does not fit.
mlir::FailureOr<EinsumEquation> parseEinsum(std::optional<mlir::Location> location,
                                            llvm::StringRef equation, mlir::TypeRange operands);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_EINSUMEQUATION_H
