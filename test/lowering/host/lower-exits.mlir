// RUN: onnxc-opt %s --pass-pipeline="builtin.module(func.func(onnxc-lower-exits))" | FileCheck %s

// Each exit becomes a branch: on to the rest, or to the one block that returns the
// status.
// CHECK-LABEL: @two_exits
// CHECK-SAME: (%[[A:.+]]: i32, %[[B:.+]]: i32)
// CHECK: %[[GOOD:.+]] = arith.cmpi eq, %[[A]], %c0{{.*}} : i32
// CHECK: cf.cond_br %[[GOOD]], ^[[REST:bb[0-9]+]], ^[[LEAVE:bb[0-9]+]](%[[A]] : i32)
// CHECK: ^[[REST]]:
// CHECK: %[[GOOD2:.+]] = arith.cmpi eq, %[[B]]
// CHECK: cf.cond_br %[[GOOD2]], ^[[END:bb[0-9]+]], ^[[LEAVE]](%[[B]] : i32)
// CHECK: ^[[END]]:
// CHECK: return %{{.+}} : i32
// CHECK: ^[[LEAVE]](%[[STATUS:.+]]: i32):
// CHECK: return %[[STATUS]] : i32
// CHECK-NOT: rt.exit
func.func @two_exits(%a: i32, %b: i32) -> i32 {
  %ok = arith.constant 0 : i32
  rt.exit %a
  rt.exit %b
  return %ok : i32
}

// Inside of what was a loop.
// CHECK-LABEL: @in_a_loop
// CHECK: ^[[BODY:bb[0-9]+]]:
// CHECK: cf.cond_br %{{.+}}, ^[[REST:bb[0-9]+]], ^[[LEAVE:bb[0-9]+]](%arg0 : i32)
// CHECK: ^[[REST]]:
// CHECK: cf.br ^[[BODY]]
// CHECK: ^[[LEAVE]](%{{.+}}: i32):
func.func @in_a_loop(%a: i32) -> i32 {
  cf.br ^body
^body:
  rt.exit %a
  cf.br ^body
}

// CHECK-LABEL: @no_exit
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @no_exit(%a: i32) -> i32 {
  return %a : i32
}
