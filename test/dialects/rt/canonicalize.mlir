// RUN: onnxc-opt %s --canonicalize | FileCheck %s

// Tensors are dense, so the last shape is all that counts.
// CHECK-LABEL: @reshape_of_a_reshape
// CHECK-SAME: (%[[X:.+]]: tensor<?x4xf32>, %[[N:.+]]: index, %[[M:.+]]: index)
// CHECK-NEXT: %[[R:.+]] = rt.reshape %[[X]][%[[M]]] : tensor<?x4xf32> -> tensor<?xf32>
// CHECK-NEXT: return %[[R]]
func.func @reshape_of_a_reshape(%x: tensor<?x4xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %0 = rt.reshape %x[%n] : tensor<?x4xf32> -> tensor<4x?xf32>
  %1 = rt.reshape %0[%m] : tensor<4x?xf32> -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
