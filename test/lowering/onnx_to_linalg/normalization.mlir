// RUN: onnxc-opt --onnxc-lower-onnx-to-linalg %s | FileCheck %s

// CHECK-LABEL: @softmax_subtracts_the_maximum
func.func @softmax_subtracts_the_maximum(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[MAX:.+]] = linalg.generic
  // CHECK: arith.maxnumf
  // CHECK: %[[EXP:.+]] = linalg.generic {{.*}} ins(%arg0, %[[MAX]]
  // CHECK: %[[SUM:.+]] = linalg.generic {{.*}} ins(%[[EXP]]
  // CHECK: %[[FACTOR:.+]] = linalg.generic {{.*}} ins(%[[SUM]]
  // CHECK: linalg.generic {{.*}} ins(%[[EXP]], %[[FACTOR]]
  %0 = onnx.Softmax(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Any axis is a matter of the maps.
// CHECK-LABEL: @log_softmax_along_the_first_axis
func.func @log_softmax_along_the_first_axis(%a: tensor<2x3xf16>) -> tensor<2x3xf16> {
  // CHECK: iterator_types = ["reduction", "parallel"]
  // CHECK: iterator_types = ["reduction", "parallel"]
  // CHECK: math.log
  %0 = onnx.LogSoftmax(%a) {axis = 0 : i64} : (tensor<2x3xf16>) -> tensor<2x3xf16>
  return %0 : tensor<2x3xf16>
}

// CHECK-LABEL: @layer_normalization
func.func @layer_normalization(%x: tensor<2x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>)
    -> (tensor<2x8xf32>, tensor<2x1xf32>, tensor<2x1xf32>) {
  // CHECK-COUNT-2: iterator_types = ["parallel", "reduction"]
  // CHECK: math.sqrt
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
  // CHECK: rt.reshape
  // CHECK: rt.reshape
  %0:3 = onnx.LayerNormalization(%x, %s, %b) : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>)
      -> (tensor<2x8xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x8xf32>, tensor<2x1xf32>, tensor<2x1xf32>
}

// CHECK-LABEL: @scale_of_another_size_is_checked
func.func @scale_of_another_size_is_checked(%x: tensor<2x?xf32, #onnx.shape<[2, "n"]>>, %s: tensor<8xf32>) -> tensor<2x?xf32, #onnx.shape<[2, "n"]>> {
  // CHECK: rt.check {{.*}}": a parameter has the wrong size, '{{.+}}' and '{{.+}}'"
  %0 = onnx.RMSNormalization(%x, %s) : (tensor<2x?xf32, #onnx.shape<[2, "n"]>>, tensor<8xf32>) -> tensor<2x?xf32, #onnx.shape<[2, "n"]>>
  return %0 : tensor<2x?xf32, #onnx.shape<[2, "n"]>>
}

// CHECK-LABEL: @group_normalization_views_groups
func.func @group_normalization_views_groups(%x: tensor<2x6x4x5xf32>, %s: tensor<6xf32>, %b: tensor<6xf32>) -> tensor<2x6x4x5xf32> {
  // CHECK: rt.reshape %arg0[] : tensor<2x6x4x5xf32> -> tensor<2x2x3x20xf32>
  // CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
  // CHECK: rt.reshape %{{.*}}[] : tensor<2x2x3x20xf32> -> tensor<2x6x4x5xf32>
  %0 = onnx.GroupNormalization(%x, %s, %b) {num_groups = 2 : i64} : (tensor<2x6x4x5xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4x5xf32>
  return %0 : tensor<2x6x4x5xf32>
}

// Per-channel factors are computed on channels only.
// CHECK-LABEL: @batch_normalization
func.func @batch_normalization(%x: tensor<2x3x4xf32>, %p: tensor<3xf32>) -> tensor<2x3x4xf32> {
  // CHECK-COUNT-2: iterator_types = ["parallel"]
  // CHECK: iterator_types = ["parallel", "parallel", "parallel"]
  // CHECK-NOT: math.sqrt
  // CHECK: return
  %0:3 = onnx.BatchNormalization(%x, %p, %p, %p, %p) : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @instance_normalization
func.func @instance_normalization(%x: tensor<2x3x4xf32>, %p: tensor<3xf32>) -> tensor<2x3x4xf32> {
  // CHECK: iterator_types = ["parallel", "parallel", "reduction"]
  %0 = onnx.InstanceNormalization(%x, %p, %p) : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @mean_variance_normalization
func.func @mean_variance_normalization(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  // CHECK: iterator_types = ["reduction", "parallel", "reduction", "reduction"]
  %0 = onnx.MeanVarianceNormalization(%x) : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// CHECK-LABEL: @lp_normalization_of_zeros_is_zero
func.func @lp_normalization_of_zeros_is_zero(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: math.sqrt
  // CHECK: arith.cmpf oeq
  // CHECK: arith.select
  %0 = onnx.LpNormalization(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @local_response_normalization
func.func @local_response_normalization(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  // CHECK: tensor.empty() : tensor<3xf32>
  // CHECK: iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
  // CHECK: arith.cmpi ult
  // CHECK: tensor.extract %arg0
  %0 = onnx.LRN(%x) {size = 3 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}
