// RUN: onnxc-opt --onnxc-decompose --onnxc-lower-onnx-to-linalg %s | FileCheck %s

// CHECK-LABEL: @mean_divides_by_the_weights
func.func @mean_divides_by_the_weights(%x: tensor<3x5x2xf32>, %t: tensor<3x2xi64>, %w: tensor<5xf32>) -> tensor<f32> {
  // CHECK: tensor.extract %arg0
  // CHECK: tensor.extract %arg2
  // CHECK-COUNT-2: iterator_types = ["reduction", "reduction"]
  // CHECK: arith.divf
  %0 = onnx.NegativeLogLikelihoodLoss(%x, %t, %w) {ignore_index = 1 : i64}
      : (tensor<3x5x2xf32>, tensor<3x2xi64>, tensor<5xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @cross_entropy_is_log_softmax_and_loss
func.func @cross_entropy_is_log_softmax_and_loss(%x: tensor<3x5xf32>, %t: tensor<3xi32>) -> tensor<3xf32> {
  // CHECK: math.log
  // CHECK: tensor.extract
  // CHECK-NOT: arith.divf
  // CHECK: return
  %0:2 = onnx.SoftmaxCrossEntropyLoss(%x, %t) {reduction = "none"} : (tensor<3x5xf32>, tensor<3xi32>) -> (tensor<3xf32>, tensor<3x5xf32>)
  return %0#0 : tensor<3xf32>
}

// CHECK-LABEL: @window
func.func @window() -> tensor<10xf32> {
  %size = onnx.Constant {value = dense<10> : tensor<i64>} : tensor<i64>
  // CHECK: linalg.index 0
  // CHECK-COUNT-2: math.cos
  %0 = onnx.BlackmanWindow(%size) : (tensor<i64>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}
