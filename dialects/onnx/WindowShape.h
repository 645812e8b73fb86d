//===- WindowShape.h - Geometry of convolutions and pools ----------*- C++ -*-===//
//
// Shape rules and lowerings both need the sizes, strides and pads of a sliding
// window; they are worked out here, from the attributes, and nowhere else.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_DIALECTS_ONNX_WINDOWSHAPE_H
#define ONNXC_DIALECTS_ONNX_WINDOWSHAPE_H

#include "dialects/onnx/OnnxShapes.h"

namespace onnxc::onnx {

using OptionalInts = std::optional<llvm::ArrayRef<int64_t>>;

/// The attributes of a sliding window as ONNX states them.
struct WindowAttributes {
  llvm::StringRef autoPad = "NOTSET";
  OptionalInts dilations, pads, strides;
  bool ceilMode = false;
};

/// Reads them from an op or its adaptor.
template <typename Op> WindowAttributes readWindow(Op op) {
  return {op.getAutoPad(), op.getDilations(), op.getPads(), op.getStrides(), false};
}

/// One spatial axis of a sliding window.
struct WindowAxis {
  DimExpr input, output, kernel;
  int64_t stride = 1, dilation = 1;
  /// The pads of the operator. Windows may reach beyond `padEnd` in ceil mode.
  DimExpr padBegin, padEnd;

  /// (kernel - 1) * dilation + 1.
  DimExpr extent() const;
  /// How many elements beyond the input's end the last window reaches, at least
  /// 0: what must be padded so that no window leaves the tensor.
  DimExpr reachBeyondEnd() const;
};

/// The axes of a convolution or pool on inputs of these spatial sizes.
mlir::FailureOr<llvm::SmallVector<WindowAxis>> resolveWindow(std::optional<mlir::Location> location,
                                                             llvm::ArrayRef<DimExpr> inputs,
                                                             llvm::ArrayRef<DimExpr> kernel,
                                                             const WindowAttributes &attributes);

/// The axes of a transposed convolution: `output` is the larger side.
mlir::FailureOr<llvm::SmallVector<WindowAxis>>
resolveTransposedWindow(std::optional<mlir::Location> location, llvm::ArrayRef<DimExpr> inputs,
                        llvm::ArrayRef<DimExpr> kernel, const WindowAttributes &attributes,
                        OptionalInts outputPadding, OptionalInts outputShape);

/// An image's dims by meaning, in either layout.
struct ImageDims {
  DimExpr batch, channels;
  llvm::SmallVector<DimExpr> spatial;
};
mlir::FailureOr<ImageDims> readImage(std::optional<mlir::Location> location, mlir::Type type,
                                     bool channelsLast);
/// The dims in the order of the layout.
llvm::SmallVector<DimExpr> imageDims(const ImageDims &image, bool channelsLast);

/// What a convolution's attributes and operand types say.
struct ConvolutionShape {
  ImageDims input;
  DimExpr outputChannels;
  int64_t group = 1;
  llvm::SmallVector<WindowAxis> axes;

  llvm::SmallVector<DimExpr> outputDims(bool channelsLast) const;
};
/// Works for Conv, ConvInteger and QLinearConv, with the data and weights given.
mlir::FailureOr<ConvolutionShape> resolveConvolution(std::optional<mlir::Location> location,
                                                     mlir::Type data, mlir::Type weights,
                                                     const WindowAttributes &attributes,
                                                     OptionalInts kernelShape, int64_t group,
                                                     bool channelsLast);
template <typename Op>
mlir::FailureOr<ConvolutionShape> readConvolution(std::optional<mlir::Location> location, Op op,
                                                  mlir::Value data, mlir::Value weights) {
  return resolveConvolution(location, data.getType(), weights.getType(), readWindow(op),
                            op.getKernelShape(), op.getGroup(), op.getChannelsLast());
}

/// The same for DeformConv, which knows no auto_pad and no other layout.
template <typename Op>
mlir::FailureOr<ConvolutionShape> readDeformConvolution(std::optional<mlir::Location> location,
                                                        Op op) {
  WindowAttributes attributes{"NOTSET", op.getDilations(), op.getPads(), op.getStrides(), false};
  return resolveConvolution(location, op.getX().getType(), op.getW().getType(), attributes,
                            op.getKernelShape(), op.getGroup(), /*channelsLast=*/false);
}

/// The same for ConvTranspose, whose weights are [C, M/group, k...].
mlir::FailureOr<ConvolutionShape>
resolveTransposedConvolution(std::optional<mlir::Location> location, mlir::Type data,
                             mlir::Type weights, const WindowAttributes &attributes,
                             OptionalInts kernelShape, int64_t group, OptionalInts outputPadding,
                             OptionalInts outputShape, bool channelsLast);
template <typename Op>
mlir::FailureOr<ConvolutionShape> readTransposedConvolution(std::optional<mlir::Location> location,
                                                            Op op) {
  return resolveTransposedConvolution(
      location, op.getX().getType(), op.getW().getType(), readWindow(op), op.getKernelShape(),
      op.getGroup(), op.getOutputPadding(), op.getOutputShape(), op.getChannelsLast());
}

/// A pool's image and axes.
struct PoolShape {
  ImageDims input;
  llvm::SmallVector<WindowAxis> axes;

  llvm::SmallVector<DimExpr> outputDims(bool channelsLast) const;
};
mlir::FailureOr<PoolShape> resolvePool(std::optional<mlir::Location> location, mlir::Type data,
                                       llvm::ArrayRef<int64_t> kernel,
                                       const WindowAttributes &attributes, bool channelsLast);
template <typename Op>
mlir::FailureOr<PoolShape> readPool(std::optional<mlir::Location> location, Op op) {
  WindowAttributes attributes = readWindow(op);
  attributes.ceilMode = op.getCeilMode() != 0;
  return resolvePool(location, op.getX().getType(), op.getKernelShape(), attributes,
                     op.getChannelsLast());
}

/// One result of size 1 along each spatial axis.
mlir::LogicalResult inferGlobalPool(std::optional<mlir::Location> location, mlir::Value data,
                                    bool channelsLast, llvm::SmallVectorImpl<mlir::Type> &results);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_WINDOWSHAPE_H
