// RUN: onnxc-opt --onnxc-verify-constants %s | FileCheck %s

// What depends on an input is left to run time, and so is a constant that is much
// larger than what it is made from.
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
// CHECK-COUNT-2: "rt.group"
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<65536xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %c = arith.constant dense<2.0> : tensor<f32>
  %e2 = tensor.empty() : tensor<65536xf32>
  %3 = "rt.group"(%e2) <{strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<65536xf32>):
    %1 = linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel"]} ins(%c : tensor<f32>) outs(%e2 : tensor<65536xf32>) {
    ^bb1(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<65536xf32>
    rt.yield %1 : tensor<65536xf32>
  }) : (tensor<65536xf32>) -> tensor<65536xf32>
  return %0, %3 : tensor<4xf32>, tensor<65536xf32>
}
