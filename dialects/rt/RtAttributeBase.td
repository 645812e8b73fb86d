// The base classes of attributes.
#ifndef ONNXC_DIALECTS_RT_RTATTRIBUTEBASE_TD
#define ONNXC_DIALECTS_RT_RTATTRIBUTEBASE_TD

include "dialects/rt/RtBase.td"
include "dialects/rt/RtInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Rt_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Rt_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

/// How the kernel of a group is emitted; each has one emitter.
class Rt_Strategy<string name, string mnemonic, list<string> ownMethods = []>
    : Rt_Attr<name, mnemonic, [DeclareAttrInterfaceMethods<Rt_StrategyAttr, ownMethods>]>;

#endif // ONNXC_DIALECTS_RT_RTATTRIBUTEBASE_TD
