// Strategies: how a group is emitted, decided once.
#ifndef ONNXC_DIALECTS_RT_RTATTRIBUTES_TD
#define ONNXC_DIALECTS_RT_RTATTRIBUTES_TD

include "dialects/rt/RtBase.td"
include "mlir/IR/AttrTypeBase.td"

class Rt_Attr<string name, string attrMnemonic> : AttrDef<Rt_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Rt_LoopsAttr : Rt_Attr<"Loops", "loops"> {
  let summary = "Vectorised loop nests";
  let description = [{
    The ops of the kernel share their first `rows` loops; what they pass on along a
    row stays in registers or on the stack. A kernel of one op chooses its rows itself.
  }];
  let parameters = (ins "unsigned":$rows);
  let assemblyFormat = "`<` `rows` `=` $rows `>`";
}

def Rt_ConcatAttr : Rt_Attr<"Concat", "concat"> {
  let summary = "Copies of whole pieces into the parts of one result";
}

def Rt_GemmAttr : Rt_Attr<"Gemm", "gemm"> {
  let summary = "A contraction by register tiles; see GemmStrategy";
  let parameters = (ins "int64_t":$mr, "int64_t":$nv, "int64_t":$lanes, "int64_t":$kc,
                        "int64_t":$tilesPerTask, "int64_t":$workPerTask, "int64_t":$panels,
                        "bool":$packRows);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Rt_ConvAttr : Rt_Attr<"Conv", "conv"> {
  let summary = "A direct convolution by register tiles; see ConvStrategy";
  let parameters = (ins "int64_t":$tileRows, "int64_t":$tileColumns, "int64_t":$nv,
                        "int64_t":$lanes, "int64_t":$workPerTask);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Rt_DepthwiseAttr : Rt_Attr<"Depthwise", "depthwise"> {
  let summary = "A depthwise convolution; see DepthwiseStrategy";
  let parameters = (ins "int64_t":$tileRows, "int64_t":$tileColumns, "int64_t":$lanes,
                        "bool":$loopOverTapRows, "int64_t":$channelBlock,
                        "int64_t":$workPerTask);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // ONNXC_DIALECTS_RT_RTATTRIBUTES_TD
