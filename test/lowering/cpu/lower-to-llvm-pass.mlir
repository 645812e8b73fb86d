// RUN: onnxc-opt %s --onnxc-lower-to-llvm --reconcile-unrealized-casts | FileCheck %s

// An index has 64 bits on every target; nothing unwinds.
// CHECK-LABEL: llvm.func @index_is_i64(
// CHECK-SAME: %[[N:.+]]: i64) -> i64 attributes {no_unwind
// CHECK: llvm.add %[[N]], %[[N]] : i64
func.func @index_is_i64(%n: index) -> index {
  %0 = arith.addi %n, %n : index
  return %0 : index
}

// CHECK-LABEL: llvm.func @branches(
// CHECK: llvm.cond_br
func.func @branches(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : f32
^b:
  %0 = arith.negf %x : f32
  return %0 : f32
}

// CHECK: llvm.func @declaration(f32) attributes {no_unwind
func.func private @declaration(%x: f32)

// What has no conversion stays, for the verifier to report.
// CHECK-LABEL: llvm.func @left_over(
// CHECK: tensor.empty
func.func @left_over() {
  %0 = tensor.empty() : tensor<4xf32>
  return
}
