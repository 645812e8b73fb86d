// RUN: onnxc-opt --onnxc-recompose-attention --split-input-file %s | FileCheck %s

// Queries and keys scaled beforehand, transposes folded into the products, a mask that is added.
// CHECK-LABEL: @scaled_before
// CHECK: onnx.FusedAttention(%arg0, %arg1, %arg2, %arg3)
// CHECK-SAME: fills = array<f64: 0.000000e+00>, kinds = array<i64: 0>
// CHECK-SAME: permK = array<i64: 0, 2, 1, 3>, permQ = array<i64: 0, 2, 1, 3>, permV = array<i64: 0, 2, 1, 3>, permY = array<i64: 0, 2, 1, 3>
// CHECK-SAME: scale = 2.500000e-01 : f64}
// CHECK-NEXT: return
func.func @scaled_before(%q: tensor<2x9x3x16xf32>, %k: tensor<2x7x3x16xf32>, %v: tensor<2x7x3x8xf32>, %mask: tensor<9x7xf32>) -> tensor<2x9x3x8xf32> {
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %qt = onnx.Transpose(%q) {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x9x3x16xf32>) -> tensor<2x3x9x16xf32>
  %qs = onnx.Mul(%qt, %half) : (tensor<2x3x9x16xf32>, tensor<f32>) -> tensor<2x3x9x16xf32>
  %ks = onnx.Mul(%k, %half) : (tensor<2x7x3x16xf32>, tensor<f32>) -> tensor<2x7x3x16xf32>
  %s = onnx.MatMul(%qs, %ks) {permB = array<i64: 0, 2, 3, 1>} : (tensor<2x3x9x16xf32>, tensor<2x7x3x16xf32>) -> tensor<2x3x9x7xf32>
  %m = onnx.Add(%mask, %s) : (tensor<9x7xf32>, tensor<2x3x9x7xf32>) -> tensor<2x3x9x7xf32>
  %p = onnx.Softmax(%m) : (tensor<2x3x9x7xf32>) -> tensor<2x3x9x7xf32>
  %y = onnx.MatMul(%p, %v) {permB = array<i64: 0, 2, 1, 3>, permY = array<i64: 0, 2, 1, 3>} : (tensor<2x3x9x7xf32>, tensor<2x7x3x8xf32>) -> tensor<2x9x3x8xf32>
  return %y : tensor<2x9x3x8xf32>
}

// -----

