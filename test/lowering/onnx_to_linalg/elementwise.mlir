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
    -> tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>> {
  // CHECK: rt.check {{.*}}cannot broadcast dim 0
  // CHECK: tensor.extract
  %0 = onnx.Mul(%a, %b) : (tensor<?xf32, #onnx.shape<["m"]>>, tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>>
  return %0 : tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>>
}

// The size of 1 and 0 is 0.
// CHECK-LABEL: @sizes_of_a_broadcast
// CHECK: %[[M:.+]] = rt.symbol "m"
// CHECK: %[[N:.+]] = rt.symbol "n"
// CHECK: %[[IS_ONE:.+]] = arith.cmpi eq, %[[M]], %c1
// CHECK: %[[SIZE:.+]] = arith.select %[[IS_ONE]], %[[N]], %[[M]]
// CHECK: tensor.empty(%[[SIZE]])
func.func @sizes_of_a_broadcast(%a: tensor<?xf32, #onnx.shape<["m"]>>, %b: tensor<?xf32, #onnx.shape<["n"]>>)
    -> tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>> {
  %0 = onnx.Add(%a, %b) : (tensor<?xf32, #onnx.shape<["m"]>>, tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>>
  return %0 : tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>>
}
