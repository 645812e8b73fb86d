// RUN: onnxc-opt %s --onnxc-lower-launches -split-input-file | FileCheck %s

// The slots of a kernel are its inputs, then its outputs. The profiler gets the
// kernel's name and the names of the nodes.
// CHECK-DAG: llvm.mlir.global private constant @[[NAME:.+]]("k\00")
// CHECK-DAG: llvm.mlir.global private constant @[[NODES:.+]]("Add_1,Relu_2\00")
// CHECK-LABEL: func.func @steps(
// CHECK-SAME: %[[P:.+]]: !llvm.ptr, %[[Q:.+]]: !llvm.ptr, %[[N:.+]]: index, %[[CONTEXT:.+]]: !llvm.ptr)
// CHECK: %[[SLOTS:.+]] = llvm.alloca
// CHECK: llvm.store %[[P]], %[[SLOTS]] : !llvm.ptr
// CHECK: %[[AT1:.+]] = llvm.getelementptr %[[SLOTS]][8]
// CHECK: llvm.store %{{.+}}, %[[AT1]] {{.*}}: i64
// CHECK: %[[AT2:.+]] = llvm.getelementptr %[[SLOTS]][16]
// CHECK: llvm.store %[[Q]], %[[AT2]]
// CHECK: %[[COUNT:.+]] = call @k.tasks(%[[SLOTS]])
// CHECK: %[[TASK:.+]] = constant @k.task
// CHECK: %[[ADDRESS:.+]] = builtin.unrealized_conversion_cast %[[TASK]]
// CHECK-DAG: %[[KERNEL:.+]] = llvm.mlir.addressof @[[NAME]]
// CHECK-DAG: %[[NAMES:.+]] = llvm.mlir.addressof @[[NODES]]
// CHECK: call @onnxc_rt_launch(%[[CONTEXT]], %[[KERNEL]], %[[NAMES]], %[[COUNT]], %[[ADDRESS]], %[[SLOTS]])
// CHECK-NOT: rt.launch
func.func private @k.task(!llvm.ptr, i64)
func.func private @k.tasks(!llvm.ptr) -> i64
func.func @steps(%p: !llvm.ptr, %q: !llvm.ptr, %n: index, %context: !llvm.ptr) {
  rt.launch @k ins(%p, %n : !llvm.ptr, index) outs(%q : !llvm.ptr) context %context : !llvm.ptr
    loc(fused[fused<"Add">["Add_1"("Add")], "Relu_2"("Relu")])
  return
}

// -----

// Launches of one function share its slots.
// CHECK-LABEL: func.func @two_launches
// CHECK-COUNT-1: llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK-COUNT-2: call @onnxc_rt_launch
func.func private @k.task(!llvm.ptr, i64)
func.func private @k.tasks(!llvm.ptr) -> i64
func.func @two_launches(%p: !llvm.ptr, %context: !llvm.ptr) {
  rt.launch @k ins() outs(%p : !llvm.ptr) context %context : !llvm.ptr
  rt.launch @k ins(%p : !llvm.ptr) outs(%p : !llvm.ptr) context %context : !llvm.ptr
  return
}
