// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @norm_order(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected p to be 1 or 2, found 3}}
  %0 = onnx.LpNormalization(%a) {p = 3 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @no_channels(%a: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected an input of rank 2 or more, found rank 1}}
  %0 = onnx.InstanceNormalization(%a, %a, %a) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @scale_of_another_size(%a: tensor<2x3xf32>, %s: tensor<4xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected 3 elements in 'scale', one for each channel, found 4}}
  %0 = onnx.InstanceNormalization(%a, %s, %s) : (tensor<2x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @scale_matrix(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected 'scale' of rank 1, found rank 2}}
  %0 = onnx.InstanceNormalization(%a, %a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @uneven_groups(%a: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected num_groups to divide the 3 channels, found 2}}
  %0 = onnx.GroupNormalization(%a, %s, %s) {num_groups = 2 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @lrn_size(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected a size of 1 or more, found 0}}
  %0 = onnx.LRN(%a) {size = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @stash_type(%a: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{expected stash_type to be a float type, found 7}}
  %0:3 = onnx.LayerNormalization(%a, %s) {stash_type = 7 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return %0#0 : tensor<2x3xf32>
}

// -----

func.func @softmax_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Softmax(%x) {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @log_softmax_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.LogSoftmax(%x) {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @hardmax_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{axis -3 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Hardmax(%x) {axis = -3 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @norm_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.LpNormalization(%x) {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @mean_variance_axes(%x: tensor<2x3xf32>) {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.MeanVarianceNormalization(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @bias_of_another_size(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{expected 3 elements in 'B', one for each channel, found 4}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.InstanceNormalization(%x, %s, %b) : (tensor<2x3xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @no_groups(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{expected num_groups to divide the 3 channels, found 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GroupNormalization(%x, %s, %s) {num_groups = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @lrn_rank(%x: tensor<3xf32>) {
  // expected-error @below {{expected an input of rank 2 or more, found rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.LRN(%x) {size = 3 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @layer_norm_axis(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0:3 = onnx.LayerNormalization(%x, %s) {axis = 2 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @rms_norm_axis(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.RMSNormalization(%x, %s) {axis = 2 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_bias(%x: tensor<2x3x5xf32>, %s: tensor<3x5xf32>, %b: tensor<3xf32>) {
  // expected-error @below {{expected 'B' to broadcast to 'tensor<2x3x5xf32>', found 'tensor<3xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0:3 = onnx.LayerNormalization(%x, %s, %b) {axis = 1 : i64} : (tensor<2x3x5xf32>, tensor<3x5xf32>, tensor<3xf32>) -> (tensor<2x3x5xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  return
}

// -----

func.func @rms_norm_scale(%x: tensor<5xf32>, %s: tensor<1x5xf32>) {
  // expected-error @below {{expected 'scale' to broadcast to 'tensor<5xf32>', found 'tensor<1x5xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.RMSNormalization(%x, %s) : (tensor<5xf32>, tensor<1x5xf32>) -> tensor<5xf32>
  return
}
