// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --canonicalize --split-input-file | FileCheck %s

// Rows of a table: the index does not depend on the inner loop.
// CHECK-LABEL: @gather_rows
// CHECK: rt.call "onnxc_rt_check_indices" message "node" ins(%arg1 : tensor<?x4xi64>)
// CHECK: %[[N:.+]] = linalg.index 0
// CHECK: %[[S:.+]] = linalg.index 1
// CHECK: %[[D:.+]] = linalg.index 2
// CHECK: %[[I:.+]] = tensor.extract %arg1[%[[N]], %[[S]]]
// CHECK: %[[AT:.+]] = arith.select
// CHECK: tensor.extract %arg0[%[[AT]], %[[D]]]
func.func @gather_rows(%x: tensor<100x64xf32>, %i: tensor<?x4xi64, #onnx.shape<["n", 4]>>) -> tensor<?x4x64xf32, #onnx.shape<["n", 4, 64]>> {
  %0 = onnx.Gather(%x, %i) : (tensor<100x64xf32>, tensor<?x4xi64, #onnx.shape<["n", 4]>>) -> tensor<?x4x64xf32, #onnx.shape<["n", 4, 64]>> loc("node")
  return %0 : tensor<?x4x64xf32, #onnx.shape<["n", 4, 64]>>
}

// -----

// A constant index needs no check that its size answers.
// CHECK-LABEL: @gather_constant
// CHECK-NOT: rt.ca
// CHECK-NOT: rt.check
// CHECK: tensor.extract %arg0[%{{.+}}, %c2]
func.func @gather_constant(%x: tensor<3x3xf32>) -> tensor<3xf32> {
  %i = onnx.Constant {value = dense<-1> : tensor<i64>} : tensor<i64>
  %0 = onnx.Gather(%x, %i) {axis = 1 : i64} : (tensor<3x3xf32>, tensor<i64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: @gather_constant_in_dynamic
// CHECK: rt.check %{{.+}}, "node: an index is out of range"
func.func @gather_constant_in_dynamic(%x: tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<f32> {
  %i = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %0 = onnx.Gather(%x, %i) : (tensor<?xf32, #onnx.shape<["n"]>>, tensor<i64>) -> tensor<f32> loc("node")
  return %0 : tensor<f32>
}

// -----

// The count comes back from the call and is the symbol's value.
// CHECK-LABEL: @nonzero
// CHECK: %{{.+}}, %[[DIMS:.+]]:2 = rt.call "onnxc_rt_nonzero"
// CHECK: rt.bind "?nonzero5", %[[DIMS]]#1
// CHECK: rt.reshape
func.func @nonzero(%x: tensor<4x4xi1>) -> tensor<2x?xi64, #onnx.shape<[2, "?nonzero5"]>> {
  %0 = onnx.NonZero(%x) : (tensor<4x4xi1>) -> tensor<2x?xi64, #onnx.shape<[2, "?nonzero5"]>>
  return %0 : tensor<2x?xi64, #onnx.shape<[2, "?nonzero5"]>>
}

// -----

// CHECK-LABEL: @topk
// CHECK: rt.call "onnxc_rt_topk" message "" ins(%arg0 : tensor<3x8xi8>) outs(
// CHECK-SAME: parameters
func.func @topk(%x: tensor<3x8xui8>) -> (tensor<3x2xui8>, tensor<3x2xi64>) {
  %k = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %0:2 = onnx.TopK(%x, %k) : (tensor<3x8xui8>, tensor<1xi64>) -> (tensor<3x2xui8>, tensor<3x2xi64>)
  return %0#0, %0#1 : tensor<3x2xui8>, tensor<3x2xi64>
}
