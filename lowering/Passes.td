// The passes from the onnx dialect down to the llvm dialect, alphabetical.
#ifndef ONNXC_LOWERING_PASSES_TD
#define ONNXC_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // ONNXC_LOWERING_PASSES_TD
