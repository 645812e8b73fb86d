// RUN: onnxc-opt %s --onnxc-decompose-attention --split-input-file | FileCheck %s

// One query leaves lanes idle: two products, the region in between, the steps of a softmax.
#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#mask = affine_map<(b, m, k, t, n) -> (b, 0, t)>
#y = affine_map<(b, m, k, t, n) -> (m, b, n)>
// CHECK-LABEL: @one_query
// CHECK-NOT: rt.attention
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: ^bb0(%[[SCORE:.+]]: f32, %[[MASK:.+]]: f32, %{{.+}}: f32):
// CHECK: %[[SCALED:.+]] = arith.mulf %[[SCORE]], %{{.+}}
// CHECK: %[[KEY:.+]] = linalg.index 2
// CHECK: arith.index_cast %[[KEY]]
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: arith.cmpf oeq
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]{{.*}} outs(%{{.+}} : tensor<1x2x16xf32>)
// CHECK: return
func.func @one_query(%q: tensor<2x1x16xf32>, %k: tensor<2x?x16xf32>, %v: tensor<2x?x16xf32>, %mask: tensor<2x1x?xf32>, %t: index) -> tensor<1x2x16xf32> {
  %ks = rt.reshape %k[%t] : tensor<2x?x16xf32> -> tensor<2x?x16xf32>
  %vs = rt.reshape %v[%t] : tensor<2x?x16xf32> -> tensor<2x?x16xf32>
  %ms = rt.reshape %mask[%t] : tensor<2x1x?xf32> -> tensor<2x1x?xf32>
  %init = tensor.empty() : tensor<1x2x16xf32>
  %0 = rt.attention scale 0.25 ins(%q, %ks, %vs, %ms : tensor<2x1x16xf32>, tensor<2x?x16xf32>, tensor<2x?x16xf32>, tensor<2x1x?xf32>)
      outs(%init : tensor<1x2x16xf32>) maps [#q, #k, #v, #mask, #y] empty_rows zero {
  ^bb0(%score: f32, %m: f32):
    %j = rt.index 3
    %i = arith.index_cast %j : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.mulf %f, %m : f32
    %r = arith.addf %score, %s : f32
    rt.score %r : f32
  } -> tensor<1x2x16xf32>
  return %0 : tensor<1x2x16xf32>
}

// -----

// Many queries stay whole.
#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
// CHECK-LABEL: @many_queries
// CHECK: rt.attention
func.func @many_queries(%q: tensor<2x9x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x16xf32>) -> tensor<2x9x16xf32> {
  %init = tensor.empty() : tensor<2x9x16xf32>
  %0 = rt.attention scale 0.25 ins(%q, %k, %v : tensor<2x9x16xf32>, tensor<2x7x16xf32>, tensor<2x7x16xf32>)
      outs(%init : tensor<2x9x16xf32>) maps [#q, #k, #v, #y] {
  ^bb0(%score: f32):
    rt.score %score : f32
  } -> tensor<2x9x16xf32>
  return %0 : tensor<2x9x16xf32>
}
