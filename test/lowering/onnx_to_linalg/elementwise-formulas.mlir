// RUN: onnxc-opt --onnxc-lower-onnx-to-linalg %s | FileCheck %s

// CHECK-LABEL: @small_floats_compute_in_f32
func.func @small_floats_compute_in_f32(%a: tensor<4xbf16>) -> tensor<4xbf16> {
  // CHECK: %[[X:.+]] = arith.extf %{{.*}} : bf16 to f32
  // CHECK: math.sqrt %[[X]] : f32
  // CHECK: arith.truncf {{.*}} : f32 to bf16
  %0 = onnx.Sqrt(%a) : (tensor<4xbf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: @splat_exponent_becomes_a_product
func.func @splat_exponent_becomes_a_product(%a: tensor<4xf32>) -> tensor<4xf32> {
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : tensor<f32>
  // CHECK: arith.mulf %[[X:.+]], %[[X]] : f32
  // CHECK-NOT: math.powf
  // CHECK: return
  %0 = onnx.Pow(%a, %two) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @unsigned_types_use_unsigned_ops
func.func @unsigned_types_use_unsigned_ops(%a: tensor<4xui8>) -> tensor<4xui8> {
  %three = onnx.Constant {value = dense<3> : tensor<ui8>} : tensor<ui8>
  // CHECK: arith.divui
  // CHECK-NOT: arith.select
  // CHECK: return
  %0 = onnx.Div(%a, %three) : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// CHECK-LABEL: @integer_division_cannot_trap
func.func @integer_division_cannot_trap(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: %[[ZERO:.+]] = arith.cmpi eq, %[[B:.+]], %
  // CHECK: %[[SAFE:.+]] = arith.select %{{.*}}, %{{.*}}, %[[B]]
  // CHECK: arith.divsi %{{.*}}, %[[SAFE]]
  %0 = onnx.Div(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @clip_without_a_lower_limit
func.func @clip_without_a_lower_limit(%a: tensor<4xf32>, %high: tensor<f32>) -> tensor<4xf32> {
  // CHECK: arith.cmpf olt, %[[HIGH:.+]], %[[X:.+]] : f32
  // CHECK-NEXT: arith.select %{{.*}}, %[[HIGH]], %[[X]] : f32
  // CHECK-NEXT: linalg.yield
  %0 = onnx.Clip(%a, %high) {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @where_reads_three_shapes
func.func @where_reads_three_shapes(%c: tensor<2x1xi1>, %a: tensor<3xf32>, %b: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK: linalg.generic
  // CHECK: arith.select
  %0 = onnx.Where(%c, %a, %b) : (tensor<2x1xi1>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @cast_to_float8_saturates
func.func @cast_to_float8_saturates(%a: tensor<4xf32>) -> tensor<4xf8E4M3FN> {
  // CHECK-DAG: arith.constant 4.480000e+02 : f32
  // CHECK-DAG: arith.constant -4.480000e+02 : f32
  // CHECK: arith.truncf {{.*}} : f32 to f8E4M3FN
  %0 = onnx.Cast(%a) {to = 17 : i64} : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  return %0 : tensor<4xf8E4M3FN>
}

// CHECK-LABEL: @cast_to_bool_compares
func.func @cast_to_bool_compares(%a: tensor<4xf32>) -> tensor<4xi1> {
  // CHECK: arith.cmpf une
  %0 = onnx.Cast(%a) {to = 9 : i64} : (tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-LABEL: @cast_of_unsigned
func.func @cast_of_unsigned(%a: tensor<4xui32>) -> tensor<4xf64> {
  // CHECK: arith.uitofp
  %0 = onnx.Cast(%a) {to = 11 : i64} : (tensor<4xui32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// CHECK-LABEL: @bitcast_between_signednesses_is_free
func.func @bitcast_between_signednesses_is_free(%a: tensor<4xui32>) -> tensor<4xi32> {
  // CHECK-NEXT: return %arg0
  %0 = onnx.BitCast(%a) {to = 6 : i64} : (tensor<4xui32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @dropout_keeps_all_in_inference_mode
func.func @dropout_keeps_all_in_inference_mode(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>) {
  // CHECK: %[[MASK:.+]] = linalg.fill ins(%true
  // CHECK: return %arg0, %[[MASK]]
  %0:2 = onnx.Dropout(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi1>
}
