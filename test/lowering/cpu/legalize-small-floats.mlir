// RUN: onnxc-opt %s --onnxc-legalize-small-floats | FileCheck %s
// RUN: onnxc-opt %s --onnxc-legalize-small-floats="has-f16-conversion=1" \
// RUN:   | FileCheck %s --check-prefix=F16

// CHECK-LABEL: @extend_bf16
// CHECK: %[[BITS:.+]] = arith.bitcast %{{.+}} : vector<8xbf16> to vector<8xi16>
// CHECK: %[[WIDE:.+]] = arith.extui %[[BITS]] : vector<8xi16> to vector<8xi32>
// CHECK: %[[UP:.+]] = arith.shli %[[WIDE]]
// CHECK: arith.bitcast %[[UP]] : vector<8xi32> to vector<8xf32>
func.func @extend_bf16(%x: vector<8xbf16>) -> vector<8xf32> {
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: @half_conversions
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: return
// F16-LABEL: @half_conversions
// F16: arith.extf %{{.+}} : f16 to f32
// F16: arith.truncf %{{.+}} : f32 to f16
func.func @half_conversions(%x: f16) -> f16 {
  %0 = arith.extf %x : f16 to f32
  %1 = arith.truncf %0 : f32 to f16
  return %1 : f16
}

// CHECK-LABEL: @arithmetic_in_f32
// F16-LABEL: @arithmetic_in_f32
// F16: %[[SUM:.+]] = arith.addf %{{.+}}, %{{.+}} : f32
// F16: arith.truncf %[[SUM]] : f32 to f16
// F16: arith.cmpf olt, %{{.+}}, %{{.+}} : f32
// F16: arith.sitofp %{{.+}} : i32 to f32
func.func @arithmetic_in_f32(%x: f16, %i: i32) -> (f16, i1, f16) {
  %0 = arith.addf %x, %x : f16
  %1 = arith.cmpf olt, %0, %x : f16
  %2 = arith.sitofp %i : i32 to f16
  return %0, %1, %2 : f16, i1, f16
}

// CHECK-LABEL: @signs_are_bits
// CHECK: arith.xori %{{.+}} : i8
// CHECK: arith.andi %{{.+}} : i16
// CHECK-NOT: math.absf
func.func @signs_are_bits(%x: f8E4M3FN, %y: bf16) -> (f8E4M3FN, bf16) {
  %0 = arith.negf %x : f8E4M3FN
  %1 = math.absf %y : bf16
  return %0, %1 : f8E4M3FN, bf16
}
