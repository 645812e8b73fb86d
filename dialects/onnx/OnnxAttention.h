//===- OnnxAttention.h - The dims of an Attention op ---------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_ONNXATTENTION_H
#define ONNXC_DIALECTS_ONNX_ONNXATTENTION_H

#include "dialects/onnx/OnnxOps.h"

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxAttentionOps.h.inc"

namespace onnxc::onnx {

/// What a mask of `onnx.FusedAttention` does to a score.
enum class MaskKind : int64_t {
  add,     ///< makes it score + mask
  keep,    ///< replaces it by the mask's fill where the mask is false
  replace, ///< replaces it by the fill where the mask is true
};

/// The sizes of an `onnx.Attention`, whatever the rank of its operands.
struct AttentionDims {
  bool headsInside; ///< operands are [batch, sequence, heads * size]
  DimExpr batch, queryHeads, heads, queries, headSize, valueSize;
  DimExpr newKeys;  ///< keys that the op gets
  DimExpr pastKeys; ///< keys in front of them, from the cache
  DimExpr keys;     ///< all of them
  int64_t group;    ///< query heads that share a head of key and value
};

/// Reads them; emits an error and fails where operands do not fit each other.
mlir::FailureOr<AttentionDims> readAttention(std::optional<mlir::Location> location,
                                             AttentionOp::Adaptor op);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_ONNXATTENTION_H
