// RUN: onnxc-opt %s | onnxc-opt | FileCheck %s

#q = affine_map<(b, h, g, m, k, t, n) -> (b, h, g, m, k)>
#k = affine_map<(b, h, g, m, k, t, n) -> (b, t, h, k)>
#v = affine_map<(b, h, g, m, k, t, n) -> (b, h, t, n)>
#mask = affine_map<(b, h, g, m, k, t, n) -> (0, m, t)>
#slope = affine_map<(b, h, g, m, k, t, n) -> (h, g)>
#y = affine_map<(b, h, g, m, k, t, n) -> (b, m, h, g, n)>

// Grouped heads share keys and values; a mask, a slope for each head, a causal frontier.
// CHECK-LABEL: @grouped
// CHECK: rt.attention scale 1.250000e-01 ins(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : tensor<2x3x4x9x64xf16>, tensor<2x7x3x64xf16>, tensor<2x3x7x32xf16>, tensor<1x9x7xi1>, tensor<3x4xf32>)
// CHECK-SAME: outs(%{{.+}} : tensor<2x9x3x4x32xf16>) maps [{{.+}}] empty_rows zero {
// CHECK-NEXT: ^bb0(%[[SCORE:.+]]: f32, %[[MASK:.+]]: i1, %{{.+}}: f32):
// CHECK: rt.index 3
// CHECK: rt.index 5
// CHECK: rt.score %{{.+}} : f32
// CHECK: } -> tensor<2x9x3x4x32xf16>
func.func @grouped(%q: tensor<2x3x4x9x64xf16>, %k: tensor<2x7x3x64xf16>, %v: tensor<2x3x7x32xf16>,
                   %mask: tensor<1x9x7xi1>, %slope: tensor<3x4xf32>) -> tensor<2x9x3x4x32xf16> {
  %init = tensor.empty() : tensor<2x9x3x4x32xf16>
  %0 = rt.attention scale 1.250000e-01
      ins(%q, %k, %v, %mask, %slope : tensor<2x3x4x9x64xf16>, tensor<2x7x3x64xf16>, tensor<2x3x7x32xf16>,
          tensor<1x9x7xi1>, tensor<3x4xf32>)
      outs(%init : tensor<2x9x3x4x32xf16>) maps [#q, #k, #v, #mask, #slope, #y] empty_rows zero {
  ^bb0(%score: f32, %keep: i1, %s: f32):
    %lowest = arith.constant 0xFF800000 : f32
    %i = rt.index 3
    %j = rt.index 5
    %seen = arith.cmpi sle, %j, %i : index
    %biased = arith.addf %score, %s : f32
    %allowed = arith.andi %seen, %keep : i1
    %1 = arith.select %allowed, %biased, %lowest : f32
    rt.score %1 : f32
  } -> tensor<2x9x3x4x32xf16>
  return %0 : tensor<2x9x3x4x32xf16>
}

#q1 = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k1 = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v1 = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y1 = affine_map<(b, m, k, t, n) -> (b, m, n)>
// CHECK-LABEL: @plain
// CHECK: rt.attention scale 1.000000e+00 ins(%{{.+}}, %{{.+}}, %{{.+}} : tensor<2x9x64xf32>, tensor<2x?x64xf32>, tensor<2x?x64xf32>) outs({{.+}}) maps [{{.+}}] {
func.func @plain(%q: tensor<2x9x64xf32>, %k: tensor<2x?x64xf32>, %v: tensor<2x?x64xf32>) -> tensor<2x9x64xf32> {
  %init = tensor.empty() : tensor<2x9x64xf32>
  %0 = rt.attention scale 1.0 ins(%q, %k, %v : tensor<2x9x64xf32>, tensor<2x?x64xf32>, tensor<2x?x64xf32>)
      outs(%init : tensor<2x9x64xf32>) maps [#q1, #k1, #v1, #y1] {
  ^bb0(%score: f32):
    rt.score %score : f32
  } -> tensor<2x9x64xf32>
  return %0 : tensor<2x9x64xf32>
}
