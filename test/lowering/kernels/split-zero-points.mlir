// RUN: onnxc-opt %s --onnxc-split-zero-points --split-input-file | FileCheck %s

// Each zero point times the sums of the other factor, and K times both. What weights
// give alone depends on nothing else: the sums of B's columns and K * zb.
// CHECK-DAG: #[[SCALAR:.+]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[ROW:.+]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[COLUMN:.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: @both_factors
// CHECK-SAME: %[[A:[^:]+]]: tensor<4x5xi8>, %[[B:[^:]+]]: tensor<5x6xi8>, %[[ZA:[^:]+]]: tensor<i8>, %[[ZB:[^:]+]]: tensor<6xi8>
// CHECK: %[[ZA32:.+]] = linalg.generic {{.*}} ins(%[[ZA]] :
// CHECK: arith.extui
// CHECK: %[[ZB32:.+]] = linalg.generic {{.*}} ins(%[[ZB]] :
// CHECK: arith.extsi
// CHECK: %[[PRODUCT:.+]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] :
// CHECK-NEXT: ^bb0(%[[X:.+]]: i8, %[[Y:.+]]: i8, %{{.+}}: i32):
// CHECK-NEXT: arith.extui %[[X]]
// CHECK-NEXT: arith.extsi %[[Y]]
// CHECK-NEXT: arith.muli
// CHECK-NEXT: arith.addi
// CHECK: %[[SUMS:.+]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[B]] :
// CHECK: %[[REST:.+]] = linalg.generic {{.*}} ins(%[[SUMS]], %[[ZB32]] :
// CHECK: %[[DEPTH:.+]] = arith.constant 5 : i32
// CHECK: arith.muli %[[DEPTH]]
// CHECK: arith.subi
// CHECK: %[[ROWS:.+]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[A]] :
// CHECK: linalg.generic {indexing_maps = [#{{.+}}, #[[SCALAR]], #[[COLUMN]], #[[COLUMN]], #[[ROW]], #{{.+}}]
// CHECK-SAME: ins(%[[PRODUCT]], %[[ZA32]], %[[REST]], %[[ZB32]], %[[ROWS]] :
// CHECK: arith.addi
// CHECK: arith.subi
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(m, n, k) -> (n)>
#scalar = affine_map<(m, n, k) -> ()>
func.func @both_factors(%a: tensor<4x5xi8>, %b: tensor<5x6xi8>, %za: tensor<i8>, %zb: tensor<6xi8>) -> tensor<4x6xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x6xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #scalar, #n, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b, %za, %zb : tensor<4x5xi8>, tensor<5x6xi8>, tensor<i8>, tensor<6xi8>) outs(%f : tensor<4x6xi32>) {
  ^bb0(%x: i8, %y: i8, %p: i8, %q: i8, %acc: i32):
    %1 = arith.extui %x : i8 to i32
    %2 = arith.extui %p : i8 to i32
    %3 = arith.subi %1, %2 : i32
    %4 = arith.extsi %y : i8 to i32
    %5 = arith.extsi %q : i8 to i32
    %6 = arith.subi %4, %5 : i32
    %7 = arith.muli %3, %6 : i32
    %8 = arith.addi %acc, %7 : i32
    linalg.yield %8 : i32
  } -> tensor<4x6xi32>
  return %0 : tensor<4x6xi32>
}

// -----

