// RUN: onnxc-opt %s --onnxc-lower-host --canonicalize --cse --split-input-file | FileCheck %s

// The plan computes, from the symbols alone, what the workspace and the outputs
// need; what depends on data is -1.
// CHECK-LABEL: func.func @onnxc_plan(
// CHECK-SAME: %[[SYMBOLS:[^:]+]]: !llvm.ptr, %[[DIMS:[^:]+]]: !llvm.ptr, %[[BYTES:[^:]+]]: !llvm.ptr, %{{[^:]+}}: !llvm.ptr) -> i32
// CHECK-DAG: %[[N:.+]] = llvm.load %[[SYMBOLS]] {{.*}} : !llvm.ptr -> i64
// CHECK-DAG: %[[UNKNOWN:.+]] = arith.constant -1 : i64
// CHECK: llvm.store %{{.+}}, %[[BYTES]]
// CHECK: llvm.store %{{.+}}, %[[DIMS]]
// CHECK: %[[NEXT:.+]] = llvm.getelementptr %[[DIMS]][1]
// CHECK: llvm.store %{{.+}}, %[[NEXT]]
// CHECK: %[[LAST:.+]] = llvm.getelementptr %[[DIMS]][2]
// CHECK: llvm.store %[[UNKNOWN]], %[[LAST]]
// CHECK: return %{{.+}} : i32
func.func @main(%arg: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xi64>)
    attributes {rt.symbols = ["n"], rt.result_dims = [[#onnx.dim<"n">, #onnx.dim<"4">], [#onnx.dim<"?nonzero0">]]} {
  %n = rt.symbol "n"
  %x = rt.reshape %arg [%n] : tensor<?x4xf32> -> tensor<?x4xf32>
  %0, %count = rt.call "onnxc_rt_nonzero" message "node 'nonzero'" ins(%x : tensor<?x4xf32>) outs()
      parameters [] [] -> (tensor<?xi64>) dims (index)
  rt.bind "?nonzero0", %count
  %m = rt.symbol "?nonzero0"
  %1 = rt.reshape %0 [%m] : tensor<?xi64> -> tensor<?xi64>
  return %x, %1 : tensor<?x4xf32>, tensor<?xi64>
}

// -----

// Three intermediates in a chain: at most two are alive at once, and the third
// takes the place of the first. The last result is written where the caller wants it.
// CHECK: module attributes {{{.*}}rt.live_bytes = 8192 : i64
// CHECK-LABEL: func.func @onnxc_plan(
// CHECK-SAME: %[[BYTES:[^:,]+]]: !llvm.ptr, %{{[^:,]+}}: !llvm.ptr) -> i32
// CHECK: %[[SIZE:.+]] = arith.constant 8192 : i64
// CHECK: llvm.store %[[SIZE]], %[[BYTES]]
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK-NOT: memmove
// CHECK-NOT: onnxc_rt_alloc
// CHECK: return
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {rt.symbols = [], rt.result_dims = [[#onnx.dim<"1024">]]} {
  %e = tensor.empty() : tensor<1024xf32>
  %0 = rt.call "f" message "a" ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) parameters [1] [] -> (tensor<1024xf32>)
  %1 = rt.call "f" message "b" ins(%0 : tensor<1024xf32>) outs(%e : tensor<1024xf32>) parameters [1] [] -> (tensor<1024xf32>)
  %2 = rt.call "f" message "c" ins(%1 : tensor<1024xf32>) outs(%e : tensor<1024xf32>) parameters [1] [] -> (tensor<1024xf32>)
  %3 = rt.call "f" message "d" ins(%2 : tensor<1024xf32>) outs(%e : tensor<1024xf32>) parameters [1] [] -> (tensor<1024xf32>)
  return %3 : tensor<1024xf32>
}

// -----

// Sizes that are multiples of one symbol lie side by side, in units of it: the
// second and third small tensor where the large one was.
// CHECK-LABEL: func.func @onnxc_plan(
// CHECK-SAME: %[[SYMBOLS:[^:]+]]: !llvm.ptr, %{{[^:]+}}: !llvm.ptr, %[[BYTES:[^:]+]]: !llvm.ptr, %{{[^:]+}}: !llvm.ptr) -> i32
// CHECK-DAG: %[[UNITS:.+]] = arith.constant 12288 : index
// CHECK-DAG: %[[N:.+]] = arith.index_cast
// CHECK: arith.muli %[[N]], %[[UNITS]]
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK: arith.muli %{{.+}}, %c4096
func.func @main(%arg: tensor<?x1024xf32>) -> tensor<?x1024xf32> attributes {rt.symbols = ["n"], rt.result_dims = [[#onnx.dim<"n">, #onnx.dim<"1024">]]} {
  %n = rt.symbol "n"
  %x = rt.reshape %arg [%n] : tensor<?x1024xf32> -> tensor<?x1024xf32>
  %small = tensor.empty(%n) : tensor<?x1024xf32>
  %large = tensor.empty(%n) : tensor<?x2048xf32>
  %0 = rt.call "f" message "a" ins(%x : tensor<?x1024xf32>) outs(%large : tensor<?x2048xf32>) parameters [] [] -> (tensor<?x2048xf32>)
  %1 = rt.call "f" message "b" ins(%0 : tensor<?x2048xf32>) outs(%small : tensor<?x1024xf32>) parameters [] [] -> (tensor<?x1024xf32>)
  %2 = rt.call "f" message "c" ins(%1 : tensor<?x1024xf32>) outs(%small : tensor<?x1024xf32>) parameters [] [] -> (tensor<?x1024xf32>)
  %3 = rt.call "f" message "d" ins(%1, %2 : tensor<?x1024xf32>, tensor<?x1024xf32>) outs(%small : tensor<?x1024xf32>) parameters [] [] -> (tensor<?x1024xf32>)
  %4 = rt.call "f" message "e" ins(%1, %2, %3 : tensor<?x1024xf32>, tensor<?x1024xf32>, tensor<?x1024xf32>) outs(%small : tensor<?x1024xf32>) parameters [] [] -> (tensor<?x1024xf32>)
  return %4 : tensor<?x1024xf32>
}

// -----

// Sizes of different symbols share a slot, one tensor at a time, both at its start.
// CHECK-LABEL: func.func @onnxc_plan(
// CHECK: arith.maxsi
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK: %[[SLOT:.+]] = llvm.getelementptr %arg4[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-COUNT-4: llvm.store %[[SLOT]], %{{.+}} : !llvm.ptr, !llvm.ptr
func.func @main() -> tensor<f32> attributes {rt.symbols = ["n", "m"], rt.result_dims = [[]]} {
  %n = rt.symbol "n"
  %m = rt.symbol "m"
  %one = tensor.empty() : tensor<f32>
  %first = tensor.empty(%n) : tensor<?x1024xf32>
  %second = tensor.empty(%m) : tensor<?x1024xf32>
  %0 = rt.call "f" message "a" ins() outs(%first : tensor<?x1024xf32>) parameters [] [] -> (tensor<?x1024xf32>)
  %1 = rt.call "f" message "b" ins(%0 : tensor<?x1024xf32>) outs(%one : tensor<f32>) parameters [] [] -> (tensor<f32>)
  %2 = rt.call "f" message "c" ins(%1 : tensor<f32>) outs(%second : tensor<?x1024xf32>) parameters [] [] -> (tensor<?x1024xf32>)
  %3 = rt.call "f" message "d" ins(%2 : tensor<?x1024xf32>) outs(%one : tensor<f32>) parameters [] [] -> (tensor<f32>)
  return %3 : tensor<f32>
}

// -----

// Weights lie at multiples of 64 bytes, equal ones once; a constant that is an
// output is copied there.
// CHECK: module attributes {{{.*}}rt.weight_offsets = array<i64: 0, 64>, rt.weights = [dense<[1.0{{.*}}, 2.0{{.*}}]> : tensor<2xf32>, dense<7> : tensor<3xi64>], rt.weights_bytes = 128 : i64
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK: %[[SEVENS:.+]] = llvm.getelementptr %arg5[64]
// CHECK: "llvm.intr.memmove"(%{{.+}}, %arg5,
// CHECK: "llvm.intr.memmove"(%{{.+}}, %[[SEVENS]],
// CHECK: "llvm.intr.memmove"(%{{.+}}, %arg5,
func.func @main() -> (tensor<2xf32>, tensor<3xi64>, tensor<2xf32>) {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = arith.constant dense<7> : tensor<3xi64>
  %2 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<3xi64>, tensor<2xf32>
}

// -----

// A check ends the call with the status of a shape mismatch and the message. One that
// the input symbols decide is made by the plan, before it computes sizes.
// CHECK: llvm.mlir.global private constant @[[TEXT:.+]]("node 'reshape'\00")
// CHECK-LABEL: func.func @onnxc_plan(
// CHECK-DAG: %[[MISMATCH:.+]] = arith.constant 3 : i32
// CHECK-DAG: %[[MESSAGE:.+]] = llvm.mlir.addressof @[[TEXT]]
// CHECK-DAG: %[[N:.+]] = llvm.load %arg0
// CHECK: %[[STATUS:.+]] = scf.if %{{.+}} -> (i32)
// CHECK: func.call @onnxc_rt_fail(%arg3, %[[MISMATCH]], %[[MESSAGE]], %[[N]], %{{.+}})
// CHECK: rt.exit %[[STATUS]]
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK-NOT: rt.exit
// CHECK: return
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {rt.symbols = ["n"]} {
  %n = rt.symbol "n"
  %c2 = arith.constant 2 : index
  %good = arith.cmpi eq, %n, %c2 : index
  rt.check %good, "node 'reshape'" found %n expected %c2
  return %x : tensor<2xf32>
}

// -----

// A check that compares no numbers has none in its message.
// CHECK-LABEL: func.func @onnxc_plan(
// CHECK: func.call @onnxc_rt_fail_text(%arg3, %{{[^,]+}}, %{{[^,]+}})
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {rt.symbols = ["n"]} {
  %n = rt.symbol "n"
  %c2 = arith.constant 2 : index
  %good = arith.cmpi eq, %n, %c2 : index
  rt.check %good, "node 'reshape'"
  return %x : tensor<2xf32>
}

// -----

// A check of what only the run knows stays in the body.
// CHECK-LABEL: func.func @onnxc_plan(
// CHECK-NOT: onnxc_rt_fail
// CHECK: return
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK: func.call @onnxc_rt_fail(%arg6,
func.func @main(%x: tensor<4xf32>) -> tensor<?xi64> attributes {rt.symbols = []} {
  %0, %count = rt.call "onnxc_rt_nonzero" message "node 'nonzero'" ins(%x : tensor<4xf32>) outs()
      parameters [] [] -> (tensor<?xi64>) dims (index)
  %c2 = arith.constant 2 : index
  %good = arith.cmpi sge, %count, %c2 : index
  rt.check %good, "node 'slice'" found %count expected %c2
  %1 = rt.reshape %0 [%count] : tensor<?xi64> -> tensor<?xi64>
  return %1 : tensor<?xi64>
}

// -----

// What a loop carries has one place, which each turn's result is copied to.
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK: "llvm.intr.memmove"
// CHECK: scf.for
// CHECK: func.call @f(
// CHECK: rt.exit
// CHECK: "llvm.intr.memmove"
// CHECK: }
// CHECK: return
func.func @main(%x: tensor<4xf32>, %n: tensor<index>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %trips = tensor.extract %n[] : tensor<index>
  %0 = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %1 = rt.call "f" message "a" ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) parameters [1] [] -> (tensor<4xf32>)
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Sizes of the symbols: the slots stand behind the static part, each a multiple of
// 64 bytes, and the plan and the steps compute the same offsets.
// CHECK-LABEL: func.func @onnxc_plan(
// CHECK: %[[N:.+]] = llvm.load %arg0
// CHECK: arith.muli
// CHECK: arith.divui
// CHECK: llvm.store %{{.+}}, %arg2
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK: llvm.getelementptr %arg4[%{{.+}}]
func.func @main(%arg: tensor<?xf32>) -> tensor<?xf32> attributes {rt.symbols = ["n"], rt.result_dims = [[#onnx.dim<"n">]]} {
  %n = rt.symbol "n"
  %x = rt.reshape %arg [%n] : tensor<?xf32> -> tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = rt.call "f" message "a" ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) parameters [1] [] -> (tensor<?xf32>)
  %1 = rt.call "f" message "b" ins(%0 : tensor<?xf32>) outs(%e : tensor<?xf32>) parameters [1] [] -> (tensor<?xf32>)
  %2 = rt.call "f" message "c" ins(%1 : tensor<?xf32>) outs(%e : tensor<?xf32>) parameters [1] [] -> (tensor<?xf32>)
  return %2 : tensor<?xf32>
}

// -----

// A size that depends on data: the hook's memory, released when the call ends.
// CHECK-LABEL: func.func @onnxc_body(
// CHECK: %[[TABLE:.+]] = llvm.alloca
// CHECK: %[[STATUS:.+]] = call @onnxc_steps({{.*}}%[[TABLE]])
// CHECK: %[[LEFT:.+]] = llvm.load %[[TABLE]] : !llvm.ptr -> !llvm.ptr
// CHECK: call @onnxc_rt_free(%arg6, %[[LEFT]])
// CHECK: return %[[STATUS]]
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK: %[[MEMORY:.+]] = call @onnxc_rt_alloc(%arg6, %{{.+}})
// CHECK-DAG: llvm.store %[[MEMORY]], %arg7
// CHECK-DAG: llvm.icmp "eq" %[[MEMORY]]
func.func @main(%x: tensor<2xf32>, %size: tensor<index>) -> tensor<2xf32> {
  %found = tensor.extract %size[] : tensor<index>
  rt.bind "?n", %found
  %n = rt.symbol "?n"
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = rt.call "f" message "a" ins(%x : tensor<2xf32>) outs(%e : tensor<?xf32>) parameters [1] [] -> (tensor<?xf32>)
  return %x : tensor<2xf32>
}

// -----

// A size that each branch computes for itself is one size: it is computed at the head,
// and both use the same part of the workspace.
// CHECK-LABEL: func.func private @onnxc_steps(
// CHECK: %[[N:.+]] = arith.index_cast
// CHECK: %[[SIZE:.+]] = arith.addi %[[N]], %c1
// CHECK: scf.if
// CHECK-NOT: arith.addi %[[N]]
// CHECK: return
func.func @main(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> attributes {rt.symbols = ["n"], rt.result_dims = [[#onnx.dim<"2">]]} {
  %condition = tensor.extract %c[] : tensor<i1>
  %0 = scf.if %condition -> tensor<2xf32> {
    %n = rt.symbol "n+1"
    %e = tensor.empty(%n) : tensor<?x64xf32>
    %1 = rt.call "f" message "a" ins(%x : tensor<2xf32>) outs(%e : tensor<?x64xf32>) parameters [] [] -> (tensor<?x64xf32>)
    %r = tensor.empty() : tensor<2xf32>
    %2 = rt.call "g" message "b" ins(%1 : tensor<?x64xf32>) outs(%r : tensor<2xf32>) parameters [] [%n] -> (tensor<2xf32>)
    scf.yield %2 : tensor<2xf32>
  } else {
    %n = rt.symbol "n+1"
    %e = tensor.empty(%n) : tensor<?x64xf32>
    %1 = rt.call "h" message "a" ins(%x : tensor<2xf32>) outs(%e : tensor<?x64xf32>) parameters [] [] -> (tensor<?x64xf32>)
    %r = tensor.empty() : tensor<2xf32>
    %2 = rt.call "g" message "b" ins(%1 : tensor<?x64xf32>) outs(%r : tensor<2xf32>) parameters [] [%n] -> (tensor<2xf32>)
    scf.yield %2 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// Bounds of the symbols bound the workspace: two rows of 16 elements for each of at
// most 8, and the line that may be read behind them.
// CHECK: module attributes {{{.*}}rt.live_bytes = 1024 : i64{{.*}}rt.workspace_bytes = 1088 : i64
// CHECK-LABEL: func.func @onnxc_plan(
// CHECK-LABEL: func.func private @onnxc_steps(
module attributes {onnx.symbol_bounds = array<i64: 1, 8>} {
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {rt.symbols = ["n"], rt.result_dims = [[#onnx.dim<"2">]]} {
  %n = rt.symbol "n"
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %0 = rt.call "f" message "a" ins(%x : tensor<2xf32>) outs(%e : tensor<?x16xf32>) parameters [] [] -> (tensor<?x16xf32>)
  %1 = rt.call "f" message "b" ins(%0 : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) parameters [] [] -> (tensor<?x16xf32>)
  %r = tensor.empty() : tensor<2xf32>
  %2 = rt.call "f" message "c" ins(%1 : tensor<?x16xf32>) outs(%r : tensor<2xf32>) parameters [] [] -> (tensor<2xf32>)
  return %2 : tensor<2xf32>
}
}

// -----

// Without bounds nothing is said of it.
// CHECK: module attributes
// CHECK-NOT: rt.workspace_bytes
// CHECK-LABEL: @onnxc_plan
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {rt.symbols = ["n"], rt.result_dims = [[#onnx.dim<"2">]]} {
  %n = rt.symbol "n"
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %0 = rt.call "f" message "a" ins(%x : tensor<2xf32>) outs(%e : tensor<?x16xf32>) parameters [] [] -> (tensor<?x16xf32>)
  %r = tensor.empty() : tensor<2xf32>
  %1 = rt.call "f" message "b" ins(%0 : tensor<?x16xf32>) outs(%r : tensor<2xf32>) parameters [] [] -> (tensor<2xf32>)
  return %1 : tensor<2xf32>
}

// -----

// The size of 1 and 0 is 0; where a divisor is, its division counts as one by 1.
// CHECK-LABEL: func.func @onnxc_plan(
// CHECK: %[[IS_ONE:.+]] = arith.cmpi eq, %[[M:.+]], %c1
// CHECK: %[[SIZE:.+]] = arith.select %[[IS_ONE]], %[[N:.+]], %[[M]]
// CHECK: arith.floordivsi %[[M]], %[[N]]
func.func @main(%x: tensor<2xf32>) -> (tensor<?xf32>, tensor<?xf32>)
    attributes {rt.symbols = ["m", "n"], rt.result_dims = [[#onnx.dim<"broadcast(m,n)">], [#onnx.dim<"floordiv(m,n)">]]} {
  %n = rt.symbol "broadcast(m,n)"
  %m = rt.symbol "floordiv(m,n)"
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = rt.call "f" message "a" ins(%x : tensor<2xf32>) outs(%e : tensor<?xf32>) parameters [] [] -> (tensor<?xf32>)
  %f = tensor.empty(%m) : tensor<?xf32>
  %1 = rt.call "f" message "a" ins(%x : tensor<2xf32>) outs(%f : tensor<?xf32>) parameters [] [] -> (tensor<?xf32>)
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
