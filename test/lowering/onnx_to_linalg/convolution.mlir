// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[IN:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d6)>
// CHECK-DAG: #[[W:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// CHECK-DAG: #[[OUT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[IN_NCHW:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d6, d2 * 2 + d4, d3 * 2 + d5)>
// CHECK-DAG: #[[W_NCHW:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d6, d4, d5)>

// CHECK-LABEL: @conv_channels_last
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x3x1x4x8xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x9x9x4xf32>)
// CHECK: tensor.extract %arg0
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[W]], #[[OUT]]]
// CHECK: arith.mulf
// CHECK: linalg.generic
// CHECK-NOT: arith.mulf
// CHECK: arith.addf
func.func @conv_channels_last(%x: tensor<1x7x7x4xf32>, %w: tensor<8x4x3x3xf32>, %b: tensor<8xf32>) -> tensor<1x4x4x8xf32> {
  %0 = onnx.Conv(%x, %w, %b) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>, channels_last}
      : (tensor<1x7x7x4xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: @conv_nchw
// CHECK: linalg.generic {indexing_maps = [#[[IN_NCHW]], #[[W_NCHW]], #[[OUT]]]
func.func @conv_nchw(%x: tensor<1x4x7x7xf32>, %w: tensor<8x4x3x3xf32>, %b: tensor<8xf32>) -> tensor<1x8x4x4xf32> {
  %0 = onnx.Conv(%x, %w, %b) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
      : (tensor<1x4x7x7xf32>, tensor<8x4x3x3xf32>, tensor<8xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}

// CHECK-LABEL: @depthwise
// CHECK-NOT: tensor.extract
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %{{.*}} : tensor<1x9x9x8xf32>, tensor<3x3x8xf32>)
func.func @depthwise(%x: tensor<1x9x9x8xf32>, %w: tensor<8x1x3x3xf32>) -> tensor<1x7x7x8xf32> {
  %0 = onnx.Conv(%x, %w) {group = 8 : i64, channels_last} : (tensor<1x9x9x8xf32>, tensor<8x1x3x3xf32>) -> tensor<1x7x7x8xf32>
  return %0 : tensor<1x7x7x8xf32>
}

// CHECK-LABEL: @grouped
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x9x2x4xf32>, tensor<3x2x4x3xf32>)
func.func @grouped(%x: tensor<1x9x8xf32>, %w: tensor<6x4x3xf32>) -> tensor<1x7x6xf32> {
  %0 = onnx.Conv(%x, %w) {group = 2 : i64, channels_last} : (tensor<1x9x8xf32>, tensor<6x4x3xf32>) -> tensor<1x7x6xf32>
  return %0 : tensor<1x7x6xf32>
}

// CHECK-LABEL: @pointwise
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<49x4xf32>, tensor<8x4xf32>)
func.func @pointwise(%x: tensor<1x7x7x4xf32>, %w: tensor<8x4x1x1xf32>, %b: tensor<8xf32>) -> tensor<1x7x7x8xf32> {
  %0 = onnx.Conv(%x, %w, %b) {channels_last} : (tensor<1x7x7x4xf32>, tensor<8x4x1x1xf32>, tensor<8xf32>) -> tensor<1x7x7x8xf32>
  return %0 : tensor<1x7x7x8xf32>
}

// CHECK-LABEL: @quantised
// CHECK: tensor.extract %arg0
// CHECK: tensor.extract %arg2[]
// CHECK: arith.muli
// CHECK: arith.addi %in
// CHECK: math.roundeven
func.func @quantised(%x: tensor<1x7x7x4xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %w: tensor<8x4x3x3xi8>, %ws: tensor<8xf32>, %wz: tensor<8xi8>,
                     %ys: tensor<f32>, %yz: tensor<ui8>, %b: tensor<8xi32>) -> tensor<1x7x7x8xui8> {
  %0 = onnx.QLinearConv(%x, %xs, %xz, %w, %ws, %wz, %ys, %yz, %b) {channels_last, pads = array<i64: 1, 1, 1, 1>}
      : (tensor<1x7x7x4xui8>, tensor<f32>, tensor<ui8>, tensor<8x4x3x3xi8>, tensor<8xf32>, tensor<8xi8>, tensor<f32>, tensor<ui8>, tensor<8xi32>) -> tensor<1x7x7x8xui8>
  return %0 : tensor<1x7x7x8xui8>
}

// The weights tell how many channels there are; a rule of sizes asks the run to bring as many.
// CHECK-LABEL: @channels_from_the_weights
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x9x4xf32>, tensor<3x4x6xf32>)
func.func @channels_from_the_weights(%x: tensor<1x9x?xf32, #onnx.shape<[1, 9, "c"]>>, %w: tensor<6x4x3xf32>) -> tensor<1x7x6xf32> {
  %0 = onnx.Conv(%x, %w) {channels_last} : (tensor<1x9x?xf32, #onnx.shape<[1, 9, "c"]>>, tensor<6x4x3xf32>) -> tensor<1x7x6xf32>
  return %0 : tensor<1x7x6xf32>
}
