// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --split-input-file | FileCheck %s

// Heads inside the last dim, four query heads for two of keys: views, no transposes.
// CHECK-DAG: #[[Q:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d1, d2, d4)>
// CHECK-DAG: #[[K:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d5, d1, d4)>
// CHECK-DAG: #[[V:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d5, d1, d6)>
// CHECK-DAG: #[[Y:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d1, d2, d6)>
// CHECK-LABEL: @grouped_heads_inside
// CHECK-NOT: linalg.generic
// CHECK: rt.attention scale 2.500000e-01 ins({{.*}} : tensor<2x9x2x2x16xf32>, tensor<2x7x2x16xf32>, tensor<2x7x2x8xf32>) outs({{.*}} : tensor<2x9x2x2x8xf32>) maps [#[[Q]], #[[K]], #[[V]], #[[Y]]] empty_rows zero
// CHECK-DAG: %[[I:.+]] = rt.index 3
// CHECK-DAG: %[[J:.+]] = rt.index 5
// CHECK: arith.cmpi sle, %[[J]]
// CHECK: arith.select
func.func @grouped_heads_inside(%q: tensor<2x9x64xf32>, %k: tensor<2x7x32xf32>, %v: tensor<2x7x16xf32>) -> tensor<2x9x32xf32> {
  %y, %pk, %pv, %qk = onnx.Attention(%q, %k, %v) {is_causal = 1 : i64, q_num_heads = 4 : i64, kv_num_heads = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>}
      : (tensor<2x9x64xf32>, tensor<2x7x32xf32>, tensor<2x7x16xf32>) -> (tensor<2x9x32xf32>, tensor<2x2x7x16xf32>, tensor<2x2x7x8xf32>, tensor<2x4x9x7xf32>)
  return %y : tensor<2x9x32xf32>
}

// -----

// A soft cap comes before the mask; keys are put behind those of the cache.
// CHECK-LABEL: @cache
// CHECK: %[[K:.+]] = rt.concat axis 2
// CHECK: rt.concat axis 2
// CHECK: rt.attention {{.*}} ins(%arg0, %[[K]], {{.*}}, %arg3 :
// CHECK: ^bb0(%[[SCORE:.+]]: f32, %[[MASK:.+]]: f32):
// CHECK: math.tanh
// CHECK: arith.addf %{{.+}}, %[[MASK]]
// CHECK: return %{{.+}}, %[[K]]
func.func @cache(%q: tensor<2x3x9x16xf32>, %k: tensor<2x3x2x16xf32>, %v: tensor<2x3x2x8xf32>, %mask: tensor<9x7xf32>, %pastk: tensor<2x3x5x16xf32>, %pastv: tensor<2x3x5x8xf32>) -> (tensor<2x3x9x8xf32>, tensor<2x3x7x16xf32>) {
  %y, %pk, %pv, %qk = onnx.Attention(%q, %k, %v, %mask, %pastk, %pastv) {softcap = 2.0 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0>}
      : (tensor<2x3x9x16xf32>, tensor<2x3x2x16xf32>, tensor<2x3x2x8xf32>, tensor<9x7xf32>, tensor<2x3x5x16xf32>, tensor<2x3x5x8xf32>) -> (tensor<2x3x9x8xf32>, tensor<2x3x7x16xf32>, tensor<2x3x7x8xf32>, tensor<2x3x9x7xf32>)
  return %y, %pk : tensor<2x3x9x8xf32>, tensor<2x3x7x16xf32>
}

// -----

// Where the products are asked for, there is no op that stays whole.
// CHECK-LABEL: @products
// CHECK-NOT: rt.attention
// CHECK: math.exp
// CHECK-NOT: rt.attention
func.func @products(%q: tensor<2x3x9x16xf32>, %k: tensor<2x3x7x16xf32>, %v: tensor<2x3x7x8xf32>) -> (tensor<2x3x9x8xf32>, tensor<2x3x9x7xf32>) {
  %y, %pk, %pv, %qk = onnx.Attention(%q, %k, %v) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>}
      : (tensor<2x3x9x16xf32>, tensor<2x3x7x16xf32>, tensor<2x3x7x8xf32>) -> (tensor<2x3x9x8xf32>, tensor<2x3x7x16xf32>, tensor<2x3x7x8xf32>, tensor<2x3x9x7xf32>)
  return %y, %qk : tensor<2x3x9x8xf32>, tensor<2x3x9x7xf32>
}

// -----

// Transposes are maps; masks hide scores, or are added.
// CHECK-DAG: #[[Q:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d3)>
// CHECK-DAG: #[[Y:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
// CHECK-DAG: #[[ROW:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d4)>
// CHECK-DAG: #[[KEY:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, 0, 0, d4)>
// CHECK-LABEL: @fused
// CHECK: rt.attention scale 2.500000e-01 ins(%arg0, %arg1, %arg2, %arg3, %arg4 : {{.*}} maps [#[[Q]], {{.*}}, #[[ROW]], #[[KEY]], #[[Y]]] empty_rows zero_for_nan
// CHECK: ^bb0(%[[SCORE:.+]]: f32, %[[KEEP:.+]]: i1, %[[BIAS:.+]]: f32):
// CHECK: %[[KEPT:.+]] = arith.select %[[KEEP]], %[[SCORE]], %{{.+}}
// CHECK: %[[SUM:.+]] = arith.addf %[[KEPT]], %[[BIAS]]
// CHECK: rt.score %[[SUM]]
func.func @fused(%q: tensor<2x9x3x16xf32>, %k: tensor<2x7x3x16xf32>, %v: tensor<2x7x3x16xf32>, %keep: tensor<9x7xi1>, %bias: tensor<2x1x1x7xf32>) -> tensor<2x9x3x16xf32> {
  %y = onnx.FusedAttention(%q, %k, %v, %keep, %bias) {scale = 0.25 : f64, kinds = array<i64: 1, 0>, fills = array<f64: -1.0e4, 0.0>, zero_for_nan, permQ = array<i64: 0, 2, 1, 3>, permK = array<i64: 0, 2, 1, 3>, permV = array<i64: 0, 2, 1, 3>, permY = array<i64: 0, 2, 1, 3>}
      : (tensor<2x9x3x16xf32>, tensor<2x7x3x16xf32>, tensor<2x7x3x16xf32>, tensor<9x7xi1>, tensor<2x1x1x7xf32>) -> tensor<2x9x3x16xf32>
  return %y : tensor<2x9x3x16xf32>
}
