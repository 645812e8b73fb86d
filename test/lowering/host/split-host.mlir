// RUN: onnxc-opt %s --onnxc-split-host=piece-size=40 | FileCheck %s

// Pieces are functions that return a status, called in order; what they take are
// arguments, constants are made again, and what is used behind a piece goes through
// memory.
// CHECK: func.func private @onnxc_steps_0(%[[A:.+]]: !llvm.ptr, %[[CONTEXT:.+]]: !llvm.ptr, %[[HANDED:.+]]: !llvm.ptr) -> i32
// CHECK-SAME: passthrough = ["noinline"]
// CHECK: %[[SIZE:.+]] = llvm.load %[[A]]
// CHECK: llvm.store %[[SIZE]], %{{.+}}
// CHECK: return %{{.+}} : i32
// CHECK: func.func private @onnxc_steps_1(
// CHECK: arith.constant 64 : i64
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK: %[[MEMORY:.+]] = llvm.alloca
// CHECK: %[[STATUS:.+]] = call @onnxc_steps_0(
// CHECK: rt.exit %[[STATUS]]
// CHECK: %[[BACK:.+]] = llvm.load
// CHECK: %[[STATUS1:.+]] = call @onnxc_steps_1(
// CHECK: rt.exit %[[STATUS1]]
// CHECK: call @use(%{{.+}}, %[[BACK]])
// CHECK: return %{{.+}} : i32
func.func private @use(!llvm.ptr, i64)
func.func private @fails(!llvm.ptr) -> i32
func.func private @onnxc_steps(%a: !llvm.ptr, %context: !llvm.ptr) -> i32 {
  %ok = arith.constant 0 : i32
  %step = arith.constant 64 : i64
  %size = llvm.load %a : !llvm.ptr -> i64
  %p0 = llvm.getelementptr %context[0] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p0, %step) : (!llvm.ptr, i64) -> ()
  %p1 = llvm.getelementptr %context[1] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p1, %step) : (!llvm.ptr, i64) -> ()
  %p2 = llvm.getelementptr %context[2] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p2, %step) : (!llvm.ptr, i64) -> ()
  %p3 = llvm.getelementptr %context[3] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p3, %step) : (!llvm.ptr, i64) -> ()
  %p4 = llvm.getelementptr %context[4] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p4, %step) : (!llvm.ptr, i64) -> ()
  %p5 = llvm.getelementptr %context[5] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p5, %step) : (!llvm.ptr, i64) -> ()
  %p6 = llvm.getelementptr %context[6] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p6, %step) : (!llvm.ptr, i64) -> ()
  %p7 = llvm.getelementptr %context[7] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p7, %step) : (!llvm.ptr, i64) -> ()
  %p8 = llvm.getelementptr %context[8] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p8, %step) : (!llvm.ptr, i64) -> ()
  %p9 = llvm.getelementptr %context[9] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p9, %step) : (!llvm.ptr, i64) -> ()
  %p10 = llvm.getelementptr %context[10] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p10, %step) : (!llvm.ptr, i64) -> ()
  %p11 = llvm.getelementptr %context[11] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p11, %step) : (!llvm.ptr, i64) -> ()
  %p12 = llvm.getelementptr %context[12] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p12, %step) : (!llvm.ptr, i64) -> ()
  %p13 = llvm.getelementptr %context[13] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p13, %step) : (!llvm.ptr, i64) -> ()
  %p14 = llvm.getelementptr %context[14] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p14, %step) : (!llvm.ptr, i64) -> ()
  %p15 = llvm.getelementptr %context[15] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p15, %step) : (!llvm.ptr, i64) -> ()
  %p16 = llvm.getelementptr %context[16] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p16, %step) : (!llvm.ptr, i64) -> ()
  %p17 = llvm.getelementptr %context[17] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p17, %step) : (!llvm.ptr, i64) -> ()
  %p18 = llvm.getelementptr %context[18] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p18, %step) : (!llvm.ptr, i64) -> ()
  %p19 = llvm.getelementptr %context[19] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p19, %step) : (!llvm.ptr, i64) -> ()
  %p20 = llvm.getelementptr %context[20] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p20, %step) : (!llvm.ptr, i64) -> ()
  %p21 = llvm.getelementptr %context[21] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p21, %step) : (!llvm.ptr, i64) -> ()
  %p22 = llvm.getelementptr %context[22] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p22, %step) : (!llvm.ptr, i64) -> ()
  %p23 = llvm.getelementptr %context[23] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p23, %step) : (!llvm.ptr, i64) -> ()
  %p24 = llvm.getelementptr %context[24] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p24, %step) : (!llvm.ptr, i64) -> ()
  %p25 = llvm.getelementptr %context[25] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p25, %step) : (!llvm.ptr, i64) -> ()
  %p26 = llvm.getelementptr %context[26] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p26, %step) : (!llvm.ptr, i64) -> ()
  %p27 = llvm.getelementptr %context[27] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p27, %step) : (!llvm.ptr, i64) -> ()
  %p28 = llvm.getelementptr %context[28] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p28, %step) : (!llvm.ptr, i64) -> ()
  %p29 = llvm.getelementptr %context[29] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p29, %step) : (!llvm.ptr, i64) -> ()
  %p30 = llvm.getelementptr %context[30] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p30, %step) : (!llvm.ptr, i64) -> ()
  %p31 = llvm.getelementptr %context[31] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p31, %step) : (!llvm.ptr, i64) -> ()
  %p32 = llvm.getelementptr %context[32] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p32, %step) : (!llvm.ptr, i64) -> ()
  %p33 = llvm.getelementptr %context[33] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p33, %step) : (!llvm.ptr, i64) -> ()
  %p34 = llvm.getelementptr %context[34] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p34, %step) : (!llvm.ptr, i64) -> ()
  %p35 = llvm.getelementptr %context[35] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p35, %step) : (!llvm.ptr, i64) -> ()
  %p36 = llvm.getelementptr %context[36] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p36, %step) : (!llvm.ptr, i64) -> ()
  %p37 = llvm.getelementptr %context[37] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p37, %step) : (!llvm.ptr, i64) -> ()
  %p38 = llvm.getelementptr %context[38] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p38, %step) : (!llvm.ptr, i64) -> ()
  %p39 = llvm.getelementptr %context[39] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p39, %step) : (!llvm.ptr, i64) -> ()
  %p40 = llvm.getelementptr %context[40] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p40, %step) : (!llvm.ptr, i64) -> ()
  %p41 = llvm.getelementptr %context[41] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p41, %step) : (!llvm.ptr, i64) -> ()
  %p42 = llvm.getelementptr %context[42] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p42, %step) : (!llvm.ptr, i64) -> ()
  %p43 = llvm.getelementptr %context[43] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p43, %step) : (!llvm.ptr, i64) -> ()
  %p44 = llvm.getelementptr %context[44] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p44, %step) : (!llvm.ptr, i64) -> ()
  %p45 = llvm.getelementptr %context[45] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p45, %step) : (!llvm.ptr, i64) -> ()
  %p46 = llvm.getelementptr %context[46] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p46, %step) : (!llvm.ptr, i64) -> ()
  %p47 = llvm.getelementptr %context[47] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p47, %step) : (!llvm.ptr, i64) -> ()
  %p48 = llvm.getelementptr %context[48] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p48, %step) : (!llvm.ptr, i64) -> ()
  %p49 = llvm.getelementptr %context[49] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p49, %step) : (!llvm.ptr, i64) -> ()
  %p50 = llvm.getelementptr %context[50] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p50, %step) : (!llvm.ptr, i64) -> ()
  %p51 = llvm.getelementptr %context[51] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p51, %step) : (!llvm.ptr, i64) -> ()
  %p52 = llvm.getelementptr %context[52] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p52, %step) : (!llvm.ptr, i64) -> ()
  %p53 = llvm.getelementptr %context[53] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p53, %step) : (!llvm.ptr, i64) -> ()
  %p54 = llvm.getelementptr %context[54] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p54, %step) : (!llvm.ptr, i64) -> ()
  %p55 = llvm.getelementptr %context[55] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p55, %step) : (!llvm.ptr, i64) -> ()
  %p56 = llvm.getelementptr %context[56] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p56, %step) : (!llvm.ptr, i64) -> ()
  %p57 = llvm.getelementptr %context[57] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p57, %step) : (!llvm.ptr, i64) -> ()
  %p58 = llvm.getelementptr %context[58] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p58, %step) : (!llvm.ptr, i64) -> ()
  %p59 = llvm.getelementptr %context[59] : (!llvm.ptr) -> !llvm.ptr, i8
  func.call @use(%p59, %step) : (!llvm.ptr, i64) -> ()
  %status = func.call @fails(%context) : (!llvm.ptr) -> i32
  rt.exit %status
  func.call @use(%p0, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p1, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p2, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p3, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p4, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p5, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p6, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p7, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p8, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p9, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p10, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p11, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p12, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p13, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p14, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p15, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p16, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p17, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p18, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p19, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p20, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p21, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p22, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p23, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p24, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p25, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p26, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p27, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p28, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p29, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p30, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p31, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p32, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p33, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p34, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p35, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p36, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p37, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p38, %size) : (!llvm.ptr, i64) -> ()
  func.call @use(%p39, %size) : (!llvm.ptr, i64) -> ()
  return %ok : i32
}

// A short function stays whole, and so does one that others see.
// CHECK-LABEL: func.func private @short
// CHECK-NEXT: call @use
// CHECK-NEXT: return
func.func private @short(%a: !llvm.ptr, %size: i64, %status: i32) -> i32 {
  func.call @use(%a, %size) : (!llvm.ptr, i64) -> ()
  return %status : i32
}
