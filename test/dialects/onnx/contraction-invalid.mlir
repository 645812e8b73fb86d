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

func.func @matmul_scalar(%a: tensor<f32>, %b: tensor<4x5xf32>) {
  // expected-error @below {{expected operands of rank 1 or more, found ranks 0 and 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.MatMul(%a, %b) : (tensor<f32>, tensor<4x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @matmul_batch(%a: tensor<2x3x4xf32>, %b: tensor<3x4x5xf32>) {
  // expected-error @below {{cannot broadcast dim 0: sizes 2 and 3 are neither equal nor 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.MatMul(%a, %b) : (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @matmul_perm(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error @below {{expected a permutation of 2 dims, found [0, 0]}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.MatMul(%a, %b) {permA = array<i64: 0, 0>} : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gemm_bias_rank(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %c: tensor<1x1x5xf32>) {
  // expected-error @below {{expected C of rank 2 or less, found rank 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Gemm(%a, %b, %c) : (tensor<2x3xf32>, tensor<3x5xf32>, tensor<1x1x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @einsum_of_nothing() {
  // expected-error @below {{expected at least one operand}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Einsum() {equation = "->"} : () -> tensor<f32>
  return
}

// -----

func.func @einsum_terms(%a: tensor<2x3xf32>) {
  // expected-error @below {{the equation 'ij,jk' has 2 terms for 1 operands}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Einsum(%a) {equation = "ij,jk"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum_letters(%a: tensor<2x3xf32>) {
  // expected-error @below {{expected a letter or '...' in the equation, found '1'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Einsum(%a) {equation = "i1->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum_unknown_result(%a: tensor<2x3xf32>) {
  // expected-error @below {{the result 'ik' of the equation has a label that is in no term, or twice in the result}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Einsum(%a) {equation = "ij->ik"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @einsum_result_twice(%a: tensor<2x3xf32>) {
  // expected-error @below {{the result 'ii' of the equation has a label that is in no term, or twice in the result}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Einsum(%a) {equation = "ij->ii"} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @conv_weights_rank(%x: tensor<1x3x7x7xf32>, %w: tensor<8x3x3xf32>) {
  // expected-error @below {{expected weights of rank 4, found rank 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x7x7xf32>, tensor<8x3x3xf32>) -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @conv_weights_without_channels(%x: tensor<1x3x7x7xf32>, %w: tensor<8xf32>) {
  // expected-error @below {{expected weights of rank 4, found rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Conv(%x, %w) : (tensor<1x3x7x7xf32>, tensor<8xf32>) -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @conv_group(%x: tensor<1x3x7x7xf32>, %w: tensor<8x3x3x3xf32>) {
  // expected-error @below {{expected a positive 'group', found 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Conv(%x, %w) {group = 0 : i64} : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @conv_output_channels(%x: tensor<1x4x7x7xf32>, %w: tensor<9x2x3x3xf32>) {
  // expected-error @below {{expected a multiple of 2 output channels, found 9}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Conv(%x, %w) {group = 2 : i64} : (tensor<1x4x7x7xf32>, tensor<9x2x3x3xf32>) -> tensor<1x9x5x5xf32>
  return
}

// -----

func.func @conv_kernel_shape_rank(%x: tensor<1x3x7x7xf32>, %w: tensor<8x3x3x3xf32>) {
  // expected-error @below {{expected 2 elements in 'kernel_shape', found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Conv(%x, %w) {kernel_shape = array<i64: 3>} : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @conv_kernel_shape(%x: tensor<1x3x7x7xf32>, %w: tensor<8x3x3x3xf32>) {
  // expected-error @below {{'kernel_shape' states 4, the weights have size 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Conv(%x, %w) {kernel_shape = array<i64: 3, 4>} : (tensor<1x3x7x7xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x5x5xf32>
  return
}

// -----

func.func @conv_transpose_weights_rank(%x: tensor<1x3x7x7xf32>, %w: tensor<3xf32>) {
  // expected-error @below {{expected weights of rank 4, found rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ConvTranspose(%x, %w) : (tensor<1x3x7x7xf32>, tensor<3xf32>) -> tensor<1x8x9x9xf32>
  return
}

// -----

func.func @conv_transpose_channels(%x: tensor<1x3x7x7xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @below {{the weights are for 4 input channels, the input has 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ConvTranspose(%x, %w) : (tensor<1x3x7x7xf32>, tensor<4x8x3x3xf32>) -> tensor<1x8x9x9xf32>
  return
}

// -----

func.func @conv_transpose_output_padding(%x: tensor<1x3x7x7xf32>, %w: tensor<3x8x3x3xf32>) {
  // expected-error @below {{expected elements of at least 0 in 'output_padding', found -1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ConvTranspose(%x, %w) {output_padding = array<i64: 1, -1>} : (tensor<1x3x7x7xf32>, tensor<3x8x3x3xf32>) -> tensor<1x8x9x9xf32>
  return
}

// -----

func.func @conv_transpose_output_shape(%x: tensor<1x3x7x7xf32>, %w: tensor<3x8x3x3xf32>) {
  // expected-error @below {{expected 2 elements in 'output_shape', found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ConvTranspose(%x, %w) {output_shape = array<i64: 9>} : (tensor<1x3x7x7xf32>, tensor<3x8x3x3xf32>) -> tensor<1x8x9x9xf32>
  return
}

// -----

func.func @conv_transpose_negative_size(%x: tensor<1x3x1x7xf32>, %w: tensor<3x8x3x3xf32>) {
  // expected-error @below {{spatial axis 0 gets a negative size -1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ConvTranspose(%x, %w) {pads = array<i64: 2, 0, 2, 0>} : (tensor<1x3x1x7xf32>, tensor<3x8x3x3xf32>) -> tensor<1x8x9x9xf32>
  return
}

// -----

func.func @offsets_of_another_rank(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x3x3xf32>, %o: tensor<2xf32>) {
  // expected-error @below {{expected 'offset' of the data's rank 4, found 'tensor<2xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.DeformConv(%x, %w, %o) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return
}
