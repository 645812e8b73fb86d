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
