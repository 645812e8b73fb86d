// RUN: onnxc-opt --onnxc-verify-layout --split-input-file %s | FileCheck %s

// Where a chain begins and ends there are transposes; a product of matrices has no layout.
// CHECK-LABEL: @chain
func.func @chain(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x1x1xf32>, %v: tensor<4x4x1x1xf32>)
    -> tensor<1x4x8x8xf32> {
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
  %1 = onnx.Conv(%0, %w) {channels_last, operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1x8x8x3xf32>, tensor<4x3x1x1xf32>) -> tensor<1x8x8x4xf32>
  %2 = onnx.Conv(%1, %v) {channels_last, operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1x8x8x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x8x8x4xf32>
  %3 = onnx.Transpose(%2) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x8x8xf32>
  return %3 : tensor<1x4x8x8xf32>
}

// -----

// Without an op that prefers channels last there is nothing to do, and nothing to verify.
// CHECK-LABEL: @pool_alone
func.func @pool_alone(%x: tensor<1x8x8x3xf32>) -> tensor<1x3x4x4xf32> {
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x3x8x8xf32>
  %1 = onnx.AveragePool(%0) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
  return %1 : tensor<1x3x4x4xf32>
}
