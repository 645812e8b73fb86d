// RUN: onnxc-opt %s --onnxc-emit-kernels --split-input-file | FileCheck %s

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#mask = affine_map<(b, m, k, t, n) -> (t, m)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>

// All keys are one block: queries are packed, scored, changed by the region, exponentiated and
// multiplied with the values; nothing is scaled afterwards but by the sums.
// CHECK-LABEL: func.func private @one_block.tasks(
// CHECK-LABEL: func.func private @one_block.task(
// CHECK: vector.shuffle
// CHECK: vector.fma
// CHECK: arith.mulf {{.*}} : vector<4xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: arith.cmpf ogt
// CHECK-COUNT-2: math.exp {{.*}} : vector<4xf32>
// CHECK-NOT: math.exp
// CHECK: vector.fma
// CHECK: arith.divf {{.*}} : vector<4xf32>
"rt.kernel"() <{node = "", strategy = #rt.attention<mr = 4, nv = 2, lanes = 4, keyBlock = 16, workPerTask = 1000>, sym_name = "one_block", target = #rt.cpu<>}> ({
^bb0(%q: tensor<2x16x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x8xf32>, %mask: tensor<7x16xf32>, %init: tensor<2x16x8xf32>):
  %e = tensor.empty() : tensor<2x16x8xf32>
  %0 = rt.attention scale 0.25 ins(%q, %k, %v, %mask : tensor<2x16x8xf32>, tensor<2x7x8xf32>, tensor<2x7x8xf32>, tensor<7x16xf32>)
      outs(%e : tensor<2x16x8xf32>) maps [#q, #k, #v, #mask, #y] {
  ^bb1(%score: f32, %bias: f32):
    %s = arith.addf %score, %bias : f32
    rt.score %s : f32
  } -> tensor<2x16x8xf32>
  rt.yield %0 : tensor<2x16x8xf32>
}) : () -> ()

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>

// With more blocks than one, sums so far shrink by the exponential of how much a maximum grew.
// CHECK-LABEL: func.func private @blocks.task(
// CHECK: vector.fma
// CHECK: %[[FACTOR:.+]] = math.exp
// CHECK: arith.mulf %{{.+}}, %[[FACTOR]]
// CHECK: math.exp
// CHECK: arith.mulf %{{.+}}, %[[FACTOR]]
// CHECK: vector.fma
"rt.kernel"() <{node = "", strategy = #rt.attention<mr = 4, nv = 1, lanes = 4, keyBlock = 16, workPerTask = 1000>, sym_name = "blocks", target = #rt.cpu<>}> ({
^bb0(%q: tensor<2x16x8xf32>, %k: tensor<2x70x8xf32>, %v: tensor<2x70x8xf32>, %init: tensor<2x16x8xf32>):
  %e = tensor.empty() : tensor<2x16x8xf32>
  %0 = rt.attention scale 1.0 ins(%q, %k, %v : tensor<2x16x8xf32>, tensor<2x70x8xf32>, tensor<2x70x8xf32>)
      outs(%e : tensor<2x16x8xf32>) maps [#q, #k, #v, #y] {
  ^bb1(%score: f32):
    rt.score %score : f32
  } -> tensor<2x16x8xf32>
  rt.yield %0 : tensor<2x16x8xf32>
}) : () -> ()
