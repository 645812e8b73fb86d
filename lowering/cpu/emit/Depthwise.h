//===- Depthwise.h - depthwise convolution ----------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_EMIT_DEPTHWISE_H
#define ONNXC_LOWERING_CPU_EMIT_DEPTHWISE_H

#include "dialects/rt/RtDialect.h"
#include "lowering/cpu/emit/TileStore.h"

namespace onnxc::emit {

/// One filter per channel, on a padded channels-last input. Taps, strides and
/// dilations are constants; every other size may be an index value.
struct DepthwiseProblem {
  mlir::OpFoldResult images;
  llvm::SmallVector<mlir::OpFoldResult> outputSizes; ///< spatial, any number
  llvm::SmallVector<int64_t> taps, strides, dilations;
  mlir::OpFoldResult channels;
  Buffer input;   ///< [images, spatial..., C]; stride of C is 1
  Buffer weights; ///< [taps..., C], dense
  Buffer output;  ///< [images, spatial..., C]; stride of C is 1
  mlir::Type accumulatorType;
  bool inputUnsigned = false; ///< integers only
  bool weightsUnsigned = false;
};

mlir::OpFoldResult emitDepthwiseTaskCount(mlir::OpBuilder &builder, mlir::Location loc,
                                          const DepthwiseProblem &problem,
                                          rt::DepthwiseAttr strategy);

/// Computes the part of the output that belongs to `task`. The epilogue's
/// coordinates are those of the output: [image, spatial..., channel].
void emitDepthwise(mlir::OpBuilder &builder, mlir::Location loc, const DepthwiseProblem &problem,
                   rt::DepthwiseAttr strategy, rt::CpuAttr target, mlir::OpFoldResult task,
                   Epilogue epilogue = nullptr, unsigned epilogueCost = 0);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_DEPTHWISE_H
