// RUN: onnxc-opt --onnxc-verify-layout --split-input-file --verify-diagnostics %s

func.func @channels_first(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32> {
  // expected-error @below {{works on channels first, expected channels last}}
  %0 = onnx.Conv(%x, %w) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}

// -----

func.func @pool_behind_a_transpose(%x: tensor<1x8x8x3xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x1x1xf32> {
  %y = onnx.Conv(%x, %w) {channels_last, operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1x8x8x3xf32>, tensor<4x3x1x1xf32>) -> tensor<1x8x8x4xf32>
  %0 = onnx.Transpose(%y) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x8xf32>
  // expected-error @below {{reads channels last through a transpose, expected it to work on them}}
  %1 = onnx.GlobalAveragePool(%0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x1x1xf32>
  return %1 : tensor<1x4x1x1xf32>
}

// -----

func.func @twice(%x: tensor<2x3x4xf32>, %i: tensor<1x8x8x3xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<4x2x3xf32> {
  %y = onnx.Conv(%i, %w) {channels_last, operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1x8x8x3xf32>, tensor<4x3x1x1xf32>) -> tensor<1x8x8x4xf32>
  %0 = onnx.Transpose(%x) {perm = array<i64: 1, 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  // expected-error @below {{transposes what is transposed, expected one transpose}}
  %1 = onnx.Transpose(%0) {perm = array<i64: 2, 1, 0>} : (tensor<3x2x4xf32>) -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}
