// Ops that a C function of the runtime computes; most have results whose size
// depends on the data.
#ifndef ONNXC_DIALECTS_ONNX_ONNXIRREGULAROPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXIRREGULAROPS_TD

include "dialects/onnx/OnnxBase.td"

def Onnx_NonZeroOp : Onnx_RuleOp<"NonZero">, Onnx_Since<[9, 13]> {
  let arguments = (ins Onnx_Tensor:$X);
  let results = (outs Onnx_I64Tensor:$Y);
}

def Onnx_CompressOp : Onnx_RuleOp<"Compress">, Onnx_Since<[9, 11, 28]> {
  let arguments = (ins Onnx_Tensor:$input, Onnx_BoolTensor:$condition,
                       OptionalAttr<I64Attr>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_UniqueOp : Onnx_RuleOp<"Unique">, Onnx_Since<[11, 28]> {
  let arguments = (ins Onnx_Tensor:$X, OptionalAttr<I64Attr>:$axis,
                       DefaultValuedAttr<I64Attr, "1">:$sorted);
  let results = (outs Onnx_Tensor:$Y, Onnx_I64Tensor:$indices, Onnx_I64Tensor:$inverse_indices,
                      Onnx_I64Tensor:$counts);
}

def Onnx_TopKOp : Onnx_RuleOp<"TopK">, Onnx_Since<[1, 10, 11, 24]> {
  let arguments = (ins Onnx_NumericTensor:$X, Onnx_I64Tensor:$K,
                       DefaultValuedAttr<I64Attr, "1">:$sorted,
                       DefaultValuedAttr<I64Attr, "1">:$largest,
                       DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Onnx_NumericTensor:$Values, Onnx_I64Tensor:$Indices);
}

def Onnx_NonMaxSuppressionOp : Onnx_RuleOp<"NonMaxSuppression", [AttrSizedOperandSegments]>,
    Onnx_Limits<"boxes and scores are float32">,
    Onnx_Since<[10, 11]> {
  let arguments = (ins Onnx_FloatTensor:$boxes, Onnx_FloatTensor:$scores,
                       Optional<Onnx_I64Tensor>:$max_output_boxes_per_class,
                       Optional<Onnx_FloatTensor>:$iou_threshold,
                       Optional<Onnx_FloatTensor>:$score_threshold,
                       DefaultValuedAttr<I64Attr, "0">:$center_point_box);
  let results = (outs Onnx_I64Tensor:$selected_indices);
}

#endif // ONNXC_DIALECTS_ONNX_ONNXIRREGULAROPS_TD
