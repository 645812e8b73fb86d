//===- SinkTransposes.h - Moving transposes towards the results ----*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_TRANSFORMS_SINKTRANSPOSES_H
#define ONNXC_DIALECTS_ONNX_TRANSFORMS_SINKTRANSPOSES_H

#include "dialects/onnx/OnnxOps.h"
#include "mlir/IR/PatternMatch.h"

namespace onnxc::onnx {

/// The permutations from [N, C, spatial...] to [N, spatial..., C] and back.
llvm::SmallVector<int64_t> toChannelsLast(int64_t rank);
llvm::SmallVector<int64_t> toChannelsFirst(int64_t rank);

/// The type of a transposed tensor.
mlir::RankedTensorType transposedType(mlir::Type type, llvm::ArrayRef<int64_t> perm);
mlir::Value createTranspose(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                            llvm::ArrayRef<int64_t> perm);

/// Patterns `op(transpose(x)) -> transpose(op'(x))` for ops that can work on any
/// order of dims, and the cancellation of inverse transposes.
void populateSinkTransposePatterns(mlir::RewritePatternSet &patterns);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_TRANSFORMS_SINKTRANSPOSES_H
