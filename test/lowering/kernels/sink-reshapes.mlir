// RUN: onnxc-opt %s --onnxc-sink-reshapes --split-input-file | FileCheck %s

// A bias and another tensor of the full shape behind a matrix product: the sum
// moves in front of the reshape, where it can become the epilogue. The bias keeps
// its shape, the other tensor is seen through the inverse reshape.
// CHECK-DAG: #[[ALL:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[LAST:.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: @behind_the_sum
// CHECK-SAME: %[[BIAS:[^:]+]]: tensor<20xf32>, %[[SKIP:[^:]+]]: tensor<2x3x20xf32>
// CHECK: %[[PRODUCT:.+]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: %[[VIEW:.+]] = rt.reshape %[[SKIP]][] : tensor<2x3x20xf32> -> tensor<6x20xf32>
// CHECK: %[[SUM:.+]] = linalg.generic {indexing_maps = [#[[ALL]], #[[LAST]], #[[ALL]], #[[ALL]]]
// CHECK-SAME: ins(%[[PRODUCT]], %[[BIAS]], %[[VIEW]] :
// CHECK: %[[RESULT:.+]] = rt.reshape %[[SUM]][] : tensor<6x20xf32> -> tensor<2x3x20xf32>
// CHECK: return %[[RESULT]]
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(i, j, k) -> (i, j, k)>
#last = affine_map<(i, j, k) -> (k)>
func.func @behind_the_sum(%a: tensor<6x32xf32>, %b: tensor<32x20xf32>, %bias: tensor<20xf32>, %skip: tensor<2x3x20xf32>) -> tensor<2x3x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x20xf32>) -> tensor<6x20xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<6x32xf32>, tensor<32x20xf32>) outs(%f : tensor<6x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6x20xf32>
  %view = rt.reshape %product [] : tensor<6x20xf32> -> tensor<2x3x20xf32>
  %e2 = tensor.empty() : tensor<2x3x20xf32>
  %sum = linalg.generic {indexing_maps = [#all, #last, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%view, %bias, %skip : tensor<2x3x20xf32>, tensor<20xf32>, tensor<2x3x20xf32>) outs(%e2 : tensor<2x3x20xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x20xf32>
  return %sum : tensor<2x3x20xf32>
}

// -----

// Sizes of the run time: the result's shape is written with the same expressions.
// CHECK-LABEL: @dynamic_rows
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: %[[ROWS:.+]] = rt.symbol "3*n"
// CHECK-NEXT: %[[INIT:.+]] = tensor.empty(%[[ROWS]]) : tensor<?x20xf32>
// CHECK: %[[EXP:.+]] = linalg.generic {{.*}} outs(%[[INIT]] : tensor<?x20xf32>)
// CHECK: %[[N:.+]] = rt.symbol "n"
// CHECK: rt.reshape %[[EXP]][%[[N]]] : tensor<?x20xf32> -> tensor<?x3x20xf32>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(i, j, k) -> (i, j, k)>
func.func @dynamic_rows(%arg: tensor<?x32xf32>, %b: tensor<32x20xf32>) -> tensor<?x3x20xf32> {
  %n = rt.symbol "n"
  %rows = rt.symbol "3*n"
  %zero = arith.constant 0.0 : f32
  %a = rt.reshape %arg [%rows] : tensor<?x32xf32> -> tensor<?x32xf32>
  %e = tensor.empty(%rows) : tensor<?x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x20xf32>) -> tensor<?x20xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x32xf32>, tensor<32x20xf32>) outs(%f : tensor<?x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x20xf32>
  %view = rt.reshape %product [%n] : tensor<?x20xf32> -> tensor<?x3x20xf32>
  %e2 = tensor.empty(%n) : tensor<?x3x20xf32>
  %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%view : tensor<?x3x20xf32>) outs(%e2 : tensor<?x3x20xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  } -> tensor<?x3x20xf32>
  return %exp : tensor<?x3x20xf32>
}

// -----

// An operand that moves along one of the reshaped dims only has no place in the
// other shape.
// CHECK-LABEL: @not_along_a_reshaped_dim
// CHECK: %[[VIEW:.+]] = rt.reshape %{{.*}} -> tensor<2x3x20xf32>
// CHECK: %[[SUM:.+]] = linalg.generic {{.*}} ins(%[[VIEW]], %arg2
// CHECK: return %[[SUM]]
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(i, j, k) -> (i, j, k)>
#first = affine_map<(i, j, k) -> (i)>
func.func @not_along_a_reshaped_dim(%a: tensor<6x32xf32>, %b: tensor<32x20xf32>, %bias: tensor<2xf32>) -> tensor<2x3x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x20xf32>) -> tensor<6x20xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<6x32xf32>, tensor<32x20xf32>) outs(%f : tensor<6x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6x20xf32>
  %view = rt.reshape %product [] : tensor<6x20xf32> -> tensor<2x3x20xf32>
  %e2 = tensor.empty() : tensor<2x3x20xf32>
  %sum = linalg.generic {indexing_maps = [#all, #first, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%view, %bias : tensor<2x3x20xf32>, tensor<2xf32>) outs(%e2 : tensor<2x3x20xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x20xf32>
  return %sum : tensor<2x3x20xf32>
}

// -----

// The product is needed as it is: it cannot have an epilogue.
// CHECK-LABEL: @not_with_a_second_user
// CHECK: %[[VIEW:.+]] = rt.reshape
// CHECK: %[[EXP:.+]] = linalg.generic {{.*}} ins(%[[VIEW]]
// CHECK: return %[[EXP]], %{{.*}}
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(i, j, k) -> (i, j, k)>
func.func @not_with_a_second_user(%a: tensor<6x32xf32>, %b: tensor<32x20xf32>) -> (tensor<2x3x20xf32>, tensor<6x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x20xf32>) -> tensor<6x20xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<6x32xf32>, tensor<32x20xf32>) outs(%f : tensor<6x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6x20xf32>
  %view = rt.reshape %product [] : tensor<6x20xf32> -> tensor<2x3x20xf32>
  %e2 = tensor.empty() : tensor<2x3x20xf32>
  %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%view : tensor<2x3x20xf32>) outs(%e2 : tensor<2x3x20xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x20xf32>
  return %exp, %product : tensor<2x3x20xf32>, tensor<6x20xf32>
}

// -----

// CHECK-LABEL: @not_of_other_ops
// CHECK: rt.reshape
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.generic
// CHECK-NOT: rt.reshape
#all = affine_map<(i, j, k) -> (i, j, k)>
func.func @not_of_other_ops(%a: tensor<6x20xf32>) -> tensor<2x3x20xf32> {
  %view = rt.reshape %a [] : tensor<6x20xf32> -> tensor<2x3x20xf32>
  %e = tensor.empty() : tensor<2x3x20xf32>
  %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%view : tensor<2x3x20xf32>) outs(%e : tensor<2x3x20xf32>) {
  ^bb0(%x: f32, %out: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x20xf32>
  return %exp : tensor<2x3x20xf32>
}
