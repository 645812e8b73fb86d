// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[IN:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
// CHECK-DAG: #[[WINDOW:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
// CHECK-DAG: #[[OUT:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>

// CHECK-LABEL: @max_pool
// CHECK: tensor.extract %arg0
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[WINDOW]], #[[OUT]]]
// CHECK: arith.maximumf
func.func @max_pool(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0:2 = onnx.MaxPool(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, channels_last}
      : (tensor<1x8x8x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi64>)
  return %0#0 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: @max_pool_indices
// CHECK: } -> (tensor<1x1x4x4xi8>, tensor<1x1x4x4xi64>)

func.func @max_pool_indices(%x: tensor<1x1x8x8xui8>) -> (tensor<1x1x4x4xui8>, tensor<1x1x4x4xi64>) {
  %0:2 = onnx.MaxPool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
      : (tensor<1x1x8x8xui8>) -> (tensor<1x1x4x4xui8>, tensor<1x1x4x4xi64>)
  return %0#0, %0#1 : tensor<1x1x4x4xui8>, tensor<1x1x4x4xi64>
}

// CHECK-LABEL: @average_of_full_windows
// CHECK: arith.addf
// CHECK: arith.divf %in, %cst
func.func @average_of_full_windows(%x: tensor<1x1x8x8xf32>) -> tensor<1x1x4x4xf32> {
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x8x8xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: @average_counts_elements
// CHECK: arith.addf
// CHECK: arith.minsi
// CHECK: arith.divf
func.func @average_counts_elements(%x: tensor<1x1x8x8xf16>) -> tensor<1x1x8x8xf16> {
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x8xf16>) -> tensor<1x1x8x8xf16>
  return %0 : tensor<1x1x8x8xf16>
}

// CHECK-LABEL: @lp
// CHECK: math.absf
// CHECK: math.powf
// CHECK: arith.addf
// CHECK: math.powf
func.func @lp(%x: tensor<1x1x8xf32>) -> tensor<1x1x6xf32> {
  %0 = onnx.LpPool(%x) {kernel_shape = array<i64: 3>, p = 3 : i64} : (tensor<1x1x8xf32>) -> tensor<1x1x6xf32>
  return %0 : tensor<1x1x6xf32>
}

// CHECK-LABEL: @global_average
// CHECK: rt.reshape %arg0{{.*}} -> tensor<2x?x8xf32>
// CHECK: arith.divf
// CHECK: rt.reshape %{{.*}} : tensor<2x8xf32> -> tensor<2x1x1x8xf32>
func.func @global_average(%x: tensor<2x?x?x8xf32, #onnx.shape<[2, "h", "w", 8]>>) -> tensor<2x1x1x8xf32> {
  %0 = onnx.GlobalAveragePool(%x) {channels_last} : (tensor<2x?x?x8xf32, #onnx.shape<[2, "h", "w", 8]>>) -> tensor<2x1x1x8xf32>
  return %0 : tensor<2x1x1x8xf32>
}

// A size that may be negative is checked before anything is computed.
// CHECK-LABEL: @main
// CHECK: %[[SIZE:.+]] = rt.symbol "h+-2"
// CHECK: %[[GOOD:.+]] = arith.cmpi sge, %[[SIZE]], %{{.+}} : index
// CHECK: rt.check %[[GOOD]], "{{.*}}a size of its result is negative, 'h+-2'" found %[[SIZE]]
// CHECK: linalg.
func.func @main(%x: tensor<1x8x?xf32, #onnx.shape<[1, 8, "h"]>>) -> tensor<1x8x?xf32, #onnx.shape<[1, 8, "h+-2"]>> {
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 3>} : (tensor<1x8x?xf32, #onnx.shape<[1, 8, "h"]>>) -> tensor<1x8x?xf32, #onnx.shape<[1, 8, "h+-2"]>>
  return %0 : tensor<1x8x?xf32, #onnx.shape<[1, 8, "h+-2"]>>
}
