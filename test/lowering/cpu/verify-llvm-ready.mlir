// RUN: onnxc-opt %s --onnxc-verify-llvm-ready="vector-bits=128" | FileCheck %s

// What code generation can rely on passes and is left as it is: the widest vectors,
// intrinsics that are instructions, calls of the module and of the runtime, calls
// through a pointer.
// CHECK-LABEL: llvm.func @ready
// CHECK: llvm.load {{.*}} -> vector<32xf32>
// CHECK: llvm.intr.sqrt
// CHECK: llvm.call @onnxc_rt_exp_f64
// CHECK: llvm.call @own
// CHECK: llvm.call %{{.+}}(%{{.+}}) : !llvm.ptr
llvm.func @onnxc_rt_exp_f64(f64) -> f64
llvm.func @own(%x: f64) -> f64 {
  llvm.return %x : f64
}
llvm.func @ready(%p: !llvm.ptr, %x: f64) -> f64 {
  %0 = llvm.load %p : !llvm.ptr -> vector<32xf32>
  %1 = llvm.intr.sqrt(%x) : (f64) -> f64
  %2 = llvm.call @onnxc_rt_exp_f64(%1) : (f64) -> f64
  %3 = llvm.call @own(%2) : (f64) -> f64
  %4 = llvm.call %p(%3) : !llvm.ptr, (f64) -> f64
  llvm.return %4 : f64
}
