// RUN: onnxc-opt %s --onnxc-outline-kernels --split-input-file | FileCheck %s

// Tensors come first, then what is no tensor; constants and empty tensors are made
// again inside. The last arguments are what the results are written into.
// CHECK-LABEL: @inputs_and_inits
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>, %[[FACTOR:.+]]: f32)
// CHECK: %[[INIT:.+]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[RESULT:.+]] = rt.launch @kernel_0 ins(%[[X]], %[[FACTOR]] : tensor<4xf32>, f32) outs(%[[INIT]] : tensor<4xf32>) -> tensor<4xf32>
// CHECK: return %[[RESULT]]
// CHECK: "rt.kernel"() <{node = "conv1,relu1", strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, sym_name = "kernel_0", target = #cpu}>
// CHECK-NEXT: ^bb0(%[[KX:.+]]: tensor<4xf32>, %[[KFACTOR:.+]]: f32, %{{.+}}: tensor<4xf32>):
// CHECK: %[[TWO:.+]] = arith.constant 2.0
// CHECK: %[[OUT:.+]] = linalg.generic {{.*}} ins(%[[KX]] :
// CHECK: arith.mulf %{{.+}}, %[[KFACTOR]]
// CHECK: arith.addf %{{.+}}, %[[TWO]]
// CHECK: rt.yield %[[OUT]]
#id = affine_map<(i) -> (i)>
func.func @inputs_and_inits(%x: tensor<4xf32>, %factor: f32) -> tensor<4xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = arith.mulf %a, %factor : f32
      %3 = arith.addf %2, %two : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32> loc(fused["conv1"("Conv"), "relu1"("Relu")])
  return %0 : tensor<4xf32>
}

// -----

// Two groups that do the same with other tensors launch one kernel; a group with
// another body or another strategy has its own.
// CHECK-LABEL: @equal_kernels_are_shared
// CHECK: rt.launch @kernel_0 ins(%arg0 :
// CHECK: rt.launch @kernel_0 ins(%arg1 :
// CHECK: rt.launch @kernel_1 ins(%arg0 :
// CHECK: rt.launch @kernel_2 ins(%arg0 :
// CHECK-COUNT-3: "rt.kernel"
// CHECK-NOT: "rt.kernel"
#id = affine_map<(i) -> (i)>
func.func @equal_kernels_are_shared(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32> loc("first")
  %3 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32> loc("second")
  %4 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.log %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %5 = "rt.group"(%e) <{strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Sizes of the run time are arguments, each once, and a reshape at the head says
// which tensor has them.
// CHECK-LABEL: @sizes_are_arguments
// CHECK: %[[N:.+]] = rt.symbol "2*n+1"
// CHECK: %[[X:.+]] = rt.reshape
// CHECK: %[[INIT:.+]] = tensor.empty(%[[N]])
// CHECK: rt.launch @kernel_0 ins(%[[X]], %[[N]] : tensor<?xf32>, index) outs(%[[INIT]] : tensor<?xf32>)
// CHECK: "rt.kernel"
// CHECK-NEXT: ^bb0(%[[KX:.+]]: tensor<?xf32>, %[[KN:.+]]: index, %{{.+}}: tensor<?xf32>):
// CHECK: %[[SIZED:.+]] = rt.reshape %[[KX]][%[[KN]]] : tensor<?xf32> -> tensor<?xf32>
// CHECK: tensor.empty(%[[KN]])
// CHECK: linalg.generic {{.*}} ins(%[[SIZED]] :
#id = affine_map<(i) -> (i)>
func.func @sizes_are_arguments(%arg: tensor<?xf32>) -> tensor<?xf32> {
  %n = rt.symbol "2*n+1"
  %x = rt.reshape %arg [%n] : tensor<?xf32> -> tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<?xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    rt.yield %1 : tensor<?xf32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A size that a tensor's type leaves open may be known by where the tensor comes from.
// CHECK-LABEL: @size_known_by_its_maker
// CHECK: "rt.kernel"
// CHECK-NEXT: ^bb0(%[[X:.+]]: tensor<?xf32>, %{{.+}}: tensor<4xf32>):
// CHECK-NEXT: %[[SIZE:.+]] = arith.constant 4 : index
// CHECK-NEXT: rt.reshape %[[X]]{{.*}}%[[SIZE]]
#id = affine_map<(i) -> (i)>
func.func @size_known_by_its_maker(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : tensor<?xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32> loc("first")
  return %0 : tensor<4xf32>
}
