// RUN: onnxc-opt --onnxc-recompose %s | FileCheck %s

// CHECK-LABEL: @layer_normalization
func.func @layer_normalization(%x: tensor<2x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : tensor<f32>
  // CHECK: onnx.LayerNormalization(%arg0, %arg1, %arg2)
  // CHECK-SAME: axis = 1 : i64
  // CHECK-NEXT: return
  %mean = onnx.ReduceMean(%x, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %d = onnx.Sub(%x, %mean) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %sq = onnx.Pow(%d, %two) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %var = onnx.ReduceMean(%sq, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %ve = onnx.Add(%var, %eps) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %std = onnx.Sqrt(%ve) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %n = onnx.Div(%d, %std) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %m = onnx.Mul(%n, %s) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %y = onnx.Add(%m, %b) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// CHECK-LABEL: @root_mean_square
func.func @root_mean_square(%x: tensor<2x8xf32>, %s: tensor<8xf32>) -> tensor<2x8xf32> {
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %eps = onnx.Constant {value = dense<1.0e-6> : tensor<f32>} : tensor<f32>
  // CHECK: onnx.RMSNormalization(%arg0, %arg1) {{.*}}epsilon = {{.*}} : f32
  %sq = onnx.Mul(%x, %x) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %var = onnx.ReduceMean(%sq, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %ve = onnx.Add(%var, %eps) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %std = onnx.Sqrt(%ve) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %r = onnx.Reciprocal(%std) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %n = onnx.Mul(%x, %r) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %m = onnx.Mul(%s, %n) : (tensor<8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %m : tensor<2x8xf32>
}

// The statistics are of the first dim, which no row loop has.
// CHECK-LABEL: @expect_no_normalization_of_columns
func.func @expect_no_normalization_of_columns(%x: tensor<2x8xf32>, %s: tensor<8xf32>) -> tensor<2x8xf32> {
  %axes = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %eps = onnx.Constant {value = dense<1.0e-6> : tensor<f32>} : tensor<f32>
  // CHECK-NOT: onnx.RMSNormalization
  // CHECK: return
  %sq = onnx.Mul(%x, %x) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %var = onnx.ReduceMean(%sq, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<1x8xf32>
  %ve = onnx.Add(%var, %eps) : (tensor<1x8xf32>, tensor<f32>) -> tensor<1x8xf32>
  %std = onnx.Sqrt(%ve) : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %n = onnx.Div(%x, %std) : (tensor<2x8xf32>, tensor<1x8xf32>) -> tensor<2x8xf32>
  %m = onnx.Mul(%s, %n) : (tensor<8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %m : tensor<2x8xf32>
}

// CHECK-LABEL: @gelu
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %root = onnx.Constant {value = dense<1.41421354> : tensor<f32>} : tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  // CHECK: onnx.Gelu(%arg0)
  %q = onnx.Div(%x, %root) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = onnx.Erf(%q) : (tensor<4xf32>) -> tensor<4xf32>
  %s = onnx.Add(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %p = onnx.Mul(%x, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = onnx.Mul(%p, %half) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @gelu_with_tanh
func.func @gelu_with_tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %three = onnx.Constant {value = dense<3.0> : tensor<f32>} : tensor<f32>
  %c = onnx.Constant {value = dense<0.044715> : tensor<f32>} : tensor<f32>
  %k = onnx.Constant {value = dense<0.797884583> : tensor<f32>} : tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  // CHECK: onnx.Gelu(%arg0) {{.*}}approximate = "tanh"
  %p = onnx.Pow(%x, %three) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %t = onnx.Mul(%p, %c) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = onnx.Add(%x, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %v = onnx.Mul(%u, %k) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %w = onnx.Tanh(%v) : (tensor<4xf32>) -> tensor<4xf32>
  %s = onnx.Add(%w, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %h = onnx.Mul(%x, %half) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = onnx.Mul(%h, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @expect_no_gelu_of_another_factor
func.func @expect_no_gelu_of_another_factor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %root = onnx.Constant {value = dense<1.41421354> : tensor<f32>} : tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %half = onnx.Constant {value = dense<0.51> : tensor<f32>} : tensor<f32>
  // CHECK-NOT: onnx.Gelu
  // CHECK: return
  %q = onnx.Div(%x, %root) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = onnx.Erf(%q) : (tensor<4xf32>) -> tensor<4xf32>
  %s = onnx.Add(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %p = onnx.Mul(%x, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = onnx.Mul(%p, %half) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// The variance is that of the values before the mean went.
// CHECK-LABEL: @expect_no_layer_normalization_of_other_values
func.func @expect_no_layer_normalization_of_other_values(%x: tensor<2x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : tensor<f32>
  // CHECK-NOT: onnx.LayerNormalization
  // CHECK: return
  %mean = onnx.ReduceMean(%x, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %d = onnx.Sub(%x, %mean) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %sq = onnx.Pow(%x, %two) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %var = onnx.ReduceMean(%sq, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %ve = onnx.Add(%var, %eps) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %std = onnx.Sqrt(%ve) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %n = onnx.Div(%d, %std) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %m = onnx.Mul(%n, %s) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %y = onnx.Add(%m, %b) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// The power is no square.
// CHECK-LABEL: @expect_no_layer_normalization_with_a_cube
func.func @expect_no_layer_normalization_with_a_cube(%x: tensor<2x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<3.0> : tensor<f32>} : tensor<f32>
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : tensor<f32>
  // CHECK-NOT: onnx.LayerNormalization
  // CHECK: return
  %mean = onnx.ReduceMean(%x, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %d = onnx.Sub(%x, %mean) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %sq = onnx.Pow(%d, %two) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %var = onnx.ReduceMean(%sq, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %ve = onnx.Add(%var, %eps) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %std = onnx.Sqrt(%ve) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %n = onnx.Div(%d, %std) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %m = onnx.Mul(%n, %s) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %y = onnx.Add(%m, %b) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// Rows have scales of their own.
// CHECK-LABEL: @expect_no_layer_normalization_with_a_scale_per_row
func.func @expect_no_layer_normalization_with_a_scale_per_row(%x: tensor<2x8xf32>, %s: tensor<2x1xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : tensor<f32>
  // CHECK-NOT: onnx.LayerNormalization
  // CHECK: return
  %mean = onnx.ReduceMean(%x, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %d = onnx.Sub(%x, %mean) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %sq = onnx.Pow(%d, %two) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %var = onnx.ReduceMean(%sq, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %ve = onnx.Add(%var, %eps) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %std = onnx.Sqrt(%ve) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %n = onnx.Div(%d, %std) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %m = onnx.Mul(%n, %s) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %y = onnx.Add(%m, %b) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// Rows have a bias of their own.
// CHECK-LABEL: @expect_no_layer_normalization_with_a_bias_per_row
func.func @expect_no_layer_normalization_with_a_bias_per_row(%x: tensor<2x8xf32>, %s: tensor<8xf32>, %b: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : tensor<f32>
  // CHECK-NOT: onnx.LayerNormalization
  // CHECK: return
  %mean = onnx.ReduceMean(%x, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %d = onnx.Sub(%x, %mean) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %sq = onnx.Pow(%d, %two) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %var = onnx.ReduceMean(%sq, %axes) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %ve = onnx.Add(%var, %eps) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %std = onnx.Sqrt(%ve) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %n = onnx.Div(%d, %std) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %m = onnx.Mul(%n, %s) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %y = onnx.Add(%m, %b) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// CHECK-LABEL: @expect_no_gelu_of_two_values
func.func @expect_no_gelu_of_two_values(%x: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %root = onnx.Constant {value = dense<1.41421354> : tensor<f32>} : tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  // CHECK-NOT: onnx.Gelu
  // CHECK: return
  %q = onnx.Div(%x, %root) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = onnx.Erf(%q) : (tensor<4xf32>) -> tensor<4xf32>
  %s = onnx.Add(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %p = onnx.Mul(%z, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = onnx.Mul(%p, %half) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @expect_no_gelu_with_another_root
func.func @expect_no_gelu_with_another_root(%x: tensor<4xf32>) -> tensor<4xf32> {
  %root = onnx.Constant {value = dense<1.5> : tensor<f32>} : tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  // CHECK-NOT: onnx.Gelu
  // CHECK: return
  %q = onnx.Div(%x, %root) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %e = onnx.Erf(%q) : (tensor<4xf32>) -> tensor<4xf32>
  %s = onnx.Add(%e, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %p = onnx.Mul(%x, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = onnx.Mul(%p, %half) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
