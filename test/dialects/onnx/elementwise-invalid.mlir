// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @shift_direction(%a: tensor<4xui8>) -> tensor<4xui8> {
  // expected-error @below {{expected direction 'LEFT' or 'RIGHT', found 'UP'}}
  %0 = onnx.BitShift(%a, %a) {direction = "UP"} : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

func.func @gelu_form(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected approximate 'none' or 'tanh', found 'sigmoid'}}
  %0 = onnx.Gelu(%a) {approximate = "sigmoid"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @cast_round_mode(%a: tensor<4xf32>) -> tensor<4xf8E8M0FNU> {
  // expected-error @below {{expected round_mode 'up', 'down' or 'nearest', found 'odd'}}
  %0 = onnx.Cast(%a) {to = 24 : i64, round_mode = "odd"} : (tensor<4xf32>) -> tensor<4xf8E8M0FNU>
  return %0 : tensor<4xf8E8M0FNU>
}

// -----

func.func @cast_to_unknown_type(%a: tensor<4xf32>) -> tensor<4xi32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{unknown element type number}}
  %0 = onnx.Cast(%a) {to = 99 : i64} : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @bitcast_between_widths(%a: tensor<4xf32>) -> tensor<4xi16> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected a type as wide as 'f32', found 'i16'}}
  %0 = onnx.BitCast(%a) {to = 5 : i64} : (tensor<4xf32>) -> tensor<4xi16>
  return %0 : tensor<4xi16>
}

// -----

func.func @static_dims_do_not_fit(%a: tensor<4xf32>, %b: tensor<3xf32>) -> tensor<4xf32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{cannot broadcast dim 0: sizes 4 and 3 are neither equal nor 1}}
  %0 = onnx.Add(%a, %b) : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @bitcast_to_unknown_type(%x: tensor<4xf32>) {
  // expected-error @below {{unknown element type number 99}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.BitCast(%x) {to = 99 : i64} : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @quantize_to_unknown_type(%x: tensor<4xf32>, %s: tensor<f32>) {
  // expected-error @below {{unknown element type number 99}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.QuantizeLinear(%x, %s) {output_dtype = 99 : i64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi8>
  return
}

// -----

func.func @dequantize_to_unknown_type(%x: tensor<4xi8>, %s: tensor<f32>) {
  // expected-error @below {{unknown element type number 99}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.DequantizeLinear(%x, %s) {output_dtype = 99 : i64} : (tensor<4xi8>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @block_size(%x: tensor<2x4xi8>, %s: tensor<2x2xf32>) {
  // expected-error @below {{expected a block_size of 0 or more, found -2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.DequantizeLinear(%x, %s) {block_size = -2 : i64} : (tensor<2x4xi8>, tensor<2x2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @scale_rank(%x: tensor<2x3xi8>, %s: tensor<2x3xf32>) {
  // expected-error @below {{expected a scale of rank 1, found rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.DequantizeLinear(%x, %s) : (tensor<2x3xi8>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @block_scale_rank(%x: tensor<2x4xi8>, %s: tensor<2xf32>) {
  // expected-error @below {{expected a scale of rank 2, found rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.DequantizeLinear(%x, %s) {block_size = 2 : i64} : (tensor<2x4xi8>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @zero_point_rank(%x: tensor<2x3xi8>, %s: tensor<3xf32>, %z: tensor<2x3xi8>) {
  // expected-error @below {{expected a zero point of the scale's rank 1, found rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.DequantizeLinear(%x, %s, %z) : (tensor<2x3xi8>, tensor<3xf32>, tensor<2x3xi8>) -> tensor<2x3xf32>
  return
}

// -----

func.func @quantization_axis(%x: tensor<2x3xi8>, %s: tensor<3xf32>) {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.DequantizeLinear(%x, %s) {axis = 2 : i64} : (tensor<2x3xi8>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}
