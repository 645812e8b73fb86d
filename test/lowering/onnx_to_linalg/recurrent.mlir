// RUN: onnxc-opt --onnxc-lower-onnx-to-linalg %s | FileCheck %s

// One product for all inputs, one for the state of each step, two generics for the
// cell; the hidden states are written in place.
// CHECK-LABEL: @lstm
func.func @lstm(%x: tensor<5x2x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x4xf32>, %b: tensor<1x32xf32>)
    -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  // CHECK: iterator_types = ["parallel", "parallel", "reduction"]
  // CHECK: %[[ALL:.+]]:3 = scf.for
  // CHECK: tensor.extract_slice
  // CHECK: iterator_types = ["parallel", "parallel", "reduction"]
  // CHECK: %[[CELL:.+]] = linalg.generic
  // CHECK: %[[HIDDEN:.+]] = linalg.generic
  // CHECK: %[[WRITTEN:.+]] = tensor.insert_slice %[[HIDDEN]]
  // CHECK: scf.yield %[[HIDDEN]], %[[CELL]], %[[WRITTEN]]
  %0:3 = onnx.LSTM(%x, %w, %r, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
      : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, tensor<1x32xf32>)
      -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %0#0, %0#1, %0#2 : tensor<5x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// CHECK-LABEL: @both_directions_batch_first
func.func @both_directions_batch_first(%x: tensor<2x5x3xf32>, %w: tensor<2x12x3xf32>, %r: tensor<2x12x4xf32>)
    -> tensor<2x5x2x4xf32> {
  // CHECK-COUNT-2: scf.for
  // CHECK: linalg.index 2
  %0:2 = onnx.GRU(%x, %w, %r) {direction = "bidirectional", layout = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
      : (tensor<2x5x3xf32>, tensor<2x12x3xf32>, tensor<2x12x4xf32>) -> (tensor<2x5x2x4xf32>, tensor<2x2x4xf32>)
  return %0#0 : tensor<2x5x2x4xf32>
}

// CHECK-LABEL: @steps_beyond_a_sequence_are_masked
func.func @steps_beyond_a_sequence_are_masked(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %len: tensor<2xi32>)
    -> tensor<5x1x2x4xf32> {
  // CHECK: scf.for
  // CHECK: math.tanh
  // CHECK: arith.cmpi slt
  // CHECK: arith.select
  %0:2 = onnx.RNN(%x, %w, %r, %len) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}
      : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<2xi32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>)
  return %0#0 : tensor<5x1x2x4xf32>
}
