// RUN: onnxc-opt %s --onnxc-channels-last --canonicalize | FileCheck %s

// CHECK-LABEL: @no_transpose_inside_a_chain
// CHECK: onnx.Transpose(%arg0) {perm = array<i64: 0, 2, 3, 1>}
// CHECK-NEXT: onnx.Conv{{.*}}channels_last
// CHECK-NEXT: onnx.Relu
// CHECK-NEXT: onnx.MaxPool{{.*}}channels_last
// CHECK-NEXT: onnx.Conv{{.*}}channels_last
// CHECK-NEXT: onnx.Add
// CHECK-NEXT: onnx.Transpose({{.*}}) {perm = array<i64: 0, 3, 1, 2>}
func.func @no_transpose_inside_a_chain(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %w2: tensor<4x4x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %0 = onnx.Conv(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = onnx.Relu(%0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %2:2 = onnx.MaxPool(%1) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi64>)
  %3 = onnx.Conv(%2#0, %w2) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x4x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x4x4xf32>
  %4 = onnx.Add(%3, %2#0) : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %4 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: @classifier_head_needs_no_transpose
// CHECK: onnx.Conv
// CHECK-NOT: onnx.Transpose
// CHECK: onnx.GlobalAveragePool
// CHECK: onnx.Reshape({{.*}} -> tensor<1x4xf32>
// CHECK-NOT: onnx.Transpose
func.func @classifier_head_needs_no_transpose(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %f: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  %1 = onnx.GlobalAveragePool(%0) : (tensor<1x4x6x6xf32>) -> tensor<1x4x1x1xf32>
  %2 = onnx.Flatten(%1) : (tensor<1x4x1x1xf32>) -> tensor<1x4xf32>
  %3 = onnx.Gemm(%2, %f) : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  return %3 : tensor<1x2xf32>
}

// CHECK-LABEL: @parameters_per_channel
// CHECK: onnx.Constant {value = dense<[{{.*}}]> : tensor<1x1x1x2xf32>}
// CHECK: onnx.Conv
// CHECK-NEXT: onnx.Mul
// CHECK-NEXT: onnx.Pad
// CHECK-NEXT: onnx.Concat({{.*}}axis = 3
// CHECK-NEXT: onnx.Transpose
func.func @parameters_per_channel(%x: tensor<1x3x4x4xf32>, %w: tensor<2x3x1x1xf32>) -> tensor<1x4x6x4xf32> {
  %s = onnx.Constant {value = dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>} : tensor<2x1x1xf32>
  %p = onnx.Constant {value = dense<[0, 0, 1, 0, 0, 0, 1, 0]> : tensor<8xi64>} : tensor<8xi64>
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = onnx.Mul(%0, %s) : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = onnx.Pad(%1, %p) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<1x2x4x4xf32>, tensor<8xi64>) -> tensor<1x2x6x4xf32>
  %3 = onnx.Concat(%2, %2) {axis = 1 : i64} : (tensor<1x2x6x4xf32>, tensor<1x2x6x4xf32>) -> tensor<1x4x6x4xf32>
  return %3 : tensor<1x4x6x4xf32>
}

// CHECK-LABEL: @patches_become_tokens
// CHECK: onnx.Conv
// CHECK-NEXT: onnx.Reshape
// CHECK-NEXT: return
func.func @patches_become_tokens(%x: tensor<1x3x32x32xf32>, %w: tensor<8x3x16x16xf32>) -> tensor<1x4x8xf32> {
  %shape = onnx.Constant {value = dense<[1, 8, 4]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Conv(%x, %w) {strides = array<i64: 16, 16>} : (tensor<1x3x32x32xf32>, tensor<8x3x16x16xf32>) -> tensor<1x8x2x2xf32>
  %1 = onnx.Reshape(%0, %shape) : (tensor<1x8x2x2xf32>, tensor<3xi64>) -> tensor<1x8x4xf32>
  %2 = onnx.Transpose(%1) {perm = array<i64: 0, 2, 1>} : (tensor<1x8x4xf32>) -> tensor<1x4x8xf32>
  return %2 : tensor<1x4x8xf32>
}

// CHECK-LABEL: @pool_alone_stays
// CHECK-NOT: channels_last
func.func @pool_alone_stays(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32> {
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// An operand that is a view either way must not be turned back and forth.
// CHECK-LABEL: @concat_with_untransposed_view
// CHECK: onnx.Concat
// CHECK: return
func.func @concat_with_untransposed_view(%x: tensor<1x3x4xf32>, %w: tensor<2x3x1xf32>, %y: tensor<1x2x1xf32>) -> tensor<1x4x1xf32> {
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4xf32>, tensor<2x3x1xf32>) -> tensor<1x2x4xf32>
  %1 = onnx.GlobalAveragePool(%0) : (tensor<1x2x4xf32>) -> tensor<1x2x1xf32>
  %2 = onnx.Concat(%1, %y) {axis = 1 : i64} : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x4x1xf32>
  return %2 : tensor<1x4x1xf32>
}

// CHECK-LABEL: @axes_move_with_the_dims
// CHECK: onnx.Conv
// CHECK-NEXT: onnx.Hardmax(%{{.*}}) {axis = 3 : i64} : (tensor<1x8x8x4xf32>)
// CHECK-NEXT: onnx.LpNormalization(%{{.*}}) {axis = 1 : i64} : (tensor<1x8x8x4xf32>)
// CHECK-NEXT: onnx.Transpose
func.func @axes_move_with_the_dims(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32> {
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  %1 = onnx.Hardmax(%0) {axis = 1 : i64} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %2 = onnx.LpNormalization(%1) {axis = -2 : i64} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %2 : tensor<1x4x8x8xf32>
}
