// RUN: onnxc-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'rt.target' must be a target, found 512}}
module attributes {rt.target = 512 : i64} {}

// -----

// expected-error @+1 {{'rt.host_target' must be a target, found #rt.concat<bytesPerTask = 1>}}
module attributes {rt.host_target = #rt.concat<bytesPerTask = 1>} {}

// -----

// expected-error @+1 {{'vectorBits' must be at least 8, found 4}}
module attributes {rt.target = #rt.cpu<vectorBits = 4>} {}

// -----

// expected-error @+2 {{'magic' is no fact about CPUs}}
// expected-error @+1 {{failed to parse Rt_CpuAttr parameter 'facts'}}
module attributes {rt.target = #rt.cpu<facts = [fma, magic]>} {}

// -----

// expected-error @+1 {{'bytesPerTask' must be at least 1, found 0}}
module attributes {test.concat = #rt.concat<bytesPerTask = 0>} {}

// -----

// expected-error @+1 {{'lanes' must be at least 1, found 0}}
module attributes {test.nest = #rt.nest<loops = [0], vector = 0, lanes = 0>} {}

// -----

// expected-error @+1 {{'loops' must number the loops of the nest from 0 without a gap, each for neighbours, found [0, 2]}}
module attributes {test.nest = #rt.nest<loops = [0, 2], lanes = 1>} {}

// -----

// expected-error @+1 {{'loops' must number the loops of the nest from 0 without a gap, each for neighbours, found [0, 1, 0]}}
module attributes {test.nest = #rt.nest<loops = [0, 1, 0], lanes = 1>} {}

// -----

// expected-error @+1 {{'vector' must be one of the nest's 1 loops, found 1}}
module attributes {test.nest = #rt.nest<loops = [0, 0], vector = 1, lanes = 4>} {}

// -----

// expected-error @+1 {{without 'vector' there is one lane, found 4}}
module attributes {test.nest = #rt.nest<loops = [0], lanes = 4>} {}

// -----

// expected-error @+1 {{the nests share 2 rows, found one of 1 loops}}
module attributes {test.loops = #rt.loops<rows = 2, splitVector = false, elementsPerTask = 1, nests = [<loops = [0, 1], lanes = 1>, <loops = [0], lanes = 1>]>} {}

// -----

// expected-error @+1 {{rows are not vectorised, expected a 'vector' behind the 1 rows, found 0}}
module attributes {test.loops = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 1, nests = [<loops = [0], vector = 0, lanes = 4>]>} {}

// -----

// expected-error @+1 {{'splitVector' is for one nest with a 'vector' and no rows}}
module attributes {test.loops = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 1, nests = [<loops = [0], lanes = 1>]>} {}

// -----

// expected-error @+1 {{'lanes' must be at least 1, found 0}}
module attributes {test.gemm = #rt.gemm<mr = 6, nv = 2, lanes = 0, kc = 0, tilesPerTask = 16, workPerTask = 1, readRows = 12, panels = packed, packRows = false>} {}

// -----

// expected-error @+1 {{'packRows' copies depth blocks and needs a 'kc' above 0}}
module attributes {test.gemm = #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 0, tilesPerTask = 16, workPerTask = 1, readRows = 12, panels = packed, packRows = true>} {}

// -----

// expected-error @+1 {{panels = columns visits single rows and vectors, expected mr = 1 and nv = 1, found mr = 6 and nv = 2}}
module attributes {test.gemm = #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 0, tilesPerTask = 16, workPerTask = 1, readRows = 12, panels = columns, packRows = false>} {}

// -----

// expected-error @+1 {{'product' takes 4 steps of the depth from packed panels, expected panels = packed or per_task}}
module attributes {test.gemm = #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 0, tilesPerTask = 16, workPerTask = 1, readRows = 12, panels = in_place, packRows = false, product = mixed_dots>} {}

// -----

// expected-error @+1 {{'kc' must be whole steps of 4, found 6}}
module attributes {test.gemm = #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 6, tilesPerTask = 16, workPerTask = 1, readRows = 12, panels = packed, packRows = false, product = alike_dots>} {}

// -----

// expected-error @+1 {{'chains' must be at least 1, found 0}}
module attributes {test.gemm = #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 0, tilesPerTask = 16, workPerTask = 1, readRows = 12, panels = packed, packRows = false, chains = 0>} {}

// -----

// expected-error @+1 {{'tileColumns' must be at least 1, found -3}}
module attributes {test.conv = #rt.conv<tileRows = 1, tileColumns = -3, nv = 2, lanes = 8, workPerTask = 1>} {}

// -----

// expected-error @+1 {{'readRows' must be at least 1, found 0}}
module attributes {test.gemm = #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 0, tilesPerTask = 16, workPerTask = 1, readRows = 0, panels = packed, packRows = false>} {}

// -----

// expected-error @+1 {{'channelBlock' must be whole vectors of 8 lanes, found 12}}
module attributes {test.depthwise = #rt.depthwise<tileRows = 2, tileColumns = 4, lanes = 8, loopOverTapRows = true, channelBlock = 12, workPerTask = 1>} {}

// -----

func.func @no_strategy(%e: tensor<4xf32>) {
  // expected-error @+1 {{'rt.group' op requires attribute 'strategy'}}
  %0 = "rt.group"(%e) <{target = #rt.cpu<>}> ({
  ^bb0(%init: tensor<4xf32>):
    rt.yield %e : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_target(%e: tensor<4xf32>) {
  // expected-error @+1 {{'rt.group' op requires attribute 'target'}}
  %0 = "rt.group"(%e) <{strategy = #rt.concat<bytesPerTask = 1>}> ({
  ^bb0(%init: tensor<4xf32>):
    rt.yield %e : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{'lanes' must be at least 2, found 1}}
func.func private @attention_on_scalars() attributes {test.a = #rt.attention<mr = 8, nv = 3, lanes = 1, keyBlock = 256, workPerTask = 1>}

// -----

// expected-error @+1 {{'rt.weights_bytes' must be a 64-bit integer, found "many"}}
module attributes {rt.weights_bytes = "many"} {}

// -----

// expected-error @+1 {{'rt.symbols' must be an array of strings, found [1]}}
func.func @symbols() attributes {rt.symbols = [1]} {
  return
}

// -----

// expected-error @+1 {{the rt dialect has no attribute 'rt.simbols'}}
func.func @unknown() attributes {rt.simbols = ["n"]} {
  return
}
