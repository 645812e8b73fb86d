// RUN: onnxc-opt %s --onnxc-emit-kernels --canonicalize --cse --split-input-file | FileCheck %s

// Eight elements of 4 bits are four bytes, whose halves are put one behind the other and,
// where they are stored, together again. Tasks take a multiple of two vectors.
// CHECK-LABEL: func.func private @vectors.task(
// CHECK-DAG: %[[LOW:.+]] = arith.constant dense<15> : vector<4xi8>
// CHECK-DAG: %[[FOUR:.+]] = arith.constant dense<4> : vector<4xi8>
// CHECK: scf.for
// CHECK: %[[BYTES:.+]] = llvm.load %{{.+}} {alignment = 1 : i64} : !llvm.ptr -> vector<4xi8>
// CHECK: %[[EVEN:.+]] = arith.andi %[[BYTES]], %[[LOW]]
// CHECK: %[[ODD:.+]] = arith.shrui %[[BYTES]], %[[FOUR]]
// CHECK: %[[ALL:.+]] = vector.interleave %[[EVEN]], %[[ODD]]
// CHECK: arith.trunci %[[ALL]] : vector<8xi8> to vector<8xi4>
// CHECK: arith.addi {{.*}} : vector<8xi4>
// CHECK: %[[WIDE:.+]] = arith.extui {{.*}} : vector<8xi4> to vector<8xi8>
// CHECK: vector.shuffle %[[WIDE]], %[[WIDE]] [0, 2, 4, 6]
// CHECK: vector.shuffle %[[WIDE]], %[[WIDE]] [1, 3, 5, 7]
// CHECK: %[[JOINED:.+]] = arith.ori {{.*}} : vector<4xi8>
// CHECK: llvm.store %[[JOINED]], %{{.+}} : vector<4xi8>
#id = affine_map<(i) -> (i)>
"rt.kernel"() <{node = "add", strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 8>]>, sym_name = "vectors", target = #rt.cpu<>}> ({
^bb0(%x: tensor<65536xi4>, %init: tensor<65536xi4>):
  %e = tensor.empty() : tensor<65536xi4>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<65536xi4>) outs(%e : tensor<65536xi4>) {
  ^bb1(%a: i4, %o: i4):
    %1 = arith.addi %a, %a : i4
    linalg.yield %1 : i4
  } -> tensor<65536xi4>
  rt.yield %0 : tensor<65536xi4>
}) : () -> ()

// -----

// A single element is put into its byte, which others share.
// CHECK-LABEL: func.func private @single.task(
// CHECK: %[[X:.+]] = llvm.load {{.*}} -> i8
// CHECK: %[[OLD:.+]] = llvm.load {{.*}} -> i8
// CHECK: %[[KEPT:.+]] = arith.andi %[[OLD]], %{{.+}} : i8
// CHECK: %[[NEW:.+]] = arith.ori %[[KEPT]], %{{.+}} : i8
// CHECK: llvm.store %[[NEW]]
#id = affine_map<(i) -> (i)>
"rt.kernel"() <{node = "copy", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, sym_name = "single", target = #rt.cpu<>}> ({
^bb0(%x: tensor<5xi8>, %init: tensor<5xi2>):
  %e = tensor.empty() : tensor<5xi2>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<5xi8>) outs(%e : tensor<5xi2>) {
  ^bb1(%a: i8, %o: i2):
    %1 = arith.trunci %a : i8 to i2
    linalg.yield %1 : i2
  } -> tensor<5xi2>
  rt.yield %0 : tensor<5xi2>
}) : () -> ()

// -----

// Tasks end with a byte: of rows of 3 elements of 4 bits they take an even number.
// CHECK-LABEL: func.func private @rows.tasks(
// CHECK: %[[TASKS:.+]] = arith.constant 50 : i64
// CHECK: return %[[TASKS]]
#id = affine_map<(i, j) -> (i, j)>
"rt.kernel"() <{node = "copy", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 3, nests = [<loops = [0, 1], lanes = 1>]>, sym_name = "rows", target = #rt.cpu<>}> ({
^bb0(%x: tensor<100x3xi8>, %init: tensor<100x3xi4>):
  %e = tensor.empty() : tensor<100x3xi4>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<100x3xi8>) outs(%e : tensor<100x3xi4>) {
  ^bb1(%a: i8, %o: i4):
    %1 = arith.trunci %a : i8 to i4
    linalg.yield %1 : i4
  } -> tensor<100x3xi4>
  rt.yield %0 : tensor<100x3xi4>
}) : () -> ()

// -----

// Pieces that begin within a byte are copied element by element, others as bytes.
// CHECK-LABEL: func.func private @odd_pieces.task(
// CHECK-NOT: memcpy
// CHECK-LABEL: func.func private @whole_pieces.tasks(
// CHECK-COUNT-2: "llvm.intr.memcpy"
"rt.kernel"() <{node = "concat", strategy = #rt.concat<bytesPerTask = 65536>, sym_name = "odd_pieces", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4x3xi4>, %y: tensor<4x2xi4>, %init: tensor<4x5xi4>):
  %e = tensor.empty() : tensor<4x5xi4>
  %0 = rt.concat axis 1 ins(%x, %y : tensor<4x3xi4>, tensor<4x2xi4>) outs(%e : tensor<4x5xi4>) -> tensor<4x5xi4>
  rt.yield %0 : tensor<4x5xi4>
}) : () -> ()
"rt.kernel"() <{node = "concat", strategy = #rt.concat<bytesPerTask = 65536>, sym_name = "whole_pieces", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4x4xi4>, %y: tensor<4x2xi4>, %init: tensor<4x6xi4>):
  %e = tensor.empty() : tensor<4x6xi4>
  %0 = rt.concat axis 1 ins(%x, %y : tensor<4x4xi4>, tensor<4x2xi4>) outs(%e : tensor<4x6xi4>) -> tensor<4x6xi4>
  rt.yield %0 : tensor<4x6xi4>
}) : () -> ()
