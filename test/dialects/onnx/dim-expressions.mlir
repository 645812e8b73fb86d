// RUN: onnxc-opt %s | FileCheck %s

// Broadcast sizes: in any order, each once; 1 is neutral, a size that is never 1
// decides.
// CHECK-LABEL: @broadcast
// CHECK-SAME: ["broadcast(a,b,c)", "broadcast(a,b,c)", "a", "n+2", 0]
func.func private @broadcast(tensor<?x?x?x?x0xf32, #onnx.shape<[
  "broadcast(b, broadcast(c, a))", "broadcast(broadcast(a, b), c, b)", "broadcast(a, 1, a)",
  "broadcast(a, n + 2)", "broadcast(a, 0)"]>>)
