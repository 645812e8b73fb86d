// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @reshape_number_of_elements(%x: tensor<2x3xf32>) -> tensor<4x2xf32> {
  %s = onnx.Constant {value = dense<[4, 2]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @+2 {{cannot reshape [2, 3] to [4, 2]: the number of elements differs}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Reshape(%x, %s) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @reshape_two_unknown(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %s = onnx.Constant {value = dense<-1> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @+2 {{a shape may hold -1 once, found [-1, -1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Reshape(%x, %s) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @reshape_zero_and_unknown(%x: tensor<0x3xf32>) -> tensor<0x?xf32> {
  %s = onnx.Constant {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @+2 {{a shape with 0 and -1 is ambiguous with allowzero}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Reshape(%x, %s) {allowzero = 1 : i64} : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<0x?xf32>
  return %0 : tensor<0x?xf32>
}

// -----

func.func @transpose_axis_twice(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // expected-error @+2 {{axis 0 is given twice}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @squeeze_not_one(%x: tensor<2x3xf32>) -> tensor<3xf32> {
  %axes = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @+2 {{cannot squeeze axis 0 of size 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Squeeze(%x, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @unsqueeze_out_of_range(%x: tensor<2xf32>) -> tensor<2x1xf32> {
  %axes = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Unsqueeze(%x, %axes) : (tensor<2xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// -----

func.func @concat_other_axis(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) -> tensor<4x3xf32> {
  // expected-error @+2 {{cannot concatenate along axis 0: the sizes of axis 1 are 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Concat(%x, %y) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @split_sum(%x: tensor<7xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %s = onnx.Constant {value = dense<3> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @+2 {{the split sizes sum up to 6, but the axis has 7 elements}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = onnx.Split(%x, %s) : (tensor<7xf32>, tensor<2xi64>) -> (tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}

// -----

func.func @slice_step_zero(%x: tensor<7xf32>) -> tensor<7xf32> {
  %z = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @+2 {{a step of 0 is not allowed}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Slice(%x, %z, %z, %z, %z) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<7xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @pad_count(%x: tensor<7xf32>) -> tensor<7xf32> {
  %z = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @+2 {{expected 2 pads, two for each axis, found 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Pad(%x, %z) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<7xf32>, tensor<1xi64>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @gather_index(%x: tensor<7xf32>) -> tensor<1xf32> {
  %i = onnx.Constant {value = dense<7> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @+2 {{index 7 is out of range for an axis of size 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Gather(%x, %i) : (tensor<7xf32>, tensor<1xi64>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @blocks(%x: tensor<1x6x2x2xf32>) -> tensor<1x1x4x4xf32> {
  // expected-error @+2 {{the number of channels (6) must be a multiple of 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.DepthToSpace(%x) {blocksize = 2 : i64} : (tensor<1x6x2x2xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// -----

func.func @topk_too_many(%x: tensor<3xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
  %k = onnx.Constant {value = dense<4> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @+2 {{cannot take 4 of 3 elements}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = onnx.TopK(%x, %k) : (tensor<3xf32>, tensor<1xi64>) -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi64>
}

// -----

func.func @tile_overflows(%x: tensor<4xf32>) -> tensor<?xf32> {
  %r = onnx.Constant {value = dense<4611686018427387904> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @+2 {{axis 0 of size 4 repeated 4611686018427387904 times is too large}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Tile(%x, %r) : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
