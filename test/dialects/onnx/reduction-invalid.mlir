// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @axis_twice(%a: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %axes = onnx.Constant {value = dense<[1, -2]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{axis -2 is given twice}}
  %0 = onnx.ReduceSum(%a, %axes) : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x1x4xf32>
  return %0 : tensor<2x1x4xf32>
}

// -----

func.func @axes_rank(%x: tensor<2x3xf32>, %a: tensor<i64>) {
  // expected-error @below {{'axes' must have rank 1, found rank 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ReduceSum(%x, %a) : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x1xf32>
  return
}

// -----

func.func @axis_out_of_range(%x: tensor<2x3xf32>) {
  %a = onnx.Constant {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ReduceMax(%x, %a) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  return
}

// -----

func.func @number_of_axes(%x: tensor<2x3xf32>, %a: tensor<?xi64, #onnx.shape<["k"]>>) {
  // expected-error @below {{the length of 'axes' must be known, else the result has no known rank}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ReduceSum(%x, %a) : (tensor<2x3xf32>, tensor<?xi64, #onnx.shape<["k"]>>) -> tensor<2x1xf32>
  return
}

// -----

func.func @arg_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{axis -3 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ArgMax(%x) {axis = -3 : i64} : (tensor<2x3xf32>) -> tensor<1x3xi64>
  return
}

// -----

func.func @cumsum_along_no_axis(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %axis = onnx.Constant {value = dense<2> : tensor<i64>} : tensor<i64>
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.CumSum(%x, %axis) : (tensor<2x5xf32>, tensor<i64>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

func.func @axis_given_twice(%x: tensor<2x3xf32>) {
  %a = onnx.Constant {value = dense<[1, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{axis -1 is given twice}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ReduceSum(%x, %a) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<1x1xf32>
  return
}

// -----

func.func @axis_out_of_range_among_all(%x: tensor<2x3xf32>) {
  %a = onnx.Constant {value = dense<[0, 2]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ReduceSum(%x, %a) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<1x1xf32>
  return
}

// -----

func.func @more_axes_than_there_are(%x: tensor<2x3xf32>, %a: tensor<3xi64>) {
  // expected-error @below {{cannot reduce 3 axes of rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ReduceSum(%x, %a) : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<1x1xf32>
  return
}

// -----

func.func @cumulative_along_two_axes(%x: tensor<2x3xf32>, %a: tensor<2xi64>) {
  // expected-error @below {{expected one element in 'axis', found 'tensor<2xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.CumSum(%x, %a) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}
