// RUN: onnxc-opt --onnxc-decompose %s | FileCheck %s

// CHECK-LABEL: @cast_like_becomes_cast
func.func @cast_like_becomes_cast(%a: tensor<4xf32>, %b: tensor<ui8>) -> tensor<4xui8> {
  // CHECK: onnx.Cast(%arg0) {{.*}}to = 2 : i64
  %0 = onnx.CastLike(%a, %b) : (tensor<4xf32>, tensor<ui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// CHECK-LABEL: @dynamic_quantization
func.func @dynamic_quantization(%x: tensor<4xf32>) -> (tensor<4xui8>, tensor<f32>, tensor<ui8>) {
  // CHECK-DAG: onnx.ReduceMin(%arg0)
  // CHECK-DAG: onnx.ReduceMax(%arg0)
  // CHECK: %[[SCALE:.+]] = onnx.Where
  // CHECK: %[[ZERO:.+]] = onnx.Cast
  // CHECK: onnx.QuantizeLinear(%arg0, %[[SCALE]], %[[ZERO]])
  %0:3 = onnx.DynamicQuantizeLinear(%x) : (tensor<4xf32>) -> (tensor<4xui8>, tensor<f32>, tensor<ui8>)
  return %0#0, %0#1, %0#2 : tensor<4xui8>, tensor<f32>, tensor<ui8>
}

// CHECK-LABEL: @cross_entropy_is_the_loss_of_logarithms
func.func @cross_entropy_is_the_loss_of_logarithms(%x: tensor<3x5xf32>, %t: tensor<3xi64>) -> (tensor<3xf32>, tensor<3x5xf32>) {
  // CHECK: %[[LOGS:.+]] = onnx.LogSoftmax(%arg0) {axis = 1 : i64}
  // CHECK: %[[LOSS:.+]] = onnx.NegativeLogLikelihoodLoss(%[[LOGS]], %arg1) {ignore_index = 4 : i64, reduction = "none"}
  // CHECK: return %[[LOSS]], %[[LOGS]]
  %0:2 = onnx.SoftmaxCrossEntropyLoss(%x, %t) {ignore_index = 4 : i64, reduction = "none"} : (tensor<3x5xf32>, tensor<3xi64>) -> (tensor<3xf32>, tensor<3x5xf32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3x5xf32>
}
