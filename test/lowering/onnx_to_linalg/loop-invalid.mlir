// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --verify-diagnostics

func.func @carries_a_sequence(%m: tensor<i64>, %s: !onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>> {
  // expected-error @below {{carries a value that is no tensor, which is not supported}}
  %0 = onnx.Loop(%m, %s) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %a: !onnx.seq<tensor<2xf32>>):
    onnx.Yield(%c, %a) : (tensor<i1>, !onnx.seq<tensor<2xf32>>)
  } {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, !onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
  return %0 : !onnx.seq<tensor<2xf32>>
}
