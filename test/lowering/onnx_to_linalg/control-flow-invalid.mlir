// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --verify-diagnostics

func.func @rows_without_a_limit(%x: tensor<f32>) -> tensor<?xf32, #onnx.shape<["?trips0"]>> {
  // expected-error @below {{has scan outputs but no limit on its iterations, which is not supported}}
  // expected-error @below {{operator 'Loop' is not supported}}
  %0:2 = onnx.Loop(%x) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %s: tensor<f32>):
    %next = onnx.Exp(%s) : (tensor<f32>) -> tensor<f32>
    // expected-error @below {{operator 'Yield' is not supported}}
    onnx.Yield(%c, %next, %next) : (tensor<i1>, tensor<f32>, tensor<f32>)
  } {operandSegmentSizes = array<i32: 0, 0, 1>}
    : (tensor<f32>) -> (tensor<f32>, tensor<?xf32, #onnx.shape<["?trips0"]>>)
  return %0#1 : tensor<?xf32, #onnx.shape<["?trips0"]>>
}
