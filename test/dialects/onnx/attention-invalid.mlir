// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @ranks(%x0: tensor<2x3x9x16xf32>, %x1: tensor<2x7x48xf32>, %x2: tensor<2x3x7x8xf32>) {
  // expected-error @below {{expected Q, K and V to be all of rank 3 or all of rank 4, found ranks 4 and 3}}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>} : (tensor<2x3x9x16xf32>, tensor<2x7x48xf32>, tensor<2x3x7x8xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @no_heads(%x0: tensor<2x9x48xf32>, %x1: tensor<2x7x48xf32>, %x2: tensor<2x7x48xf32>) {
  // expected-error @below {{expected q_num_heads and kv_num_heads of 1 or more, as Q, K and V are of rank 3}}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2) {q_num_heads = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>} : (tensor<2x9x48xf32>, tensor<2x7x48xf32>, tensor<2x7x48xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @split_heads(%x0: tensor<2x9x48xf32>, %x1: tensor<2x7x48xf32>, %x2: tensor<2x7x48xf32>) {
  // expected-error @below {{expected the last dim of Q to be a multiple of 5 heads, found 48}}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2) {q_num_heads = 5 : i64, kv_num_heads = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>} : (tensor<2x9x48xf32>, tensor<2x7x48xf32>, tensor<2x7x48xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @lengths(%x0: tensor<2x3x9x16xf32>, %x1: tensor<2x3x7x16xf32>, %x2: tensor<2x3x6x8xf32>) {
  // expected-error @below {{expected the same length of K and V, found 7 and 6}}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>} : (tensor<2x3x9x16xf32>, tensor<2x3x7x16xf32>, tensor<2x3x6x8xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @head_size(%x0: tensor<2x3x9x16xf32>, %x1: tensor<2x3x7x8xf32>, %x2: tensor<2x3x7x8xf32>) {
  // expected-error @below {{expected the same size of a head in Q and K, found 16 and 8}}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>} : (tensor<2x3x9x16xf32>, tensor<2x3x7x8xf32>, tensor<2x3x7x8xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @heads(%x0: tensor<2x3x9x16xf32>, %x1: tensor<2x2x7x16xf32>, %x2: tensor<2x2x7x8xf32>) {
  // expected-error @below {{expected the heads of Q to be a multiple of those of K, found 3 and 2}}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>} : (tensor<2x3x9x16xf32>, tensor<2x2x7x16xf32>, tensor<2x2x7x8xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @one_past(%x0: tensor<2x3x9x16xf32>, %x1: tensor<2x3x7x16xf32>, %x2: tensor<2x3x7x8xf32>, %x3: tensor<2x3x7x16xf32>) {
  // expected-error @below {{expected past_key and past_value together, found one}}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2, %x3) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0>} : (tensor<2x3x9x16xf32>, tensor<2x3x7x16xf32>, tensor<2x3x7x8xf32>, tensor<2x3x7x16xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @past_and_lengths(%x0: tensor<2x3x9x16xf32>, %x1: tensor<2x3x7x16xf32>, %x2: tensor<2x3x7x8xf32>, %x3: tensor<2x3x7x16xf32>, %x4: tensor<2x3x7x8xf32>, %x5: tensor<2xi64>) {
  // expected-error @below {{expected past_key or nonpad_kv_seqlen, found both}}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2, %x3, %x4, %x5) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1>} : (tensor<2x3x9x16xf32>, tensor<2x3x7x16xf32>, tensor<2x3x7x8xf32>, tensor<2x3x7x16xf32>, tensor<2x3x7x8xf32>, tensor<2xi64>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @past_heads(%x0: tensor<2x3x9x16xf32>, %x1: tensor<2x3x7x16xf32>, %x2: tensor<2x3x7x8xf32>, %x3: tensor<2x4x5x16xf32>, %x4: tensor<2x3x7x8xf32>) {
  // expected-error @below {{expected the same number of heads in past_key and K, found 4 and 3}}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2, %x3, %x4) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 0>} : (tensor<2x3x9x16xf32>, tensor<2x3x7x16xf32>, tensor<2x3x7x8xf32>, tensor<2x4x5x16xf32>, tensor<2x3x7x8xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @window(%x0: tensor<2x3x9x16xf32>, %x1: tensor<2x3x7x16xf32>, %x2: tensor<2x3x7x8xf32>) {
  // expected-error @below {{expected a window size of -1 or more, found -2}}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2) {left_window_size = -2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>} : (tensor<2x3x9x16xf32>, tensor<2x3x7x16xf32>, tensor<2x3x7x8xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @mask_rank(%x0: tensor<2x3x9x16xf32>, %x1: tensor<2x3x7x16xf32>, %x2: tensor<2x3x7x8xf32>, %x3: tensor<1x1x1x9x7xf32>) {
  // expected-error @below {{expected attn_mask of rank 4 or less, found }}
  // expected-error @below {{failed to infer returned types}}
  %y:4 = onnx.Attention(%x0, %x1, %x2, %x3) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0>} : (tensor<2x3x9x16xf32>, tensor<2x3x7x16xf32>, tensor<2x3x7x8xf32>, tensor<1x1x1x9x7xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @fused_kinds(%q: tensor<3x9x16xf32>, %mask: tensor<9x9xf32>) {
  // expected-error @below {{expected a kind and a fill for each of 1 masks, found 0 and 1}}
  // expected-error @below {{failed to infer returned types}}
  %y = onnx.FusedAttention(%q, %q, %q, %mask) {scale = 1.0 : f64, kinds = array<i64>, fills = array<f64: 0.0>, permQ = array<i64: 0, 1, 2>, permK = array<i64: 0, 1, 2>, permV = array<i64: 0, 1, 2>, permY = array<i64: 0, 1, 2>} : (tensor<3x9x16xf32>, tensor<3x9x16xf32>, tensor<3x9x16xf32>, tensor<9x9xf32>) -> tensor<3x9x16xf32>
  return
}

// -----

func.func @fused_permutation(%q: tensor<3x9x16xf32>) {
  // expected-error @below {{expected permutations of 3 dims, found [0, 1, 1]}}
  // expected-error @below {{failed to infer returned types}}
  %y = onnx.FusedAttention(%q, %q, %q) {scale = 1.0 : f64, kinds = array<i64>, fills = array<f64>, permQ = array<i64: 0, 1, 2>, permK = array<i64: 0, 1, 1>, permV = array<i64: 0, 1, 2>, permY = array<i64: 0, 1, 2>} : (tensor<3x9x16xf32>, tensor<3x9x16xf32>, tensor<3x9x16xf32>) -> tensor<3x9x16xf32>
  return
}
