// What a target is asked about attentions.
#ifndef ONNXC_DIALECTS_RT_RTATTENTIONINTERFACES_TD
#define ONNXC_DIALECTS_RT_RTATTENTIONINTERFACES_TD

include "mlir/IR/OpBase.td"

def Rt_AttentionTargetAttr : AttrInterface<"AttentionTargetAttr"> {
  let cppNamespace = "::onnxc::rt";
  let description = [{
    A target that may emit an `rt.attention` whole. For one without this interface, and
    where the choice is null, `onnxc-decompose-attention` makes products and a softmax.
  }];
  let methods = [
    InterfaceMethod<"How to emit an `rt.attention`, or null",
                    "::onnxc::rt::StrategyAttr", "chooseAttention",
                    (ins "const ::onnxc::rt::AttentionShape &":$shape)>,
    InterfaceMethod<[{
        Lanes of which an attention with this strategy reads its further inputs along M,
        at any place; zero: it reads them where they stand.
      }], "int64_t", "getScoreLanes", (ins "::onnxc::rt::StrategyAttr":$strategy)>
  ];
}

#endif // ONNXC_DIALECTS_RT_RTATTENTIONINTERFACES_TD
