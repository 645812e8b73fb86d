// RUN: onnxc-opt --onnxc-verify-kernel-code %s | FileCheck %s

// CHECK: @k.task
func.func private @k.task(%slots: !llvm.ptr, %task: i64) {
  %0 = llvm.load %slots {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  llvm.store %0, %slots {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
  return
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
