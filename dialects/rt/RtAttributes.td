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

#endif // ONNXC_DIALECTS_RT_RTATTRIBUTES_TD
