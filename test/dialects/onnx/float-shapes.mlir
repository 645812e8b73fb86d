// RUN: onnxc-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @half_of_a_size
// CHECK: onnx.Dims [#onnx.dim<"floordiv(n,2)">]
func.func @half_of_a_size(%x: tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<1xi64> {
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %0 = onnx.Shape(%x) : (tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<1xi64>
  %1 = onnx.Cast(%0) {to = 1 : i64} : (tensor<1xi64>) -> tensor<1xf32>
  %2 = onnx.Mul(%1, %half) : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  %3 = onnx.Floor(%2) : (tensor<1xf32>) -> tensor<1xf32>
  %4 = onnx.Cast(%3) {to = 7 : i64} : (tensor<1xf32>) -> tensor<1xi64>
  return %4 : tensor<1xi64>
}

// A third is no exact float; the value stays for the run.
// CHECK-LABEL: @expect_no_fold_of_an_inexact_factor
// CHECK: onnx.Mul
func.func @expect_no_fold_of_an_inexact_factor(%x: tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<1xi64> {
  %third = onnx.Constant {value = dense<0.333333343> : tensor<f32>} : tensor<f32>
  %0 = onnx.Shape(%x) : (tensor<?xf32, #onnx.shape<["n"]>>) -> tensor<1xi64>
  %1 = onnx.Cast(%0) {to = 1 : i64} : (tensor<1xi64>) -> tensor<1xf32>
  %2 = onnx.Mul(%1, %third) : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  %3 = onnx.Cast(%2) {to = 7 : i64} : (tensor<1xf32>) -> tensor<1xi64>
  return %3 : tensor<1xi64>
}
