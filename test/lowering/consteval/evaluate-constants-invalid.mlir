// RUN: onnxc-opt %s --onnxc-evaluate-constants --verify-diagnostics

// Faults of the stages behind are reported where the group stands.
func.func @main() -> tensor<2xf32> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  // expected-error @below {{expected a linalg.generic for the strategy #rt.loops<}}
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>}> ({
  ^bb0(%init: tensor<2xf32>):
    rt.yield %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
