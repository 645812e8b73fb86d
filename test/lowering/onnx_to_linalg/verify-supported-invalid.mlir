// RUN: onnxc-opt --onnxc-verify-supported %s --verify-diagnostics --split-input-file

func.func @all_at_once(%x: tensor<4xf32>) -> (tensor<4xui8>, tensor<4xf32>) {
  // expected-error @below {{operator 'DynamicQuantizeLinear' is not supported}}
  %0:3 = onnx.DynamicQuantizeLinear(%x) : (tensor<4xf32>) -> (tensor<4xui8>, tensor<f32>, tensor<ui8>)
  // expected-error @below {{operator 'CastLike' is not supported}}
  %1 = onnx.CastLike(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // Has a lowering through its interface.
  %2 = onnx.Exp(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %0#0, %2 : tensor<4xui8>, tensor<4xf32>
}

// -----

func.func @six_bits(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{operator 'Constant' on 'tensor<f6E2M3FN>' is not supported}}
  %zero = onnx.Constant {value = dense<0.0> : tensor<f6E2M3FN>} : tensor<f6E2M3FN>
  // expected-error @below {{operator 'QuantizeLinear' on 'tensor<f6E2M3FN>' is not supported: expected tensors of bool or of 2-, 4- or 8- to 64-bit integers or floats}}
  %0 = onnx.QuantizeLinear(%x, %s, %zero) : (tensor<4xf32>, tensor<f32>, tensor<f6E2M3FN>) -> tensor<4xf6E2M3FN>
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{an input or output is 'tensor<4xf6E2M3FN>', which is not supported}}
func.func @input(%x: tensor<4xf6E2M3FN>) {
  return
}

// -----

// expected-error @below {{an input or output is 'tensor<*xf32>', which is not supported}}
func.func private @output() -> tensor<*xf32>

// -----

func.func @dropout_that_drops(%x: tensor<4xf32>, %r: tensor<f32>, %t: tensor<i1>) -> tensor<4xf32> {
  // expected-error @below {{operator 'Dropout' is not supported: input 'training_mode' is not known to be false, nor 'ratio' to be 0, and elements are not dropped here}}
  %0:2 = onnx.Dropout(%x, %r, %t) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<4xf32>, tensor<f32>, tensor<i1>) -> (tensor<4xf32>, tensor<4xi1>)
  return %0#0 : tensor<4xf32>
}
