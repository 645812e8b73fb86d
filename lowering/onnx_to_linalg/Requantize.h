//===- Requantize.h - Results of quantised contractions --------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_REQUANTIZE_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_REQUANTIZE_H

#include "lowering/onnx_to_linalg/LoweringUtils.h"

namespace onnxc {

/// a * b / y of the three scales, a tensor of its own so that it is computed at
/// compile time when they are constants.
mlir::FailureOr<SizedTensor> requantizeMultiplier(mlir::OpBuilder &builder, mlir::Location loc,
                                                  const SizedTensor &a, const SizedTensor &b,
                                                  const SizedTensor &y);

/// round_half_even(accumulator * multiplier) + zero point, saturated to the
/// (onnx) element type.
mlir::Value requantize(mlir::OpBuilder &builder, mlir::Location loc, const SizedTensor &accumulator,
                       const SizedTensor &multiplier, const SizedTensor &zeroPoint,
                       llvm::ArrayRef<onnx::DimExpr> dims, mlir::Type onnxElement);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_REQUANTIZE_H
