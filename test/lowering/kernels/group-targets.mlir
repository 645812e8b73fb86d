// RUN: onnxc-opt %s --onnxc-form-kernels | FileCheck %s

// What depends on constants alone is made for where constants are evaluated, the rest
// for what the module is compiled for: each target has its own vectors.
// CHECK-DAG: #[[HOST:.+]] = #rt.cpu<facts = [memoryOperands]>
// CHECK-DAG: #[[DEVICE:.+]] = #rt.cpu<vectorBits = 512, vectorRegisters = 32>
// CHECK: "rt.group"{{.*}} lanes = 4>]>, target = #[[HOST]]}>
// CHECK: "rt.group"{{.*}} lanes = 16>]>, target = #[[DEVICE]]}>
#id = affine_map<(i) -> (i)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32>, rt.host_target = #rt.cpu<facts = [memoryOperands]>} {
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %w = arith.constant dense<1.0> : tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %known = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%w : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %known : tensor<64xf32>, tensor<64xf32>) outs(%e2 : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %sum : tensor<64xf32>
}
}
