// RUN: onnxc-opt --onnxc-verify-linalg --split-input-file --verify-diagnostics %s

func.func @onnx_op(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{is left behind the lowering to linalg}}
  %0 = onnx.Relu(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// expected-error @below {{has the type 'tensor<?xf32, #onnx.shape<["n"]>>', expected dims without symbols}}
func.func @symbolic_type(%x: tensor<?xf32, #onnx.shape<["n"]>>) {
  return
}

// -----

func.func @size_without_expression(%n: index) -> tensor<?x3xf32> {
  // expected-error @below {{states a size that is neither an rt.symbol nor a constant}}
  %0 = tensor.empty(%n) : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

func.func @size_in_a_computation(%e: tensor<3xindex>) -> tensor<3xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<3xindex>) {
  ^bb0(%out: index):
    // expected-error @below {{is a size inside of a computation, expected it before}}
    %n = rt.symbol "n"
    linalg.yield %n : index
  } -> tensor<3xindex>
  return %0 : tensor<3xindex>
}
