//===- Contractions.h - Sums of products among the generics ---------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_CONTRACTIONS_H
#define ONNXC_LOWERING_SUPPORT_CONTRACTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace onnxc {

/// C[batch..., M, N] += A[batch..., M, K] * B[batch..., K, N] in the loops of a
/// linalg.generic. A loop that only one operand and the result have beyond M and
/// N counts as a batch loop, which the other operand does not move along.
struct MatchedContraction {
  unsigned a, b; ///< numbers of the operands
  llvm::SmallVector<unsigned> batch;
  std::optional<unsigned> m; ///< nothing: one row
  unsigned n, k;
};

/// A convolution on channels-last data that is already padded.
struct MatchedConvolution {
  unsigned image;
  llvm::SmallVector<unsigned> pixels, taps;
  std::optional<unsigned> group, outputChannel, inputChannel;
  llvm::SmallVector<int64_t> strides, dilations;

  /// One input and one output channel per group.
  bool isDepthwise() const { return group && !outputChannel && !inputChannel; }
};

/// Whether the body is out + a * b (operands possibly widened) on floats, with
/// two inputs, and the result starts from zero.
bool isSumOfProducts(mlir::linalg::GenericOp op);

std::optional<MatchedContraction> matchContraction(mlir::linalg::GenericOp op);
std::optional<MatchedConvolution> matchConvolution(mlir::linalg::GenericOp op);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_CONTRACTIONS_H
