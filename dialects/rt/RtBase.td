// The rt dialect: what a compiled model does at run time, above LLVM.
#ifndef ONNXC_DIALECTS_RT_RTBASE_TD
#define ONNXC_DIALECTS_RT_RTBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Rt_Dialect : Dialect {
  let name = "rt";
  let cppNamespace = "::onnxc::rt";
  let summary = "Kernels, launches, symbols and run-time calls of a compiled model";
  // Sizes are expressions of its symbols.
  let dependentDialects = ["::onnxc::onnx::OnnxDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

class Rt_Op<string mnemonic, list<Trait> traits = []>
    : Op<Rt_Dialect, mnemonic, traits>;

#endif // ONNXC_DIALECTS_RT_RTBASE_TD
