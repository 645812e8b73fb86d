// RUN: onnxc-opt %s --onnxc-form-kernels --verify-diagnostics

#id = affine_map<(i) -> (i)>
func.func @size_of_an_argument(%x: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{the sizes of its result are not known}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
