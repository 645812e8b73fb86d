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
