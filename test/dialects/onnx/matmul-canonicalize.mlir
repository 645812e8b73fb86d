// RUN: onnxc-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @transposes_go_into_the_product
// CHECK-NEXT: onnx.MatMul(%arg0, %arg1) {permA = array<i64: 0, 2, 1, 3>, permB = array<i64: 0, 2, 3, 1>, permY = array<i64: 0, 2, 1, 3>}
// CHECK-NEXT: return
func.func @transposes_go_into_the_product(%q: tensor<2x5x3x4xf32>, %k: tensor<2x6x3x4xf32>) -> tensor<2x5x3x6xf32> {
  %0 = onnx.Transpose(%q) {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x5x3x4xf32>) -> tensor<2x3x5x4xf32>
  %1 = onnx.Transpose(%k) {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x6x3x4xf32>) -> tensor<2x3x4x6xf32>
  %2 = onnx.MatMul(%0, %1) : (tensor<2x3x5x4xf32>, tensor<2x3x4x6xf32>) -> tensor<2x3x5x6xf32>
  %3 = onnx.Transpose(%2) {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x3x5x6xf32>) -> tensor<2x5x3x6xf32>
  return %3 : tensor<2x5x3x6xf32>
}
