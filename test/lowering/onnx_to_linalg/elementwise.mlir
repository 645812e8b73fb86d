// RUN: onnxc-opt --onnxc-lower-onnx-to-linalg %s | FileCheck %s

// CHECK-DAG: #[[ROW:map[0-9]*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: @broadcast_trailing_dim
func.func @broadcast_trailing_dim(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK-NOT: rt.check
  // CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[ROW]], {{.*}}]
  // CHECK: arith.addf
  %0 = onnx.Add(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @symbolic_sizes_become_index_values
func.func @symbolic_sizes_become_index_values(%a: tensor<?x3xf32, #onnx.shape<["n", 3]>>)
    -> tensor<?x3xf32, #onnx.shape<["n", 3]>> {
  // CHECK: %[[N:.+]] = rt.symbol "n"
  // CHECK: tensor.empty(%[[N]]) : tensor<?x3xf32>
  %0 = onnx.Exp(%a) : (tensor<?x3xf32, #onnx.shape<["n", 3]>>) -> tensor<?x3xf32, #onnx.shape<["n", 3]>>
  return %0 : tensor<?x3xf32, #onnx.shape<["n", 3]>>
}

// CHECK-LABEL: @dims_that_may_differ_are_checked
func.func @dims_that_may_differ_are_checked(%a: tensor<?xf32, #onnx.shape<["m"]>>, %b: tensor<?xf32, #onnx.shape<["n"]>>)
    -> tensor<?xf32, #onnx.shape<["max(m, n)"]>> {
  // CHECK: rt.check {{.*}}cannot broadcast dim 0
  // CHECK: tensor.extract
  %0 = onnx.Mul(%a, %b) : (tensor<?xf32, #onnx.shape<["m"]>>, tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<?xf32, #onnx.shape<["max(m, n)"]>>
  return %0 : tensor<?xf32, #onnx.shape<["max(m, n)"]>>
}
