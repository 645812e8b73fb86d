// The passes from the onnx dialect down to the llvm dialect, alphabetical.
#ifndef ONNXC_LOWERING_PASSES_TD
#define ONNXC_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitKernels : Pass<"onnxc-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Emit each rt.kernel as a task function and a task-count function";
  let description = [{
    The strategy attribute of a kernel names the emitter. Afterwards kernels are
    loops on raw pointers and native vectors.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect",
                           "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::func::FuncDialect"];
}

def FormKernels : Pass<"onnxc-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Group compute ops into rt.group ops, each with a strategy";
  let dependentDialects = ["::onnxc::rt::RtDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : Pass<"onnxc-fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "Fuse element-wise producers into their consumers";
  let description = [{
    Generalises the named linalg ops first. Fuses where nothing expensive is
    computed twice; contractions and convolutions take no producers.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def LowerExits : Pass<"onnxc-lower-exits", "::mlir::func::FuncOp"> {
  let summary = "Turn rt.exit into a branch to a returning block";
  let description = [{
    Runs after scf has become branches.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect"];
}

def LowerHost : Pass<"onnxc-lower-host", "::mlir::ModuleOp"> {
  let summary = "Turn the host function into onnxc_plan and onnxc_body";
  let description = [{
    Plans the workspace and replaces tensors by pointers. Afterwards the module's
    attributes `rt.weights`, `rt.weight_offsets` and `rt.weights_bytes` say what the
    weights are, and `rt.live_bytes` the largest set of intermediates alive at once.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect",
                           "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def LowerOnnxToLinalg : Pass<"onnxc-lower-onnx-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower onnx ops to linalg, tensor, arith, scf and rt";
  let description = [{
    Types lose their symbolic encoding (and unsigned integers their sign); symbols
    become `rt.symbol` values.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::onnxc::rt::RtDialect"];
}

def OutlineKernels : Pass<"onnxc-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Outline rt.group ops into rt.kernel and rt.launch";
  let description = [{
    Groups with the same body and strategy share one kernel.
  }];
  let dependentDialects = ["::onnxc::rt::RtDialect"];
}

def SelectStrategies : Pass<"onnxc-select-strategies", "::mlir::ModuleOp"> {
  let summary = "Give contractions and convolutions a strategy and pack their operands";
  let dependentDialects = ["::onnxc::rt::RtDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def SinkReshapes : Pass<"onnxc-sink-reshapes", "::mlir::ModuleOp"> {
  let summary = "Move reshapes of contractions behind the element-wise ops that follow";
  let dependentDialects = ["::onnxc::rt::RtDialect", "::mlir::tensor::TensorDialect"];
}

def VerifySupported : Pass<"onnxc-verify-supported", "::mlir::ModuleOp"> {
  let summary = "Report every onnx op that nothing lowers";
  let description = [{
    One error for each node, all in one run. What is lowered follows from the
    patterns of `onnxc-lower-onnx-to-linalg`.
  }];
}

#endif // ONNXC_LOWERING_PASSES_TD
