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

// -----

func.func @reshape_to_another_type(%x: tensor<8xf32>) {
  // expected-error @below {{expects elements of type 'f32' in its result, found 'i32'}}
  %0 = rt.reshape %x [] : tensor<8xf32> -> tensor<8xi32>
  return
}

// -----

func.func @reshape_without_a_size(%x: tensor<8xf32>) {
  // expected-error @below {{expects a size for each of the 1 dynamic dims of its result, found 0}}
  %0 = rt.reshape %x [] : tensor<8xf32> -> tensor<?x2xf32>
  return
}

// -----

func.func @reshape_to_more_elements(%x: tensor<8xf32>) {
  // expected-error @below {{expects as many elements as 'tensor<8xf32>' has, found 'tensor<3x3xf32>'}}
  %0 = rt.reshape %x [] : tensor<8xf32> -> tensor<3x3xf32>
  return
}

// -----

func.func @packed_type(%x: tensor<2x4x8xf32>) {
  // expected-error @below {{expects elements of type 'f32' in its result, found 'f16'}}
  %0 = rt.packed %x nr 8 : tensor<2x4x8xf32> -> tensor<4x16xf16>
  return
}

// -----

func.func @packed_rank(%x: tensor<2x4x8xf32>) {
  // expected-error @below {{expects a result of rank 2, found 'tensor<64xf32>'}}
  %0 = rt.packed %x nr 8 : tensor<2x4x8xf32> -> tensor<64xf32>
  return
}

// -----

func.func @packed_width(%x: tensor<2x4x8xf32>) {
  // expected-error @below {{expects panels of 16 columns, found 'tensor<2x4x8xf32>'}}
  %0 = rt.packed %x nr 16 : tensor<2x4x8xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @packed_step(%x: tensor<2x4x8x2xi8>) {
  // expected-error @below {{expects steps of 4 elements, found 'tensor<2x4x8x2xi8>'}}
  %0 = rt.packed %x nr 8 step 4 : tensor<2x4x8x2xi8> -> tensor<8x16xi8>
  return
}

// -----

func.func @packed_steps_of_none(%x: tensor<2x4x8xi8>) {
  // expected-error @below {{expects a step of at least 1, found 0}}
  %0 = rt.packed %x nr 8 step 0 : tensor<2x4x8xi8> -> tensor<4x16xi8>
  return
}

// -----

func.func @packed_without_steps(%x: tensor<2x8x4xi8>) {
  // expected-error @below {{expects panels, steps, columns and elements of a step in at most 4 dims, found 'tensor<2x8x4xi8>'}}
  %0 = rt.packed %x nr 8 step 4 : tensor<2x8x4xi8> -> tensor<8x16xi8>
  return
}

// -----

func.func @concat_axis(%x: tensor<8xf32>, %e: tensor<16xf32>) {
  // expected-error @below {{expects an axis of 'tensor<16xf32>', found 1}}
  %0 = rt.concat axis 1 ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @concat_input(%x: tensor<8x2xf32>, %y: tensor<8x3xf32>, %e: tensor<16x2xf32>) {
  // expected-error @below {{expects inputs that differ from 'tensor<16x2xf32>' along axis 0 only, found 'tensor<8x3xf32>'}}
  %0 = rt.concat axis 0 ins(%x, %y : tensor<8x2xf32>, tensor<8x3xf32>) outs(%e : tensor<16x2xf32>) -> tensor<16x2xf32>
  return
}

// -----

func.func @concat_init(%x: tensor<8xf32>, %e: tensor<8xf32>) {
  // expected-error @below {{expects inits of the types of its results, found 'tensor<8xf32>' and 'tensor<16xf32>' at 0}}
  %0 = rt.concat axis 0 ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @call_without_output(%e: tensor<8xf32>) {
  // expected-error @below {{expects an output for each of its 1 inits, found 0}}
  rt.call "f" message "" ins() outs(%e : tensor<8xf32>) parameters [] []
  return
}

// -----

func.func @call_without_dims() {
  // expected-error @below {{expects all 2 dims of the outputs that have no init, found 0}}
  %0 = rt.call "f" message "" ins() outs() parameters [] [] -> (tensor<?x?xf32>)
  return
}

// -----

func.func @call_init(%e: tensor<8xf32>) {
  // expected-error @below {{expects inits of the types of its outputs, found 'tensor<8xf32>' and 'tensor<8xi32>' at 0}}
  %0 = rt.call "f" message "" ins() outs(%e : tensor<8xf32>) parameters [] [] -> (tensor<8xi32>)
  return
}

// -----

func.func @group_inits(%x: tensor<8xf32>) {
  // expected-error @below {{expects as many inits as results, found 0 and 1}}
  %0 = "rt.group"() <{strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, target = #rt.cpu<>}> ({
    rt.yield %x : tensor<8xf32>
  }) : () -> tensor<8xf32>
  return
}

// -----

func.func @group_arguments(%x: tensor<8xf32>) {
  // expected-error @below {{expects as many block arguments as inits, found 0 and 1}}
  %0 = "rt.group"(%x) <{strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, target = #rt.cpu<>}> ({
    rt.yield %x : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @group_yield(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{expects yielded values of the types of its results, found 'tensor<4xf32>' and 'tensor<8xf32>' at 0}}
  %0 = "rt.group"(%x) <{strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<8xf32>):
    rt.yield %y : tensor<4xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// expected-error @below {{expects a body that ends with 'rt.yield'}}
"rt.kernel"() <{node = "", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, sym_name = "k", target = #rt.cpu<>}> ({
^bb0(%x: tensor<8xf32>):
  llvm.unreachable
}) : () -> ()

// -----

// expected-error @below {{expects an argument to write each of its 1 results into, found 0 arguments}}
"rt.kernel"() <{node = "", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, sym_name = "k", target = #rt.cpu<>}> ({
  %0 = tensor.empty() : tensor<8xf32>
  rt.yield %0 : tensor<8xf32>
}) : () -> ()

// -----

// expected-error @below {{expects last arguments of the types of its yielded values, found 'tensor<4xf32>' and 'tensor<8xf32>' at 0}}
"rt.kernel"() <{node = "", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, sym_name = "k", target = #rt.cpu<>}> ({
^bb0(%x: tensor<8xf32>, %init: tensor<4xf32>):
  rt.yield %x : tensor<8xf32>
}) : () -> ()
