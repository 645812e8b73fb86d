// RUN: onnxc-opt --onnxc-form-kernels %s | FileCheck %s

// A zero tensor that is both a value and the start of a reduction: the reduction
// gets a fill of its own, the value is a kernel.
// CHECK-LABEL: @start_of_a_reduction_stays_a_fill
func.func @start_of_a_reduction_stays_a_fill(%a: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  // CHECK: linalg.generic {indexing_maps = [{{[^,]*}}, {{[^,]*}}], iterator_types = ["parallel"]}
  // CHECK: %[[START:.+]] = linalg.fill
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}} outs(%[[START]]
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%fill : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %0 = arith.addf %acc, %x : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %fill, %sum : tensor<4xf32>, tensor<4xf32>
}
