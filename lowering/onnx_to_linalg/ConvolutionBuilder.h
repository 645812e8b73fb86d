//===- ConvolutionBuilder.h - Convolutions as linalg.generic -------*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_CONVOLUTIONBUILDER_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_CONVOLUTIONBUILDER_H

#include "lowering/onnx_to_linalg/ContractionBuilder.h"
#include "lowering/onnx_to_linalg/WindowBuilder.h"

namespace onnxc {

/// A convolution on lowered tensors. `weights` are in the order of the layout,
/// see `buildConvolution`.
struct Convolution {
  SizedTensor data;
  mlir::Value weights;
  FactorType dataType, weightType;
  llvm::SmallVector<onnx::WindowAxis> axes;
  onnx::DimExpr group, groupInputs, groupOutputs;
  bool channelsLast;

  bool isGrouped() const { return group.getConstant() != 1; }
  /// One input and one output channel per group: those loops are left out.
  bool isDepthwise() const {
    return isGrouped() && groupInputs.getConstant() == 1 && groupOutputs.getConstant() == 1;
  }
};

/// Arranges the parts of an operand in the order of the layout, leaving out
/// those of loops that the convolution has not.
template <typename T> class Arrangement {
public:
  explicit Arrangement(const Convolution &conv) : conv(conv) {}

  /// [spatial..., g, c] or [g, c, spatial...]
  llvm::SmallVector<T> channels(llvm::ArrayRef<T> spatial, T group, T channel) const {
    llvm::SmallVector<T> result;
    if (conv.channelsLast)
      llvm::append_range(result, spatial);
    if (conv.isGrouped())
      result.push_back(group);
    if (!conv.isDepthwise())
      result.push_back(channel);
    if (!conv.channelsLast)
      llvm::append_range(result, spatial);
    return result;
  }
  /// [n, spatial..., g, c] or [n, g, c, spatial...]
  llvm::SmallVector<T> image(T batch, llvm::ArrayRef<T> spatial, T group, T channel) const {
    llvm::SmallVector<T> result = {batch};
    llvm::append_range(result, channels(spatial, group, channel));
    return result;
  }
  /// [taps..., g, ic, oc] or [g, oc, ic, taps...]
  llvm::SmallVector<T> weights(llvm::ArrayRef<T> taps, T group, T input, T output) const {
    llvm::SmallVector<T> result;
    if (conv.channelsLast)
      llvm::append_range(result, taps);
    if (conv.isGrouped())
      result.push_back(group);
    if (!conv.isDepthwise())
      llvm::append_range(result, conv.channelsLast ? llvm::SmallVector<T>{input, output}
                                                   : llvm::SmallVector<T>{output, input});
    if (!conv.channelsLast)
      llvm::append_range(result, taps);
    return result;
  }

private:
  const Convolution &conv;
};

/// Takes the number of input channels from the weights where the image does not
/// know it, with a check that the run brings as many.
void setInputChannels(mlir::OpBuilder &builder, mlir::Location loc, Convolution &conv,
                      onnx::DimExpr weightChannels);

/// Pads the image (with the zero point of quantised data) and convolves it; the
/// result has `resultDims` and the accumulator's type. The weights are
/// [taps..., g, ic, oc] for channels last, else [g, oc, ic, taps...]; both leave
/// out the dims of loops that the convolution has not.
mlir::Value buildConvolution(mlir::OpBuilder &builder, mlir::Location loc, Convolution conv,
                             llvm::ArrayRef<onnx::DimExpr> resultDims, mlir::Type accumulator);

/// The sums with their bias added, rounded to the result's element type. The
/// bias has one element per channel, or is null.
mlir::Value addBias(mlir::OpBuilder &builder, mlir::Location loc, const SizedTensor &sums,
                    const SizedTensor &bias, bool channelsLast, mlir::Type elementType);

/// A per-channel parameter with the dims that put it beside the image's
/// channels; scalars stay as they are.
SizedTensor alignChannels(mlir::OpBuilder &builder, mlir::Location loc,
                          const SizedTensor &parameter, size_t imageRank, bool channelsLast);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_CONVOLUTIONBUILDER_H
