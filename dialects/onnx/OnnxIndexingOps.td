// Data movement that index tensors steer.
#ifndef ONNXC_DIALECTS_ONNX_ONNXINDEXINGOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXINDEXINGOPS_TD

include "dialects/onnx/OnnxBase.td"

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

def Onnx_GatherOp : Onnx_MovementOp<"Gather">, Onnx_Since<[1, 11, 13]> {
  let arguments = (ins Onnx_Tensor:$data, Onnx_IntTensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_GatherElementsOp : Onnx_MovementOp<"GatherElements">, Onnx_Since<[11, 13]> {
  let arguments = (ins Onnx_Tensor:$data, Onnx_IntTensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_GatherNDOp : Onnx_MovementOp<"GatherND", [], [DeclareOpInterfaceMethods<SizeRulesOpInterface>]>,
    Onnx_Since<[11, 12, 13]> {
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_ReverseSequenceOp : Onnx_MovementOp<"ReverseSequence", [],
                                               [DeclareOpInterfaceMethods<SizeRulesOpInterface>]>,
    Onnx_Since<[10, 28]> {
  let arguments = (ins Onnx_Tensor:$input, Onnx_I64Tensor:$sequence_lens,
                       DefaultValuedAttr<I64Attr, "1">:$batch_axis,
                       DefaultValuedAttr<I64Attr, "0">:$time_axis);
  let results = (outs Onnx_Tensor:$Y);
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

def Onnx_ScatterElementsOp : Onnx_MovementOp<"ScatterElements">, Onnx_Since<[11, 13, 16, 18]> {
  let arguments = (ins Onnx_Tensor:$data, Onnx_IntTensor:$indices, Onnx_Tensor:$updates,
                       DefaultValuedAttr<StrAttr, "\"none\"">:$reduction,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_ScatterNDOp : Onnx_MovementOp<"ScatterND">, Onnx_Since<[11, 13, 16, 18]> {
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$indices, Onnx_Tensor:$updates,
                       DefaultValuedAttr<StrAttr, "\"none\"">:$reduction);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_TensorScatterOp : Onnx_RuleOp<"TensorScatter",
                                         [DeclareOpInterfaceMethods<SizeRulesOpInterface>]>,
    Onnx_Since<[24]> {
  let arguments = (ins Onnx_Tensor:$past_cache, Onnx_Tensor:$update,
                       Optional<Onnx_I64Tensor>:$write_indices,
                       DefaultValuedAttr<StrAttr, "\"linear\"">:$mode,
                       DefaultValuedAttr<I64Attr, "-2">:$axis);
  let results = (outs Onnx_Tensor:$present_cache);
}

def Onnx_OneHotOp : Onnx_RuleOp<"OneHot", [DeclareOpInterfaceMethods<SizeRulesOpInterface>]>,
    Onnx_Since<[9, 11, 28]> {
  let arguments = (ins Onnx_NumericTensor:$indices, Onnx_NumericTensor:$depth, Onnx_Tensor:$values,
                       DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Onnx_Tensor:$output);
}

#endif // ONNXC_DIALECTS_ONNX_ONNXINDEXINGOPS_TD
