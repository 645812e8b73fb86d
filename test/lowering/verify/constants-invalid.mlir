// RUN: onnxc-opt --onnxc-verify-constants --split-input-file --verify-diagnostics %s

#id = affine_map<(i) -> (i)>
func.func @main() -> tensor<4xf32> {
  %c = arith.constant dense<2.0> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{depends on constants alone, and is left to run time}}
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>
module attributes {rt.target = #rt.cpu<vectorBits = 256>, rt.host_target = #rt.cpu<>} {
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{is left to run time, expected the target that the module is compiled for}}
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
}
