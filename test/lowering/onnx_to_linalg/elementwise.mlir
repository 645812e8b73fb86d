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
  // CHECK: rt.check {{.*}}cannot broadcast dim 0, 'm', to 'broadcast(m,n)'"
  // CHECK: tensor.extract
  %0 = onnx.Mul(%a, %b) : (tensor<?xf32, #onnx.shape<["m"]>>, tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>>
  return %0 : tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>>
}

// CHECK-LABEL: @sizes_of_a_broadcast
// CHECK: %[[SIZE:.+]] = rt.symbol "broadcast(m,n)"
// CHECK: tensor.empty(%[[SIZE]])
func.func @sizes_of_a_broadcast(%a: tensor<?xf32, #onnx.shape<["m"]>>, %b: tensor<?xf32, #onnx.shape<["n"]>>)
    -> tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>> {
  %0 = onnx.Add(%a, %b) : (tensor<?xf32, #onnx.shape<["m"]>>, tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>>
  return %0 : tensor<?xf32, #onnx.shape<["broadcast(m, n)"]>>
}

// CHECK-LABEL: @integer_divisors_are_checked
// CHECK: rt.call "onnxc_rt_check_divisors" message "{{.*}}" ins(%arg1 : tensor<4xi32>)
func.func @integer_divisors_are_checked(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = onnx.Div(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @divisors_that_are_known_or_floats_are_not
// CHECK-NOT: rt.c
// CHECK: return
func.func @divisors_that_are_known_or_floats_are_not(%a: tensor<2xi32>, %f: tensor<2xf32>) -> (tensor<2xi32>, tensor<2xf32>) {
  %b = onnx.Constant {value = dense<[1, 2]> : tensor<2xi32>} : tensor<2xi32>
  %0 = onnx.Mod(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = onnx.Div(%f, %f) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xi32>, tensor<2xf32>
}

// CHECK-LABEL: @a_known_zero_ends_the_call
// CHECK: rt.check %false, "{{.*}}an integer is divided by zero"
func.func @a_known_zero_ends_the_call(%a: tensor<2xi32>) -> tensor<2xi32> {
  %b = onnx.Constant {value = dense<[1, 0]> : tensor<2xi32>} : tensor<2xi32>
  %0 = onnx.Div(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
