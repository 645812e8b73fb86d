// RUN: onnxc-opt %s --onnxc-select-strategies --onnxc-form-kernels | FileCheck %s

// A zero tensor that is both a value and the start of a reduction: the reduction
// gets a fill of its own, the value is a kernel.
// CHECK-LABEL: @start_of_a_reduction_stays_a_fill
func.func @start_of_a_reduction_stays_a_fill(%a: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  // CHECK: linalg.generic {indexing_maps = [{{[^,]*}}, {{[^,]*}}], iterator_types = ["parallel"]}
  // CHECK: %[[START:.+]] = linalg.fill
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}} outs(%[[START]]
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%fill : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %0 = arith.addf %acc, %x : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %fill, %sum : tensor<4xf32>, tensor<4xf32>
}

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#last = affine_map<(i, j) -> (j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The anchor's strategy becomes the group's, the element-wise op its epilogue; the
// packed view and the fill go inside, for only the emitter understands them.
// CHECK-LABEL: @an_anchor_takes_an_epilogue
// CHECK-NOT: rt.packed
// CHECK: "rt.group"(%{{.*}}) <{strategy = #rt.gemm<
// CHECK-NEXT: ^bb0
// CHECK-DAG: linalg.fill
// CHECK-DAG: rt.packed
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: %[[EXP:.+]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: rt.yield %[[EXP]] : tensor<64x8xf32>
// CHECK-NOT: rt.strategy
// CHECK-NOT: rt.group
// CHECK: return
func.func @an_anchor_takes_an_epilogue(%a: tensor<64x2xf32>, %b: tensor<2x2x4xf32>) -> tensor<64x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %packed = rt.packed %b nr 4 : tensor<2x2x4xf32> -> tensor<2x8xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %packed : tensor<64x2xf32>, tensor<2x8xf32>) outs(%f : tensor<64x8xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%product : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  } -> tensor<64x8xf32>
  return %exp : tensor<64x8xf32>
}

// A product that is needed itself is one more result.
// CHECK-LABEL: @an_epilogue_beside_a_product_that_is_needed
// CHECK: %[[GROUP:.+]]:2 = "rt.group"(%{{.*}}, %{{.*}}) <{strategy = #rt.gemm<
// CHECK: %[[PRODUCT:.+]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: %[[EXP:.+]] = linalg.generic {{.*}} ins(%[[PRODUCT]] :
// CHECK: rt.yield %[[PRODUCT]], %[[EXP]]
// CHECK: return %[[GROUP]]#0, %[[GROUP]]#1
func.func @an_epilogue_beside_a_product_that_is_needed(%a: tensor<64x2xf32>, %b: tensor<2x8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x2xf32>, tensor<2x8xf32>) outs(%f : tensor<64x8xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%product : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  } -> tensor<64x8xf32>
  return %product, %exp : tensor<64x8xf32>, tensor<64x8xf32>
}

// A chain: what only the next op needs stays in registers, the rest is stored on the way.
// CHECK-LABEL: @a_chain_of_epilogues
// CHECK: %[[GROUP:.+]]:2 = "rt.group"(%{{.*}}, %{{.*}}) <{strategy = #rt.gemm<
// CHECK: %[[SUM:.+]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: %[[NEG:.+]] = linalg.generic {{.*}} ins(%[[SUM]] :
// CHECK: %[[EXP:.+]] = linalg.generic {{.*}} ins(%[[NEG]], %[[SUM]] :
// CHECK: rt.yield %[[SUM]], %[[EXP]]
// CHECK-NOT: rt.group
// CHECK: return %[[GROUP]]#0, %[[GROUP]]#1
func.func @a_chain_of_epilogues(%a: tensor<64x2xf32>, %b: tensor<2x8xf32>, %bias: tensor<8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x2xf32>, tensor<2x8xf32>) outs(%f : tensor<64x8xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]} ins(%product, %bias : tensor<64x8xf32>, tensor<8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<64x8xf32>
  %neg = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = arith.negf %x : f32
    linalg.yield %0 : f32
  } -> tensor<64x8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%neg, %sum : tensor<64x8xf32>, tensor<64x8xf32>) outs(%e : tensor<64x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = math.exp %x : f32
    %1 = arith.mulf %0, %y : f32
    linalg.yield %1 : f32
  } -> tensor<64x8xf32>
  return %sum, %exp : tensor<64x8xf32>, tensor<64x8xf32>
}

