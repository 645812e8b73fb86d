// RUN: onnxc-opt --onnxc-verify-host --split-input-file --verify-diagnostics %s

func.func @main() -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{has no place in a host function, which has launches, calls, control flow, views and index arithmetic only}}
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{has no place in a host function}}
  %0 = rt.concat axis 0 ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A column is no piece of memory.
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x1xf32> {
  // expected-error @below {{cuts more than the leading dim, which takes a kernel}}
  %0 = tensor.extract_slice %x[0, 1] [4, 1] [1, 1] : tensor<4x4xf32> to tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

func.func @main(%x: tensor<2x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{cuts more than the leading dim}}
  %0 = tensor.insert_slice %x into %y[0, 0] [2, 4] [2, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
