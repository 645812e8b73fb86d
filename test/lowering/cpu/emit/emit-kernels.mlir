// RUN: onnxc-opt %s --onnxc-emit-kernels --canonicalize --cse --split-input-file | FileCheck %s

// A kernel becomes the number of its tasks and one task; both read the slots. The
// vector is as wide as the target's registers.
// CHECK-LABEL: func.func private @exp.tasks(
// CHECK-SAME: !llvm.ptr) -> i64
// CHECK: %[[TASKS:.+]] = arith.constant 4 : i64
// CHECK: return %[[TASKS]]
// CHECK-LABEL: func.func private @exp.task(
// CHECK-SAME: %[[SLOTS:.+]]: !llvm.ptr, %[[TASK:.+]]: i64)
// CHECK-DAG: %[[IN:.+]] = llvm.load %[[SLOTS]] : !llvm.ptr -> !llvm.ptr
// CHECK-DAG: %[[NEXT:.+]] = llvm.getelementptr %[[SLOTS]][1] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK-DAG: %[[OUT:.+]] = llvm.load %[[NEXT]] : !llvm.ptr -> !llvm.ptr
// CHECK-DAG: arith.index_cast %[[TASK]] : i64 to index
// CHECK: scf.for {{.*}} step %c4
// CHECK: %[[FROM:.+]] = llvm.getelementptr %[[IN]]
// CHECK: %[[V:.+]] = llvm.load %[[FROM]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[E:.+]] = math.exp %[[V]] : vector<4xf32>
// CHECK: %[[TO:.+]] = llvm.getelementptr %[[OUT]]
// CHECK: llvm.store %[[E]], %[[TO]]
// CHECK-NOT: rt.kernel
#id = affine_map<(i) -> (i)>
"rt.kernel"() <{node = "exp", strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, sym_name = "exp", target = #rt.cpu<>}> ({
^bb0(%x: tensor<65536xf32>, %init: tensor<65536xf32>):
  %e = tensor.empty() : tensor<65536xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<65536xf32>) outs(%e : tensor<65536xf32>) {
  ^bb1(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<65536xf32>
  rt.yield %0 : tensor<65536xf32>
}) : () -> ()

// -----

// A sum over each row and a division by it in one pass: the sum stays in a register,
// nothing is stored between the two.
// CHECK-LABEL: func.func private @shared_rows.task(
// CHECK: scf.for
// CHECK: %[[LANES:.+]] = scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>)
// CHECK-NOT: llvm.store
// CHECK: vector.reduction <add>, %[[LANES]]
// CHECK-NOT: llvm.store
// CHECK: scf.for
// CHECK: %[[SAME:.+]] = vector.broadcast %{{.+}} : f32 to vector<4xf32>
// CHECK: arith.divf %{{.+}}, %[[SAME]] : vector<4xf32>
// CHECK: llvm.store {{.*}} : vector<4xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
"rt.kernel"() <{node = "softmax", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0, 1], vector = 1, lanes = 4>, <loops = [0, 1], vector = 1, lanes = 4>]>, sym_name = "shared_rows", target = #rt.cpu<>}> ({
^bb0(%x: tensor<64x32xf32>, %init: tensor<64x32xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<64xf32>) {
  ^bb1(%a: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x32xf32>, tensor<64xf32>) outs(%e2 : tensor<64x32xf32>) {
  ^bb1(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x32xf32>
  rt.yield %scaled : tensor<64x32xf32>
}) : () -> ()

// -----

// The number of tasks follows from the size, which comes in a slot; never from the
// number of threads.
// CHECK-LABEL: func.func private @dynamic.tasks(
// CHECK-SAME: %[[SLOTS:.+]]: !llvm.ptr) -> i64
// CHECK: %[[SLOT:.+]] = llvm.getelementptr %[[SLOTS]][1]
// CHECK: llvm.load %[[SLOT]] {{.*}} : !llvm.ptr -> i64
// CHECK: arith.divui
// CHECK: return
#id = affine_map<(i) -> (i)>
"rt.kernel"() <{node = "exp", strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, sym_name = "dynamic", target = #rt.cpu<>}> ({
^bb0(%arg: tensor<?xf32>, %n: index, %init: tensor<?xf32>):
  %x = rt.reshape %arg [%n] : tensor<?xf32> -> tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb1(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  rt.yield %0 : tensor<?xf32>
}) : () -> ()

// -----

// Both inputs' parts of a row are copied whole, behind each other.
// CHECK-LABEL: func.func private @concat.task(
// CHECK: scf.for
// CHECK: "llvm.intr.memcpy"
// CHECK: "llvm.intr.memcpy"
"rt.kernel"() <{node = "concat", strategy = #rt.concat<bytesPerTask = 65536>, sym_name = "concat", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4x8xf32>, %y: tensor<4x2xf32>, %init: tensor<4x10xf32>):
  %e = tensor.empty() : tensor<4x10xf32>
  %0 = rt.concat axis 1 ins(%x, %y : tensor<4x8xf32>, tensor<4x2xf32>) outs(%e : tensor<4x10xf32>) -> tensor<4x10xf32>
  rt.yield %0 : tensor<4x10xf32>
}) : () -> ()

// -----

// A register tile of 2 rows and 2 vectors; the epilogue runs on the accumulators.
// CHECK-LABEL: func.func private @gemm.task(
// CHECK: scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>)
// CHECK-COUNT-4: math.exp {{.*}} : vector<4xf32>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
"rt.kernel"() <{node = "gemm", strategy = #rt.gemm<mr = 2, nv = 2, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = packed, packRows = false>, sym_name = "gemm", target = #rt.cpu<>}> ({
^bb0(%a: tensor<64x32xf32>, %b: tensor<2x32x8xf32>, %init: tensor<64x16xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %packed = rt.packed %b nr 8 : tensor<2x32x8xf32> -> tensor<32x16xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %packed : tensor<64x32xf32>, tensor<32x16xf32>) outs(%f : tensor<64x16xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%product : tensor<64x16xf32>) outs(%e : tensor<64x16xf32>) {
  ^bb1(%x: f32, %out: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  } -> tensor<64x16xf32>
  rt.yield %exp : tensor<64x16xf32>
}) : () -> ()

// -----

// CHECK-LABEL: func.func private @depthwise.task(
// CHECK: vector.fma {{.*}} : vector<4xf32>
// CHECK-NOT: linalg
#image = affine_map<(n, h, w, g, y, x) -> (n, h + y, w + x, g)>
#filter = affine_map<(n, h, w, g, y, x) -> (y, x, g)>
#out = affine_map<(n, h, w, g, y, x) -> (n, h, w, g)>
"rt.kernel"() <{node = "depthwise", strategy = #rt.depthwise<tileRows = 1, tileColumns = 4, lanes = 4, loopOverTapRows = false, channelBlock = 0, workPerTask = 524288>, sym_name = "depthwise", target = #rt.cpu<>}> ({
^bb0(%image: tensor<1x6x6x8xf32>, %filter: tensor<3x3x8xf32>, %init: tensor<1x4x4x8xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %0 = linalg.generic {indexing_maps = [#image, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%image, %filter : tensor<1x6x6x8xf32>, tensor<3x3x8xf32>) outs(%f : tensor<1x4x4x8xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x4x4x8xf32>
  rt.yield %0 : tensor<1x4x4x8xf32>
}) : () -> ()
