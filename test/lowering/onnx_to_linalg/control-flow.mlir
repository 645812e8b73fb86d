// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @if_binds_the_dim_in_which_branches_differ
// CHECK-SAME: (%[[C:.+]]: tensor<i1>
// CHECK: %[[COND:.+]] = tensor.extract %[[C]][] : tensor<i1>
// CHECK: %[[IF:.+]]:2 = scf.if %[[COND]] -> (tensor<?xf32>, index)
// CHECK: scf.yield %{{.+}}, %{{.+}} : tensor<?xf32>, index
// CHECK: } else {
// CHECK: rt.bind "?if0", %[[IF]]#1
func.func @if_binds_the_dim_in_which_branches_differ(%c: tensor<i1>, %a: tensor<4xf32>,
    %b: tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<?xf32, #onnx.shape<["?if0"]>> {
  %0 = onnx.If(%c) {
    onnx.Yield(%a) : (tensor<4xf32>)
  } else {
    onnx.Yield(%b) : (tensor<?xf32, #onnx.shape<["n"]>>)
  } : (tensor<i1>) -> tensor<?xf32, #onnx.shape<["?if0"]>>
  return %0 : tensor<?xf32, #onnx.shape<["?if0"]>>
}

// CHECK-LABEL: @counted_loop_writes_rows_in_place
// CHECK-SAME: (%[[X:.+]]: tensor<3xf32>
// CHECK: %[[ROWS:.+]] = tensor.empty() : tensor<5x3xf32>
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%[[S:.+]] = %[[X]], %[[OUT:.+]] = %[[ROWS]])
// CHECK: %[[NEXT:.+]] = linalg.generic
// CHECK: %[[NEW:.+]] = tensor.insert_slice %[[NEXT]] into %[[OUT]][%[[I]], 0] [1, 3] [1, 1]
// CHECK: scf.yield %[[NEXT]], %[[NEW]]
func.func @counted_loop_writes_rows_in_place(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<5x3xf32>) {
  %m = onnx.Constant {value = dense<5> : tensor<i64>} : tensor<i64>
  %0:2 = onnx.Loop(%m, %x) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %s: tensor<3xf32>):
    %next = onnx.Exp(%s) : (tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%c, %next, %next) : (tensor<i1>, tensor<3xf32>, tensor<3xf32>)
  } {operandSegmentSizes = array<i32: 1, 0, 1>}
    : (tensor<i64>, tensor<3xf32>) -> (tensor<3xf32>, tensor<5x3xf32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<5x3xf32>
}

// CHECK-LABEL: @loop_with_a_condition_is_a_while
// CHECK: scf.while
// CHECK: scf.condition
func.func @loop_with_a_condition_is_a_while(%m: tensor<i64>, %x: tensor<f32>, %limit: tensor<f32>) -> tensor<f32> {
  %0 = onnx.Loop(%m, %x) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %s: tensor<f32>):
    %next = onnx.Add(%s, %s) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %go = onnx.Less(%next, %limit) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    onnx.Yield(%go, %next) : (tensor<i1>, tensor<f32>)
  } {operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<i64>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Nothing limits the number of rows: they are appended.
// CHECK-LABEL: @unlimited_loop_appends_rows
// CHECK: %[[NONE:.+]] = tensor.empty() : tensor<0x3xf32>
// CHECK: %[[ROWS:.+]] = rt.reshape %[[NONE]][%{{.+}}] : tensor<0x3xf32> -> tensor<?x3xf32>
// CHECK: %[[LOOP:.+]]:3 = scf.while ({{.*}} = %[[ROWS]])
// CHECK: ^bb0(%[[I:.+]]: index, %{{.+}}: tensor<3xf32>, %[[OUT:.+]]: tensor<?x3xf32>)
// CHECK: %[[NEXT:.+]] = linalg.generic
// CHECK: %[[NEW:.+]] = rt.append %[[NEXT]] to %[[OUT]][%[[I]]] : tensor<3xf32> to tensor<?x3xf32>
// CHECK: scf.yield %{{.+}}, %[[NEXT]], %[[NEW]]
// CHECK: rt.bind "?trips0", %[[LOOP]]#0
func.func @unlimited_loop_appends_rows(%x: tensor<3xf32>) -> tensor<?x3xf32, #onnx.shape<["?trips0", 3]>> {
  %0:2 = onnx.Loop(%x) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %s: tensor<3xf32>):
    %next = onnx.Exp(%s) : (tensor<3xf32>) -> tensor<3xf32>
    onnx.Yield(%c, %next, %next) : (tensor<i1>, tensor<3xf32>, tensor<3xf32>)
  } {operandSegmentSizes = array<i32: 0, 0, 1>}
    : (tensor<3xf32>) -> (tensor<3xf32>, tensor<?x3xf32, #onnx.shape<["?trips0", 3]>>)
  return %0#1 : tensor<?x3xf32, #onnx.shape<["?trips0", 3]>>
}

