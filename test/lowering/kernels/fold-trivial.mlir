// RUN: onnxc-opt %s --onnxc-fold-trivial | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: @a_result_without_elements_is_a_constant
func.func @a_result_without_elements_is_a_constant(%a: tensor<0x8xf32>) -> tensor<0x8xf32> {
  // CHECK: %[[EMPTY:.+]] = arith.constant dense<> : tensor<0x8xf32>
  // CHECK-NEXT: return %[[EMPTY]]
  %e = tensor.empty() : tensor<0x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<0x8xf32>) outs(%e : tensor<0x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = math.tanh %x : f32
    linalg.yield %1 : f32
  } -> tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}

// CHECK-LABEL: @a_sum_over_nothing_is_its_start
func.func @a_sum_over_nothing_is_its_start(%a: tensor<4x0xf32>) -> tensor<4xf32> {
  // CHECK: %[[START:.+]] = linalg.fill
  // CHECK-NEXT: return %[[START]]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x0xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.addf %o, %x : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @an_empty_fill_and_an_empty_concat
// CHECK-NOT: linalg.fill
// CHECK-NOT: rt.concat
func.func @an_empty_fill_and_an_empty_concat(%a: tensor<4x0xf32>) -> (tensor<8x0xf32>, tensor<0xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x0xf32>
  %0 = rt.concat axis 0 ins(%a, %a : tensor<4x0xf32>, tensor<4x0xf32>) outs(%e : tensor<8x0xf32>) -> tensor<8x0xf32>
  %e1 = tensor.empty() : tensor<0xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<0xf32>) -> tensor<0xf32>
  return %0, %1 : tensor<8x0xf32>, tensor<0xf32>
}

// A size that only the run knows may be 0 or not.
// CHECK-LABEL: @a_symbolic_size_stays
// CHECK: linalg.fill
func.func @a_symbolic_size_stays() -> tensor<?xf32> {
  %n = rt.symbol "n"
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @the_only_row_is_a_view
// CHECK-SAME: %[[ROW:[^:]+]]: tensor<?xf32>
func.func @the_only_row_is_a_view(%row: tensor<?xf32>) -> (tensor<1x?xf32>, tensor<?xf32>) {
  // CHECK: %[[N:.+]] = rt.symbol "n"
  %n = rt.symbol "n"
  // CHECK: %[[ALL:.+]] = rt.reshape %[[ROW]][%[[N]]] : tensor<?xf32> -> tensor<1x?xf32>
  // CHECK-NEXT: %[[SLICE:.+]] = rt.reshape %[[ALL]][%[[N]]] : tensor<1x?xf32> -> tensor<?xf32>
  // CHECK-NEXT: return %[[ALL]], %[[SLICE]]
  %e = tensor.empty(%n) : tensor<1x?xf32>
  %0 = tensor.insert_slice %row into %e[0, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<1x?xf32>
  %1 = tensor.extract_slice %0[0, 0] [1, %n] [1, 1] : tensor<1x?xf32> to tensor<?xf32>
  return %0, %1 : tensor<1x?xf32>, tensor<?xf32>
}

// CHECK-LABEL: @one_row_of_two_stays
// CHECK: tensor.insert_slice
// CHECK: tensor.extract_slice
func.func @one_row_of_two_stays(%row: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %0 = tensor.insert_slice %row into %e[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>
  %1 = tensor.extract_slice %0[1, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
