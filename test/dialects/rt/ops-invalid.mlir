// RUN: onnxc-opt %s -split-input-file -verify-diagnostics

func.func @row_of_the_wrong_rank(%row: tensor<2x3xf32>, %rows: tensor<?x3xf32>, %i: index) {
  // expected-error @below {{expects a row of the rank below that of 'tensor<?x3xf32>', found 'tensor<2x3xf32>'}}
  %0 = rt.append %row to %rows[%i] : tensor<2x3xf32> to tensor<?x3xf32>
  return
}

// -----

func.func @row_of_another_type(%row: tensor<3xf64>, %rows: tensor<?x3xf32>, %i: index) {
  // expected-error @below {{expects a row of the rank below that of 'tensor<?x3xf32>', found 'tensor<3xf64>'}}
  %0 = rt.append %row to %rows[%i] : tensor<3xf64> to tensor<?x3xf32>
  return
}

// -----

func.func @destination_that_cannot_grow(%row: tensor<3xf32>, %rows: tensor<5x3xf32>, %i: index) {
  // expected-error @below {{expects a destination with a dynamic first dim, found 'tensor<5x3xf32>'}}
  %0 = rt.append %row to %rows[%i] : tensor<3xf32> to tensor<5x3xf32>
  return
}

// -----

func.func @launch_without_a_result(%init: tensor<3xf32>) {
  // expected-error @below {{expects one result of the type of each of its 1 inits, found 0 results}}
  rt.launch @k ins() outs(%init : tensor<3xf32>)
  return
}

// -----

func.func @launch_on_memory_without_a_context(%p: !llvm.ptr) {
  // expected-error @below {{expects tensors as inits and results, or pointers as inits with a context and no results}}
  rt.launch @k ins() outs(%p : !llvm.ptr)
  return
}
