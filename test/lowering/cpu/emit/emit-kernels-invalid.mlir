// RUN: onnxc-opt %s --onnxc-emit-kernels --verify-diagnostics --split-input-file

// expected-error @below {{requires attribute 'strategy'}}
"rt.kernel"() <{node = "", sym_name = "undecided", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4xf32>, %init: tensor<4xf32>):
  rt.yield %x : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @below {{Invalid attribute `strategy`}}
"rt.kernel"() <{node = "", strategy = "fast", sym_name = "unknown", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4xf32>, %init: tensor<4xf32>):
  rt.yield %x : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @below {{expected a linalg.generic for the strategy #rt.loops<}}
"rt.kernel"() <{node = "", strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, sym_name = "no_loops", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4xf32>, %init: tensor<4xf32>):
  rt.yield %x : tensor<4xf32>
}) : () -> ()

// -----

// expected-error @below {{expected an rt.concat for the strategy #rt.concat<bytesPerTask = 65536>}}
"rt.kernel"() <{node = "", strategy = #rt.concat<bytesPerTask = 65536>, sym_name = "no_concat", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4xf32>, %init: tensor<4xf32>):
  rt.yield %x : tensor<4xf32>
}) : () -> ()

// -----

#id = affine_map<(i) -> (i)>
"rt.kernel"() <{node = "", strategy = #rt.loops<rows = 0, splitVector = true, elementsPerTask = 16384, nests = [<loops = [0], vector = 0, lanes = 4>]>, sym_name = "unknown_sizes", target = #rt.cpu<>}> ({
^bb0(%x: tensor<?xf32>, %init: tensor<?xf32>):
  // expected-error @below {{the sizes of its loops are not known}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) {
  ^bb1(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  rt.yield %0 : tensor<?xf32>
}) : () -> ()

// -----

#id = affine_map<(i) -> (i)>
// expected-error @below {{expected a contraction for the strategy #rt.gemm<}}
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 2, nv = 2, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = packed, packRows = false>, sym_name = "no_contraction", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4xf32>, %init: tensor<4xf32>):
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb1(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  rt.yield %0 : tensor<4xf32>
}) : () -> ()

// -----

