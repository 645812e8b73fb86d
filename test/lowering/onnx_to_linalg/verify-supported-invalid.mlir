// RUN: onnxc-opt --onnxc-verify-supported %s --verify-diagnostics

func.func @all_at_once(%x: tensor<4xf32>) -> (tensor<4xui8>, tensor<4xf32>) {
  // expected-error @below {{operator 'DynamicQuantizeLinear' is not supported}}
  %0:3 = onnx.DynamicQuantizeLinear(%x) : (tensor<4xf32>) -> (tensor<4xui8>, tensor<f32>, tensor<ui8>)
  // expected-error @below {{operator 'CastLike' is not supported}}
  %1 = onnx.CastLike(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // Has a lowering through its interface.
  %2 = onnx.Exp(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %0#0, %2 : tensor<4xui8>, tensor<4xf32>
}
