// RUN: onnxc-opt --onnxc-form-kernels -split-input-file %s | FileCheck %s

// The target has 128-bit vectors, as a module without `rt.target` says.

// All loops of a dense element-wise op are one; without rows its tasks share it.
// CHECK-LABEL: @dense_loops_merge
// CHECK: #rt.loops<rows = 0, splitVector = true, elementsPerTask = {{[0-9]+}}, nests = [<loops = [0, 0, 0], vector = 0, lanes = 4>]>
#id = affine_map<(i, j, k) -> (i, j, k)>
func.func @dense_loops_merge(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %e = tensor.empty() : tensor<2x3x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x3x8xf32>) outs(%e : tensor<2x3x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x8xf32>
  return %0 : tensor<2x3x8xf32>
}

// -----

// So are those whose sizes are known only at run time.
// CHECK-LABEL: @dynamic_loops_merge
// CHECK: #rt.loops<rows = 0, splitVector = true, elementsPerTask = {{[0-9]+}}, nests = [<loops = [0, 0, 0], vector = 0, lanes = 4>]>
#id = affine_map<(i, j, k) -> (i, j, k)>
func.func @dynamic_loops_merge(%arg: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %a = rt.symbol "a"
  %b = rt.symbol "2*b+1"
  %c = rt.symbol "c"
  %x = rt.reshape %arg [%a, %b, %c] : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  %e = tensor.empty(%a, %b, %c) : tensor<?x?x?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %1 = math.exp %v : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

// A bias along the last dim stops the merging there; the other loops are rows.
// CHECK-LABEL: @a_broadcast_operand_keeps_loops_apart
// CHECK: #rt.loops<rows = 1, splitVector = false, {{.*}}nests = [<loops = [0, 0, 1], vector = 1, lanes = 4>]>
#id = affine_map<(i, j, k) -> (i, j, k)>
#last = affine_map<(i, j, k) -> (k)>
func.func @a_broadcast_operand_keeps_loops_apart(%x: tensor<2x3x8xf32>, %bias: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %e = tensor.empty() : tensor<2x3x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %bias : tensor<2x3x8xf32>, tensor<8xf32>) outs(%e : tensor<2x3x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x8xf32>
  return %0 : tensor<2x3x8xf32>
}

// -----

// A sum over columns: the vector runs along the contiguous loop, which is behind
// the rows, and those come first.
// CHECK-LABEL: @rows_come_first
// CHECK: #rt.loops<rows = 1, splitVector = false, {{.*}}nests = [<loops = [0, 1, 2], vector = 2, lanes = 4>]>
#in = affine_map<(i, r, j) -> (i, r, j)>
#out = affine_map<(i, r, j) -> (i, j)>
func.func @rows_come_first(%x: tensor<5x6x8xf32>) -> tensor<5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x8xf32>) -> tensor<5x8xf32>
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<5x6x8xf32>) outs(%f : tensor<5x8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %1 = arith.addf %acc, %a : f32
    linalg.yield %1 : f32
  } -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// -----

// A transposition: one loop is contiguous in the output, the other in the input.
// CHECK-LABEL: @writes_are_contiguous
// CHECK: #rt.loops<rows = 1, splitVector = false, {{.*}}nests = [<loops = [1, 0], vector = 1, lanes = 4>]>
#id = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>
func.func @writes_are_contiguous(%x: tensor<16x32xf32>) -> tensor<32x16xf32> {
  %e = tensor.empty() : tensor<32x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #swap], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x32xf32>) outs(%e : tensor<32x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}

// -----

// A body that asks where it is keeps its loops.
// CHECK-LABEL: @loop_indices_keep_loops
// CHECK: #rt.loops<rows = 1, splitVector = false, {{.*}}nests = [<loops = [0, 1], vector = 1, lanes = 2>]>
#id = affine_map<(i, j) -> (i, j)>
func.func @loop_indices_keep_loops() -> tensor<4x8xi64> {
  %e = tensor.empty() : tensor<4x8xi64>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<4x8xi64>) {
  ^bb0(%o: i64):
    %1 = linalg.index 1 : index
    %2 = arith.index_cast %1 : index to i64
    linalg.yield %2 : i64
  } -> tensor<4x8xi64>
  return %0 : tensor<4x8xi64>
}

// -----

