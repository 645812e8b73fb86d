// RUN: onnxc-opt %s --onnxc-expand-math --split-input-file | FileCheck %s
// RUN: onnxc-opt %s --onnxc-expand-math="has-fma=1 has-rounding=1" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=FULL

// CHECK-LABEL: @exp_of_vector_is_arithmetic
// CHECK-NOT: math.
// CHECK: arith.mulf {{.*}} : vector<16xf32>
// CHECK-NOT: call
// CHECK: return
// FULL-LABEL: @exp_of_vector_is_arithmetic
// FULL: math.fma {{.*}} : vector<16xf32>
// FULL-NOT: math.exp
func.func @exp_of_vector_is_arithmetic(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// -----

// CHECK-LABEL: @hot_functions_call_nothing
// CHECK-NOT: call
// CHECK: return
func.func @hot_functions_call_nothing(%x: vector<8xf32>, %s: f32) -> (vector<8xf32>, f32) {
  %0 = math.log %x : vector<8xf32>
  %1 = math.tanh %0 : vector<8xf32>
  %2 = math.erf %1 : vector<8xf32>
  %3 = math.powf %2, %x : vector<8xf32>
  %4 = math.exp2 %s : f32
  %5 = math.atan2 %4, %s : f32
  return %3, %5 : vector<8xf32>, f32
}

// -----

// CHECK: func.func private @onnxc_rt_sin_f64(f64) -> f64
// CHECK-LABEL: @sin_calls_for_large_angles_only
// CHECK: %[[ANY:.+]] = vector.reduction <or>
// CHECK: scf.if %[[ANY]]
// CHECK: func.call @onnxc_rt_sin_f64
// CHECK: } else {
func.func @sin_calls_for_large_angles_only(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.sin %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// -----

// CHECK: func.func private @onnxc_rt_exp_f64(f64) -> f64
// CHECK-LABEL: @f64_calls_the_runtime_per_lane
// CHECK: scf.for
// CHECK: vector.extract
// CHECK: func.call @onnxc_rt_exp_f64
// CHECK: vector.insert
// CHECK: call @onnxc_rt_exp_f64
func.func @f64_calls_the_runtime_per_lane(%x: vector<4xf64>, %s: f64) -> (vector<4xf64>, f64) {
  %0 = math.exp %x : vector<4xf64>
  %1 = math.exp %s : f64
  return %0, %1 : vector<4xf64>, f64
}

// -----

// CHECK-LABEL: @rsqrt_is_exact
// CHECK-SAME: (%[[X:.+]]: f32)
// CHECK: %[[ROOT:.+]] = math.sqrt %[[X]] : f32
// CHECK: arith.divf %{{.+}}, %[[ROOT]] : f32
func.func @rsqrt_is_exact(%x: f32) -> f32 {
  %0 = math.rsqrt %x : f32
  return %0 : f32
}

// -----

// CHECK-LABEL: @half_is_computed_in_f32
// CHECK: arith.extf %{{.+}} : f16 to f32
// CHECK: math.sqrt {{.*}} : f32
// CHECK: arith.truncf %{{.+}} : f32 to f16
func.func @half_is_computed_in_f32(%x: f16) -> f16 {
  %0 = math.sqrt %x : f16
  return %0 : f16
}

// -----

// CHECK-LABEL: @rounding_without_instructions
// CHECK-NOT: math.floor
// CHECK-NOT: math.round
// CHECK-NOT: math.trunc
// CHECK: return
// FULL-LABEL: @rounding_without_instructions
// FULL: math.floor
// FULL: math.trunc
func.func @rounding_without_instructions(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.floor %x : vector<4xf32>
  %1 = math.round %0 : vector<4xf32>
  return %1 : vector<4xf32>
}

// -----

// CHECK-LABEL: @fma_is_split_without_the_instruction
// CHECK-COUNT-2: arith.mulf
// CHECK-NOT: fma
// FULL-LABEL: @fma_is_split_without_the_instruction
// FULL-COUNT-2: math.fma
func.func @fma_is_split_without_the_instruction(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.fma %x, %x, %x : vector<4xf32>
  %1 = vector.fma %0, %x, %x : vector<4xf32>
  return %1 : vector<4xf32>
}

// -----

// CHECK: func.func private @onnxc_rt_ipow_i64(i64, i64) -> i64
// CHECK-LABEL: @integer_power
// CHECK: arith.extsi %{{.+}} : i32 to i64
// CHECK: call @onnxc_rt_ipow_i64
// CHECK: arith.trunci %{{.+}} : i64 to i32
func.func @integer_power(%x: i32, %y: i32) -> i32 {
  %0 = math.ipowi %x, %y : i32
  return %0 : i32
}

// -----

// CHECK-LABEL: @sigmoid_has_a_formula_of_its_own
// CHECK: math.absf
// CHECK: arith.divf
// CHECK-NOT: arith.divf
// CHECK: return
func.func @sigmoid_has_a_formula_of_its_own(%x: vector<8xf32>) -> vector<8xf32> {
  %one = arith.constant dense<1.0> : vector<8xf32>
  %0 = arith.negf %x : vector<8xf32>
  %1 = math.exp %0 : vector<8xf32>
  %2 = arith.addf %1, %one : vector<8xf32>
  %3 = arith.divf %one, %2 : vector<8xf32>
  return %3 : vector<8xf32>
}
