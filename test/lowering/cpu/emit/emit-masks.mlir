// RUN: onnxc-opt %s --onnxc-emit-kernels --canonicalize --cse --split-input-file | FileCheck %s

// Where the target has masks, what whole vectors leave is one vector under a mask, and
// no loop.
// CHECK-LABEL: func.func private @run_time_size.task(
// CHECK: scf.for {{.*}} step %c16
// CHECK: llvm.store {{.*}} : vector<16xf32>
// CHECK: %[[ANY:.+]] = arith.cmpi sgt
// CHECK: scf.if %[[ANY]] {
// CHECK: %[[MASK:.+]] = arith.cmpi sgt, {{.*}} : vector<16xi32>
// CHECK: llvm.intr.masked.load %{{.+}}, %[[MASK]]
// CHECK: math.exp {{.*}} : vector<16xf32>
// CHECK: llvm.intr.masked.store %{{.+}}, %{{.+}}, %[[MASK]]
// CHECK-NOT: scf.for
// CHECK: return
#id = affine_map<(i) -> (i)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>} {
"rt.kernel"() <{node = "exp", strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 16>]>, sym_name = "run_time_size", target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>}> ({
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
}

// -----

// A constant remainder takes the narrowest vector that holds it: 5 of 8 lanes.
// CHECK-LABEL: func.func private @constant_remainder.task(
// CHECK-DAG: %[[FIVE:.+]] = arith.constant dense<[true, true, true, true, true, false, false, false]> : vector<8xi1>
// CHECK: math.exp {{.*}} : vector<16xf32>
// CHECK: llvm.intr.masked.load %{{.+}}, %[[FIVE]]
// CHECK: math.exp {{.*}} : vector<8xf32>
// CHECK: llvm.intr.masked.store %{{.+}}, %{{.+}}, %[[FIVE]]
// CHECK-NOT: math.exp
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>} {
"rt.kernel"() <{node = "exp", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0, 1], vector = 1, lanes = 16>]>, sym_name = "constant_remainder", target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>}> ({
^bb0(%x: tensor<3x21xf32>, %init: tensor<3x21xf32>):
  %e = tensor.empty() : tensor<3x21xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x21xf32>) outs(%e : tensor<3x21xf32>) {
  ^bb1(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<3x21xf32>
  rt.yield %0 : tensor<3x21xf32>
}) : () -> ()
}

// -----

// One that fills a narrower vector needs no mask.
// CHECK-LABEL: func.func private @narrower_vector.task(
// CHECK: math.exp {{.*}} : vector<16xf32>
// CHECK: math.exp {{.*}} : vector<8xf32>
// CHECK-NOT: masked
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>} {
"rt.kernel"() <{node = "exp", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0, 1], vector = 1, lanes = 16>]>, sym_name = "narrower_vector", target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>}> ({
^bb0(%x: tensor<3x24xf32>, %init: tensor<3x24xf32>):
  %e = tensor.empty() : tensor<3x24xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x24xf32>) outs(%e : tensor<3x24xf32>) {
  ^bb1(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<3x24xf32>
  rt.yield %0 : tensor<3x24xf32>
}) : () -> ()
}

// -----

// Lanes that do not exist leave the partial results of a reduction as they are.
// CHECK-LABEL: func.func private @reduction.task(
// CHECK: %[[WHOLE:.+]] = scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>)
// CHECK: %[[ALL:.+]] = scf.if %{{.+}} -> (vector<16xf32>) {
// CHECK: %[[MASK:.+]] = arith.cmpi sgt, {{.*}} : vector<
// CHECK: llvm.intr.masked.load %{{.+}}, %[[MASK]]
// CHECK: %[[MORE:.+]] = arith.addf %[[WHOLE]], %{{.+}} : vector<16xf32>
// CHECK: %[[KEPT:.+]] = arith.select %[[MASK]], %[[MORE]], %[[WHOLE]]
// CHECK: scf.yield %[[KEPT]]
// CHECK: vector.reduction <add>, %[[ALL]]
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>} {
"rt.kernel"() <{node = "sum", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0, 1], vector = 1, lanes = 16>]>, sym_name = "reduction", target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>}> ({
^bb0(%arg: tensor<3x?xf32>, %n: index, %init: tensor<3xf32>):
  %x = rt.reshape %arg [%n] : tensor<3x?xf32> -> tensor<3x?xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x?xf32>) outs(%f : tensor<3xf32>) {
  ^bb1(%a: f32, %acc: f32):
    %1 = arith.addf %acc, %a : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  rt.yield %0 : tensor<3xf32>
}) : () -> ()
}