// A reduction that cannot be reordered is not vectorised; rows are instead.
// CHECK-LABEL: @order_of_a_difference_matters
// CHECK: #rt.loops<rows = 0, splitVector = true, {{.*}}nests = [<loops = [0, 1], vector = 0, lanes = 4>]>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @order_of_a_difference_matters(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %1 = arith.subf %a, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A scalar has no loops.
// CHECK-LABEL: @no_loops
// CHECK: #rt.loops<rows = 0, splitVector = false, {{.*}}nests = [<lanes = 1>]>
#scalar = affine_map<() -> ()>
func.func @no_loops(%x: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %0 = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []}
      ins(%x : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Ops that share rows: sums stay in registers, rows on the stack.
// CHECK-LABEL: @shared_rows
// CHECK: #rt.loops<rows = 1, splitVector = false, {{.*}}nests = [<loops = [0, 1], vector = 1, lanes = 4>, <loops = [0, 1], vector = 1, lanes = 4>]>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @shared_rows(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x32xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<64x32xf32>, tensor<64xf32>) outs(%e2 : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x32xf32>
  return %scaled : tensor<64x32xf32>
}

// -----

// A short loop has a vector that fits into it or, with masks, one that it fits into.
// CHECK-LABEL: @short_loop
// CHECK: vector = 1, lanes = 4>
// CHECK-LABEL: @short_loop_with_masks
// CHECK: vector = 1, lanes = 8>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [broadcastOperands, memoryOperands]>} {
func.func @short_loop(%x: tensor<100x5xf32>, %b: tensor<100xf32>) -> tensor<100x5xf32> {
  %e = tensor.empty() : tensor<100x5xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<100x5xf32>, tensor<100xf32>) outs(%e : tensor<100x5xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %1 = arith.mulf %a, %c : f32
    linalg.yield %1 : f32
  } -> tensor<100x5xf32>
  return %0 : tensor<100x5xf32>
}
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>} {
func.func @short_loop_with_masks(%x: tensor<100x5xf32>, %b: tensor<100xf32>) -> tensor<100x5xf32> {
  %e = tensor.empty() : tensor<100x5xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<100x5xf32>, tensor<100xf32>) outs(%e : tensor<100x5xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %1 = arith.mulf %a, %c : f32
    linalg.yield %1 : f32
  } -> tensor<100x5xf32>
  return %0 : tensor<100x5xf32>
}
}

// -----

// Elements that share bytes are written as vectors where those are whole bytes; by one
// task where rows are no runs of bits.
// CHECK-LABEL: @bytes_in_order
// CHECK: #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0, 1], vector = 1, lanes = 4>]>
// CHECK-LABEL: @rows_within_bytes
// CHECK: #rt.loops<rows = 2, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0, 1], lanes = 1>]>
// CHECK-LABEL: @bytes_out_of_order
// CHECK: #rt.loops<rows = 2, splitVector = false, elementsPerTask = 281474976710656, nests = [<loops = [0, 1], lanes = 1>]>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#swapped = affine_map<(i, j) -> (j, i)>
func.func @bytes_in_order(%x: tensor<100x64xf32>, %b: tensor<100xf32>) -> tensor<100x64xi4> {
  %e = tensor.empty() : tensor<100x64xi4>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<100x64xf32>, tensor<100xf32>) outs(%e : tensor<100x64xi4>) {
  ^bb0(%a: f32, %c: f32, %o: i4):
    %1 = arith.mulf %a, %c : f32
    %2 = arith.fptosi %1 : f32 to i4
    linalg.yield %2 : i4
  } -> tensor<100x64xi4>
  return %0 : tensor<100x64xi4>
}
func.func @rows_within_bytes(%x: tensor<100x63xf32>, %b: tensor<100xf32>) -> tensor<100x63xi4> {
  %e = tensor.empty() : tensor<100x63xi4>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<100x63xf32>, tensor<100xf32>) outs(%e : tensor<100x63xi4>) {
  ^bb0(%a: f32, %c: f32, %o: i4):
    %1 = arith.mulf %a, %c : f32
    %2 = arith.fptosi %1 : f32 to i4
    linalg.yield %2 : i4
  } -> tensor<100x63xi4>
  return %0 : tensor<100x63xi4>
}
func.func @bytes_out_of_order(%x: tensor<9x63xf32>) -> tensor<63x9xi4> {
  %e = tensor.empty() : tensor<63x9xi4>
  %0 = linalg.generic {indexing_maps = [#id, #swapped], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<9x63xf32>) outs(%e : tensor<63x9xi4>) {
  ^bb0(%a: f32, %o: i4):
    %2 = arith.fptosi %a : f32 to i4
    linalg.yield %2 : i4
  } -> tensor<63x9xi4>
  return %0 : tensor<63x9xi4>
}
