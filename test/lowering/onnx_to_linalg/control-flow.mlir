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

// CHECK-LABEL: @refined_dim_is_checked
// CHECK-DAG: %[[PAST:.+]] = rt.symbol "past"
// CHECK-DAG: %[[B:.+]] = rt.symbol "b_d0"
// CHECK: rt.check %{{.+}}, "{{.*}}dim 0 is not past+1"
func.func @refined_dim_is_checked(%a: tensor<?xf32, #onnx.shape<["past"]>>, %b: tensor<?xf32, #onnx.shape<["b_d0"]>>)
    -> tensor<?xf32, #onnx.shape<["past+1"]>> {
  %0 = onnx.Refine(%b) : (tensor<?xf32, #onnx.shape<["b_d0"]>>) -> tensor<?xf32, #onnx.shape<["past+1"]>>
  return %0 : tensor<?xf32, #onnx.shape<["past+1"]>>
}
