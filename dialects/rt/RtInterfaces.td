// Interfaces of the rt dialect.
#ifndef ONNXC_DIALECTS_RT_RTINTERFACES_TD
#define ONNXC_DIALECTS_RT_RTINTERFACES_TD

include "mlir/IR/OpBase.td"

def Rt_StrategyAttr : AttrInterface<"StrategyAttr"> {
  let cppNamespace = "::onnxc::rt";
  let description = "How the kernel of a group is emitted.";
  let methods = [InterfaceMethod<[{
      The panels in which an anchor wants its second factor, as `rt.packed` has them;
      nothing: it reads the factor where it stands.
    }], "std::optional<::onnxc::rt::PanelLayout>", "getPanelLayout", (ins), "", "return std::nullopt;">];
}

def Rt_TargetAttr : AttrInterface<"TargetAttr"> {
  let cppNamespace = "::onnxc::rt";
  let description = [{
    A device that kernels are made for: chooses their strategies, says what may share
    a kernel, and emits it. `#rt.cpu` is one; `lowering/<device>/` attaches the
    implementation to its attribute. A choice that returns null says that the target
    has no strategy of this kind: the op becomes a nest of loops.
  }];
  let methods = [
    InterfaceMethod<"How to emit a matrix product.",
                    "::onnxc::rt::StrategyAttr", "chooseGemm",
                    (ins "const ::onnxc::rt::GemmShape &":$shape), "", "return {};">,
    InterfaceMethod<"How to emit a convolution.",
                    "::onnxc::rt::StrategyAttr", "chooseConv",
                    (ins "const ::onnxc::rt::ConvShape &":$shape), "", "return {};">,
    InterfaceMethod<"How to emit a depthwise convolution.",
                    "::onnxc::rt::StrategyAttr", "chooseDepthwise",
                    (ins "const ::onnxc::rt::DepthwiseShape &":$shape), "", "return {};">,
    InterfaceMethod<[{
        Which sign the bytes of the factor that is packed should have, when those of the
        other one have this; nothing: any. They move by 128, which is a zero point.
      }], "std::optional<bool>", "choosePackedSign", (ins "bool":$otherUnsigned), "",
      "return std::nullopt;">,
    InterfaceMethod<"How to emit an `rt.concat`. Never null.",
                    "::onnxc::rt::StrategyAttr", "chooseConcat", (ins "::mlir::Operation *":$concat)>,
    InterfaceMethod<[{
        How the ops of a kernel are walked. `rows` are the leading loops that several ops
        share; one op alone has its rows chosen here. `isStored` says whether the kernel
        returns a result; others stay inside. Never null.
      }], "::onnxc::rt::StrategyAttr", "chooseLoops",
      (ins "::llvm::ArrayRef<::mlir::linalg::GenericOp>":$ops, "unsigned":$rows,
           "::llvm::function_ref<bool(::mlir::Value)>":$isStored)>,
    InterfaceMethod<"What may share a kernel.", "::onnxc::rt::GroupLimits", "getGroupLimits">,
    InterfaceMethod<[{
        Emits an `rt.kernel` as its strategy says: a function for the number of tasks and
        one for a task, in front of it. On failure an error has been emitted.
      }], "::llvm::LogicalResult", "emitKernel", (ins "::mlir::Operation *":$kernel)>,
  ];
}

#endif // ONNXC_DIALECTS_RT_RTINTERFACES_TD
