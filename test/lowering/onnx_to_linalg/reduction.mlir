// RUN: onnxc-opt --onnxc-lower-onnx-to-linalg %s | FileCheck %s

// CHECK-DAG: #[[OUTER:map[0-9]*]] = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: @kept_dim_is_a_view
func.func @kept_dim_is_a_view(%a: tensor<2x3xf32>) -> tensor<2x1xf32> {
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  // CHECK: %[[INIT:.+]] = linalg.fill
  // CHECK: %[[SUM:.+]] = linalg.generic {indexing_maps = [{{.*}}, #[[OUTER]]], iterator_types = ["parallel", "reduction"]}
  // CHECK: arith.addf
  // CHECK: rt.reshape %[[SUM]]
  %0 = onnx.ReduceSum(%a, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// CHECK-LABEL: @mean_of_small_floats_sums_in_f32
func.func @mean_of_small_floats_sums_in_f32(%a: tensor<2x3xf16>) -> tensor<f16> {
  // CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]} {{.*}} outs({{.*}} : tensor<f32>)
  // CHECK: linalg.generic
  // CHECK: arith.divf
  // CHECK: arith.truncf
  %0 = onnx.ReduceMean(%a) {keepdims = 0 : i64} : (tensor<2x3xf16>) -> tensor<f16>
  return %0 : tensor<f16>
}

// CHECK-LABEL: @unsigned_maximum
func.func @unsigned_maximum(%a: tensor<4xui8>) -> tensor<ui8> {
  // CHECK: arith.maxui
  %0 = onnx.ReduceMax(%a) {keepdims = 0 : i64} : (tensor<4xui8>) -> tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: @no_axes_only_map
func.func @no_axes_only_map(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: arith.mulf
  // CHECK: math.sqrt
  %0 = onnx.ReduceL2(%a) {noop_with_empty_axes = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The row's size depends on data: both loops are there for each dim.
// CHECK-LABEL: @axes_of_the_run
func.func @axes_of_the_run(%a: tensor<2x3xf32>, %axes: tensor<1xi64>) -> tensor<?xf32, #onnx.shape<["?r"]>> {
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
  // CHECK: tensor.extract %arg0
  // CHECK: rt.bind "?r"
  // CHECK: rt.reshape
  %0 = onnx.ReduceSum(%a, %axes) {keepdims = 0 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?xf32, #onnx.shape<["?r"]>>
  return %0 : tensor<?xf32, #onnx.shape<["?r"]>>
}

// CHECK-LABEL: @log_sum_exp_takes_out_the_maximum
func.func @log_sum_exp_takes_out_the_maximum(%a: tensor<4xf32>) -> tensor<1xf32> {
  // CHECK: arith.maximumf
  // CHECK: math.absf
  // CHECK: math.exp
  // CHECK: math.log
  %0 = onnx.ReduceLogSumExp(%a) : (tensor<4xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// CHECK-LABEL: @last_largest_index
func.func @last_largest_index(%a: tensor<2x3xf32>) -> tensor<2xi64> {
  // CHECK: arith.maximumf
  // CHECK: linalg.index 1
  // CHECK: arith.maxsi
  %0 = onnx.ArgMax(%a) {axis = 1 : i64, keepdims = 0 : i64, select_last_index = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// CHECK-LABEL: @hardmax
func.func @hardmax(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: arith.minsi
  // CHECK: arith.uitofp %{{.*}} : i1 to f32
  %0 = onnx.Hardmax(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
