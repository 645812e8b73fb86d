// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @ranks(%x: tensor<5x2xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected X and R of rank 3, found ranks 2 and 3}}
  %0:2 = onnx.RNN(%x, %r, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x2xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @direction(%x: tensor<5x2x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected direction 'forward', 'reverse' or 'bidirectional', found 'up'}}
  %0:2 = onnx.RNN(%x, %r, %r) {direction = "up", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x2x3xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @hidden_size(%x: tensor<5x2x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{hidden_size is 0, but R has 4 columns}}
  %0:2 = onnx.RNN(%x, %r, %r) {hidden_size = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x2x3xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @gates(%x: tensor<5x2x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected R with 3 gates of a known size, found 4 rows and 4 columns}}
  %0:2 = onnx.GRU(%x, %r, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x2x3xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @directions(%x: tensor<5x2x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected R for 2 directions, found 1}}
  %0:2 = onnx.RNN(%x, %r, %r) {direction = "bidirectional", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<5x2x3xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> (tensor<5x2x2x4xf32>, tensor<2x2x4xf32>)
  return
}
