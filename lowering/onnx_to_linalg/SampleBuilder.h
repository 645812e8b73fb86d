//===- SampleBuilder.h - Reading tensors between their elements ----*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_SAMPLEBUILDER_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_SAMPLEBUILDER_H

#include "dialects/onnx/Scalar.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"

namespace onnxc {

/// One element that a sample reads along a dim.
struct SampleTap {
  /// The element's index, within the tensor.
  mlir::Value index;
  /// What it counts for; null for 1.
  mlir::Value weight;
  /// Whether the element stands for itself; where not, it counts as zero. Null
  /// for always.
  mlir::Value inside;
};

/// A sample along one dim: a weighted sum of its taps.
struct SampledDim {
  unsigned dim;
  llvm::SmallVector<SampleTap> taps;
};

/// The weighted sum over the taps of all sampled dims, at `indices` along the
/// others, in the type of the weights (of the element without weights).
mlir::Value buildSample(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                        llvm::SmallVector<mlir::Value> indices, llvm::ArrayRef<SampledDim> sampled,
                        mlir::Type weightType, bool isUnsigned);

/// A whole float as an index within [0, size - 1], 0 in an empty axis; NaN gives 0.
/// The size is an index because f32 does not hold every large one.
mlir::Value toIndex(onnx::Scalar position, mlir::Value size);
/// Whether a whole float is in [0, size - 1].
onnx::Scalar isInside(onnx::Scalar position, onnx::Scalar size);
/// An index value as a float of `like`'s type.
onnx::Scalar toFloat(onnx::Scalar like, mlir::Value index);

/// Weights of the cubic convolution for a distance from the sample.
onnx::Scalar cubicWeight(onnx::Scalar distance, double a);

/// The taps at floor(x) and behind it, counting as zero outside the tensor.
llvm::SmallVector<SampleTap> linearTaps(onnx::Scalar x, mlir::Value size);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_SAMPLEBUILDER_H