// A depthwise convolution is none for the tiles of the other ones, nor the reverse.
#image = affine_map<(n, h, w, g, y, x) -> (n, h + y, w + x, g)>
#filter = affine_map<(n, h, w, g, y, x) -> (y, x, g)>
#out = affine_map<(n, h, w, g, y, x) -> (n, h, w, g)>
// expected-error @below {{expected a convolution with a filter packed nr 4 step 1 for the strategy #rt.conv<}}
"rt.kernel"() <{node = "", strategy = #rt.conv<tileRows = 1, tileColumns = 4, nv = 1, lanes = 4, workPerTask = 524288>, sym_name = "not_dense", target = #rt.cpu<>}> ({
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

// -----

#image = affine_map<(n, h, w, o, y, x, c) -> (n, h * 2 + y, w * 2 + x, c)>
#filter = affine_map<(n, h, w, o, y, x, c) -> (y, x, c, o)>
#out = affine_map<(n, h, w, o, y, x, c) -> (n, h, w, o)>
// expected-error @below {{expected a depthwise convolution for the strategy #rt.depthwise<}}
"rt.kernel"() <{node = "", strategy = #rt.depthwise<tileRows = 1, tileColumns = 4, lanes = 4, loopOverTapRows = false, channelBlock = 0, workPerTask = 524288>, sym_name = "not_depthwise", target = #rt.cpu<>}> ({
^bb0(%image: tensor<1x9x9x4xf32>, %filter: tensor<3x3x4x8xf32>, %init: tensor<1x4x4x8xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %0 = linalg.generic {indexing_maps = [#image, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %filter : tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>) outs(%f : tensor<1x4x4x8xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x8xf32>
  rt.yield %0 : tensor<1x4x4x8xf32>
}) : () -> ()

// -----

// Straight code for the taps needs their number.
#image = affine_map<(n, h, g, y) -> (n, h + y, g)>
#filter = affine_map<(n, h, g, y) -> (y, g)>
#out = affine_map<(n, h, g, y) -> (n, h, g)>
// expected-error @below {{expected a depthwise convolution with a window of constant size for the strategy #rt.depthwise<}}
"rt.kernel"() <{node = "", strategy = #rt.depthwise<tileRows = 1, tileColumns = 4, lanes = 4, loopOverTapRows = false, channelBlock = 0, workPerTask = 524288>, sym_name = "unknown_taps", target = #rt.cpu<>}> ({
^bb0(%image: tensor<1x6x8xf32>, %arg: tensor<?x8xf32>, %taps: index, %init: tensor<1x4x8xf32>):
  %zero = arith.constant 0.0 : f32
  %filter = rt.reshape %arg [%taps] : tensor<?x8xf32> -> tensor<?x8xf32>
  %e = tensor.empty() : tensor<1x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %0 = linalg.generic {indexing_maps = [#image, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%image, %filter : tensor<1x6x8xf32>, tensor<?x8xf32>) outs(%f : tensor<1x4x8xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x4x8xf32>
  rt.yield %0 : tensor<1x4x8xf32>
}) : () -> ()

// -----

#id = affine_map<(i) -> (i)>
// expected-error @below {{its strategy has 2 nests, expected one for each of its 1 linalg.generic ops}}
"rt.kernel"() <{node = "", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>, <loops = [0], lanes = 1>]>, sym_name = "other_ops", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4xf32>, %init: tensor<4xf32>):
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb1(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  rt.yield %0 : tensor<4xf32>
}) : () -> ()

// -----

#id = affine_map<(i) -> (i)>
"rt.kernel"() <{node = "", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0, 1], lanes = 1>]>, sym_name = "other_loops", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4xf32>, %init: tensor<4xf32>):
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @below {{its nest is one of 2 loops, expected 1}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb1(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  rt.yield %0 : tensor<4xf32>
}) : () -> ()

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 2, nv = 2, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = packed, packRows = false>, sym_name = "unknown_depth", target = #rt.cpu<>}> ({
^bb0(%a: tensor<4x?xf32>, %b: tensor<?x8xf32>, %init: tensor<4x8xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @below {{the sizes of its loops are not known}}
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x?xf32>, tensor<?x8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  rt.yield %0 : tensor<4x8xf32>
}) : () -> ()

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a contraction with an operand packed nr 8 step 1 for the strategy #rt.gemm<}}
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 2, nv = 2, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = packed, packRows = false>, sym_name = "not_packed", target = #rt.cpu<>}> ({
^bb0(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %init: tensor<4x16xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  rt.yield %0 : tensor<4x16xf32>
}) : () -> ()

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a contraction with an operand packed nr 8 step 1 for the strategy #rt.gemm<}}
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 2, nv = 2, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = packed, packRows = false>, sym_name = "other_panels", target = #rt.cpu<>}> ({
^bb0(%a: tensor<4x8xf32>, %b: tensor<4x8x4xf32>, %init: tensor<4x16xf32>):
  %zero = arith.constant 0.0 : f32
  %view = rt.packed %b nr 4 : tensor<4x8x4xf32> -> tensor<8x16xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %view : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  rt.yield %0 : tensor<4x16xf32>
}) : () -> ()

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a contraction with operands that are not packed for the strategy #rt.gemm<}}
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 2, nv = 2, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = per_task, packRows = false>, sym_name = "packed_all_the_same", target = #rt.cpu<>}> ({
^bb0(%a: tensor<4x8xf32>, %b: tensor<2x8x8xf32>, %init: tensor<4x16xf32>):
  %zero = arith.constant 0.0 : f32
  %view = rt.packed %b nr 8 : tensor<2x8x8xf32> -> tensor<8x16xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %view : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  rt.yield %0 : tensor<4x16xf32>
}) : () -> ()

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a contraction with contiguous rows of B for the strategy #rt.gemm<}}
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 2, nv = 2, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = in_place, packRows = false>, sym_name = "rows_of_b", target = #rt.cpu<>}> ({
^bb0(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>, %init: tensor<4x16xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) outs(%f : tensor<4x16xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  rt.yield %0 : tensor<4x16xf32>
}) : () -> ()

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a contraction with contiguous rows of B for the strategy #rt.gemm<}}
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 2, nv = 2, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = full_in_place, packRows = false>, sym_name = "full_rows_of_b", target = #rt.cpu<>}> ({
^bb0(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>, %init: tensor<4x16xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) outs(%f : tensor<4x16xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  rt.yield %0 : tensor<4x16xf32>
}) : () -> ()

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a contraction with whole vectors of columns, as the target has no masks, for the strategy #rt.gemm<}}
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 2, nv = 2, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = in_place, packRows = false>, sym_name = "no_masks", target = #rt.cpu<>}> ({
^bb0(%a: tensor<4x8xf32>, %b: tensor<8x18xf32>, %init: tensor<4x18xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x18xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x18xf32>) -> tensor<4x18xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x18xf32>) outs(%f : tensor<4x18xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x18xf32>
  rt.yield %0 : tensor<4x18xf32>
}) : () -> ()

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a contraction with contiguous rows of A and columns of B for the strategy #rt.gemm<}}
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 1, nv = 1, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = columns, packRows = false>, sym_name = "columns_of_b", target = #rt.cpu<>}> ({
^bb0(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %init: tensor<4x16xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  rt.yield %0 : tensor<4x16xf32>
}) : () -> ()

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a contraction with contiguous rows of A and columns of B for the strategy #rt.gemm<}}
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 1, nv = 1, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = columns, packRows = false>, sym_name = "rows_of_a", target = #rt.cpu<>}> ({
^bb0(%a: tensor<8x4xf32>, %b: tensor<16x8xf32>, %init: tensor<4x16xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#km, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x4xf32>, tensor<16x8xf32>) outs(%f : tensor<4x16xf32>) {
  ^bb1(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  rt.yield %0 : tensor<4x16xf32>
}) : () -> ()

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
"rt.kernel"() <{node = "", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0, 1], vector = 1, lanes = 4>]>, sym_name = "no_combiner", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4x8xf32>, %init: tensor<4xf32>):
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{its strategy reduces along a vector, expected output 0 to be combined by a sum, product, minimum, maximum, and, or, xor, found 'arith.subf'}}
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb1(%a: f32, %acc: f32):
    %1 = arith.subf %acc, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  rt.yield %0 : tensor<4xf32>
}) : () -> ()

