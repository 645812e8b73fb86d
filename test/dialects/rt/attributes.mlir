// RUN: onnxc-opt %s | onnxc-opt | FileCheck %s

// CHECK: #cpu = #rt.cpu<vectorBits = 256, facts = [fma, memoryOperands]>
// CHECK: rt.target = #cpu
module attributes {rt.target = #rt.cpu<vectorBits = 256, vectorRegisters = 16, facts = [memoryOperands, fma]>} {
// CHECK: #rt.concat<bytesPerTask = 65536>
// CHECK: #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0, 0, 0], vector = 0, lanes = 8>]>
// CHECK: #rt.loops<rows = 1, splitVector = false, elementsPerTask = 1, nests = [<loops = [0, 1], vector = 1, lanes = 8>, <loops = [0], lanes = 1>]>
// CHECK: #rt.loops<rows = 0, splitVector = false, elementsPerTask = 1, nests = [<lanes = 1>]>
// CHECK: #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 512, tilesPerTask = 16, workPerTask = 1048576, readRows = 12, panels = per_task, packRows = true>
// CHECK: #rt.gemm<{{.*}}panels = packed, packRows = false, product = pair_dots, chains = 8>
// CHECK: #rt.conv<tileRows = 1, tileColumns = 6, nv = 2, lanes = 8, workPerTask = 1048576>
// CHECK: #rt.conv<tileRows = 1, tileColumns = 6, nv = 2, lanes = 8, workPerTask = 1048576, joinTaps = true, product = mixed_dots>
// CHECK: #rt.depthwise<tileRows = 2, tileColumns = 4, lanes = 8, loopOverTapRows = true, channelBlock = 32, workPerTask = 524288>
// CHECK: #rt.attention<mr = 8, nv = 3, lanes = 16, keyBlock = 256, workPerTask = 2097152>
func.func private @strategies() attributes {
  test.a = #rt.concat<bytesPerTask = 65536>,
  test.aa = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0, 0, 0], vector = 0, lanes = 8>]>,
  test.ab = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 1, nests = [<loops = [0, 1], vector = 1, lanes = 8>, <loops = [0], lanes = 1>]>,
  test.ac = #rt.loops<rows = 0, splitVector = false, elementsPerTask = 1, nests = [<lanes = 1>]>,
  test.b = #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 512, tilesPerTask = 16, workPerTask = 1048576, readRows = 12, panels = per_task, packRows = true>,
  test.ba = #rt.gemm<mr = 6, nv = 2, lanes = 8, kc = 512, tilesPerTask = 16, workPerTask = 1048576, readRows = 12, panels = packed, packRows = false, product = pair_dots, chains = 8>,
  test.c = #rt.conv<tileRows = 1, tileColumns = 6, nv = 2, lanes = 8, workPerTask = 1048576>,
  test.ca = #rt.conv<tileRows = 1, tileColumns = 6, nv = 2, lanes = 8, workPerTask = 1048576, joinTaps = true, product = mixed_dots>,
  test.d = #rt.depthwise<tileRows = 2, tileColumns = 4, lanes = 8, loopOverTapRows = true, channelBlock = 32, workPerTask = 524288>,
  test.e = #rt.attention<mr = 8, nv = 3, lanes = 16, keyBlock = 256, workPerTask = 2097152>
}
}
