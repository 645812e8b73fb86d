//===- WindowBuilder.h - What convolutions and pools share ---------*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_WINDOWBUILDER_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_WINDOWBUILDER_H

#include "dialects/onnx/WindowShape.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"

namespace onnxc {

/// Builds a scalar inside the body of a generic.
using ScalarSource = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location)>;

/// The position of the first spatial dim of an image.
inline unsigned firstSpatialDim(bool channelsLast) { return channelsLast ? 1 : 2; }

/// The image with `padding` around it, so that no window of the axes leaves it.
/// A copy, or the image itself when no window does. Negative pads crop.
SizedTensor padImage(mlir::OpBuilder &builder, mlir::Location loc, const SizedTensor &image,
                     llvm::ArrayRef<onnx::WindowAxis> axes, bool channelsLast,
                     ScalarSource padding);

/// The input index of a window's tap: output * stride + tap * dilation.
mlir::AffineExpr windowExpr(mlir::AffineExpr output, mlir::AffineExpr tap,
                            const onnx::WindowAxis &axis);

/// A copy with its dims in the order of `perm`; a free view when that moves dims
/// of size 1 only.
SizedTensor permuteTensor(mlir::OpBuilder &builder, mlir::Location loc, const SizedTensor &tensor,
                          llvm::ArrayRef<int64_t> perm);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_WINDOWBUILDER_H
