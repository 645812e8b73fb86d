//===- ResizeShape.h - Sizes and scales of Resize ------------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_RESIZESHAPE_H
#define ONNXC_DIALECTS_ONNX_RESIZESHAPE_H

#include "dialects/onnx/WindowShape.h"

namespace onnxc::onnx {

/// One dim of a Resize, counted as [N, C, spatial...].
struct ResizeAxis {
  DimExpr input, output;
  /// The scale when it is a number; else it is output / input.
  std::optional<double> scale;
  /// The place of the dim in `roi`'s starts; the ends follow `roiCount` later.
  std::optional<int64_t> roiIndex;
  /// Whether the dim is among those that are resized.
  bool resized = false;
};

/// What Resize's operands say. Reports scales or sizes that are not known at
/// compile time, and attributes that are none of ONNX's.
mlir::FailureOr<llvm::SmallVector<ResizeAxis>>
resolveResize(std::optional<mlir::Location> location, mlir::Type data, mlir::Value scales,
              mlir::Value sizes, OptionalInts axes, llvm::StringRef aspectPolicy,
              bool channelsLast);

template <typename Op>
mlir::FailureOr<llvm::SmallVector<ResizeAxis>> readResize(std::optional<mlir::Location> location,
                                                          Op op) {
  return resolveResize(location, op.getX().getType(), op.getScales(), op.getSizes(), op.getAxes(),
                       op.getKeepAspectRatioPolicy(), op.getChannelsLast());
}

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_RESIZESHAPE_H
