//===- ResizeShape.h - Sizes and scales of Resize ------------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_RESIZESHAPE_H
#define ONNXC_DIALECTS_ONNX_RESIZESHAPE_H

#include "dialects/onnx/WindowShape.h"

namespace onnxc::onnx {

/// One dim of a Resize, counted as [N, C, spatial...].
struct ResizeAxis {
  DimExpr input, output;
  /// The scale when it is a number.
  std::optional<double> scale;
  /// The place of the dim in `scales`, `sizes` and the starts of `roi`.
  int64_t index = -1;
  /// Whether the dim is among those that are resized.
  bool resized = false;
};

/// Whether an operand is given: older exporters write an empty tensor for none.
bool isGivenOperand(mlir::Value value);

/// What Resize's operands say. Outputs that only the run knows are empty.
mlir::FailureOr<llvm::SmallVector<ResizeAxis>> resolveResize(std::optional<mlir::Location> location,
                                                             mlir::Type data, mlir::Value scales,
                                                             mlir::Value sizes, OptionalInts axes,
                                                             llvm::StringRef aspectPolicy,
                                                             bool channelsLast);

template <typename Op>
mlir::FailureOr<llvm::SmallVector<ResizeAxis>> readResize(std::optional<mlir::Location> location,
                                                          Op op) {
  return resolveResize(location, op.getX().getType(), op.getScales(), op.getSizes(), op.getAxes(),
                       op.getKeepAspectRatioPolicy(), op.getChannelsLast());
}

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_RESIZESHAPE_H
