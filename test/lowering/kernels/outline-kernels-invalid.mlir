// RUN: onnxc-opt %s --onnxc-outline-kernels --verify-diagnostics

#id = affine_map<(i) -> (i)>
func.func @size_of_an_argument(%x: tensor<?xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{the sizes of a 'tensor<?xf32>' that it uses are not known}}
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
