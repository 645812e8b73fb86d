// RUN: onnxc-opt --onnxc-lower-onnx-to-linalg %s | FileCheck %s

// CHECK-DAG: #[[AXIS:map[0-9]*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-DAG: #[[SCALAR:map[0-9]*]] = affine_map<(d0, d1) -> ()>

// CHECK-LABEL: @quantize_per_tensor
func.func @quantize_per_tensor(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<2x3xui8> {
  // CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[SCALAR]], #[[SCALAR]], {{.*}}]
  // CHECK: arith.divf
  // CHECK: math.roundeven
  // CHECK: arith.uitofp %{{.*}} : i8 to f32
  // CHECK-DAG: arith.constant 2.550000e+02 : f32
  // CHECK: arith.fptosi
  %0 = onnx.QuantizeLinear(%x, %s, %z) : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  return %0 : tensor<2x3xui8>
}

// CHECK-LABEL: @quantize_per_axis
func.func @quantize_per_axis(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>) -> tensor<2x3x4xi8> {
  // CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[AXIS]], {{.*}}]
  %0 = onnx.QuantizeLinear(%x, %s) {output_dtype = 3 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>) -> tensor<2x3x4xi8>
  return %0 : tensor<2x3x4xi8>
}

// CHECK-LABEL: @dequantize_per_block
func.func @dequantize_per_block(%x: tensor<2x8xi4>, %s: tensor<2x2xf32>) -> tensor<2x8xf32> {
  // CHECK: arith.extsi {{.*}} : i4 to i32
  // CHECK: %[[SIZE:.+]] = arith.constant 4 : index
  // CHECK: arith.divui %{{.*}}, %[[SIZE]] : index
  // CHECK: tensor.extract %arg1
  %0 = onnx.DequantizeLinear(%x, %s) {axis = 1 : i64, block_size = 4 : i64} : (tensor<2x8xi4>, tensor<2x2xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