// An unsigned factor beside an unsigned one moves by 128, and so does its zero point:
// the usual one of 128 is gone then.
// CHECK-LABEL: @moved_sign
// CHECK-SAME: %[[A:[^:]+]]: tensor<4x5xi8>, %[[B:[^:]+]]: tensor<5x6xi8>
// CHECK: %[[MOVED:.+]] = linalg.generic {{.*}} ins(%[[B]] :
// CHECK: %[[TOP:.+]] = arith.constant -128 : i8
// CHECK: arith.xori %{{.+}}, %[[TOP]]
// CHECK: %[[PRODUCT:.+]] = linalg.generic {{.*}} ins(%[[A]], %[[MOVED]] :
// CHECK-NEXT: ^bb0(%[[X:.+]]: i8, %[[Y:.+]]: i8, %{{.+}}: i32):
// CHECK-NEXT: arith.extui %[[X]]
// CHECK-NEXT: arith.extsi %[[Y]]
// CHECK: return %[[PRODUCT]]
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#scalar = affine_map<(m, n, k) -> ()>
module attributes {rt.target = #rt.cpu<facts = [mixedDots]>} {
  func.func @moved_sign(%a: tensor<4x5xi8>, %b: tensor<5x6xi8>) -> tensor<4x6xi32> {
    %zero = arith.constant 0 : i32
    %zb = arith.constant dense<128> : tensor<i8>
    %e = tensor.empty() : tensor<4x6xi32>
    %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
    %0 = linalg.generic {indexing_maps = [#mk, #kn, #scalar, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b, %zb : tensor<4x5xi8>, tensor<5x6xi8>, tensor<i8>) outs(%f : tensor<4x6xi32>) {
    ^bb0(%x: i8, %y: i8, %q: i8, %acc: i32):
      %1 = arith.extui %x : i8 to i32
      %2 = arith.extui %y : i8 to i32
      %3 = arith.extui %q : i8 to i32
      %4 = arith.subi %2, %3 : i32
      %5 = arith.muli %1, %4 : i32
      %6 = arith.addi %acc, %5 : i32
      linalg.yield %6 : i32
    } -> tensor<4x6xi32>
    return %0 : tensor<4x6xi32>
  }
}

// -----

// Windows overlap: what lies inside of a pixel is summed once, then the windows are.
// CHECK-LABEL: @windows
// CHECK-SAME: %[[IMAGE:[^:]+]]: tensor<1x6x6x3xi8>
// CHECK: %[[PIXELS:.+]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[IMAGE]] :
// CHECK: %[[WINDOW:.+]] = tensor.empty() : tensor<3x3xi32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%[[PIXELS]], %[[WINDOW]] :
// CHECK-SAME: outs(%{{.+}} : tensor<1x4x4xi32>)
#image = affine_map<(n, h, w, o, y, x, c) -> (n, h + y, w + x, c)>
#filter = affine_map<(n, h, w, o, y, x, c) -> (y, x, c, o)>
#channel = affine_map<(n, h, w, o, y, x, c) -> (o)>
#out = affine_map<(n, h, w, o, y, x, c) -> (n, h, w, o)>
func.func @windows(%image: tensor<1x6x6x3xi8>, %filter: tensor<3x3x3x8xi8>, %zero_point: tensor<8xi8>) -> tensor<1x4x4x8xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x4x4x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x4x4x8xi32>) -> tensor<1x4x4x8xi32>
  %0 = linalg.generic {indexing_maps = [#image, #filter, #channel, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %filter, %zero_point : tensor<1x6x6x3xi8>, tensor<3x3x3x8xi8>, tensor<8xi8>) outs(%f : tensor<1x4x4x8xi32>) {
  ^bb0(%x: i8, %y: i8, %q: i8, %acc: i32):
    %1 = arith.extui %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.extsi %q : i8 to i32
    %4 = arith.subi %2, %3 : i32
    %5 = arith.muli %1, %4 : i32
    %6 = arith.addi %acc, %5 : i32
    linalg.yield %6 : i32
  } -> tensor<1x4x4x8xi32>
  return %0 : tensor<1x4x4x8xi32>
}

// -----

// A zero point that changes along the depth stays where it is.
// CHECK-LABEL: @along_the_depth
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#k = affine_map<(m, n, k) -> (k)>
func.func @along_the_depth(%a: tensor<4x5xi8>, %b: tensor<5x6xi8>, %za: tensor<5xi8>) -> tensor<4x6xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x6xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #k, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b, %za : tensor<4x5xi8>, tensor<5x6xi8>, tensor<5xi8>) outs(%f : tensor<4x6xi32>) {
  ^bb0(%x: i8, %y: i8, %p: i8, %acc: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.extsi %p : i8 to i32
    %3 = arith.subi %1, %2 : i32
    %4 = arith.extsi %y : i8 to i32
    %5 = arith.muli %3, %4 : i32
    %6 = arith.addi %acc, %5 : i32
    linalg.yield %6 : i32
  } -> tensor<4x6xi32>
  return %0 : tensor<4x6xi32>
}
