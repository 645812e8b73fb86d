//===- AttentionParts.h - Attention as products and a softmax -------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_ATTENTIONPARTS_H
#define ONNXC_LOWERING_SUPPORT_ATTENTIONPARTS_H

#include "dialects/rt/RtAttention.h"
#include "mlir/IR/Builders.h"

namespace onnxc {

/// The size of each loop of an attention, from its operands' sizes; failure without a
/// message where nothing states them.
mlir::FailureOr<llvm::SmallVector<mlir::OpFoldResult>> getLoopSizes(rt::AttentionOp op);
/// What a target is asked about it; nothing where the sizes of its loops are not known.
std::optional<rt::AttentionShape> getAttentionShape(rt::AttentionOp op);
/// The strategy that the target has for it, or null.
rt::StrategyAttr chooseAttention(rt::TargetAttr target, rt::AttentionOp op);

/// What an `rt.attention` computes, step by step. All but the result are of the score's
/// type and [batch loops..., M, K2].
struct AttentionParts {
  mlir::Value products;      ///< query x key, not scaled
  mlir::Value scores;        ///< what the region yields
  mlir::Value probabilities; ///< the softmax of each row
  mlir::Value result;        ///< as the op's own
};

/// Builds the linalg ops that compute the same as `op`, whose loops have these sizes.
AttentionParts buildAttentionParts(mlir::OpBuilder &builder, rt::AttentionOp op,
                                   llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_ATTENTIONPARTS_H
