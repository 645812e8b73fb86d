// RUN: onnxc-opt %s --canonicalize --split-input-file | FileCheck %s

// The shape computation of an attention block: reshape [b, s, 768] to heads.
// CHECK-LABEL: @heads
// CHECK: %[[SHAPE:.+]] = onnx.Dims [#onnx.dim<"b">, #onnx.dim<"s">, #onnx.dim<"12">, #onnx.dim<"64">]
// CHECK-NEXT: onnx.Reshape(%arg0, %[[SHAPE]])
// CHECK-SAME: -> tensor<?x?x12x64xf32, #onnx.shape<["b", "s", 12, 64]>>
// CHECK-NEXT: return
func.func @heads(%x: tensor<?x?x768xf32, #onnx.shape<["b", "s", 768]>>)
    -> tensor<?x?x12x64xf32, #onnx.shape<["b", "s", 12, 64]>> {
  %axes = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %i0 = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %i1 = onnx.Constant {value = dense<-2> : tensor<i64>} : tensor<i64>
  %tail = onnx.Constant {value = dense<[12, 64]> : tensor<2xi64>} : tensor<2xi64>
  %shape = onnx.Shape(%x) : (tensor<?x?x768xf32, #onnx.shape<["b", "s", 768]>>) -> tensor<3xi64>
  %b = onnx.Gather(%shape, %i0) : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %s = onnx.Gather(%shape, %i1) : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %b1 = onnx.Unsqueeze(%b, %axes) : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
  %s1 = onnx.Unsqueeze(%s, %axes) : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
  %all = onnx.Concat(%b1, %s1, %tail) {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<2xi64>) -> tensor<4xi64>
  %y = onnx.Reshape(%x, %all) : (tensor<?x?x768xf32, #onnx.shape<["b", "s", 768]>>, tensor<4xi64>)
      -> tensor<?x?x12x64xf32, #onnx.shape<["b", "s", 12, 64]>>
  return %y : tensor<?x?x12x64xf32, #onnx.shape<["b", "s", 12, 64]>>
}

// -----

// CHECK-LABEL: @shape_range
// CHECK: onnx.Dims [#onnx.dim<"n">]
func.func @shape_range(%x: tensor<3x?x5xf32, #onnx.shape<[3, "n", 5]>>) -> tensor<1xi64> {
  %0 = onnx.Shape(%x) {start = 1 : i64, end = -1 : i64} : (tensor<3x?x5xf32, #onnx.shape<[3, "n", 5]>>) -> tensor<1xi64>
  return %0 : tensor<1xi64>
}

// -----

// CHECK-LABEL: @size
// CHECK: onnx.Dims [#onnx.dim<"15*n">] : tensor<i64>
func.func @size(%x: tensor<3x?x5xf32, #onnx.shape<[3, "n", 5]>>) -> tensor<i64> {
  %0 = onnx.Size(%x) : (tensor<3x?x5xf32, #onnx.shape<[3, "n", 5]>>) -> tensor<i64>
  return %0 : tensor<i64>
}

// -----

// Shape arithmetic on several axes: pads in torch's order, reversed in pairs.
// CHECK-LABEL: @reversed_pairs
// CHECK: onnx.Dims [#onnx.dim<"h">, #onnx.dim<"1">, #onnx.dim<"w">, #onnx.dim<"0">] : tensor<4xi64>
func.func @reversed_pairs(%x: tensor<?x?xf32, #onnx.shape<["w", "h"]>>) -> tensor<4xi64> {
  %c = onnx.Constant {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  %two = onnx.Constant {value = dense<[-1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %flat = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %start = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<-9223372036854775807> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Shape(%x) : (tensor<?x?xf32, #onnx.shape<["w", "h"]>>) -> tensor<2xi64>
  %all = onnx.Concat(%shape, %c) {axis = 0 : i64} : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
  %pairs = onnx.Reshape(%all, %two) : (tensor<4xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  %back = onnx.Slice(%pairs, %start, %end, %axis, %start) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<2x2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xi64>
  %t = onnx.Transpose(%back) {perm = array<i64: 1, 0>} : (tensor<2x2xi64>) -> tensor<2x2xi64>
  %r = onnx.Transpose(%pairs) {perm = array<i64: 1, 0>} : (tensor<2x2xi64>) -> tensor<2x2xi64>
  %u = onnx.Reshape(%r, %flat) : (tensor<2x2xi64>, tensor<1xi64>) -> tensor<4xi64>
  %perm = onnx.Constant {value = dense<[2, 3, 0, 1]> : tensor<4xi64>} : tensor<4xi64>
  %y = onnx.Gather(%u, %perm) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

// CHECK-LABEL: @split_of_shape
// CHECK-DAG: %[[A:.+]] = onnx.Dims [#onnx.dim<"n">] : tensor<1xi64>
// CHECK-DAG: %[[B:.+]] = onnx.Constant {value = dense<4> : tensor<1xi64>}
// CHECK: return %[[A]], %[[B]]
func.func @split_of_shape(%x: tensor<?x4xf32, #onnx.shape<["n", 4]>>) -> (tensor<1xi64>, tensor<1xi64>) {
  %shape = onnx.Shape(%x) : (tensor<?x4xf32, #onnx.shape<["n", 4]>>) -> tensor<2xi64>
  %0:2 = onnx.Split(%shape) {num_outputs = 2 : i64} : (tensor<2xi64>) -> (tensor<1xi64>, tensor<1xi64>)
  return %0#0, %0#1 : tensor<1xi64>, tensor<1xi64>
}

// -----

// An op that binds a symbol stays, even when only its shape is used.
// CHECK-LABEL: @only_the_count
// CHECK: onnx.NonZero
// CHECK: onnx.Dims [#onnx.dim<"2*?nonzero7">]
func.func @only_the_count(%x: tensor<4x4xi1>) -> tensor<i64> {
  %0 = onnx.NonZero(%x) : (tensor<4x4xi1>) -> tensor<2x?xi64, #onnx.shape<[2, "?nonzero7"]>>
  %1 = onnx.Size(%0) : (tensor<2x?xi64, #onnx.shape<[2, "?nonzero7"]>>) -> tensor<i64>
  return %1 : tensor<i64>
}