// A sum over each row and a division by it: one pass over each row.
// CHECK-LABEL: @ops_on_the_same_rows_share_a_kernel
// CHECK: %[[GROUP:.+]] = "rt.group"(%{{.*}}) <{strategy = #rt.loops<rows = 1, {{.*}}>, target = #cpu}>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: %[[RESULT:.+]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: rt.yield %[[RESULT]] : tensor<64x32xf32>
// CHECK: return %[[GROUP]]
func.func @ops_on_the_same_rows_share_a_kernel(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x32xf32>, tensor<64xf32>) outs(%e2 : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x32xf32>
  return %scaled : tensor<64x32xf32>
}

// A result that the group passes on and that is needed outside too is yielded.
// CHECK-LABEL: @a_shared_result_is_yielded
// CHECK: %[[GROUP:.+]]:2 = "rt.group"(%{{.*}}, %{{.*}}) <{strategy = #rt.loops<rows = 1, {{.*}}>, target = #cpu}>
// CHECK: rt.yield %{{.*}}, %{{.*}} : tensor<64xf32>, tensor<64x32xf32>
// CHECK: return %[[GROUP]]#0, %[[GROUP]]#1
func.func @a_shared_result_is_yielded(%x: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x32xf32>, tensor<64xf32>) outs(%e2 : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x32xf32>
  return %sum, %scaled : tensor<64xf32>, tensor<64x32xf32>
}

// The view needs the sums before the last op of the would-be group.
// CHECK-LABEL: @not_past_a_use_outside
// CHECK: %[[SUM:.+]] = "rt.group"
// CHECK: rt.reshape %[[SUM]]
// CHECK: "rt.group"
func.func @not_past_a_use_outside(%x: tensor<64x32xf32>) -> (tensor<8x8xf32>, tensor<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %view = rt.reshape %sum [] : tensor<64xf32> -> tensor<8x8xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x32xf32>, tensor<64xf32>) outs(%e2 : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x32xf32>
  return %view, %scaled : tensor<8x8xf32>, tensor<64x32xf32>
}

// A body that reads anywhere needs the whole tensor first.
// CHECK-LABEL: @not_for_reads_of_other_rows
// CHECK-COUNT-2: "rt.group"
func.func @not_for_reads_of_other_rows(%x: tensor<64x32xf32>, %at: tensor<64xindex>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %gathered = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum, %at : tensor<64x32xf32>, tensor<64xf32>, tensor<64xindex>) outs(%e2 : tensor<64x32xf32>) {
  ^bb0(%a: f32, %s: f32, %i: index, %out: f32):
    %0 = tensor.extract %sum[%i] : tensor<64xf32>
    %1 = arith.divf %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x32xf32>
  return %gathered : tensor<64x32xf32>
}

// Two rows would keep all but two threads idle, and the tensor is large.
// CHECK-LABEL: @not_for_a_few_long_rows
// CHECK-COUNT-2: "rt.group"
func.func @not_for_a_few_long_rows(%x: tensor<2x50000xf32>) -> tensor<2x50000xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x50000xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2xf32>
  %e2 = tensor.empty() : tensor<2x50000xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<2x50000xf32>, tensor<2xf32>) outs(%e2 : tensor<2x50000xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x50000xf32>
  return %scaled : tensor<2x50000xf32>
}

// Blocks are looked at one by one: the body of a loop gets kernels of its own.
// CHECK-LABEL: @bodies_of_loops
// CHECK: scf.for
// CHECK: %[[GROUP:.+]] = "rt.group"(%{{.*}}) <{strategy = #rt.concat
// CHECK: rt.concat axis 0
// CHECK: %[[NEXT:.+]] = "rt.group"
// CHECK: scf.yield %[[NEXT]]
func.func @bodies_of_loops(%x: tensor<4x8xf32>, %y: tensor<2x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> tensor<4x8xf32> {
    %twice = rt.concat axis 0 ins(%y, %y : tensor<2x8xf32>, tensor<2x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %next = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%acc, %twice : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
    } -> tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// What depends on weights alone must stay apart, to be evaluated.
// CHECK-LABEL: @constants_stay_apart
// CHECK: %[[SUM:.+]] = "rt.group"
// CHECK: "rt.group"
// CHECK: ins(%arg0, %[[SUM]] :
func.func @constants_stay_apart(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<1.0> : tensor<16x16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<16x16xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %e2 = tensor.empty() : tensor<16x16xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<16x16xf32>, tensor<16xf32>) outs(%e2 : tensor<16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<16x16xf32>
  return %scaled : tensor<16x16xf32>
}

// Ops on shared rows make one kernel up to what the target takes in one.
// CHECK-LABEL: @a_long_kernel_ends
// CHECK-COUNT-2: "rt.group"
// CHECK: return
func.func @a_long_kernel_ends(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
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
