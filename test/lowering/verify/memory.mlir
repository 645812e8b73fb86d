// RUN: onnxc-opt --onnxc-verify-memory %s | FileCheck %s

// CHECK: rt.exit
func.func @onnxc_body(%symbols: !llvm.ptr, %status: i32) -> i32 {
  rt.exit %status
  return %status : i32
}
