// RUN: onnxc-opt --onnxc-verify-groups --split-input-file --verify-diagnostics %s

#id = affine_map<(i) -> (i)>
func.func @ungrouped(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{computes outside of a group}}
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb1(%a: f32, %o: f32):
    %2 = math.exp %a : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @ungrouped_concat(%x: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @below {{computes outside of a group}}
  %0 = rt.concat axis 0 ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @strategy_of_an_op(%x: index) -> index {
  // expected-error @below {{has the strategy that its group should have}}
  %0 = arith.addi %x, %x {rt.strategy = #rt.concat<bytesPerTask = 1>} : index
  return %0 : index
}

// -----

#id = affine_map<(i) -> (i)>
module attributes {rt.target = #rt.cpu<vectorBits = 256>, rt.host_target = #rt.cpu<>} {
func.func @not_for_the_device(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{expected the target that the module is compiled for}}
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----

#id = affine_map<(i) -> (i)>
module attributes {rt.target = #rt.cpu<vectorBits = 256>, rt.host_target = #rt.cpu<>} {
func.func @not_for_the_host() -> tensor<4xf32> {
  %x = arith.constant dense<1.0> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{depends on constants alone, expected the target where they are evaluated}}
  %0 = "rt.group"(%e) <{strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, target = #rt.cpu<vectorBits = 256>}> ({
  ^bb0(%init: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%a: f32, %o: f32):
      %2 = math.exp %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    rt.yield %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----

// A transposition needs the whole product.
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#turn = affine_map<(i, j) -> (j, i)>
module attributes {rt.target = #rt.cpu<>, rt.host_target = #rt.cpu<>} {
func.func @not_tile_by_tile(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-error @below {{has an op that does not follow its anchor tile by tile}}
  %0 = "rt.group"(%e) <{strategy = #rt.gemm<mr = 1, nv = 1, lanes = 4, kc = 0, tilesPerTask = 1, workPerTask = 1, readRows = 1, panels = in_place, packRows = false>, target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<8x8xf32>):
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) {
    ^bb1(%x: f32, %y: f32, %acc: f32):
      %1 = arith.mulf %x, %y : f32
      %2 = arith.addf %acc, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<8x8xf32>
    %turned = linalg.generic {indexing_maps = [#turn, #id], iterator_types = ["parallel", "parallel"]} ins(%product : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb1(%x: f32, %o: f32):
      linalg.yield %x : f32
    } -> tensor<8x8xf32>
    rt.yield %turned : tensor<8x8xf32>
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
}
