// RUN: onnxc-opt --onnxc-verify-linalg %s | FileCheck %s

// CHECK: tensor.empty
func.func @plain(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %n = rt.symbol "n"
  %e = tensor.empty(%n) : tensor<?x3xf32>
  return %e : tensor<?x3xf32>
}
