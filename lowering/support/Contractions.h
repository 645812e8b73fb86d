//===- Contractions.h - Sums of products among the generics ---------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_CONTRACTIONS_H
#define ONNXC_LOWERING_SUPPORT_CONTRACTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace onnxc {

/// One of the two things that a sum of products multiplies.
struct Factor {
  unsigned operand = 0;    ///< number of the generic's operand
  mlir::Type storage;      ///< of its elements in memory; the body widens them
  bool isUnsigned = false; ///< integers only: widened by zeros
  /// Subtracted from each element: the number of an operand with a map of its own.
  std::optional<unsigned> zeroPoint;
  bool zeroPointUnsigned = false;
  /// The prologue: what is multiplied, a value of the body, where that is computed from
  /// the element and further inputs (`(q - z) * s`), which move along no other loops than
  /// the element; null where the element itself is multiplied. Floats only.
  mlir::Value prologue;
};

/// out + a * b. The first factor has the lower operand number.
struct SumOfProducts {
  Factor factors[2];
  mlir::Type sum; ///< of the products and their sum

  bool hasZeroPoints() const { return factors[0].zeroPoint || factors[1].zeroPoint; }
  bool hasPrologue() const { return factors[0].prologue || factors[1].prologue; }
};

/// The body as out + a * b on floats, or on integers of 32 or 64 bits, where each
/// factor is an input, possibly widened, possibly less a zero point, or computed from
/// inputs of its own; the result starts from zero.
std::optional<SumOfProducts> matchSumOfProducts(mlir::linalg::GenericOp op);

/// C[batch..., M, N] += A[batch..., M, K] * B[batch..., K, N] in the loops of a
/// linalg.generic. A loop that only one operand and the result have beyond M and
/// N counts as a batch loop, which the other operand does not move along.
struct MatchedContraction {
  Factor a, b;
  mlir::Type sum;
  llvm::SmallVector<unsigned> batch;
  std::optional<unsigned> m; ///< nothing: one row
  unsigned n, k;
};

/// A convolution on channels-last data that is already padded.
struct MatchedConvolution {
  Factor data, weights;
  mlir::Type sum;
  unsigned image;
  llvm::SmallVector<unsigned> pixels, taps;
  std::optional<unsigned> group, outputChannel, inputChannel;
  llvm::SmallVector<int64_t> strides, dilations;

  /// One input and one output channel per group.
  bool isDepthwise() const { return group && !outputChannel && !inputChannel; }
};

/// Whether it is one without zero points, which `onnxc-split-zero-points` splits
/// off, and without prologues: what may have a strategy as a contraction or convolution
/// as it is.
bool isSumOfProducts(mlir::linalg::GenericOp op);

// Both match with zero points as well as without, and with a prologue of the factor that
// is packed: B, and the weights of a dense convolution.
std::optional<MatchedContraction> matchContraction(mlir::linalg::GenericOp op);
std::optional<MatchedConvolution> matchConvolution(mlir::linalg::GenericOp op);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_CONTRACTIONS_H
