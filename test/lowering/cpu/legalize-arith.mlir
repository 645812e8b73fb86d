// RUN: onnxc-opt %s --onnxc-legalize-arith | FileCheck %s
// RUN: onnxc-opt %s --onnxc-legalize-arith="has-nan-min-max=1" | FileCheck %s --check-prefix=NATIVE

// CHECK-LABEL: @maximum_with_constant_is_one_instruction
// CHECK-SAME: (%[[X:.+]]: vector<8xf32>)
// CHECK: %[[ZERO:.+]] = arith.constant dense<0.0
// CHECK: %[[WINS:.+]] = arith.cmpf ogt, %[[ZERO]], %[[X]]
// CHECK-NEXT: %[[R:.+]] = arith.select %[[WINS]], %[[ZERO]], %[[X]]
// CHECK-NEXT: return %[[R]]
// NATIVE-LABEL: @maximum_with_constant_is_one_instruction
// NATIVE: arith.maximumf
func.func @maximum_with_constant_is_one_instruction(%x: vector<8xf32>) -> vector<8xf32> {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %0 = arith.maximumf %x, %zero : vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: @maximum_keeps_nan
// CHECK: arith.cmpf ogt
// CHECK: arith.cmpf uno
// CHECK-NOT: arith.maximumf
func.func @maximum_keeps_nan(%x: f32, %y: f32) -> f32 {
  %0 = arith.maximumf %x, %y : f32
  return %0 : f32
}

// CHECK-LABEL: @reduction_by_halves
// CHECK: vector.shuffle {{.*}} [0, 1]
// CHECK: vector.shuffle {{.*}} [2, 3]
// CHECK: vector.shuffle {{.*}} [0]
// CHECK-NOT: vector.reduction
// NATIVE-LABEL: @reduction_by_halves
// NATIVE: vector.reduction <maximumf>
func.func @reduction_by_halves(%x: vector<4xf32>) -> f32 {
  %0 = vector.reduction <maximumf>, %x : vector<4xf32> into f32
  return %0 : f32
}

// CHECK-LABEL: @division_is_guarded
// CHECK: %[[ONE:.+]] = arith.constant 1 : i32
// CHECK: %[[SAFE:.+]] = arith.select %{{.+}}, %[[ONE]], %{{.+}} : i32
// CHECK: arith.divsi %{{.+}}, %[[SAFE]]
func.func @division_is_guarded(%x: i32, %y: i32) -> i32 {
  %0 = arith.divsi %x, %y : i32
  return %0 : i32
}

// CHECK-LABEL: @division_by_a_number_is_not_guarded
// CHECK-NOT: arith.select
// CHECK: return
func.func @division_by_a_number_is_not_guarded(%x: index, %v: vector<4xi32>) -> (index, vector<4xi32>) {
  %c3 = arith.constant 3 : index
  %c = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %0 = arith.divui %x, %c3 : index
  %1 = arith.remsi %v, %c : vector<4xi32>
  return %0, %1 : index, vector<4xi32>
}

// CHECK-LABEL: @conversion_is_frozen
// CHECK: %[[WIDE:.+]] = arith.fptosi %{{.+}} : f32 to i32
// CHECK: %[[FROZEN:.+]] = llvm.freeze %[[WIDE]] : i32
// CHECK: arith.trunci %[[FROZEN]] : i32 to i8
func.func @conversion_is_frozen(%x: f32) -> i8 {
  %0 = arith.fptoui %x : f32 to i8
  return %0 : i8
}

// CHECK-LABEL: @remainder
// CHECK-NOT: arith.remf
// CHECK: scf.if
// CHECK: call @onnxc_rt_fmod_f64
func.func @remainder(%x: f32, %y: f32) -> f32 {
  %0 = arith.remf %x, %y : f32
  return %0 : f32
}