// -----

// Elements apart from each other are gathered under the mask. Bytes cannot be: there
// lanes that do not exist read what the first one does.
// CHECK-LABEL: func.func private @gather.task(
// CHECK: scf.if
// CHECK: %[[AT:.+]] = llvm.getelementptr %{{.+}}[%{{.+}}] : (!llvm.ptr, vector<8xi64>) -> vector<8x!llvm.ptr>, f64
// CHECK: llvm.intr.masked.gather %[[AT]], %{{.+}}, %{{.+}}
// CHECK-LABEL: func.func private @gather_bytes.task(
// CHECK: scf.if
// CHECK: %[[MASK:.+]] = arith.cmpi sgt, {{.*}} : vector<
// CHECK: %[[FIRST:.+]] = vector.extract %[[OFFSETS:.+]][0]
// CHECK: %[[OTHERS:.+]] = vector.broadcast %[[FIRST]]
// CHECK: arith.select %[[MASK]], %[[OFFSETS]], %[[OTHERS]]
// CHECK-NOT: gather
// CHECK: llvm.intr.masked.store
#id = affine_map<(i) -> (i)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>} {
"rt.kernel"() <{node = "gather", strategy = #rt.loops<rows = 0, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 8>]>, sym_name = "gather", target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>}> ({
^bb0(%x: tensor<100xf64>, %arg: tensor<?xi64>, %n: index, %init: tensor<?xf64>):
  %i = rt.reshape %arg [%n] : tensor<?xi64> -> tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xf64>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%i : tensor<?xi64>) outs(%e : tensor<?xf64>) {
  ^bb1(%a: i64, %o: f64):
    %1 = arith.index_cast %a : i64 to index
    %2 = tensor.extract %x[%1] : tensor<100xf64>
    linalg.yield %2 : f64
  } -> tensor<?xf64>
  rt.yield %0 : tensor<?xf64>
}) : () -> ()
"rt.kernel"() <{node = "gather", strategy = #rt.loops<rows = 0, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 8>]>, sym_name = "gather_bytes", target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>}> ({
^bb0(%x: tensor<100xi8>, %arg: tensor<?xi64>, %n: index, %init: tensor<?xi8>):
  %i = rt.reshape %arg [%n] : tensor<?xi64> -> tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xi8>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%i : tensor<?xi64>) outs(%e : tensor<?xi8>) {
  ^bb1(%a: i64, %o: i8):
    %1 = arith.index_cast %a : i64 to index
    %2 = tensor.extract %x[%1] : tensor<100xi8>
    linalg.yield %2 : i8
  } -> tensor<?xi8>
  rt.yield %0 : tensor<?xi8>
}) : () -> ()
}

// -----

// Where the number of lanes is a constant, those that exist are read one by one.
// CHECK-LABEL: func.func private @few_strided.task(
// CHECK-COUNT-3: llvm.load {{.*}} : !llvm.ptr -> f32
// CHECK-NOT: llvm.load
// CHECK: llvm.intr.masked.store {{.*}} : vector<4xf32>, vector<4xi1>
#id = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>} {
"rt.kernel"() <{node = "transpose", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0, 1], vector = 1, lanes = 4>]>, sym_name = "few_strided", target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>}> ({
^bb0(%x: tensor<3x7xf32>, %init: tensor<7x3xf32>):
  %e = tensor.empty() : tensor<7x3xf32>
  %0 = linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x7xf32>) outs(%e : tensor<7x3xf32>) {
  ^bb1(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<7x3xf32>
  rt.yield %0 : tensor<7x3xf32>
}) : () -> ()
}
