// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

func.func @gather_axis(%x: tensor<7xf32>, %i: tensor<1xi64>) {
  // expected-error @below {{axis 1 is out of range for rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Gather(%x, %i) {axis = 1 : i64} : (tensor<7xf32>, tensor<1xi64>) -> tensor<1xf32>
  return
}

// -----

func.func @gather_index(%x: tensor<7xf32>) {
  %i = onnx.Constant {value = dense<[7]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{index 7 is out of range for an axis of size 7}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.Gather(%x, %i) : (tensor<7xf32>, tensor<1xi64>) -> tensor<1xf32>
  return
}

// -----

func.func @gather_elements_rank(%x: tensor<2x3xf32>, %i: tensor<3xi64>) {
  // expected-error @below {{expected indices of rank 2, found rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GatherElements(%x, %i) : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @gather_elements_axis(%x: tensor<2x3xf32>, %i: tensor<2x3xi64>) {
  // expected-error @below {{axis -3 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GatherElements(%x, %i) {axis = -3 : i64} : (tensor<2x3xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gather_elements_more_indices_than_data(%x: tensor<2x3xf32>, %i: tensor<2x4xi64>) {
  // expected-error @below {{the indices have 4 elements along axis 1, the data only 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GatherElements(%x, %i) : (tensor<2x3xf32>, tensor<2x4xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_elements_index(%x: tensor<2xf32>) {
  %i = onnx.Constant {value = dense<[-3]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{index -3 is out of range for an axis of size 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GatherElements(%x, %i) : (tensor<2xf32>, tensor<1xi64>) -> tensor<1xf32>
  return
}

// -----

func.func @gather_nd_scalar(%x: tensor<f32>, %i: tensor<1xi64>) {
  // expected-error @below {{expected data and indices of rank 1 or more, found ranks 0 and 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GatherND(%x, %i) : (tensor<f32>, tensor<1xi64>) -> tensor<f32>
  return
}

// -----

func.func @gather_nd_unknown_depth(%x: tensor<2x3xf32>, %i: tensor<2x?xi64, #onnx.shape<[2, "d"]>>) {
  // expected-error @below {{the last dim of the indices must be known, found d}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GatherND(%x, %i) : (tensor<2x3xf32>, tensor<2x?xi64, #onnx.shape<[2, "d"]>>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_nd_depth(%x: tensor<2x3xf32>, %i: tensor<2x3xi64>) {
  // expected-error @below {{indices of length 3 behind 0 batch dims do not fit data of rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GatherND(%x, %i) : (tensor<2x3xf32>, tensor<2x3xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_nd_batch_dims(%x: tensor<2x3xf32>, %i: tensor<2x1xi64>) {
  // expected-error @below {{indices of length 1 behind 2 batch dims do not fit data of rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.GatherND(%x, %i) {batch_dims = 2 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @reverse_sequence_axes(%x: tensor<2x3x4xf32>, %n: tensor<3xi64>) {
  // expected-error @below {{expected rank 2 or more and the axes 0 and 1, found rank 3 and axes 1 and 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ReverseSequence(%x, %n) {time_axis = 2 : i64} : (tensor<2x3x4xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @scatter_elements_reduction(%x: tensor<3xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>) {
  // expected-error @below {{expected reduction 'none', 'add', 'mul', 'min' or 'max', found 'avg'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ScatterElements(%x, %i, %u) {reduction = "avg"} : (tensor<3xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @scatter_elements_rank(%x: tensor<3x1xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>) {
  // expected-error @below {{expected indices of rank 2, found rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ScatterElements(%x, %i, %u) : (tensor<3x1xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<3x1xf32>
  return
}

// -----

func.func @scatter_elements_updates(%x: tensor<3xf32>, %i: tensor<2xi64>, %u: tensor<1xf32>) {
  // expected-error @below {{expected updates of the shape of the indices, 'tensor<2xi64>', found 'tensor<1xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ScatterElements(%x, %i, %u) : (tensor<3xf32>, tensor<2xi64>, tensor<1xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @scatter_nd_reduction(%x: tensor<3xf32>, %i: tensor<2x1xi64>, %u: tensor<2xf32>) {
  // expected-error @below {{expected reduction 'none', 'add', 'mul', 'min' or 'max', found 'avg'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ScatterND(%x, %i, %u) {reduction = "avg"} : (tensor<3xf32>, tensor<2x1xi64>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @scatter_nd_scalar(%x: tensor<3xf32>, %i: tensor<i64>, %u: tensor<f32>) {
  // expected-error @below {{expected data and indices of rank 1 or more, found ranks 1 and 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ScatterND(%x, %i, %u) : (tensor<3xf32>, tensor<i64>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @scatter_nd_depth(%x: tensor<3xf32>, %i: tensor<2x2xi64>, %u: tensor<2xf32>) {
  // expected-error @below {{indices of length 2 do not fit data of rank 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ScatterND(%x, %i, %u) : (tensor<3xf32>, tensor<2x2xi64>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @scatter_nd_updates(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x3xf32>) {
  // expected-error @below {{expected updates of type 'tensor<2x4xf32>', found 'tensor<2x3xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ScatterND(%x, %i, %u) : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @tensor_scatter_mode(%x: tensor<1x4x2xf32>, %u: tensor<1x1x2xf32>) {
  // expected-error @below {{expected mode 'linear' or 'circular', found 'ring'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.TensorScatter(%x, %u) {mode = "ring"} : (tensor<1x4x2xf32>, tensor<1x1x2xf32>) -> tensor<1x4x2xf32>
  return
}

// -----

func.func @tensor_scatter_axis(%x: tensor<1x4x2xf32>, %u: tensor<1x1x2xf32>) {
  // expected-error @below {{axis 3 is out of range for rank 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.TensorScatter(%x, %u) {axis = 3 : i64} : (tensor<1x4x2xf32>, tensor<1x1x2xf32>) -> tensor<1x4x2xf32>
  return
}

// -----

func.func @tensor_scatter_batch_axis(%x: tensor<1x4x2xf32>, %u: tensor<1x1x2xf32>) {
  // expected-error @below {{the sequence axis may not be 0, which is the batch}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.TensorScatter(%x, %u) {axis = 0 : i64} : (tensor<1x4x2xf32>, tensor<1x1x2xf32>) -> tensor<1x4x2xf32>
  return
}

// -----

func.func @tensor_scatter_rank(%x: tensor<1x4x2xf32>, %u: tensor<1x2xf32>) {
  // expected-error @below {{expected an update of the cache's rank 3, found rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.TensorScatter(%x, %u) : (tensor<1x4x2xf32>, tensor<1x2xf32>) -> tensor<1x4x2xf32>
  return
}

// -----

func.func @one_hot_axis(%i: tensor<2xi64>, %d: tensor<i64>, %v: tensor<2xf32>) {
  // expected-error @below {{axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.OneHot(%i, %d, %v) {axis = 2 : i64} : (tensor<2xi64>, tensor<i64>, tensor<2xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @one_hot_depth_is_no_scalar(%i: tensor<2xi64>, %d: tensor<2xi64>, %v: tensor<2xf32>) {
  // expected-error @below {{expected a scalar depth, found 'tensor<2xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.OneHot(%i, %d, %v) : (tensor<2xi64>, tensor<2xi64>, tensor<2xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @one_hot_negative_depth(%i: tensor<2xi64>, %v: tensor<2xf32>) {
  %d = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error @below {{expected a depth of 0 or more, found -1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.OneHot(%i, %d, %v) : (tensor<2xi64>, tensor<1xi64>, tensor<2xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @sequence_lengths_are_a_vector(%x: tensor<4x3xf32>, %l: tensor<i64>) {
  // expected-error @below {{expected a vector of 3 lengths, found 'tensor<i64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ReverseSequence(%x, %l) {batch_axis = 1 : i64, time_axis = 0 : i64} : (tensor<4x3xf32>, tensor<i64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @sequence_lengths_of_another_batch(%x: tensor<4x3xf32>, %l: tensor<2xi64>) {
  // expected-error @below {{expected a vector of 3 lengths, found 'tensor<2xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.ReverseSequence(%x, %l) {batch_axis = 1 : i64, time_axis = 0 : i64} : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @write_indices_are_a_vector(%c: tensor<1x2x4x4xf32>, %u: tensor<1x2x1x4xf32>, %w: tensor<1x1xi64>) {
  // expected-error @below {{expected a vector of write_indices, found 'tensor<1x1xi64>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = onnx.TensorScatter(%c, %u, %w) : (tensor<1x2x4x4xf32>, tensor<1x2x1x4xf32>, tensor<1x1xi64>) -> tensor<1x2x4x4xf32>
  return
}