// Rows whose size only the iteration knows are appended even when counted; the
// sizes must agree.
// CHECK-LABEL: @rows_of_a_size_that_the_iteration_knows
// CHECK: %[[LOOP:.+]]:2 = scf.for %[[I:.+]] = {{.*}} iter_args(%[[OLD:.+]] = %{{.+}}, %[[OUT:.+]] = %{{.+}}) -> (index, tensor<?x?xi64>)
// CHECK: %[[SIZE:.+]] = rt.symbol "?range0"
// CHECK: %[[FIRST:.+]] = arith.cmpi eq, %[[I]], %{{.+}} : index
// CHECK: %[[SAME:.+]] = arith.cmpi eq, %[[SIZE]], %[[OLD]] : index
// CHECK: %[[GOOD:.+]] = arith.ori %[[FIRST]], %[[SAME]] : i1
// CHECK: rt.check %[[GOOD]], "{{.*}}the rows of a scan output differ in size" found %[[SIZE]] expected %[[OLD]]
// CHECK: rt.append %{{.+}} to %[[OUT]][%[[I]]]
// CHECK: rt.bind "?row0", %[[LOOP]]#0
func.func @rows_of_a_size_that_the_iteration_knows() -> tensor<2x?xi64, #onnx.shape<[2, "?row0"]>> {
  %m = onnx.Constant {value = dense<2> : tensor<i64>} : tensor<i64>
  %zero = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %one = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %0 = onnx.Loop(%m) {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>):
    %row = onnx.Range(%zero, %i, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64, #onnx.shape<["?range0"]>>
    onnx.Yield(%c, %row) : (tensor<i1>, tensor<?xi64, #onnx.shape<["?range0"]>>)
  } {operandSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<i64>) -> tensor<2x?xi64, #onnx.shape<[2, "?row0"]>>
  return %0 : tensor<2x?xi64, #onnx.shape<[2, "?row0"]>>
}

// CHECK-LABEL: @refined_dim_is_checked
// CHECK-DAG: %[[PAST:.+]] = rt.symbol "past+1"
// CHECK-DAG: %[[B:.+]] = rt.symbol "b_d0"
// CHECK: rt.check %{{.+}}, "{{.*}}dim 0 is not past+1" found %[[B]] expected %[[PAST]]
func.func @refined_dim_is_checked(%a: tensor<?xf32, #onnx.shape<["past"]>>, %b: tensor<?xf32, #onnx.shape<["b_d0"]>>)
    -> tensor<?xf32, #onnx.shape<["past+1"]>> {
  %0 = onnx.Refine(%b) : (tensor<?xf32, #onnx.shape<["b_d0"]>>) -> tensor<?xf32, #onnx.shape<["past+1"]>>
  return %0 : tensor<?xf32, #onnx.shape<["past+1"]>>
}
