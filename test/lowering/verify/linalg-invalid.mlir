// RUN: onnxc-opt --onnxc-verify-linalg --split-input-file --verify-diagnostics %s

func.func @onnx_op(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{is left behind the lowering to linalg}}
  %0 = onnx.Relu(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// expected-error @below {{has the type 'tensor<?xf32, #onnx.shape<["n"]>>', expected dims without symbols}}
func.func @symbolic_type(%x: tensor<?xf32, #onnx.shape<["n"]>>) {
  return
}
