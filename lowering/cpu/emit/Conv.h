//===- Conv.h - direct convolution ------------------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_EMIT_CONV_H
#define ONNXC_LOWERING_CPU_EMIT_CONV_H

#include "dialects/rt/RtDialect.h"
#include "lowering/cpu/emit/TileStore.h"

namespace onnxc::emit {

/// Convolution of a padded channels-last input with one to three spatial
/// dimensions (more are taken as well). Every size is a constant or an index
/// value; strides and dilations are constants.
struct ConvProblem {
  mlir::OpFoldResult images;
  llvm::SmallVector<mlir::OpFoldResult> outputSizes; ///< spatial
  llvm::SmallVector<mlir::OpFoldResult> taps;        ///< spatial
  llvm::SmallVector<int64_t> strides, dilations;
  mlir::OpFoldResult groups, inputChannels, outputChannels; ///< of one group
  Buffer input; ///< [images, spatial..., groups, IC]; stride of IC is 1
  /// Packed, dense: [groups, ceil(OC / nr), taps..., IC, nr], or
  /// [groups, ceil(OC / nr), taps..., ceil(depth / step), nr, step] where the product
  /// takes several steps of the depth. The depth is IC or, as the strategy says, the
  /// last dimension of taps and IC as one.
  Buffer weights;
  Buffer output; ///< [images, spatial..., groups, OC]; stride of OC is 1
  mlir::Type accumulatorType;
  bool inputUnsigned = false; ///< integers only
  bool weightsUnsigned = false;
  /// Makes the factor from the weights; its coordinates are [group, output channel]. May
  /// be null.
  Prologue prologue;
};

/// What operands the strategy is for, where these are others; else nothing.
std::optional<llvm::StringRef> findMismatch(const ConvProblem &problem, rt::ConvAttr strategy);

mlir::OpFoldResult emitConvTaskCount(mlir::OpBuilder &builder, mlir::Location loc,
                                     const ConvProblem &problem, rt::ConvAttr strategy);

/// Computes the part of the output that belongs to `task`. The epilogue's
/// coordinates are those of the output: [image, spatial..., group, channel].
void emitConv(mlir::OpBuilder &builder, mlir::Location loc, const ConvProblem &problem,
              rt::ConvAttr strategy, rt::CpuAttr target, mlir::OpFoldResult task,
              Epilogue epilogue = nullptr, unsigned epilogueCost = 0);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_CONV_H
