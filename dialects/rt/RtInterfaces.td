// Interfaces of the rt dialect.
#ifndef ONNXC_DIALECTS_RT_RTINTERFACES_TD
#define ONNXC_DIALECTS_RT_RTINTERFACES_TD

include "mlir/IR/OpBase.td"

def Rt_StrategyAttr : AttrInterface<"StrategyAttr"> {
  let cppNamespace = "::onnxc::rt";
  let description = "How the kernel of a group is emitted.";
}

#endif // ONNXC_DIALECTS_RT_RTINTERFACES_TD
