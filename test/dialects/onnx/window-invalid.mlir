// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @window_too_large(%x: tensor<1x3x2x7xf32>) {
  // expected-error @below {{spatial axis 0 of size 2 is too small for a window of 5}}
  // expected-error @below {{failed to infer returned types}}
  %0:2 = onnx.MaxPool(%x) {kernel_shape = array<i64: 5, 5>} : (tensor<1x3x2x7xf32>) -> (tensor<1x3x1x1xf32>, tensor<1x3x1x1xi64>)
  return
}

// -----

func.func @no_image(%x: tensor<3xf32>) {
  // expected-error @below {{expected an image of rank 2 or more, found rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 1>} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @global_pool_of_no_image(%x: tensor<3xf32>) {
  // expected-error @below {{expected an image of rank 2 or more, found rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GlobalMaxPool(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @kernel_of_another_rank(%x: tensor<1x3x7x7xf32>) {
  // expected-error @below {{expected a kernel with 2 spatial axes, found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2>} : (tensor<1x3x7x7xf32>) -> tensor<1x3x6x6xf32>
  return
}

// -----

func.func @empty_kernel(%x: tensor<1x3x7x7xf32>) {
  // expected-error @below {{expected a kernel of at least 1 element per axis, found 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 0>} : (tensor<1x3x7x7xf32>) -> tensor<1x3x6x6xf32>
  return
}

// -----

func.func @auto_pad(%x: tensor<1x3x7x7xf32>) {
  // expected-error @below {{expected auto_pad 'NOTSET', 'SAME_UPPER', 'SAME_LOWER' or 'VALID', found 'SAME'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 2>, auto_pad = "SAME"} : (tensor<1x3x7x7xf32>) -> tensor<1x3x6x6xf32>
  return
}

// -----

func.func @strides(%x: tensor<1x3x7x7xf32>) {
  // expected-error @below {{expected 2 elements in 'strides', found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 1>} : (tensor<1x3x7x7xf32>) -> tensor<1x3x6x6xf32>
  return
}

// -----

func.func @zero_stride(%x: tensor<1x3x7x7xf32>) {
  // expected-error @below {{expected elements of at least 1 in 'strides', found 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 1, 0>} : (tensor<1x3x7x7xf32>) -> tensor<1x3x6x6xf32>
  return
}

// -----

func.func @absurd_dilation(%x: tensor<1x3x7x7xf32>) {
  // expected-error @below {{expected elements of at most 2147483647 in 'dilations', found 1099511627776}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 2>, dilations = array<i64: 1099511627776, 1>} : (tensor<1x3x7x7xf32>) -> tensor<1x3x6x6xf32>
  return
}

// -----

func.func @dilations(%x: tensor<1x3x7x7xf32>) {
  // expected-error @below {{expected elements of at least 1 in 'dilations', found -1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 2>, dilations = array<i64: -1, 1>} : (tensor<1x3x7x7xf32>) -> tensor<1x3x6x6xf32>
  return
}

// -----

func.func @pads(%x: tensor<1x3x7x7xf32>) {
  // expected-error @below {{expected 4 elements in 'pads', found 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1>} : (tensor<1x3x7x7xf32>) -> tensor<1x3x6x6xf32>
  return
}

// -----

func.func @lp_pool_order(%x: tensor<1x3x7x7xf32>) {
  // expected-error @below {{expected 'p' of at least 1, found 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.LpPool(%x) {kernel_shape = array<i64: 2, 2>, p = 0 : i64} : (tensor<1x3x7x7xf32>) -> tensor<1x3x6x6xf32>
  return
}

// -----

func.func @unpool_kernel(%x: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>) {
  // expected-error @below {{expected a kernel with 2 spatial axes, found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.MaxUnpool(%x, %i) {kernel_shape = array<i64: 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) -> tensor<1x1x4x4xf32>
  return
}

// -----