// Scores divided, then hidden in both senses, one mask after the other; a guard against NaN.
// CHECK-LABEL: @hidden
// CHECK: onnx.FusedAttention(%arg0, %arg1, %arg2, %arg3, %arg4)
// CHECK-SAME: fills = array<f64: 0xFFF0000000000000, -1.000000e+04>, kinds = array<i64: 1, 2>
// CHECK-SAME: scale = 2.500000e-01 : f64, zero_for_nan}
// CHECK-NOT: onnx.
// CHECK: return
func.func @hidden(%q: tensor<3x9x16xf32>, %k: tensor<3x7x16xf32>, %v: tensor<3x7x8xf32>, %keep: tensor<9x7xi1>, %drop: tensor<3x1x7xi1>) -> tensor<3x9x8xf32> {
  %four = onnx.Constant {value = dense<4.0> : tensor<f32>} : tensor<f32>
  %zero = onnx.Constant {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %lowest = onnx.Constant {value = dense<0xFF800000> : tensor<f32>} : tensor<f32>
  %low = onnx.Constant {value = dense<-10000.0> : tensor<f32>} : tensor<f32>
  %s = onnx.MatMul(%q, %k) {permB = array<i64: 0, 2, 1>} : (tensor<3x9x16xf32>, tensor<3x7x16xf32>) -> tensor<3x9x7xf32>
  %d = onnx.Div(%s, %four) : (tensor<3x9x7xf32>, tensor<f32>) -> tensor<3x9x7xf32>
  %w = onnx.Where(%keep, %d, %lowest) : (tensor<9x7xi1>, tensor<3x9x7xf32>, tensor<f32>) -> tensor<3x9x7xf32>
  %x = onnx.Where(%drop, %low, %w) : (tensor<3x1x7xi1>, tensor<f32>, tensor<3x9x7xf32>) -> tensor<3x9x7xf32>
  %p = onnx.Softmax(%x) : (tensor<3x9x7xf32>) -> tensor<3x9x7xf32>
  %n = onnx.IsNaN(%p) : (tensor<3x9x7xf32>) -> tensor<3x9x7xi1>
  %g = onnx.Where(%n, %zero, %p) : (tensor<3x9x7xi1>, tensor<f32>, tensor<3x9x7xf32>) -> tensor<3x9x7xf32>
  %y = onnx.MatMul(%g, %v) : (tensor<3x9x7xf32>, tensor<3x7x8xf32>) -> tensor<3x9x8xf32>
  return %y : tensor<3x9x8xf32>
}

// -----

// Keys transposed behind a reshape that merges batch and heads, as torch's exporter writes it.
// CHECK-LABEL: @keys_behind_reshapes
// CHECK: onnx.FusedAttention(%arg0, %arg1, %arg2)
// CHECK-SAME: permK = array<i64: 0, 1, 2, 3>
func.func @keys_behind_reshapes(%q: tensor<?x3x9x16xf32, #onnx.shape<["b", 3, 9, 16]>>, %k: tensor<?x3x7x16xf32, #onnx.shape<["b", 3, 7, 16]>>, %v: tensor<?x3x7x8xf32, #onnx.shape<["b", 3, 7, 8]>>) -> tensor<?x3x9x8xf32, #onnx.shape<["b", 3, 9, 8]>> {
  %flat = onnx.Dims [#onnx.dim<"-1">, #onnx.dim<"7">, #onnx.dim<"16">] : tensor<3xi64>
  %full = onnx.Dims [#onnx.dim<"b">, #onnx.dim<"3">, #onnx.dim<"16">, #onnx.dim<"7">] : tensor<4xi64>
  %0 = onnx.Reshape(%k, %flat) : (tensor<?x3x7x16xf32, #onnx.shape<["b", 3, 7, 16]>>, tensor<3xi64>) -> tensor<?x7x16xf32, #onnx.shape<["3*b", 7, 16]>>
  %1 = onnx.Transpose(%0) {perm = array<i64: 0, 2, 1>} : (tensor<?x7x16xf32, #onnx.shape<["3*b", 7, 16]>>) -> tensor<?x16x7xf32, #onnx.shape<["3*b", 16, 7]>>
  %kt = onnx.Reshape(%1, %full) : (tensor<?x16x7xf32, #onnx.shape<["3*b", 16, 7]>>, tensor<4xi64>) -> tensor<?x3x16x7xf32, #onnx.shape<["b", 3, 16, 7]>>
  %s = onnx.MatMul(%q, %kt) : (tensor<?x3x9x16xf32, #onnx.shape<["b", 3, 9, 16]>>, tensor<?x3x16x7xf32, #onnx.shape<["b", 3, 16, 7]>>) -> tensor<?x3x9x7xf32, #onnx.shape<["b", 3, 9, 7]>>
  %p = onnx.Softmax(%s) : (tensor<?x3x9x7xf32, #onnx.shape<["b", 3, 9, 7]>>) -> tensor<?x3x9x7xf32, #onnx.shape<["b", 3, 9, 7]>>
  %y = onnx.MatMul(%p, %v) : (tensor<?x3x9x7xf32, #onnx.shape<["b", 3, 9, 7]>>, tensor<?x3x7x8xf32, #onnx.shape<["b", 3, 7, 8]>>) -> tensor<?x3x9x8xf32, #onnx.shape<["b", 3, 9, 8]>>
  return %y : tensor<?x3x9x8xf32, #onnx.shape<["b", 3, 9, 8]>>
}

// -----

// Windows: a bias for all of them, then a mask for each of the four of an image.
// CHECK-LABEL: @windows
// CHECK-DAG: %[[Q:.+]] = onnx.Reshape(%arg0, {{.*}} -> tensor<2x4x3x9x16xf32>
// CHECK-DAG: %[[BIAS:.+]] = onnx.Reshape(%arg3, {{.*}} -> tensor<1x1x3x9x9xf32>
// CHECK: %[[Y:.+]] = onnx.FusedAttention(%[[Q]], %{{.+}}, %{{.+}}, %[[BIAS]], %arg4)
// CHECK-SAME: permY = array<i64: 0, 1, 2, 3, 4>
// CHECK: onnx.Reshape(%[[Y]], {{.*}} -> tensor<8x3x9x16xf32>
func.func @windows(%q: tensor<8x3x9x16xf32>, %k: tensor<8x3x9x16xf32>, %v: tensor<8x3x9x16xf32>, %bias: tensor<1x3x9x9xf32>, %mask: tensor<1x4x1x9x9xf32>) -> tensor<8x3x9x16xf32> {
  %five = onnx.Constant {value = dense<[2, 4, 3, 9, 9]> : tensor<5xi64>} : tensor<5xi64>
  %four = onnx.Constant {value = dense<[8, 3, 9, 9]> : tensor<4xi64>} : tensor<4xi64>
  %s = onnx.MatMul(%q, %k) {permB = array<i64: 0, 1, 3, 2>} : (tensor<8x3x9x16xf32>, tensor<8x3x9x16xf32>) -> tensor<8x3x9x9xf32>
  %b = onnx.Add(%s, %bias) : (tensor<8x3x9x9xf32>, tensor<1x3x9x9xf32>) -> tensor<8x3x9x9xf32>
  %w = onnx.Reshape(%b, %five) : (tensor<8x3x9x9xf32>, tensor<5xi64>) -> tensor<2x4x3x9x9xf32>
  %m = onnx.Add(%w, %mask) : (tensor<2x4x3x9x9xf32>, tensor<1x4x1x9x9xf32>) -> tensor<2x4x3x9x9xf32>
  %x = onnx.Reshape(%m, %four) : (tensor<2x4x3x9x9xf32>, tensor<4xi64>) -> tensor<8x3x9x9xf32>
  %p = onnx.Softmax(%x) : (tensor<8x3x9x9xf32>) -> tensor<8x3x9x9xf32>
  %y = onnx.MatMul(%p, %v) : (tensor<8x3x9x9xf32>, tensor<8x3x9x16xf32>) -> tensor<8x3x9x16xf32>
  return %y : tensor<8x3x9x16xf32>
}

// -----

// CHECK-LABEL: @expect_no_attention_as_scores_are_a_result
// CHECK-NOT: onnx.FusedAttention
func.func @expect_no_attention_as_scores_are_a_result(%q: tensor<3x9x16xf32>, %k: tensor<3x16x7xf32>, %v: tensor<3x7x8xf32>) -> (tensor<3x9x7xf32>, tensor<3x9x8xf32>) {
  %s = onnx.MatMul(%q, %k) : (tensor<3x9x16xf32>, tensor<3x16x7xf32>) -> tensor<3x9x7xf32>
  %p = onnx.Softmax(%s) : (tensor<3x9x7xf32>) -> tensor<3x9x7xf32>
  %y = onnx.MatMul(%p, %v) : (tensor<3x9x7xf32>, tensor<3x7x8xf32>) -> tensor<3x9x8xf32>
  return %s, %y : tensor<3x9x7xf32>, tensor<3x9x8xf32>
}

// -----

// CHECK-LABEL: @expect_no_attention_as_probabilities_are_used_twice
// CHECK-NOT: onnx.FusedAttention
func.func @expect_no_attention_as_probabilities_are_used_twice(%q: tensor<3x9x16xf32>, %k: tensor<3x16x7xf32>, %v: tensor<3x7x8xf32>) -> (tensor<3x9x7xf32>, tensor<3x9x8xf32>) {
  %s = onnx.MatMul(%q, %k) : (tensor<3x9x16xf32>, tensor<3x16x7xf32>) -> tensor<3x9x7xf32>
  %p = onnx.Softmax(%s) : (tensor<3x9x7xf32>) -> tensor<3x9x7xf32>
  %y = onnx.MatMul(%p, %v) : (tensor<3x9x7xf32>, tensor<3x7x8xf32>) -> tensor<3x9x8xf32>
  return %p, %y : tensor<3x9x7xf32>, tensor<3x9x8xf32>
}

// -----

// CHECK-LABEL: @expect_no_attention_as_the_softmax_is_along_queries
// CHECK-NOT: onnx.FusedAttention
func.func @expect_no_attention_as_the_softmax_is_along_queries(%q: tensor<3x9x16xf32>, %k: tensor<3x16x7xf32>, %v: tensor<3x7x8xf32>) -> tensor<3x9x8xf32> {
  %s = onnx.MatMul(%q, %k) : (tensor<3x9x16xf32>, tensor<3x16x7xf32>) -> tensor<3x9x7xf32>
  %p = onnx.Softmax(%s) {axis = 1 : i64} : (tensor<3x9x7xf32>) -> tensor<3x9x7xf32>
  %y = onnx.MatMul(%p, %v) : (tensor<3x9x7xf32>, tensor<3x7x8xf32>) -> tensor<3x9x8xf32>
  return %y : tensor<3x9x8xf32>
}

// -----

// CHECK-LABEL: @expect_no_attention_as_the_scale_follows_a_mask
// CHECK-NOT: onnx.FusedAttention
func.func @expect_no_attention_as_the_scale_follows_a_mask(%q: tensor<3x9x16xf32>, %k: tensor<3x16x7xf32>, %v: tensor<3x7x8xf32>, %mask: tensor<9x7xf32>) -> tensor<3x9x8xf32> {
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %s = onnx.MatMul(%q, %k) : (tensor<3x9x16xf32>, tensor<3x16x7xf32>) -> tensor<3x9x7xf32>
  %m = onnx.Add(%s, %mask) : (tensor<3x9x7xf32>, tensor<9x7xf32>) -> tensor<3x9x7xf32>
  %d = onnx.Mul(%m, %half) : (tensor<3x9x7xf32>, tensor<f32>) -> tensor<3x9x7xf32>
  %p = onnx.Softmax(%d) : (tensor<3x9x7xf32>) -> tensor<3x9x7xf32>
  %y = onnx.MatMul(%p, %v) : (tensor<3x9x7xf32>, tensor<3x7x8xf32>) -> tensor<3x9x8xf32>
  return %y : tensor<3x9x8xf32>
}

// -----

// CHECK-LABEL: @expect_no_attention_as_keys_are_shared
// CHECK-NOT: onnx.FusedAttention
func.func @expect_no_attention_as_keys_are_shared(%q: tensor<3x9x16xf32>, %k: tensor<16x7xf32>, %v: tensor<7x8xf32>) -> tensor<3x9x8xf32> {
  %s = onnx.MatMul(%q, %k) : (tensor<3x9x16xf32>, tensor<16x7xf32>) -> tensor<3x9x7xf32>
  %p = onnx.Softmax(%s) : (tensor<3x9x7xf32>) -> tensor<3x9x7xf32>
  %y = onnx.MatMul(%p, %v) : (tensor<3x9x7xf32>, tensor<7x8xf32>) -> tensor<3x9x8xf32>
  return %y : tensor<3x9x8xf32>
}

// -----

// CHECK-LABEL: @expect_no_attention_as_the_batch_is_stretched
// CHECK-NOT: onnx.FusedAttention
func.func @expect_no_attention_as_the_batch_is_stretched(%q: tensor<3x9x16xf32>, %k: tensor<1x16x7xf32>, %v: tensor<3x7x8xf32>) -> tensor<3x9x8xf32> {
  %s = onnx.MatMul(%q, %k) : (tensor<3x9x16xf32>, tensor<1x16x7xf32>) -> tensor<3x9x7xf32>
  %p = onnx.Softmax(%s) : (tensor<3x9x7xf32>) -> tensor<3x9x7xf32>
  %y = onnx.MatMul(%p, %v) : (tensor<3x9x7xf32>, tensor<3x7x8xf32>) -> tensor<3x9x8xf32>
  return %y : tensor<3x9x8xf32>
}
