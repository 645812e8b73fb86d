// RUN: onnxc-opt %s --onnxc-fold-batch-norm --canonicalize | FileCheck %s

// CHECK-LABEL: @normalization
// CHECK: %[[W:.+]] = onnx.Constant {value = dense<1.41{{.*}}> : tensor<2x3x1x1xf32>}
// CHECK: %[[Y:.+]] = onnx.Conv(%arg0, %[[W]], %{{.*}})
// CHECK-NEXT: return %[[Y]]
func.func @normalization(%x: tensor<1x3x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<2x3x1x1xf32>} : tensor<2x3x1x1xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1:3 = onnx.BatchNormalization(%0, %c, %c, %c, %c) : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %1#0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @scale_and_offset
// CHECK: onnx.Gemm
// CHECK-NEXT: return
func.func @scale_and_offset(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<2x3xf32>} : tensor<2x3xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.Gemm(%x, %w) {transB = 1 : i64} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %2 = onnx.Add(%c, %1) : (tensor<2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// CHECK-LABEL: @transposed_grouped
// CHECK: onnx.Constant {value = dense<2.{{0+}}e+00> : tensor<4x3x3xf32>}
// CHECK: onnx.ConvTranspose
// CHECK-NEXT: return
func.func @transposed_grouped(%x: tensor<1x4x4xf32>) -> tensor<1x6x6xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<4x3x3xf32>} : tensor<4x3x3xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<6x1xf32>} : tensor<6x1xf32>
  %0 = onnx.ConvTranspose(%x, %w) {group = 2 : i64} : (tensor<1x4x4xf32>, tensor<4x3x3xf32>) -> tensor<1x6x6xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<1x6x6xf32>, tensor<6x1xf32>) -> tensor<1x6x6xf32>
  return %1 : tensor<1x6x6xf32>
}

// CHECK-LABEL: @second_reader_keeps_the_scale
// CHECK: onnx.Conv
// CHECK: onnx.Mul
func.func @second_reader_keeps_the_scale(%x: tensor<1x3x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = onnx.Constant {value = dense<1.0> : tensor<2x3x1x1xf32>} : tensor<2x3x1x1xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  return %0, %1 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @scale_along_another_dim
// CHECK: onnx.Conv
// CHECK: onnx.Mul
func.func @scale_along_another_dim(%x: tensor<1x3x4x2xf32>) -> tensor<1x2x4x2xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<2x3x1x1xf32>} : tensor<2x3x1x1xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4x2xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<1x2x4x2xf32>, tensor<2xf32>) -> tensor<1x2x4x2xf32>
  return %1 : tensor<1x2x4x2xf32>
}

// CHECK-LABEL: @expect_no_fold_as_weights_are_no_constant
// CHECK: onnx.Conv
// CHECK: onnx.Mul
func.func @expect_no_fold_as_weights_are_no_constant(%x: tensor<1x3x4x4xf32>, %w: tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %c = onnx.Constant {value = dense<2.0> : tensor<2x1x1xf32>} : tensor<2x1x1xf32>
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @expect_no_fold_as_bias_is_no_constant
// CHECK: onnx.Conv
// CHECK: onnx.Add
func.func @expect_no_fold_as_bias_is_no_constant(%x: tensor<1x3x4x4xf32>, %b: tensor<2xf32>) -> tensor<1x2x4x4xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<2x3x1x1xf32>} : tensor<2x3x1x1xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<2x1x1xf32>} : tensor<2x1x1xf32>
  %0 = onnx.Conv(%x, %w, %b) : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %1 = onnx.Add(%0, %c) : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// The product would lose bits.
// CHECK-LABEL: @expect_no_fold_into_small_floats
// CHECK: onnx.Conv
// CHECK: onnx.Mul
func.func @expect_no_fold_into_small_floats(%x: tensor<1x3x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = onnx.Constant {value = dense<1.0> : tensor<2x3x1x1xf16>} : tensor<2x3x1x1xf16>
  %c = onnx.Constant {value = dense<2.0> : tensor<2x1x1xf16>} : tensor<2x1x1xf16>
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4x4xf16>, tensor<2x3x1x1xf16>) -> tensor<1x2x4x4xf16>
  %1 = onnx.Mul(%0, %c) : (tensor<1x2x4x4xf16>, tensor<2x1x1xf16>) -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// CHECK-LABEL: @expect_no_fold_as_beta_scales_the_bias
// CHECK: onnx.Gemm
// CHECK: onnx.Mul
func.func @expect_no_fold_as_beta_scales_the_bias(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<3x2xf32>} : tensor<3x2xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.Gemm(%x, %w, %c) {beta = 5.000000e-01 : f32} : (tensor<4x3xf32>, tensor<3x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: @expect_no_fold_as_result_is_larger
// CHECK: onnx.Gemm
// CHECK: onnx.Mul
func.func @expect_no_fold_as_result_is_larger(%x: tensor<1x3xf32>) -> tensor<4x2xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<3x2xf32>} : tensor<3x2xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<4x1xf32>} : tensor<4x1xf32>
  %0 = onnx.Gemm(%x, %w) : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
  %1 = onnx.Mul(%0, %c) : (tensor<1x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: @expect_no_fold_in_training_mode
// CHECK: onnx.BatchNormalization
func.func @expect_no_fold_in_training_mode(%x: tensor<1x3x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<2x3x1x1xf32>} : tensor<2x3x1x1xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1:3 = onnx.BatchNormalization(%0, %c, %c, %c, %c) {training_mode = 1 : i64} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %1#0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @expect_no_fold_as_mean_is_no_constant
// CHECK: onnx.BatchNormalization
func.func @expect_no_fold_as_mean_is_no_constant(%x: tensor<1x3x4x4xf32>, %m: tensor<2xf32>) -> tensor<1x2x4x4xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<2x3x1x1xf32>} : tensor<2x3x1x1xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1:3 = onnx.BatchNormalization(%0, %c, %c, %m, %c) : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %1#0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @difference
// CHECK: %[[B:.+]] = onnx.Constant {value = dense<-2.{{0+}}e+00> : tensor<2xf32>}
// CHECK: %[[Y:.+]] = onnx.Conv(%arg0, %{{.*}}, %[[B]])
// CHECK-NEXT: return %[[Y]]
func.func @difference(%x: tensor<1x3x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<2x3x1x1xf32>} : tensor<2x3x1x1xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<2x1x1xf32>} : tensor<2x1x1xf32>
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = onnx.Sub(%0, %c) : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @expect_no_fold_as_the_data_is_subtracted
// CHECK: onnx.Sub
func.func @expect_no_fold_as_the_data_is_subtracted(%x: tensor<1x3x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<2x3x1x1xf32>} : tensor<2x3x1x1xf32>
  %c = onnx.Constant {value = dense<2.0> : tensor<2x1x1xf32>} : tensor<2x1x1xf32>
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = onnx.Sub(%c, %0) : (tensor<2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}
