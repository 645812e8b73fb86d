// Attention: a softmax of products between two products.
#ifndef ONNXC_DIALECTS_ONNX_ONNXATTENTIONOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXATTENTIONOPS_TD

include "dialects/onnx/OnnxBase.td"

def Onnx_AttentionOp : Onnx_TypedOp<"Attention", [AttrSizedOperandSegments]>,
    Onnx_Since<[23, 24, 25]> {
  let summary = "Scaled dot product attention with heads, masks and a cache";
  let description = [{
    Heads are dim 1 of operands of rank 4, or part of the last dim of operands of rank 3;
    `OnnxAttention.h` reads both alike.
  }];
  let arguments = (ins Onnx_FloatTensor:$Q, Onnx_FloatTensor:$K, Onnx_FloatTensor:$V,
                       Optional<Onnx_Tensor>:$attn_mask, Optional<Onnx_FloatTensor>:$past_key,
                       Optional<Onnx_FloatTensor>:$past_value,
                       Optional<Onnx_I64Tensor>:$nonpad_kv_seqlen,
                       DefaultValuedAttr<I64Attr, "0">:$is_causal,
                       OptionalAttr<I64Attr>:$kv_num_heads,
                       OptionalAttr<I64Attr>:$q_num_heads,
                       DefaultValuedAttr<I64Attr, "0">:$qk_matmul_output_mode,
                       OptionalAttr<F32Attr>:$scale,
                       DefaultValuedAttr<F32Attr, "0.0f">:$softcap,
                       OptionalAttr<I64Attr>:$softmax_precision,
                       DefaultValuedAttr<I64Attr, "-1">:$left_window_size,
                       DefaultValuedAttr<I64Attr, "-1">:$right_window_size);
  let results = (outs Onnx_FloatTensor:$Y, Onnx_FloatTensor:$present_key,
                      Onnx_FloatTensor:$present_value, Onnx_FloatTensor:$qk_matmul_output);
}

def Onnx_FusedAttentionOp : Onnx_TypedOp<"FusedAttention"> {
  let summary = "An attention that exporters took apart";
  let description = [{
    Not ONNX's; `onnxc-recompose` makes it.

        scores = scale * (query x key^T), changed by the masks one after the other
        Y = transpose(softmax(scores) x value, permY)

    query is transpose(Q, permQ) with dims [batch..., M, K1], key [batch..., K2, K1] and
    value [batch..., K2, N] likewise; masks broadcast to [batch..., M, K2], and each has a
    kind (`MaskKind`) and a `fill` for scores that it hides. `zero_for_nan`: a probability that is NaN
    counts as 0.
  }];
  let arguments = (ins Onnx_FloatTensor:$Q, Onnx_FloatTensor:$K, Onnx_FloatTensor:$V,
                       Variadic<Onnx_Tensor>:$masks, F64Attr:$scale, DenseI64ArrayAttr:$kinds,
                       DenseF64ArrayAttr:$fills, UnitAttr:$zero_for_nan,
                       DenseI64ArrayAttr:$permQ, DenseI64ArrayAttr:$permK,
                       DenseI64ArrayAttr:$permV, DenseI64ArrayAttr:$permY);
  let results = (outs Onnx_FloatTensor:$Y);
}

#endif // ONNXC_DIALECTS_ONNX_ONNXATTENTIONOPS_TD
