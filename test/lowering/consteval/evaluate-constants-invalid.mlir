// RUN: onnxc-opt %s --onnxc-evaluate-constants --split-input-file --verify-diagnostics

// Faults of the stages behind are reported where the group stands.
func.func @main() -> tensor<2xf32> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  // expected-error @below {{expected a linalg.generic for the strategy #rt.loops<}}
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<2xf32>):
    rt.yield %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// What is left to the run must suit another target than the one it was made for.
module attributes {rt.target = #rt.cpu<vectorBits = 256>, rt.host_target = #rt.cpu<>} {
func.func @main(%x: tensor<6x2xf32>) -> tensor<6x2xf32> {
  %e = tensor.empty() : tensor<6x2xf32>
  // expected-error @below {{has the anchor of another target, expected loops or a concatenation, found #rt.gemm<}}
  %0 = "rt.group"(%e) <{strategy = #rt.gemm<mr = 6, nv = 2, lanes = 4, kc = 0, tilesPerTask = 16, workPerTask = 1, readRows = 12, panels = in_place, packRows = false>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<6x2xf32>):
    rt.yield %x : tensor<6x2xf32>
  }) : (tensor<6x2xf32>) -> tensor<6x2xf32>
  return %0 : tensor<6x2xf32>
}
}
