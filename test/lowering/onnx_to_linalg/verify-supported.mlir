// RUN: onnxc-opt %s --onnxc-verify-supported | FileCheck %s

// Ops lowered by a pattern of their own, by an interface, or with their region
// (Yield) pass, and the module is left as it is.
// CHECK-LABEL: @supported
// CHECK: onnx.Exp
// CHECK: onnx.MatMul
// CHECK: onnx.If
// CHECK: onnx.Yield
func.func @supported(%x: tensor<4x4xf16>, %c: tensor<i1>, %n: tensor<4x4xi8>) -> tensor<4x4xf16> {
  %0 = onnx.Exp(%x) : (tensor<4x4xf16>) -> tensor<4x4xf16>
  %1 = onnx.MatMul(%0, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %2 = onnx.If(%c) {
    onnx.Yield(%0) : (tensor<4x4xf16>)
  } else {
    onnx.Yield(%1) : (tensor<4x4xf16>)
  } : (tensor<i1>) -> tensor<4x4xf16>
  return %2 : tensor<4x4xf16>
}
