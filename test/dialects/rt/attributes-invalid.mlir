// RUN: onnxc-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'rt.target' must be a #rt.target, found 512}}
module attributes {rt.target = 512 : i64} {}

// -----

// expected-error @+1 {{'vectorBits' must be at least 8, found 4}}
module attributes {rt.target = #rt.target<vectorBits = 4, vectorRegisters = 16, maskedVectors = false, fmaByElement = false, memoryOperands = true, l1Bytes = 32768>} {}

// -----

// expected-error @+1 {{'bytesPerTask' must be at least 1, found 0}}
module attributes {test.concat = #rt.concat<bytesPerTask = 0>} {}

// -----

// expected-error @+1 {{'lanes' must be at least 1, found 0}}
module attributes {test.gemm = #rt.gemm<mr = 6, nv = 2, lanes = 0, kc = 0, tilesPerTask = 16, workPerTask = 1, panels = packed, packRows = false>} {}

// -----

// expected-error @+1 {{'packRows' copies depth blocks and needs a 'kc' above 0}}
module attributes {test.gemm = #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 0, tilesPerTask = 16, workPerTask = 1, panels = packed, packRows = true>} {}

// -----

// expected-error @+1 {{panels = columns visits single rows and vectors, expected mr = 1 and nv = 1, found mr = 6 and nv = 2}}
module attributes {test.gemm = #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 0, tilesPerTask = 16, workPerTask = 1, panels = columns, packRows = false>} {}

// -----

// expected-error @+1 {{'tileColumns' must be at least 1, found -3}}
module attributes {test.conv = #rt.conv<tileRows = 1, tileColumns = -3, nv = 2, lanes = 8, workPerTask = 1>} {}

// -----

// expected-error @+1 {{'channelBlock' must be whole vectors of 8 lanes, found 12}}
module attributes {test.depthwise = #rt.depthwise<tileRows = 2, tileColumns = 4, lanes = 8, loopOverTapRows = true, channelBlock = 12, workPerTask = 1>} {}

// -----

func.func @no_strategy(%e: tensor<4xf32>) {
  // expected-error @+1 {{'rt.group' op requires attribute 'strategy'}}
  %0 = "rt.group"(%e) ({
  ^bb0(%init: tensor<4xf32>):
    rt.yield %e : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
