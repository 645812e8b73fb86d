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

func.func @pad_reflects_too_far(%x: tensor<3xf32>) -> tensor<6xf32> {
  %p = onnx.Constant {value = dense<[0, 3]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @+2 {{a reflecting pad of 3 along axis 0 must be smaller than its size, 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Pad(%x, %p) {mode = "reflect", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<3xf32>, tensor<2xi64>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// Negative pads cut the axis first.
func.func @pad_reflects_too_far_after_a_cut(%x: tensor<3xf32>) -> tensor<4xf32> {
  %p = onnx.Constant {value = dense<[-1, 2]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @+2 {{a reflecting pad of 2 along axis 0 must be smaller than its size, 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Pad(%x, %p) {mode = "reflect", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<3xf32>, tensor<2xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @pad_from_nothing(%x: tensor<0xf32>) -> tensor<1xf32> {
  %p = onnx.Constant {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @+2 {{axis 0 has no element to pad with}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Pad(%x, %p) {mode = "edge", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<0xf32>, tensor<2xi64>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @slice_lists_are_vectors(%x: tensor<7xf32>) -> tensor<7xf32> {
  %z = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %s = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  // expected-error @+2 {{'ends' must have rank 1, found rank 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Slice(%x, %z, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<7xf32>, tensor<1xi64>, tensor<i64>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @blocks(%x: tensor<1x6x2x2xf32>) -> tensor<1x1x4x4xf32> {
  // expected-error @+2 {{the number of channels (6) must be a multiple of 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.DepthToSpace(%x) {blocksize = 2 : i64} : (tensor<1x6x2x2xf32>) -> tensor<1x1x4x4xf32>
  return %0 : tensor<1x1x4x4xf32>
}

// -----

func.func @tile_overflows(%x: tensor<4xf32>) -> tensor<?xf32> {
  %r = onnx.Constant {value = dense<4611686018427387904> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @+2 {{axis 0 of size 4 repeated 4611686018427387904 times is too large}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = onnx.Tile(%x, %r) : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @reshape_shape_rank(%x: tensor<2xf32>, %s: tensor<i64>) {
  // expected-error @below {{'shape' must have rank 1, found rank 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Reshape(%x, %s) : (tensor<2xf32>, tensor<i64>) -> tensor<2xf32>
  return
}

// -----

func.func @reshape_to_unknown_rank(%x: tensor<2xf32>, %s: tensor<?xi64, #onnx.shape<["k"]>>) {
  // expected-error @below {{the length of 'shape' must be known, else the result has no known rank}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Reshape(%x, %s) : (tensor<2xf32>, tensor<?xi64, #onnx.shape<["k"]>>) -> tensor<2xf32>
  return
}

// -----

func.func @reshape_copies_no_dim(%x: tensor<2xf32>) {
  %s = onnx.Constant {value = dense<[2, 0]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{the 0 at 1 of the shape [2, 0] copies no dim of an input of rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Reshape(%x, %s) : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x1xf32>
  return
}

// -----

func.func @reshape_negative(%x: tensor<2xf32>) {
  %s = onnx.Constant {value = dense<[-2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{a shape may hold sizes, 0 and -1, found [-2]}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Reshape(%x, %s) : (tensor<2xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @reshape_does_not_divide(%x: tensor<5xf32>) {
  %s = onnx.Constant {value = dense<[2, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{cannot reshape [5] to [2, -1]: the number of elements differs}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Reshape(%x, %s) : (tensor<5xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @reshape_something_to_nothing(%x: tensor<5xf32>) {
  %s = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{cannot reshape [5] to [0]: the number of elements differs}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Reshape(%x, %s) {allowzero = 1 : i64} : (tensor<5xf32>, tensor<1xi64>) -> tensor<0xf32>
  return
}

// -----

func.func @flatten_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{axis 3 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Flatten(%x) {axis = 3 : i64} : (tensor<2x3xf32>) -> tensor<6x1xf32>
  return
}

// -----

func.func @squeeze_more_axes_than_dims(%x: tensor<1xf32>, %a: tensor<2xi64>) {
  // expected-error @below {{cannot squeeze 2 axes of rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Squeeze(%x, %a) : (tensor<1xf32>, tensor<2xi64>) -> tensor<f32>
  return
}

// -----

func.func @squeeze_axis(%x: tensor<1xf32>) {
  %a = onnx.Constant {value = dense<[-2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{axis -2 is out of range for rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Squeeze(%x, %a) : (tensor<1xf32>, tensor<1xi64>) -> tensor<f32>
  return
}

// -----

func.func @squeeze_axes_rank(%x: tensor<1xf32>, %a: tensor<1x1xi64>) {
  // expected-error @below {{'axes' must have rank 1, found rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Squeeze(%x, %a) : (tensor<1xf32>, tensor<1x1xi64>) -> tensor<f32>
  return
}

// -----

func.func @unsqueeze_axes_rank(%x: tensor<1xf32>, %a: tensor<1x1xi64>) {
  // expected-error @below {{'axes' must have rank 1, found rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Unsqueeze(%x, %a) : (tensor<1xf32>, tensor<1x1xi64>) -> tensor<1x1xf32>
  return
}

// -----

func.func @transpose_length(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected a permutation of 2 axes, found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Transpose(%x) {perm = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @transpose_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Transpose(%x) {perm = array<i64: 0, 2>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @concat_of_nothing() {
  // expected-error @below {{expected at least one input}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Concat() {axis = 0 : i64} : () -> tensor<2xf32>
  return
}

// -----

func.func @concat_axis(%x: tensor<2xf32>) {
  // expected-error @below {{axis 1 is out of range for rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Concat(%x) {axis = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @concat_ranks(%x: tensor<2xf32>, %y: tensor<2x1xf32>) {
  // expected-error @below {{cannot concatenate ranks 1 and 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Concat(%x, %y) {axis = 0 : i64} : (tensor<2xf32>, tensor<2x1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @concat_types(%x: tensor<2xf32>, %y: tensor<2xi64>) {
  // expected-error @below {{cannot concatenate element types 'f32' and 'i64'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Concat(%x, %y) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @split_axis(%x: tensor<2xf32>) {
  // expected-error @below {{axis 1 is out of range for rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Split(%x) {axis = 1 : i64, num_outputs = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @split_into_nothing(%x: tensor<2xf32>) {
  // expected-error @below {{expected 'split' or a positive 'num_outputs'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Split(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @split_too_few(%x: tensor<2xf32>) {
  // expected-error @below {{cannot split 2 elements into 3 pieces}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Split(%x) {num_outputs = 3 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @split_negative(%x: tensor<2xf32>) {
  %s = onnx.Constant {value = dense<[3, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{a split size of -1 is negative}}
  // expected-error @below {{failed to infer returned types}}
  %0:2 = onnx.Split(%x, %s) : (tensor<2xf32>, tensor<2xi64>) -> (tensor<3xf32>, tensor<?xf32>)
  return
}

// -----

func.func @split_count(%x: tensor<2xf32>) {
  %s = onnx.Constant {value = dense<[1, 1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{expected 2 outputs, found 3}}
  // expected-error @below {{failed to infer returned types}}
  %0:2 = onnx.Split(%x, %s) {num_outputs = 3 : i64} : (tensor<2xf32>, tensor<2xi64>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @slice_lengths(%x: tensor<7xf32>) {
  %s = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %e = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{starts, ends, axes and steps must have one length, found 1 and 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Slice(%x, %s, %e) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<7xf32>, tensor<1xi64>, tensor<2xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @slice_axis(%x: tensor<7xf32>) {
  %z = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %a = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{axis 1 is out of range for rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Slice(%x, %z, %z, %a) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<7xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @slice_starts_rank(%x: tensor<7xf32>, %s: tensor<i64>) {
  // expected-error @below {{'starts' must have rank 1, found rank 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Slice(%x, %s, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<7xf32>, tensor<i64>, tensor<i64>) -> tensor<7xf32>
  return
}

// -----

func.func @expand_negative(%x: tensor<1xf32>) {
  %s = onnx.Constant {value = dense<[-2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{'shape' may not be negative, found -2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Expand(%x, %s) : (tensor<1xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @expand_sizes(%x: tensor<3xf32>) {
  %s = onnx.Constant {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{cannot broadcast dim 0: sizes 3 and 2 are neither equal nor 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Expand(%x, %s) : (tensor<3xf32>, tensor<1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @tile_repeats(%x: tensor<3xf32>) {
  %s = onnx.Constant {value = dense<[2, 2]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{expected 1 repeats, found 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Tile(%x, %s) : (tensor<3xf32>, tensor<2xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @tile_negative(%x: tensor<3xf32>) {
  %s = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{'repeats' may not be negative, found -1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Tile(%x, %s) : (tensor<3xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_mode(%x: tensor<7xf32>, %p: tensor<2xi64>) {
  // expected-error @below {{expected mode 'constant', 'reflect', 'edge' or 'wrap', found 'mirror'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Pad(%x, %p) {mode = "mirror", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<7xf32>, tensor<2xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @pad_crops_too_much(%x: tensor<7xf32>) {
  %p = onnx.Constant {value = dense<[-4, -4]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{axis 0 would get the size -1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Pad(%x, %p) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<7xf32>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_axes(%x: tensor<7xf32>) {
  %p = onnx.Constant {value = dense<[0, 0]> : tensor<2xi64>} : tensor<2xi64>
  %a = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{axis 1 is out of range for rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Pad(%x, %p, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<7xf32>, tensor<2xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @crop_sizes(%x: tensor<7x5xf32>) {
  %s = onnx.Constant {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{expected 2 sizes, found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.CenterCropPad(%x, %s) : (tensor<7x5xf32>, tensor<1xi64>) -> tensor<3x5xf32>
  return
}

// -----

func.func @crop_axes(%x: tensor<7x5xf32>) {
  %s = onnx.Constant {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.CenterCropPad(%x, %s) {axes = array<i64: 2>} : (tensor<7x5xf32>, tensor<1xi64>) -> tensor<3x5xf32>
  return
}

// -----

func.func @crop_negative(%x: tensor<7xf32>) {
  %s = onnx.Constant {value = dense<[-3]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{'shape' may not be negative, found -3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.CenterCropPad(%x, %s) : (tensor<7xf32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @triangle_of_a_vector(%x: tensor<3xf32>) {
  // expected-error @below {{expected rank 2 or more, found rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Trilu(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @blocks_rank(%x: tensor<4x2x2xf32>) {
  // expected-error @below {{expected rank 4, found rank 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.DepthToSpace(%x) {blocksize = 2 : i64} : (tensor<4x2x2xf32>) -> tensor<1x4x4xf32>
  return
}

// -----

func.func @block_size(%x: tensor<1x4x2x2xf32>) {
  // expected-error @below {{expected a blocksize of 1 to 1048576, found 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.SpaceToDepth(%x) {blocksize = 0 : i64} : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  return
}

// -----

func.func @block_mode(%x: tensor<1x4x2x2xf32>) {
  // expected-error @below {{expected mode 'DCR' or 'CRD', found 'RCD'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.DepthToSpace(%x) {blocksize = 2 : i64, mode = "RCD"} : (tensor<1x4x2x2xf32>) -> tensor<1x1x4x4xf32>
  return
}

// -----

func.func @block_height(%x: tensor<1x4x3x2xf32>) {
  // expected-error @below {{the height (3) must be a multiple of 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.SpaceToDepth(%x) {blocksize = 2 : i64} : (tensor<1x4x3x2xf32>) -> tensor<1x16x1x1xf32>
  return
}

// -----

func.func @block_width(%x: tensor<1x4x2x3xf32>) {
  // expected-error @below {{the width (3) must be a multiple of 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.SpaceToDepth(%x) {blocksize = 2 : i64} : (tensor<1x4x2x3xf32>) -> tensor<1x16x1x1xf32>
  return
}

// -----

// Lengths are compared by type: the elements need not be known.
func.func @slice_lengths_of_unknown_lists(%x: tensor<7x7xf32>, %s: tensor<2xi64>, %e: tensor<1xi64>) {
  // expected-error @below {{starts, ends, axes and steps must have one length, found 2 and 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Slice(%x, %s, %e) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<7x7xf32>, tensor<2xi64>, tensor<1xi64>) -> tensor<7x7xf32>
  return
}

// -----

func.func @slice_of_more_axes_than_there_are(%x: tensor<7xf32>, %s: tensor<1099511627776xi64>) {
  // expected-error @below {{cannot slice 1099511627776 axes of rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Slice(%x, %s, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<7xf32>, tensor<1099511627776xi64>, tensor<1099511627776xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @pad_axes_are_a_vector(%x: tensor<7xf32>, %p: tensor<2xi64>, %a: tensor<i64>) {
  // expected-error @below {{'axes' must have rank 1, found rank 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Pad(%x, %p, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<7xf32>, tensor<2xi64>, tensor<i64>) -> tensor<7xf32>
  return
}

// -----

func.func @pad_of_more_axes_than_there_are(%x: tensor<7xf32>, %p: tensor<4xi64>, %a: tensor<2xi64>) {
  // expected-error @below {{cannot pad 2 axes of rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Pad(%x, %p, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<7xf32>, tensor<4xi64>, tensor<2xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @pads_of_unknown_axes(%x: tensor<7x7xf32>, %p: tensor<3xi64>, %a: tensor<2xi64>) {
  // expected-error @below {{expected 4 pads, two for each axis, found 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Pad(%x, %p, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (tensor<7x7xf32>, tensor<3xi64>, tensor<2xi64>) -> tensor<7x7xf32>
  return
}

// -----

func.func @unsqueeze_of_absurdly_many_axes(%x: tensor<7xf32>, %a: tensor<1099511627776xi64>) {
  // expected-error @below {{'axes' has 1099511627776 elements, expected at most 64, the largest rank}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Unsqueeze(%x, %a) : (tensor<7xf32>, tensor<1099511627776xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @unsqueeze_beyond_the_largest_rank(%x: tensor<7xf32>, %a: tensor<64xi64>) {
  // expected-error @below {{cannot add 64 axes to rank 1, expected at most 64 in all}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Unsqueeze(%x, %a) : (tensor<7xf32>, tensor<64xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @reshape_to_an_absurd_rank(%x: tensor<7xf32>, %s: tensor<1099511627776xi64>) {
  // expected-error @below {{'shape' has 1099511627776 elements, expected at most 64, the largest rank}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Reshape(%x, %s) : (tensor<7xf32>, tensor<1099511627776xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @expand_to_an_absurd_rank(%x: tensor<7xf32>, %s: tensor<1099511627776xi64>) {
  // expected-error @below {{'shape' has 1099511627776 elements, expected at most 64, the largest rank}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Expand(%x, %s) : (tensor<7xf32>, tensor<1099511627776xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @split_into_absurdly_many(%x: tensor<7xf32>, %s: tensor<1099511627776xi64>) {
  // expected-error @below {{expected at most 65536 pieces, found 1099511627776}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Split(%x, %s) : (tensor<7xf32>, tensor<1099511627776xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @split_into_absurdly_many_equal_ones(%x: tensor<?xf32, #onnx.shape<["n"]>>) {
  // expected-error @below {{expected at most 65536 pieces, found 1099511627776}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Split(%x) {num_outputs = 1099511627776 : i64} : (tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<7xf32>
  return
}

// -----

func.func @trilu_without_a_diagonal(%x: tensor<2x2xf32>, %k: tensor<0xi64>) {
  // expected-error @below {{expected one element in 'k', found 'tensor<0xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Trilu(%x, %k) : (tensor<2x2xf32>, tensor<0xi64>) -> tensor<2x2xf32>
  return
}
