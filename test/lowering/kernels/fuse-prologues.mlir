// RUN: onnxc-opt %s --onnxc-fuse-prologues --split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#last = affine_map<(i, j) -> (j)>

// A dequantised weight is computed in the product; the scale of a column comes last.
// CHECK-DAG: #[[KN:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[N:.+]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: @scale_of_each_column
// CHECK: %[[Q:.+]] = arith.constant dense<3> : tensor<128x96xi8>
// CHECK: %[[S:.+]] = arith.constant dense<5.000000e-01> : tensor<96xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[KN]], #[[N]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %[[Q]], %[[S]] :
// CHECK-NEXT: ^bb0(%[[A:.+]]: f32, %[[E:.+]]: i8, %[[SCALE:.+]]: f32, %[[SUM:.+]]: f32):
// CHECK-NEXT: %[[F:.+]] = arith.sitofp %[[E]]
// CHECK-NEXT: %[[B:.+]] = arith.mulf %[[F]], %[[SCALE]]
// CHECK-NEXT: %[[P:.+]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: arith.addf %[[SUM]], %[[P]]
// CHECK-NOT: linalg.generic
func.func @scale_of_each_column(%a: tensor<64x128xf32>) -> tensor<64x96xf32> {
  %zero = arith.constant 0.0 : f32
  %q = arith.constant dense<3> : tensor<128x96xi8>
  %s = arith.constant dense<0.5> : tensor<96xf32>
  %we = tensor.empty() : tensor<128x96xf32>
  %w = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %s : tensor<128x96xi8>, tensor<96xf32>) outs(%we : tensor<128x96xf32>) {
  ^bb0(%x: i8, %y: f32, %out: f32):
    %0 = arith.sitofp %x : i8 to f32
    %1 = arith.mulf %0, %y : f32
    linalg.yield %1 : f32
  } -> tensor<128x96xf32>
  %e = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %w : tensor<64x128xf32>, tensor<128x96xf32>) outs(%f : tensor<64x96xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j, l) -> (i, j, l)>
#turn = affine_map<(i, j) -> (j, i)>
#plain = affine_map<(i, j) -> (i, j)>

// Views and transpositions in between are done to the stored elements; a scale that is
// read by the loop's number is read by the product's.
// CHECK-DAG: #[[FROM:.+]] = affine_map<(d0, d1) -> (d1, 0, d0)>
// CHECK-LABEL: @blocks_behind_a_transposition
// CHECK: %[[Q:.+]] = arith.constant dense<3> : tensor<96x1x128xi8>
// CHECK: %[[TURNED:.+]] = linalg.generic {indexing_maps = [#[[FROM]], #{{.*}}], iterator_types = ["parallel", "parallel"]} ins(%[[Q]] :
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %[[TURNED]] : tensor<64x128xf32>, tensor<128x96xi8>)
// CHECK: %[[K:.+]] = linalg.index 2
// CHECK: %[[BLOCK:.+]] = arith.divui %[[K]]
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %[[BLOCK]]]
func.func @blocks_behind_a_transposition(%a: tensor<64x128xf32>) -> tensor<64x96xf32> {
  %zero = arith.constant 0.0 : f32
  %q = arith.constant dense<3> : tensor<96x1x128xi8>
  %s = arith.constant dense<0.5> : tensor<96x4xf32>
  %c32 = arith.constant 32 : index
  %we = tensor.empty() : tensor<96x1x128xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<96x1x128xi8>) outs(%we : tensor<96x1x128xf32>) {
  ^bb0(%x: i8, %out: f32):
    %0 = arith.sitofp %x : i8 to f32
    %n = linalg.index 0 : index
    %k = linalg.index 2 : index
    %b = arith.divui %k, %c32 : index
    %y = tensor.extract %s[%n, %b] : tensor<96x4xf32>
    %1 = arith.mulf %0, %y : f32
    linalg.yield %1 : f32
  } -> tensor<96x1x128xf32>
  %v = rt.reshape %w[] : tensor<96x1x128xf32> -> tensor<96x128xf32>
  %te = tensor.empty() : tensor<128x96xf32>
  %t = linalg.generic {indexing_maps = [#turn, #plain], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<96x128xf32>) outs(%te : tensor<128x96xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<128x96xf32>
  %e = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %t : tensor<64x128xf32>, tensor<128x96xf32>) outs(%f : tensor<64x96xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// A weight that becomes twice as large at most is computed at compile time, and so is what
// is no constant before the product: one tile after the other would compute it again.
// CHECK-LABEL: @neither_small_growth_nor_activations
// CHECK: arith.extf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NEXT: ^bb0(%{{.+}}: f32, %{{.+}}: f32, %{{.+}}: f32):
// CHECK: arith.sitofp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NEXT: ^bb0(%{{.+}}: f32, %{{.+}}: f32, %{{.+}}: f32):
func.func @neither_small_growth_nor_activations(%a: tensor<64x128xf32>, %q: tensor<128x96xi8>) -> (tensor<64x96xf32>, tensor<64x96xf32>) {
  %zero = arith.constant 0.0 : f32
  %h = arith.constant dense<0.5> : tensor<128x96xf16>
  %we = tensor.empty() : tensor<128x96xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<128x96xf16>) outs(%we : tensor<128x96xf32>) {
  ^bb0(%x: f16, %out: f32):
    %0 = arith.extf %x : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<128x96xf32>
  %e = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %w : tensor<64x128xf32>, tensor<128x96xf32>) outs(%f : tensor<64x96xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x96xf32>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<128x96xi8>) outs(%we : tensor<128x96xf32>) {
  ^bb0(%x: i8, %out: f32):
    %1 = arith.sitofp %x : i8 to f32
    linalg.yield %1 : f32
  } -> tensor<128x96xf32>
  %2 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %v : tensor<64x128xf32>, tensor<128x96xf32>) outs(%f : tensor<64x96xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %3 = arith.mulf %x, %y : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<64x96xf32>
  return %0, %2 : tensor<64x96xf32>, tensor<64x96xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#last = affine_map<(i, j) -> (j)>

// A weight that is one row for all depths has no elements to read.
// CHECK-LABEL: @not_what_is_broadcast
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NEXT: ^bb0(%{{.+}}: f32, %{{.+}}: f32, %{{.+}}: f32):
func.func @not_what_is_broadcast(%a: tensor<64x128xf32>) -> tensor<64x96xf32> {
  %zero = arith.constant 0.0 : f32
  %s = arith.constant dense<0.5> : tensor<96xf32>
  %we = tensor.empty() : tensor<128x96xf32>
  %w = linalg.generic {indexing_maps = [#last, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<96xf32>) outs(%we : tensor<128x96xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<128x96xf32>
  %e = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %w : tensor<64x128xf32>, tensor<128x96xf32>) outs(%f : tensor<64x96xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
}
