// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --canonicalize --split-input-file | FileCheck %s

// CHECK: #[[IN:.+]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
// CHECK-LABEL: @transpose
// CHECK: linalg.generic {indexing_maps = [#[[IN]],
// CHECK: linalg.yield %in
func.func @transpose(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %0 = onnx.Transpose(%x) {perm = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  return %0 : tensor<3x4x2xf32>
}

// -----

// A slice of the inner axis reads consecutive elements.
// CHECK-LABEL: @slice_inner
// CHECK: linalg.generic
// CHECK-DAG: %[[I:.+]] = linalg.index 0
// CHECK-DAG: %[[J:.+]] = linalg.index 1
// CHECK: %[[AT:.+]] = arith.addi %[[J]], %c2
// CHECK: %[[V:.+]] = tensor.extract %arg0[%[[I]], %[[AT]]]
// CHECK: linalg.yield %[[V]]
func.func @slice_inner(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %s = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %e = onnx.Constant {value = dense<-2> : tensor<1xi64>} : tensor<1xi64>
  %a = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice(%x, %s, %e, %a) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<3x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: @slice_at_run_time
// CHECK: rt.check
// CHECK: rt.bind "?slice3", %[[N:.+]]
// CHECK: tensor.empty
// CHECK: tensor.extract %arg0
func.func @slice_at_run_time(%x: tensor<8xf32>, %s: tensor<1xi64>, %e: tensor<1xi64>, %step: tensor<1xi64>) -> tensor<?xf32, #onnx.shape<["?slice3"]>> {
  %a = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice(%x, %s, %e, %a, %step) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32, #onnx.shape<["?slice3"]>>
  return %0 : tensor<?xf32, #onnx.shape<["?slice3"]>>
}

// -----

// CHECK-LABEL: @reshape_is_a_view
// CHECK: %[[N:.+]] = rt.symbol "n"
// CHECK: rt.reshape %arg0[%[[N]]] : tensor<?x6xf32> -> tensor<?x2x3xf32>
func.func @reshape_is_a_view(%x: tensor<?x6xf32, #onnx.shape<["n", 6]>>) -> tensor<?x2x3xf32, #onnx.shape<["n", 2, 3]>> {
  %s = onnx.Constant {value = dense<[-1, 2, 3]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Reshape(%x, %s) : (tensor<?x6xf32, #onnx.shape<["n", 6]>>, tensor<3xi64>) -> tensor<?x2x3xf32, #onnx.shape<["n", 2, 3]>>
  return %0 : tensor<?x2x3xf32, #onnx.shape<["n", 2, 3]>>
}

// -----

// The size may not divide: checked when the model runs.
// CHECK-LABEL: @reshape_checks_division
// CHECK: rt.check %{{.+}}, "node: the number of elements differs, 'n' and '4*floordiv(n,4)'"
// CHECK: rt.reshape
func.func @reshape_checks_division(%x: tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<?x4xf32, #onnx.shape<["floordiv(n,4)", 4]>> {
  %s = onnx.Constant {value = dense<[-1, 4]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Reshape(%x, %s) : (tensor<?xf32, #onnx.shape<["n"]>>, tensor<2xi64>) -> tensor<?x4xf32, #onnx.shape<["floordiv(n,4)", 4]>> loc("node")
  return %0 : tensor<?x4xf32, #onnx.shape<["floordiv(n,4)", 4]>>
}

// -----

// CHECK-LABEL: @pad_reads_inside_only
// CHECK: %[[IN:.+]] = arith.cmpi ult
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: %[[V:.+]] = tensor.extract %arg0
// CHECK: arith.select %[[IN]], %[[V]], %cst
func.func @pad_reads_inside_only(%x: tensor<4x8xf32>) -> tensor<6x8xf32> {
  %p = onnx.Constant {value = dense<[1, 0, 1, 0]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.Pad(%x, %p) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<4x8xf32>, tensor<4xi64>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

// CHECK-LABEL: @pad_of_nothing_is_filled
// CHECK: %[[EMPTY:.+]] = arith.cmpi slt
// CHECK: scf.if %[[EMPTY]]
// CHECK: linalg.fill
// CHECK: } else {
// CHECK: tensor.extract %arg0
func.func @pad_of_nothing_is_filled(%x: tensor<?x8xf32, #onnx.shape<["n", 8]>>) -> tensor<?x8xf32, #onnx.shape<["n + 2", 8]>> {
  %p = onnx.Constant {value = dense<[1, 0, 1, 0]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.Pad(%x, %p) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<?x8xf32, #onnx.shape<["n", 8]>>, tensor<4xi64>) -> tensor<?x8xf32, #onnx.shape<["n + 2", 8]>>
  return %0 : tensor<?x8xf32, #onnx.shape<["n + 2", 8]>>
}

// -----

// CHECK-LABEL: @pad_reflects_once
// CHECK: rt.check {{.*}}a reflecting pad must be smaller than the size along axis 0
func.func @pad_reflects_once(%x: tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<?xf32, #onnx.shape<["n + 2"]>> {
  %p = onnx.Constant {value = dense<[1, 1]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Pad(%x, %p) {mode = "reflect", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<?xf32, #onnx.shape<["n"]>>, tensor<2xi64>) -> tensor<?xf32, #onnx.shape<["n + 2"]>>
  return %0 : tensor<?xf32, #onnx.shape<["n + 2"]>>
}

// -----

// CHECK: affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: @tile_divides_nothing
// CHECK: linalg.generic
// CHECK: rt.reshape %{{.+}}[] : tensor<4x3x8xf32> -> tensor<4x24xf32>
func.func @tile_divides_nothing(%x: tensor<4x8xf32>) -> tensor<4x24xf32> {
  %r = onnx.Constant {value = dense<[1, 3]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Tile(%x, %r) : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<4x24xf32>
  return %0 : tensor<4x24xf32>
}

// -----

// CHECK-LABEL: @concat
// CHECK: rt.concat axis 1 ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<2x4xf32>)
func.func @concat(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) -> tensor<2x7xf32> {
  %0 = onnx.Concat(%x, %y) {axis = -1 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  return %0 : tensor<2x7xf32>
}

// -----

// CHECK-LABEL: @range_of_a_symbol
// CHECK: %[[N:.+]] = rt.symbol "n"
// CHECK: tensor.empty(%[[N]])
// CHECK: %[[I:.+]] = linalg.index 0
// CHECK: arith.index_cast %[[I]] : index to i64
func.func @range_of_a_symbol() -> tensor<?xi64, #onnx.shape<["n"]>> {
  %z = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %n = onnx.Dims [#onnx.dim<"n">] : tensor<i64>
  %d = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %0 = onnx.Range(%z, %n, %d) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64, #onnx.shape<["n"]>>
  return %0 : tensor<?xi64, #onnx.shape<["n"]>>
}

// One of the lists states the length that they all have; the call checks the others.
// CHECK-LABEL: @slice_by_lists_of_known_and_unknown_length
// CHECK: rt.check %{{.+}}, "{{.*}}starts, ends, axes and steps must have one length, '1' and 'm'"
func.func @slice_by_lists_of_known_and_unknown_length(%x: tensor<4x5xf32>, %starts: tensor<?xi64, #onnx.shape<["m"]>>, %ends: tensor<1xi64>) -> tensor<?x?xf32, #onnx.shape<["?slice0", "?slice1"]>> {
  %0 = onnx.Slice(%x, %starts, %ends) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<4x5xf32>, tensor<?xi64, #onnx.shape<["m"]>>, tensor<1xi64>) -> tensor<?x?xf32, #onnx.shape<["?slice0", "?slice1"]>>
  return %0 : tensor<?x?xf32, #onnx.shape<["?slice0", "?slice1"]>>
}

// CHECK-LABEL: @trilu_by_a_vector_of_unknown_length
// CHECK: rt.check %{{.+}}, "{{.*}}expected one element in 'k', 'm' and '1'"
func.func @trilu_by_a_vector_of_unknown_length(%x: tensor<4x5xf32>, %k: tensor<?xi64, #onnx.shape<["m"]>>) -> tensor<4x5xf32> {
  %0 = onnx.Trilu(%x, %k) : (tensor<4x5xf32>, tensor<?xi64, #onnx.shape<["m"]>>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