// -----

// Four products at once need bytes of certain signs.
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a contraction with an unsigned factor and a signed one for the strategy #rt.gemm<}}
"rt.kernel"() <{node = "", strategy = #rt.gemm<mr = 2, nv = 2, lanes = 4, kc = 0, tilesPerTask = 24, workPerTask = 524288, readRows = 12, panels = packed, packRows = false, product = mixed_dots>, sym_name = "signs", target = #rt.cpu<>}> ({
^bb0(%a: tensor<4x8xi8>, %b: tensor<2x2x8x4xi8>, %init: tensor<4x16xi32>):
  %zero = arith.constant 0 : i32
  %view = rt.packed %b nr 8 step 4 : tensor<2x2x8x4xi8> -> tensor<8x16xi8>
  %e = tensor.empty() : tensor<4x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %0 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %view : tensor<4x8xi8>, tensor<8x16xi8>) outs(%f : tensor<4x16xi32>) {
  ^bb1(%x: i8, %y: i8, %acc: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x16xi32>
  rt.yield %0 : tensor<4x16xi32>
}) : () -> ()

// -----

// expected-error @below {{expected an attention alone for the strategy #rt.attention<}}
"rt.kernel"() <{node = "", strategy = #rt.attention<mr = 4, nv = 2, lanes = 4, keyBlock = 16, workPerTask = 1000>, sym_name = "no_attention", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4xf32>, %init: tensor<4xf32>):
  rt.yield %x : tensor<4xf32>
}) : () -> ()

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#mask = affine_map<(b, m, k, t, n) -> (m, t)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
// expected-error @below {{expected inputs whose vectors of 4 queries are contiguous for the strategy #rt.attention<}}
"rt.kernel"() <{node = "", strategy = #rt.attention<mr = 4, nv = 2, lanes = 4, keyBlock = 16, workPerTask = 1000>, sym_name = "mask_as_it_comes", target = #rt.cpu<>}> ({
^bb0(%q: tensor<2x16x8xf32>, %k: tensor<2x7x8xf32>, %v: tensor<2x7x8xf32>, %mask: tensor<16x7xf32>, %init: tensor<2x16x8xf32>):
  %e = tensor.empty() : tensor<2x16x8xf32>
  %0 = rt.attention scale 0.25 ins(%q, %k, %v, %mask : tensor<2x16x8xf32>, tensor<2x7x8xf32>, tensor<2x7x8xf32>, tensor<16x7xf32>)
      outs(%e : tensor<2x16x8xf32>) maps [#q, #k, #v, #mask, #y] {
  ^bb1(%score: f32, %bias: f32):
    %s = arith.addf %score, %bias : f32
    rt.score %s : f32
  } -> tensor<2x16x8xf32>
  rt.yield %0 : tensor<2x16x8xf32>
}) : () -> ()
