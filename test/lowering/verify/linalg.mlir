// RUN: onnxc-opt --onnxc-verify-linalg %s | FileCheck %s

// CHECK: tensor.empty
func.func @plain(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %n = rt.symbol "n"
  %e = tensor.empty(%n) : tensor<?x3xf32>
  return %e : tensor<?x3xf32>
}

// What is computed for a check comes before it; other nodes do not matter.
// CHECK-LABEL: @check_of_a_result
func.func @check_of_a_result(%x: tensor<?xf32>, %good: i1) -> tensor<?xf32> {
  %n = rt.symbol "n"
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.copy ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32> loc(fused<7 : i64>["a"])
  %c0 = arith.constant 0 : index
  %first = tensor.extract %0[%c0] : tensor<?xf32>
  %zero = arith.constant 0.0 : f32
  %positive = arith.cmpf ogt, %first, %zero : f32
  rt.bind "?n", %n
  rt.check %positive, "a: not positive" loc(fused<7 : i64>["a"])
  rt.check %good, "b: not good" loc(fused<8 : i64>["b"])
  return %0 : tensor<?xf32>
}
