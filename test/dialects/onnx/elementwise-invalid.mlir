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
