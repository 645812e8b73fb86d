// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --canonicalize --cse | FileCheck %s

// Two phases per axis: four times the channels, then the interleaving.
// CHECK-LABEL: @strided
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x4x2x2x3xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x5x5x12xf32>)
// CHECK: arith.mulf
// CHECK: arith.remui
func.func @strided(%x: tensor<1x5x5x4xf32>, %w: tensor<4x3x2x2xf32>, %b: tensor<3xf32>) -> tensor<1x10x10x3xf32> {
  %0 = onnx.ConvTranspose(%x, %w, %b) {strides = array<i64: 2, 2>, channels_last}
      : (tensor<1x5x5x4xf32>, tensor<4x3x2x2xf32>, tensor<3xf32>) -> tensor<1x10x10x3xf32>
  return %0 : tensor<1x10x10x3xf32>
}

// CHECK-LABEL: @stride_one_is_a_convolution
// CHECK-NOT: arith.remui
// CHECK: return
func.func @stride_one_is_a_convolution(%x: tensor<1x4x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x3x7xf32> {
  %0 = onnx.ConvTranspose(%x, %w) : (tensor<1x4x5xf32>, tensor<4x3x3xf32>) -> tensor<1x3x7xf32>
  return %0 : tensor<1x3x7xf32>
}
