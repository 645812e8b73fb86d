// RUN: onnxc-opt --onnxc-lower-onnx-to-linalg %s --verify-diagnostics

func.func @all_ops_are_reported(%x: tensor<4xf32>, %train: tensor<i1>, %s: tensor<4x!onnx.string>) -> (tensor<4xf32>, tensor<4xi1>) {
  // expected-error @below {{operator 'Dropout' is not supported}}
  %0:2 = onnx.Dropout(%x, %train) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<4xf32>, tensor<i1>) -> (tensor<4xf32>, tensor<4xi1>)
  // expected-error @below {{operator 'Equal' is not supported}}
  %1 = onnx.Equal(%s, %s) : (tensor<4x!onnx.string>, tensor<4x!onnx.string>) -> tensor<4xi1>
  return %0#0, %1 : tensor<4xf32>, tensor<4xi1>
}
