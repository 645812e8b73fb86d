// RUN: onnxc-opt %s --onnxc-fuse-elementwise | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#last = affine_map<(i, j) -> (j)>
#swapped = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: @a_chain_is_one_op
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: arith.negf
// CHECK: linalg.yield
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @a_chain_is_one_op(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// Named ops become generics, so that the passes behind see one form; fills stay.
// CHECK-LABEL: @named_ops_are_generalised
// CHECK: linalg.fill
// CHECK-NOT: linalg.matmul
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @named_ops_are_generalised(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: @a_reduction_takes_its_producer
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: math.exp
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @a_reduction_takes_its_producer(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %1 = arith.addf %acc, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: @a_contraction_takes_none
// CHECK: linalg.generic
// CHECK: arith.negf
// CHECK: linalg.yield
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @a_contraction_takes_none(%x: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %e2 = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x2xf32>) -> tensor<4x2xf32>
  %2 = linalg.matmul ins(%0, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// Twice the work is worse than a tensor in memory, unless the op is cheap.
// CHECK-LABEL: @an_expensive_op_is_computed_once
// CHECK: %[[EXP:.+]] = linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} ins(%[[EXP]]
// CHECK: linalg.generic {{.*}} ins(%[[EXP]]
func.func @an_expensive_op_is_computed_once(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: @a_cheap_op_is_computed_again
// CHECK: linalg.generic {{.*}} ins(%arg0
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.negf
// CHECK-NEXT: arith.mulf
// CHECK: linalg.generic {{.*}} ins(%arg0
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.negf
// CHECK-NEXT: math.exp
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @a_cheap_op_is_computed_again(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A row that is read by every row of the consumer would be computed for each.
// CHECK-LABEL: @a_broadcast_producer_stays
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
func.func @a_broadcast_producer_stays(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#last, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %y : tensor<8xf32>, tensor<4x8xf32>) outs(%e2 : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// What depends on weights alone is left to constant evaluation.
// CHECK-LABEL: @constants_stay_apart
// CHECK: %[[SCALED:.+]] = linalg.generic
// CHECK: arith.negf
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[SCALED]]
func.func @constants_stay_apart(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<2x2xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// Into another block it would run once per turn.
// CHECK-LABEL: @not_into_a_loop
// CHECK: linalg.generic
// CHECK: arith.negf
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK-NOT: arith.negf
// CHECK: return
func.func @not_into_a_loop(%x: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> tensor<4x8xf32> {
    %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%acc, %0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<4x8xf32>
    scf.yield %2 : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// A body does not grow beyond what the target takes in one kernel: a sine is some hundred
// instructions.
// CHECK-LABEL: @a_long_body_ends
// CHECK: linalg.generic
// CHECK-COUNT-5: math.sin
// CHECK: linalg.generic
// CHECK-COUNT-5: math.sin
// CHECK: return
func.func @a_long_body_ends(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.sin %a : f32
    %2 = math.sin %1 : f32
    %3 = math.sin %2 : f32
    %4 = math.sin %3 : f32
    %5 = math.sin %4 : f32
    linalg.yield %5 : f32
  } -> tensor<64x64xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.sin %a : f32
    %2 = math.sin %1 : f32
    %3 = math.sin %2 : f32
    %4 = math.sin %3 : f32
    %5 = math.sin %4 : f32
    linalg.yield %5 : f32
  } -> tensor<64x64xf32>
  return %q : tensor<64x64xf32>
}
