// RUN: onnxc-opt %s --onnxc-evaluate-constants | FileCheck %s

// A constant that is too large to store is computed by the run: its group, which was
// made for the host, goes to the module's target, which has other vectors.
// CHECK: #[[DEVICE:.+]] = #rt.cpu<vectorBits = 256, facts = [fma]>
// CHECK: "rt.group"{{.*}} lanes = 8>]>, target = #[[DEVICE]]}>
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
module attributes {rt.target = #rt.cpu<vectorBits = 256, facts = [fma]>, rt.host_target = #rt.cpu<>} {
func.func @main() -> tensor<100000xf32> {
  %c = arith.constant dense<2.0> : tensor<f32>
  %e = tensor.empty() : tensor<100000xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<100000xf32>):
    %1 = linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel"]} ins(%c : tensor<f32>) outs(%e : tensor<100000xf32>) {
    ^bb1(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<100000xf32>
    rt.yield %1 : tensor<100000xf32>
  }) : (tensor<100000xf32>) -> tensor<100000xf32>
  return %0 : tensor<100000xf32>
}
}
