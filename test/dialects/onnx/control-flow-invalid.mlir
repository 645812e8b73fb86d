// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @branches_differ_in_number(%c: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error @below {{then_branch has 1 outputs, else_branch 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.If(%c) {
    onnx.Yield(%x) : (tensor<2xf32>)
  } else {
    onnx.Yield()
  } : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @branches_differ_in_type(%c: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xi64>) {
  // expected-error @below {{output 0 is 'tensor<2xf32>' in then_branch and 'tensor<2xi64>' in else_branch}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.If(%c) {
    onnx.Yield(%x) : (tensor<2xf32>)
  } else {
    onnx.Yield(%y) : (tensor<2xi64>)
  } : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @branch_without_yield(%c: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error @below {{a branch does not end with onnx.Yield}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.If(%c) {
    onnx.Yield(%x) : (tensor<2xf32>)
  } else {
    ub.unreachable
  } : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @loop_inputs(%n: tensor<i64>, %x: tensor<f32>) {
  // expected-error @below {{body takes 2 inputs, expected 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Loop(%n, %x) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    onnx.Yield(%c, %x) : (tensor<i1>, tensor<f32>)
  } {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @loop_outputs(%n: tensor<i64>, %x: tensor<f32>) {
  // expected-error @below {{body has 1 outputs, expected at least 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Loop(%n, %x) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %s: tensor<f32>):
    onnx.Yield(%c) : (tensor<i1>)
  } {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @loop_without_yield(%n: tensor<i64>, %x: tensor<f32>) {
  // expected-error @below {{the body does not end with onnx.Yield}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Loop(%n, %x) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %s: tensor<f32>):
    ub.unreachable
  } {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @carried_type(%n: tensor<i64>, %x: tensor<f32>) {
  // expected-error @below {{carried value 0 is 'tensor<f32>' before the loop and 'tensor<2xf32>' in its body}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Loop(%n, %x) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %s: tensor<2xf32>):
    onnx.Yield(%c, %s) : (tensor<i1>, tensor<2xf32>)
  } {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @scan_output(%n: tensor<i64>, %x: !onnx.seq<tensor<f32>>) {
  // expected-error @below {{scan output is '!onnx.seq<tensor<f32>>', expected a tensor}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Loop(%n) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    onnx.Yield(%c, %x) : (tensor<i1>, !onnx.seq<tensor<f32>>)
  } {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<i64>) -> tensor<?xf32>
  return
}
