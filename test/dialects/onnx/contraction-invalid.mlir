// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @matmul_inner_dims(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @below {{cannot multiply: A has 3 columns, B has 4 rows}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.MatMul(%a, %b) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gemm_rank(%a: tensor<2x3x1xf32>, %b: tensor<4x5xf32>) {
  // expected-error @below {{expected matrices, found ranks 3 and 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Gemm(%a, %b) : (tensor<2x3x1xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gemm_bias(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %c: tensor<4xf32>) {
  // expected-error @below {{cannot broadcast C: size 4 is neither 1 nor 5}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Gemm(%a, %b, %c) : (tensor<2x3xf32>, tensor<3x5xf32>, tensor<4xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @conv_channels(%x: tensor<1x3x7x7xf32>, %w: tensor<8x4x3x3xf32>) {
  // expected-error @below {{the weights are for 4 input channels, the input has 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x7x7xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @conv_auto_pad(%x: tensor<1x3x7x7xf32>, %w: tensor<8x3x3x3xf32>) {
  // expected-error @below {{unknown auto_pad 'SAME'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Conv(%x, %w) {auto_pad = "SAME"} : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @conv_strides(%x: tensor<1x3x7x7xf32>, %w: tensor<8x3x3x3xf32>) {
  // expected-error @below {{expected 2 elements in 'strides', found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Conv(%x, %w) {strides = array<i64: 1>} : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @conv_zero_stride(%x: tensor<1x3x7x7xf32>, %w: tensor<8x3x3x3xf32>) {
  // expected-error @below {{expected elements of at least 1 in 'strides', found 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Conv(%x, %w) {strides = array<i64: 1, 0>} : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @window_too_large(%x: tensor<1x3x2x7xf32>) {
  // expected-error @below {{spatial axis 0 of size 2 is too small for a window of 5}}
  // expected-error @below {{failed to infer returned types}}
  %0:2 = onnx.MaxPool(%x) {kernel_shape = array<i64: 5, 5>} : (tensor<1x3x2x7xf32>) -> (tensor<1x3x1x1xf32>, tensor<1x3x1x1xi64>)
  return
}

// -----

func.func @einsum_rank(%a: tensor<2x3xf32>) {
  // expected-error @below {{the term 'ijk' does not fit an operand of rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Einsum(%a) {equation = "ijk->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum_sizes(%a: tensor<2x3xf32>) {
  // expected-error @below {{a label of the equation has the sizes 2 and 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Einsum(%a) {equation = "ii->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @resize_needs_scales_or_sizes(%x: tensor<1x1x2x2xf32>) {
  // expected-error @below {{expected either 'scales' or 'sizes'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x) {operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @resize_mode(%x: tensor<1x1x2x2xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{unknown mode 'area'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 1, 0>, mode = "area"} : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x1x2x2xf32>
  return
}
