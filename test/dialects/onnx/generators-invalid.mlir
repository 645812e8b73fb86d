// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @range_of_vectors(%a: tensor<2xi64>, %b: tensor<i64>) {
  // expected-error @below {{expected scalars, found 'tensor<2xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Range(%a, %b, %b) : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return
}

// -----

func.func @range_without_steps(%a: tensor<i64>) {
  %z = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  // expected-error @below {{a delta of 0 is not allowed}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Range(%a, %a, %z) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return
}

// -----

func.func @float_range_without_steps(%a: tensor<f32>) {
  %z = onnx.Constant {value = dense<0.0> : tensor<f32>} : tensor<f32>
  // expected-error @below {{a delta of 0 is not allowed}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Range(%a, %a, %z) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @range_without_end() {
  %a = onnx.Constant {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %b = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %c = onnx.Constant {value = dense<1.0e-30> : tensor<f32>} : tensor<f32>
  // expected-error @below {{the range has too many elements}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Range(%a, %b, %c) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @constant_of_shape_rank(%s: tensor<i64>) {
  // expected-error @below {{'input' must have rank 1, found rank 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ConstantOfShape(%s) : (tensor<i64>) -> tensor<f32>
  return
}

// -----

func.func @constant_of_shape_values(%s: tensor<1xi64>) {
  // expected-error @below {{'value' must have one element, found 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ConstantOfShape(%s) {value = dense<[1, 2]> : tensor<2xi64>} : (tensor<1xi64>) -> tensor<?xi64>
  return
}

// -----

func.func @constant_of_negative_shape() {
  %s = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{'input' may not be negative, found -1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ConstantOfShape(%s) : (tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @eye_rank(%x: tensor<3xf32>) {
  // expected-error @below {{expected rank 2, found rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.EyeLike(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @eye_type(%x: tensor<3x3xf32>) {
  // expected-error @below {{unknown element type number 99}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.EyeLike(%x) {dtype = 99 : i64} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @range_of_two_types(%a: tensor<i64>, %b: tensor<f32>) {
  // expected-error @below {{expected three scalars of one type, found 'i64' and 'f32'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Range(%a, %b, %a) : (tensor<i64>, tensor<f32>, tensor<i64>) -> tensor<?xi64>
  return
}

// -----

func.func @range_too_long() {
  %a = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %b = onnx.Constant {value = dense<9223372036854775807> : tensor<i64>} : tensor<i64>
  %c = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  // expected-error @below {{the range has too many elements}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Range(%a, %b, %c) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return
}

// -----

func.func @constant_of_an_absurd_rank(%s: tensor<1099511627776xi64>) {
  // expected-error @below {{'input' has 1099511627776 elements, expected at most 64, the largest rank}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ConstantOfShape(%s) : (tensor<1099511627776xi64>) -> tensor<7xf32>
  return
}
