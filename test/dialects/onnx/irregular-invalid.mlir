// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @compress_condition(%x: tensor<2x3xf32>, %c: tensor<2x3xi1>) {
  // expected-error @below {{expected a condition of rank 1, found 'tensor<2x3xi1>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Compress(%x, %c) : (tensor<2x3xf32>, tensor<2x3xi1>) -> tensor<?xf32, #onnx.shape<["?c"]>>
  return
}

// -----

func.func @compress_axis(%x: tensor<2x3xf32>, %c: tensor<2xi1>) {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Compress(%x, %c) {axis = 2 : i64} : (tensor<2x3xf32>, tensor<2xi1>) -> tensor<?xf32, #onnx.shape<["?c"]>>
  return
}

// -----

func.func @unique_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{axis -3 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0:4 = onnx.Unique(%x) {axis = -3 : i64} : (tensor<2x3xf32>) -> (tensor<?x3xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
  return
}

// -----

func.func @topk_axis(%x: tensor<3xf32>, %k: tensor<1xi64>) {
  // expected-error @below {{axis 1 is out of range for rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0:2 = onnx.TopK(%x, %k) {axis = 1 : i64} : (tensor<3xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return
}

// -----

func.func @topk_two_counts(%x: tensor<3xf32>, %k: tensor<2xi64>) {
  // expected-error @below {{expected one value of 'K', found 'tensor<2xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0:2 = onnx.TopK(%x, %k) : (tensor<3xf32>, tensor<2xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return
}

// -----

func.func @topk_too_many(%x: tensor<3xf32>) {
  %k = onnx.Constant {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{cannot take 4 of 3 elements}}
  // expected-error @below {{failed to infer returned types}}
  %0:2 = onnx.TopK(%x, %k) : (tensor<3xf32>, tensor<1xi64>) -> (tensor<4xf32>, tensor<4xi64>)
  return
}

// -----

func.func @topk_negative(%x: tensor<3xf32>) {
  %k = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{cannot take -1 of 3 elements}}
  // expected-error @below {{failed to infer returned types}}
  %0:2 = onnx.TopK(%x, %k) : (tensor<3xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return
}

// -----

func.func @nms_boxes(%b: tensor<1x6x3xf32>, %s: tensor<1x2x6xf32>) {
  // expected-error @below {{expected boxes [batch, n, 4] and scores [batch, classes, n], found 'tensor<1x6x3xf32>' and 'tensor<1x2x6xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.NonMaxSuppression(%b, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (tensor<1x6x3xf32>, tensor<1x2x6xf32>) -> tensor<?x3xi64>
  return
}

// -----

func.func @threshold_of_two_elements(%b: tensor<1x5x4xf32>, %s: tensor<1x2x5xf32>, %t: tensor<2xf32>) {
  // expected-error @below {{expected one element in 'iou_threshold', found 'tensor<2xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.NonMaxSuppression(%b, %s, %t) {operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>} : (tensor<1x5x4xf32>, tensor<1x2x5xf32>, tensor<2xf32>) -> tensor<1x3xi64>
  return
}
