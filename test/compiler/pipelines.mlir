// Every stage, one after the other, by its name.
// RUN: onnxc-opt %s --onnxc-simplify-pipeline --onnxc-layout-pipeline --onnxc-linalg-pipeline \
// RUN:   --onnxc-kernels-pipeline --onnxc-const-eval-pipeline -o %t.groups
// RUN: FileCheck --check-prefix=GROUPS --input-file=%t.groups %s
// RUN: onnxc-opt %t.groups --onnxc-outline-pipeline --onnxc-codegen-pipeline \
// RUN:   --onnxc-memory-pipeline --onnxc-to-llvm-pipeline | FileCheck %s

// The weights have been packed.
// GROUPS-COUNT-1: "rt.group"(%{{.*}}) <{strategy = #rt.gemm
// GROUPS-NOT: "rt.group"
// CHECK-NOT: func.func
// CHECK-DAG: llvm.func @onnxc_plan
// CHECK-DAG: llvm.func @onnxc_body
// CHECK-DAG: llvm.func {{.*}}@kernel_0.task
func.func @main(%x: tensor<6x2xf32>) -> tensor<6x3xf32> {
  %w = onnx.Constant {value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>} : tensor<2x3xf32>
  %0 = onnx.MatMul(%x, %w) : (tensor<6x2xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
  %1 = onnx.Relu(%0) : (tensor<6x3xf32>) -> tensor<6x3xf32>
  return %1 : tensor<6x3xf32>
}
