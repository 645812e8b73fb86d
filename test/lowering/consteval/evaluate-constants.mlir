// RUN: onnxc-opt %s --onnxc-evaluate-constants --split-input-file | FileCheck %s

// The result is computed by the compiler itself and replaces the group.
// CHECK-LABEL: @main
// CHECK: %[[SUM:.+]] = arith.constant dense<[1.100000e+01, 2.200000e+01]> : tensor<2xf32>
// CHECK-NOT: rt.group
// CHECK: return %[[SUM]]
#id = affine_map<(i) -> (i)>
func.func @main() -> tensor<2xf32> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<2xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) {
    ^bb1(%a: f32, %b: f32, %o: f32):
      %2 = arith.addf %a, %b : f32
      linalg.yield %2 : f32
    } -> tensor<2xf32>
    rt.yield %1 : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Of a chain only the last result is wanted; bool is a byte in memory and a bit in
// the attribute.
// CHECK-LABEL: @main
// CHECK-NOT: arith.constant dense<[-
// CHECK: %[[POSITIVE:.+]] = arith.constant dense<[false, true]> : tensor<2xi1>
// CHECK-NOT: rt.group
// CHECK: return %[[POSITIVE]]
#id = affine_map<(i) -> (i)>
func.func @main() -> tensor<2xi1> {
  %x = arith.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<2xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = arith.negf %a : f32
      linalg.yield %2 : f32
    } -> tensor<2xf32>
    rt.yield %1 : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  %e2 = tensor.empty() : tensor<2xi1>
  %3 = "rt.group"(%e2) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<2xi1>):
    %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<2xf32>) outs(%e2 : tensor<2xi1>) {
    ^bb1(%a: f32, %o: i1):
      %5 = arith.cmpf ogt, %a, %zero : f32
      linalg.yield %5 : i1
    } -> tensor<2xi1>
    rt.yield %4 : tensor<2xi1>
  }) : (tensor<2xi1>) -> tensor<2xi1>
  return %3 : tensor<2xi1>
}

// -----

// What has an input of the run time stays, also behind something that is known.
// CHECK-LABEL: @main
// CHECK: %[[KNOWN:.+]] = arith.constant dense<[-1.000000e+00, -2.000000e+00]> : tensor<2xf32>
// CHECK: "rt.group"
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[KNOWN]] :
// CHECK-NOT: rt.group
#id = affine_map<(i) -> (i)>
func.func @main(%in: tensor<2xf32>) -> tensor<2xf32> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<2xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = arith.negf %a : f32
      linalg.yield %2 : f32
    } -> tensor<2xf32>
    rt.yield %1 : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  %3 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<2xf32>):
    %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%in, %0 : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) {
    ^bb1(%a: f32, %b: f32, %o: f32):
      %5 = arith.addf %a, %b : f32
      linalg.yield %5 : f32
    } -> tensor<2xf32>
    rt.yield %4 : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}

// -----

// A few bytes that grow into many are cheaper to compute than to store.
// CHECK-LABEL: @main
// CHECK: "rt.group"
// CHECK: linalg.generic
// CHECK: tensor<100000xf32>
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> (0)>
func.func @main() -> tensor<100000xf32> {
  %x = arith.constant dense<[1.0]> : tensor<1xf32>
  %e = tensor.empty() : tensor<100000xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<100000xf32>):
    %1 = linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel"]} ins(%x : tensor<1xf32>) outs(%e : tensor<100000xf32>) {
    ^bb1(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<100000xf32>
    rt.yield %1 : tensor<100000xf32>
  }) : (tensor<100000xf32>) -> tensor<100000xf32>
  return %0 : tensor<100000xf32>
}

// -----

// Nor is what is small in the end, but far larger on the way.
// CHECK-LABEL: @main
// CHECK: "rt.group"
// CHECK: tensor<20000000xf32>
// CHECK: "rt.group"
// CHECK: tensor<f32>
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> (0)>
#all = affine_map<(i) -> ()>
func.func @main() -> tensor<f32> {
  %x = arith.constant dense<[1.0]> : tensor<1xf32>
  %e = tensor.empty() : tensor<20000000xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<20000000xf32>):
    %1 = linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel"]} ins(%x : tensor<1xf32>) outs(%e : tensor<20000000xf32>) {
    ^bb1(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<20000000xf32>
    rt.yield %1 : tensor<20000000xf32>
  }) : (tensor<20000000xf32>) -> tensor<20000000xf32>
  %start = arith.constant dense<0.0> : tensor<f32>
  %2 = "rt.group"(%start) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<f32>):
    %3 = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%0 : tensor<20000000xf32>) outs(%start : tensor<f32>) {
    ^bb1(%a: f32, %o: f32):
      %4 = arith.addf %a, %o : f32
      linalg.yield %4 : f32
    } -> tensor<f32>
    rt.yield %3 : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// Nor is a sum of equal numbers when only the run knows how many they are.
// CHECK-LABEL: @main
// CHECK: "rt.group"
// CHECK: "rt.group"
#id = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
func.func @main(%x: tensor<?xf32>) -> tensor<f32> attributes {rt.symbols = ["n"]} {
  %n = rt.symbol "n"
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<?xf32>):
    %1 = linalg.fill ins(%one : f32) outs(%init : tensor<?xf32>) -> tensor<?xf32>
    rt.yield %1 : tensor<?xf32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  %start = arith.constant dense<0.0> : tensor<f32>
  %2 = "rt.group"(%start) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<f32>):
    %3 = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%0 : tensor<?xf32>) outs(%start : tensor<f32>) {
    ^bb1(%a: f32, %o: f32):
      %4 = arith.addf %a, %o : f32
      linalg.yield %4 : f32
    } -> tensor<f32>
    rt.yield %3 : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