func.func @unpool_output_shape(%x: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>) {
  %s = onnx.Constant {value = dense<[4, 4]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{expected 4 elements in 'output_shape', found 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.MaxUnpool(%x, %i, %s) {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<2xi64>) -> tensor<1x1x4x4xf32>
  return
}

// -----

func.func @resize_mode(%x: tensor<1x1x2x2xf32>) {
  %s = onnx.Constant {value = dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>} : tensor<4xf32>
  // expected-error @below {{expected mode 'nearest', 'linear' or 'cubic', found 'area'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 1, 0>, mode = "area"} : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @resize_nearest_mode(%x: tensor<1x1x2x2xf32>) {
  %s = onnx.Constant {value = dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>} : tensor<4xf32>
  // expected-error @below {{expected nearest_mode 'round_prefer_floor', 'round_prefer_ceil', 'floor' or 'ceil', found 'up'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 1, 0>, nearest_mode = "up"} : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @resize_policy(%x: tensor<1x1x2x2xf32>) {
  %s = onnx.Constant {value = dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>} : tensor<4xf32>
  // expected-error @below {{expected keep_aspect_ratio_policy 'stretch', 'not_larger' or 'not_smaller', found 'fit'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 1, 0>, keep_aspect_ratio_policy = "fit"} : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @resize_coordinates(%x: tensor<1x1x2x2xf32>) {
  %s = onnx.Constant {value = dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>} : tensor<4xf32>
  // expected-error @below {{found 'polar'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 1, 0>, coordinate_transformation_mode = "polar"} : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @resize_needs_scales_or_sizes(%x: tensor<1x1x2x2xf32>) {
  // expected-error @below {{expected either 'scales' or 'sizes', found none}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x) {operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @resize_takes_scales_or_sizes(%x: tensor<1x1x2x2xf32>) {
  %s = onnx.Constant {value = dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>} : tensor<4xf32>
  %z = onnx.Constant {value = dense<[1, 1, 2, 2]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error @below {{expected either 'scales' or 'sizes', found both}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %s, %z) {operandSegmentSizes = array<i32: 1, 0, 1, 1>} : (tensor<1x1x2x2xf32>, tensor<4xf32>, tensor<4xi64>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @resize_number_of_scales(%x: tensor<1x1x2x2xf32>) {
  %s = onnx.Constant {value = dense<[1.0, 1.0]> : tensor<2xf32>} : tensor<2xf32>
  // expected-error @below {{expected 4 elements in 'scales', found 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (tensor<1x1x2x2xf32>, tensor<2xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @resize_number_of_sizes(%x: tensor<1x1x2x2xf32>) {
  %z = onnx.Constant {value = dense<[1, 1, 2, 2]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error @below {{expected 2 elements in 'sizes', found 4}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %z) {operandSegmentSizes = array<i32: 1, 0, 0, 1>, axes = array<i64: 2, 3>} : (tensor<1x1x2x2xf32>, tensor<4xi64>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @resize_axes(%x: tensor<1x1x2x2xf32>) {
  %s = onnx.Constant {value = dense<[1.0, 1.0]> : tensor<2xf32>} : tensor<2xf32>
  // expected-error @below {{axis 4 is out of range for rank 4}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 1, 0>, axes = array<i64: 2, 4>} : (tensor<1x1x2x2xf32>, tensor<2xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @resize_scale(%x: tensor<1x1x2x2xf32>) {
  %s = onnx.Constant {value = dense<[1.0, 1.0, 1.0, -2.0]> : tensor<4xf32>} : tensor<4xf32>
  // expected-error @below {{expected a scale of more than 0 and at most 1e6, found -}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (tensor<1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @grid_rank(%x: tensor<1x1x2x2xf32>, %g: tensor<1x2x2xf32>) {
  // expected-error @below {{expected image and grid of one rank of at least 3, found ranks 4 and 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GridSample(%x, %g) : (tensor<1x1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @grid_coordinates(%x: tensor<1x1x2x2xf32>, %g: tensor<1x2x2x3xf32>) {
  // expected-error @below {{expected 2 coordinates in the grid, found 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GridSample(%x, %g) : (tensor<1x1x2x2xf32>, tensor<1x2x2x3xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @grid_mode(%x: tensor<1x1x2x2xf32>, %g: tensor<1x2x2x2xf32>) {
  // expected-error @below {{expected mode 'linear', 'nearest', 'cubic', 'bilinear' or 'bicubic', found 'area'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GridSample(%x, %g) {mode = "area"} : (tensor<1x1x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @grid_padding(%x: tensor<1x1x2x2xf32>, %g: tensor<1x2x2x2xf32>) {
  // expected-error @below {{expected padding_mode 'zeros', 'border' or 'reflection', found 'wrap'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GridSample(%x, %g) {padding_mode = "wrap"} : (tensor<1x1x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @affine_grid_size(%t: tensor<1x2x3xf32>) {
  %s = onnx.Constant {value = dense<[1, 1, 1]> : tensor<3xi64>} : tensor<3xi64>
  // expected-error @below {{expected 4 or 5 elements in 'size', found 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AffineGrid(%t, %s) : (tensor<1x2x3xf32>, tensor<3xi64>) -> tensor<1x1x1x2xf32>
  return
}

// -----

func.func @affine_grid_size_of_unknown_length(%t: tensor<1x2x3xf32>, %s: tensor<?xi64, #onnx.shape<["k"]>>) {
  // expected-error @below {{the length of 'size' must be known, else the result has no known rank}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AffineGrid(%t, %s) : (tensor<1x2x3xf32>, tensor<?xi64, #onnx.shape<["k"]>>) -> tensor<1x1x1x2xf32>
  return
}

// -----

func.func @resize_to_a_negative_size(%x: tensor<1x1x4x4xf32>) {
  %s = onnx.Constant {value = dense<[1, 1, 4, -4]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error @below {{'sizes' may not be negative, found -4}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 0, 1>} : (tensor<1x1x4x4xf32>, tensor<4xi64>) -> tensor<1x1x4x4xf32>
  return
}

// -----

func.func @grid_of_a_negative_size(%t: tensor<1x2x3xf32>) {
  %s = onnx.Constant {value = dense<[1, 1, -4, 4]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error @below {{'size' may not be negative, found -4}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.AffineGrid(%t, %s) : (tensor<1x2x3xf32>, tensor<4xi64>) -> tensor<1x4x4x2xf32>
  return
}
