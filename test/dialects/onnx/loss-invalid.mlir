// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @ranks(%x: tensor<3x5xf32>, %t: tensor<3x5xi64>) -> tensor<f32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected scores of rank 2 or more and targets of one less, found ranks 2 and 2}}
  %0 = onnx.NegativeLogLikelihoodLoss(%x, %t) : (tensor<3x5xf32>, tensor<3x5xi64>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @weights(%x: tensor<3x5xf32>, %t: tensor<3xi64>, %w: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected weights of rank 1, found rank 0}}
  %0 = onnx.NegativeLogLikelihoodLoss(%x, %t, %w) : (tensor<3x5xf32>, tensor<3xi64>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @reduction(%x: tensor<3x5xf32>, %t: tensor<3xi64>) -> tensor<f32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected reduction 'none', 'sum' or 'mean', found 'median'}}
  %0 = onnx.NegativeLogLikelihoodLoss(%x, %t) {reduction = "median"} : (tensor<3x5xf32>, tensor<3xi64>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @window_type(%n: tensor<i64>) {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected output_datatype to be a number type, found 8}}
  %0 = onnx.HannWindow(%n) {output_datatype = 8 : i64} : (tensor<i64>) -> tensor<?xf32, #onnx.shape<["?n"]>>
  return
}

// -----

func.func @window_size() {
  %n = onnx.Constant {value = dense<-1> : tensor<i64>} : tensor<i64>
  // expected-error @below {{expected a size of 0 or more, found -1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.HannWindow(%n) : (tensor<i64>) -> tensor<?xf32, #onnx.shape<["?n"]>>
  return
}

// -----

func.func @batches_differ(%s: tensor<3x5xf32>, %t: tensor<0xi64>) {
  // expected-error @below {{expected scores and targets to have the same sizes but for the classes, found 'tensor<3x5xf32>' and 'tensor<0xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.NegativeLogLikelihoodLoss(%s, %t) : (tensor<3x5xf32>, tensor<0xi64>) -> tensor<f32>
  return
}

// -----

func.func @window_of_two_sizes(%s: tensor<2xi64>) {
  // expected-error @below {{expected one element in 'size', found 'tensor<2xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.HannWindow(%s) : (tensor<2xi64>) -> tensor<4xf32>
  return
}
