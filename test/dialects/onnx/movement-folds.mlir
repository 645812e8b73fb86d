// RUN: onnxc-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: @transposes_cancel
// CHECK-NEXT: return %arg0
func.func @transposes_cancel(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = onnx.Transpose(%x) {perm = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = onnx.Transpose(%0) {perm = array<i64: 2, 0, 1>} : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: @transposes_merge
// CHECK-NEXT: onnx.Transpose(%arg0) {perm = array<i64: 1, 2, 0>}
// CHECK-NEXT: return
func.func @transposes_merge(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %0 = onnx.Transpose(%x) : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %1 = onnx.Transpose(%0) {perm = array<i64: 1, 0, 2>} : (tensor<4x3x2xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// -----

// CHECK-LABEL: @transpose_of_ones_is_a_view
// CHECK: onnx.Reshape
// CHECK-NOT: onnx.Transpose
func.func @transpose_of_ones_is_a_view(%x: tensor<2x1x4xf32>) -> tensor<1x2x4xf32> {
  %0 = onnx.Transpose(%x) {perm = array<i64: 1, 0, 2>} : (tensor<2x1x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}

// -----

// CHECK-LABEL: @views_merge
// CHECK: %[[S:.+]] = onnx.Constant {value = dense<24>
// CHECK-NEXT: onnx.Reshape(%arg0, %[[S]]) {allowzero = 1 : i64}
// CHECK-NEXT: return
func.func @views_merge(%x: tensor<2x3x4xf32>) -> tensor<24xf32> {
  %axes = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Flatten(%x) : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %1 = onnx.Flatten(%0) {axis = 0 : i64} : (tensor<2x12xf32>) -> tensor<1x24xf32>
  %2 = onnx.Squeeze(%1, %axes) : (tensor<1x24xf32>, tensor<1xi64>) -> tensor<24xf32>
  return %2 : tensor<24xf32>
}

// -----

// CHECK-LABEL: @views_cancel
// CHECK-NEXT: return %arg0
func.func @views_cancel(%x: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %axes = onnx.Constant {value = dense<[0, 3]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Unsqueeze(%x, %axes) : (tensor<2x12xf32>, tensor<2xi64>) -> tensor<1x2x12x1xf32>
  %1 = onnx.Squeeze(%0) : (tensor<1x2x12x1xf32>) -> tensor<2x12xf32>
  return %1 : tensor<2x12xf32>
}

// -----

// CHECK-LABEL: @identities
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0
func.func @identities(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %zeros = onnx.Constant {value = dense<0> : tensor<4xi64>} : tensor<4xi64>
  %ones = onnx.Constant {value = dense<1> : tensor<2xi64>} : tensor<2xi64>
  %starts = onnx.Constant {value = dense<0> : tensor<2xi64>} : tensor<2xi64>
  %ends = onnx.Constant {value = dense<9223372036854775807> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Slice(%x, %starts, %ends) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
  %1 = onnx.Expand(%x, %ones) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %2 = onnx.Tile(%x, %ones) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %3 = onnx.Pad(%x, %zeros) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<2x3xf32>
  %4 = onnx.Concat(%x) {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @reversal_is_no_identity
// CHECK: onnx.Slice
func.func @reversal_is_no_identity(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %start = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<-9223372036854775808> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice(%x, %start, %end, %axis, %start) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @split_becomes_slices
// CHECK-COUNT-2: onnx.Slice(%arg0
func.func @split_becomes_slices(%x: tensor<7x2xf32>) -> (tensor<4x2xf32>, tensor<3x2xf32>) {
  %0:2 = onnx.Split(%x) {num_outputs = 2 : i64} : (tensor<7x2xf32>) -> (tensor<4x2xf32>, tensor<3x2xf32>)
  return %0#0, %0#1 : tensor<4x2xf32>, tensor<3x2xf32>
}

// -----

// Constants move, whatever their element type.
// CHECK-LABEL: @constants
// CHECK-DAG: dense<{{\[\[}}3.000000e+00, 1.000000e+00], [4.000000e+00, 2.000000e+00]]> : tensor<2x2xf16>
// CHECK-DAG: dense<[9, 1, 2, 3, 4, 9]> : tensor<6xui8>
// CHECK-DAG: dense<{{\[\[}}true, false], [false, false]]> : tensor<2x2xi1>
// CHECK-DAG: dense<[2, 1, 2, 3]> : tensor<4xi64>
// CHECK-DAG: dense<[1.000000e+00, 3.000000e+00, 5.000000e+00]> : tensor<3xf32>
// CHECK-DAG: dense<[0, 9, 0, 8]> : tensor<4xi64>
// CHECK-NOT: onnx.Pad
func.func @constants() -> (tensor<2x2xf16>, tensor<6xui8>, tensor<2x2xi1>, tensor<4xi64>, tensor<3xf32>, tensor<4xi64>) {
  %h = onnx.Constant {value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>} : tensor<2x2xf16>
  %start = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<-9> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %t = onnx.Transpose(%h) : (tensor<2x2xf16>) -> tensor<2x2xf16>
  %a = onnx.Slice(%t, %start, %end, %axis, %start) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<2x2xf16>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xf16>

  %u = onnx.Constant {value = dense<[1, 2, 3, 4]> : tensor<4xui8>} : tensor<4xui8>
  %ones = onnx.Constant {value = dense<1> : tensor<2xi64>} : tensor<2xi64>
  %nine = onnx.Constant {value = dense<9> : tensor<ui8>} : tensor<ui8>
  %b = onnx.Pad(%u, %ones, %nine) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (tensor<4xui8>, tensor<2xi64>, tensor<ui8>) -> tensor<6xui8>

  %true = onnx.Constant {value = dense<true> : tensor<2x2xi1>} : tensor<2x2xi1>
  %one = onnx.Constant {value = dense<-1> : tensor<i64>} : tensor<i64>
  %low = onnx.Trilu(%true, %one) {upper = 0 : i64} : (tensor<2x2xi1>, tensor<i64>) -> tensor<2x2xi1>
  %c = onnx.Transpose(%low) {perm = array<i64: 1, 0>} : (tensor<2x2xi1>) -> tensor<2x2xi1>
  %pads = onnx.Constant {value = dense<[0, -1, 0, 1]> : tensor<4xi64>} : tensor<4xi64>
  %ce = onnx.Pad(%c, %pads) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<2x2xi1>, tensor<4xi64>) -> tensor<2x2xi1>

  %d0 = onnx.Constant {value = dense<[1, 2, 3]> : tensor<3xi64>} : tensor<3xi64>
  %reflect = onnx.Constant {value = dense<[1, 0]> : tensor<2xi64>} : tensor<2xi64>
  %d = onnx.Pad(%d0, %reflect) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, mode = "reflect"} : (tensor<3xi64>, tensor<2xi64>) -> tensor<4xi64>

  %s = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %l = onnx.Constant {value = dense<6.0> : tensor<f32>} : tensor<f32>
  %by = onnx.Constant {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %e = onnx.Range(%s, %l, %by) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3xf32>

  %f0 = onnx.Constant {value = dense<0> : tensor<4xi64>} : tensor<4xi64>
  %where = onnx.Constant {value = dense<[[1], [-1]]> : tensor<2x1xi64>} : tensor<2x1xi64>
  %what = onnx.Constant {value = dense<[9, 8]> : tensor<2xi64>} : tensor<2xi64>
  %f = onnx.ScatterND(%f0, %where, %what) : (tensor<4xi64>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<4xi64>
  return %a, %b, %ce, %d, %e, %f : tensor<2x2xf16>, tensor<6xui8>, tensor<2x2xi1>, tensor<4xi64>, tensor<3xf32>, tensor<4xi64>
}

// -----

// CHECK-LABEL: @weights_are_reshaped_without_a_copy
// CHECK-NEXT: onnx.Constant {value = dense_resource<w> : tensor<4xf32>}
func.func @weights_are_reshaped_without_a_copy() -> tensor<4xf32> {
  %w = onnx.Constant {value = dense_resource<w> : tensor<2x2xf32>} : tensor<2x2xf32>
  %s = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Reshape(%w, %s) : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
{-# dialect_resources: { builtin: { w: "0x040000000000803f000000400000404000008040" } } #-}
