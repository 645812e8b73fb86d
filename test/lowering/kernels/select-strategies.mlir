// RUN: onnxc-opt %s --onnxc-select-strategies --split-input-file | FileCheck %s

// The target has 128-bit vectors, as a module without `rt.target` says.

// A weight is packed by an op of its own, into panels as wide as the tile, with
// zeros behind the last column; the product then sees it through `rt.packed`.
// CHECK-LABEL: @weights_are_packed
// CHECK: %[[W:.+]] = arith.constant dense<{{.*}}> : tensor<2x20xf32>
// CHECK: %[[INIT:.+]] = tensor.empty() : tensor<[[PANELS:[0-9]+]]x2x[[NR:[0-9]+]]xf32>
// CHECK: %[[PANEL:.+]] = linalg.generic {{.*}} outs(%[[INIT]]
// CHECK: %[[ELEMENT:.+]] = tensor.extract %[[W]]
// CHECK: %[[ZERO:.+]] = arith.constant 0.0
// CHECK: arith.select %{{.+}}, %[[ELEMENT]], %[[ZERO]]
// CHECK: %[[VIEW:.+]] = rt.packed %[[PANEL]] nr [[NR]] : tensor<[[PANELS]]x2x[[NR]]xf32> -> tensor<2x20xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[VIEW]] : {{.*}} attrs = {rt.strategy = #rt.gemm<{{.*}}lanes = 4{{.*}}>}
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @weights_are_packed(%a: tensor<64x2xf32>) -> tensor<64x20xf32> {
  %zero = arith.constant 0.0 : f32
  %b = arith.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
                             [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]]> : tensor<2x20xf32>
  %e = tensor.empty() : tensor<64x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x20xf32>) -> tensor<64x20xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x2xf32>, tensor<2x20xf32>) outs(%f : tensor<64x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x20xf32>
  return %product : tensor<64x20xf32>
}

// -----

// An operand that is only known at run time is not packed beforehand. A transposed
// one is a contraction like any other.
// CHECK-LABEL: @operands_of_the_run_time
// CHECK-NOT: rt.packed
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}} attrs = {rt.strategy = #rt.gemm<
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg2 : {{.*}} attrs = {rt.strategy = #rt.gemm<
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @operands_of_the_run_time(%a: tensor<64x8xf32>, %b: tensor<8x20xf32>, %t: tensor<20x8xf32>) -> (tensor<64x20xf32>, tensor<64x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x20xf32>) -> tensor<64x20xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x8xf32>, tensor<8x20xf32>) outs(%f : tensor<64x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x20xf32>
  %transposed = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %t : tensor<64x8xf32>, tensor<20x8xf32>) outs(%f : tensor<64x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x20xf32>
  return %product, %transposed : tensor<64x20xf32>, tensor<64x20xf32>
}

// -----

// Dot products of rows and columns need both to be contiguous. Else there is
// nothing in B to read in place: its panels are packed, for tiles of all rows.
// CHECK-LABEL: @few_rows_and_columns
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg2 : {{.*}}rt.strategy = #rt.gemm<mr = 1, nv = 1, {{.*}}panels = columns
// CHECK: linalg.generic {{.*}} ins(%arg1, %arg2 : {{.*}}rt.strategy = #rt.gemm<mr = 2, {{.*}}panels = per_task
// CHECK: linalg.generic {{.*}} ins(%arg4, %arg3 : {{.*}}rt.strategy = #rt.gemm<mr = 2, {{.*}}panels = per_task
#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#gmk = affine_map<(g, m, n, k) -> (g, m, k)>
#nkg = affine_map<(g, m, n, k) -> (n, k, g)>
#gmn = affine_map<(g, m, n, k) -> (g, m, n)>
func.func @few_rows_and_columns(%a: tensor<2x8xf32>, %ta: tensor<8x2xf32>, %b: tensor<20x8xf32>, %apart: tensor<20x8x3xf32>, %g: tensor<3x2x8xf32>) -> (tensor<2x20xf32>, tensor<2x20xf32>, tensor<3x2x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<2x20xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x20xf32>) -> tensor<2x20xf32>
  %p1 = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<2x8xf32>, tensor<20x8xf32>) outs(%f1 : tensor<2x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x20xf32>
  %e2 = tensor.empty() : tensor<2x20xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x20xf32>) -> tensor<2x20xf32>
  %p2 = linalg.generic {indexing_maps = [#km, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%ta, %b : tensor<8x2xf32>, tensor<20x8xf32>) outs(%f2 : tensor<2x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x20xf32>
  %e3 = tensor.empty() : tensor<3x2x20xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3x2x20xf32>) -> tensor<3x2x20xf32>
  %p3 = linalg.generic {indexing_maps = [#gmk, #nkg, #gmn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%g, %apart : tensor<3x2x8xf32>, tensor<20x8x3xf32>) outs(%f3 : tensor<3x2x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x20xf32>
  return %p1, %p2, %p3 : tensor<2x20xf32>, tensor<2x20xf32>, tensor<3x2x20xf32>
}

// -----

// A few rows read B in place. Where the last vector is cut off, that takes masks.
// CHECK-LABEL: @few_rows_without_masks
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}}panels = in_place
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg2 : {{.*}}panels = full_in_place
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @few_rows_without_masks(%a: tensor<8x8xf32>, %whole: tensor<8x20xf32>, %cut: tensor<8x21xf32>) -> (tensor<8x20xf32>, tensor<8x21xf32>) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<8x20xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x20xf32>) -> tensor<8x20xf32>
  %p1 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %whole : tensor<8x8xf32>, tensor<8x20xf32>) outs(%f1 : tensor<8x20xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x20xf32>
  %e2 = tensor.empty() : tensor<8x21xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x21xf32>) -> tensor<8x21xf32>
  %p2 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %cut : tensor<8x8xf32>, tensor<8x21xf32>) outs(%f2 : tensor<8x21xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x21xf32>
  return %p1, %p2 : tensor<8x20xf32>, tensor<8x21xf32>
}

// -----

// CHECK-LABEL: @few_rows_with_masks
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}}panels = in_place
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>} {
  func.func @few_rows_with_masks(%a: tensor<8x8xf32>, %b: tensor<8x21xf32>) -> tensor<8x21xf32> {
    %zero = arith.constant 0.0 : f32
    %e1 = tensor.empty() : tensor<8x21xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x21xf32>) -> tensor<8x21xf32>
    %p1 = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<8x8xf32>, tensor<8x21xf32>) outs(%f1 : tensor<8x21xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %0 = arith.mulf %x, %y : f32
      %1 = arith.addf %acc, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x21xf32>
    return %p1 : tensor<8x21xf32>
  }
}

// -----

// Filters stand in panels of output channels: [panels, kh, kw, ic, nr].
// CHECK-LABEL: @convolution
// CHECK: tensor.empty() : tensor<[[PANELS:[0-9]+]]x3x3x4x[[NR:[0-9]+]]xf32>
// CHECK: %[[VIEW:.+]] = rt.packed %{{.*}} nr [[NR]] : {{.*}} -> tensor<3x3x4x8xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[VIEW]] : {{.*}} attrs = {rt.strategy = #rt.conv<
#image = affine_map<(n, h, w, o, y, x, c) -> (n, h * 2 + y, w * 2 + x, c)>
#filter = affine_map<(n, h, w, o, y, x, c) -> (y, x, c, o)>
#out = affine_map<(n, h, w, o, y, x, c) -> (n, h, w, o)>
func.func @convolution(%image: tensor<1x9x9x4xf32>, %filter: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %0 = linalg.generic {indexing_maps = [#image, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %filter : tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>) outs(%f : tensor<1x4x4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}

// -----

// The filter of a depthwise convolution is read as it is.
// CHECK-LABEL: @depthwise_convolution
// CHECK-NOT: rt.packed
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : {{.*}} attrs = {rt.strategy = #rt.depthwise<
#image = affine_map<(n, h, w, g, y, x) -> (n, h + y, w + x, g)>
#filter = affine_map<(n, h, w, g, y, x) -> (y, x, g)>
#out = affine_map<(n, h, w, g, y, x) -> (n, h, w, g)>
func.func @depthwise_convolution(%image: tensor<1x6x6x8xf32>, %filter: tensor<3x3x8xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %0 = linalg.generic {indexing_maps = [#image, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%image, %filter : tensor<1x6x6x8xf32>, tensor<3x3x8xf32>) outs(%f : tensor<1x4x4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}

// -----

// What stays a loop nest: products that start from something else than zero, sums that
// are narrower than the lanes that targets multiply, factors with zero points, and what
// is evaluated at compile time anyway.
// CHECK-LABEL: @left_to_loops
// CHECK-NOT: rt.strategy
// CHECK-NOT: rt.packed
// CHECK: return
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @left_to_loops(%i: tensor<4x4xi8>, %z: tensor<4x4xi8>, %p: tensor<i8>, %a: tensor<4x4xf32>) -> (tensor<4x4xi8>, tensor<4x4xi32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %bzero = arith.constant 0 : i8
  %izero = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %w = arith.constant dense<2.0> : tensor<4x4xf32>
  %be = tensor.empty() : tensor<4x4xi8>
  %bf = linalg.fill ins(%bzero : i8) outs(%be : tensor<4x4xi8>) -> tensor<4x4xi8>
  %narrow = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%i, %z : tensor<4x4xi8>, tensor<4x4xi8>) outs(%bf : tensor<4x4xi8>) {
  ^bb0(%x: i8, %y: i8, %acc: i8):
    %0 = arith.muli %x, %y : i8
    %1 = arith.addi %acc, %0 : i8
    linalg.yield %1 : i8
  } -> tensor<4x4xi8>
  %ie = tensor.empty() : tensor<4x4xi32>
  %if = linalg.fill ins(%izero : i32) outs(%ie : tensor<4x4xi32>) -> tensor<4x4xi32>
  %zero_point = linalg.generic {indexing_maps = [#mk, #kn, affine_map<(m, n, k) -> ()>, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%i, %z, %p : tensor<4x4xi8>, tensor<4x4xi8>, tensor<i8>) outs(%if : tensor<4x4xi32>) {
  ^bb0(%x: i8, %y: i8, %q: i8, %acc: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %y : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<4x4xi32>
  %e = tensor.empty() : tensor<4x4xf32>
  %f1 = linalg.fill ins(%one : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %from_one = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f1 : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %constants = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f0 : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x4xf32>
  return %narrow, %zero_point, %from_one, %constants : tensor<4x4xi8>, tensor<4x4xi32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Straight code for the taps needs their number.
// CHECK-LABEL: @taps_of_the_run_time
// CHECK-NOT: rt.strategy
#image = affine_map<(n, h, g, y) -> (n, h + y, g)>
#filter = affine_map<(n, h, g, y) -> (y, g)>
#out = affine_map<(n, h, g, y) -> (n, h, g)>
func.func @taps_of_the_run_time(%image: tensor<1x6x8xf32>, %arg: tensor<?x8xf32>) -> tensor<1x4x8xf32> {
  %n = rt.symbol "n"
  %zero = arith.constant 0.0 : f32
  %filter = rt.reshape %arg [%n] : tensor<?x8xf32> -> tensor<?x8xf32>
  %e = tensor.empty() : tensor<1x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %0 = linalg.generic {indexing_maps = [#image, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%image, %filter : tensor<1x6x8xf32>, tensor<?x8xf32>) outs(%f : tensor<1x4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

// Wider vectors of the target show in the strategy.
// CHECK-LABEL: module
// CHECK: rt.strategy = #rt.gemm<{{.*}}lanes = 16
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
module attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, broadcastOperands, memoryOperands]>} {
  func.func @target(%a: tensor<64x8xf32>, %b: tensor<8x32xf32>) -> tensor<64x32xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64x32xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
    %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x8xf32>, tensor<8x32xf32>) outs(%f : tensor<64x32xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %0 = arith.mulf %x, %y : f32
      %1 = arith.addf %acc, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<64x32xf32>
    return %product : tensor<64x32xf32>
  }
}

// -----

// Bytes are multiplied by what the target has for their signs, from panels whose steps
// of the depth are neighbours and padded; a target without such products widens them.
// CHECK-LABEL: module @mixed_dots
// CHECK: tensor.empty() : tensor<1x10x32x4xi8>
// CHECK: arith.andi
// CHECK: rt.packed %{{.+}} nr 32 step 4 : tensor<1x10x32x4xi8> -> tensor<37x20xi8>
// CHECK: rt.strategy = #rt.gemm<{{.*}}panels = packed, packRows = false, product = mixed_dots
// CHECK: rt.strategy = #rt.gemm<{{.*}}panels = packed, packRows = false, product = pair_dots
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
module @mixed_dots attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, pairDots, mixedDots]>} {
  func.func @bytes(%a: tensor<8x37xi8>) -> (tensor<8x20xi32>, tensor<8x20xi32>) {
    %zero = arith.constant 0 : i32
    %b = arith.constant dense<3> : tensor<37x20xi8>
    %e = tensor.empty() : tensor<8x20xi32>
    %f = linalg.fill ins(%zero : i32) outs(%e : tensor<8x20xi32>) -> tensor<8x20xi32>
    %mixed = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<8x37xi8>, tensor<37x20xi8>) outs(%f : tensor<8x20xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %0 = arith.extui %x : i8 to i32
      %1 = arith.extsi %y : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      linalg.yield %3 : i32
    } -> tensor<8x20xi32>
    %alike = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<8x37xi8>, tensor<37x20xi8>) outs(%f : tensor<8x20xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %0 = arith.extsi %x : i8 to i32
      %1 = arith.extsi %y : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      linalg.yield %3 : i32
    } -> tensor<8x20xi32>
    return %mixed, %alike : tensor<8x20xi32>, tensor<8x20xi32>
  }
}

// -----

// Integers of other widths, rows of A that lie apart: those are packed by each task.
// CHECK-LABEL: module @alike_dots
// CHECK: rt.strategy = #rt.gemm<{{.*}}kc = 40, {{.*}}panels = per_task, packRows = true, product = alike_dots
// CHECK: rt.strategy = #rt.gemm<{{.*}}panels = per_task, packRows = false, chains
#km = affine_map<(m, n, k) -> (k, m)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
module @alike_dots attributes {rt.target = #rt.cpu<vectorBits = 128, vectorRegisters = 32, facts = [alikeDots]>} {
  func.func @bytes(%a: tensor<37x40xi8>, %b: tensor<37x20xi8>, %c: tensor<40x37xi32>, %d: tensor<37x20xi32>) -> (tensor<40x20xi32>, tensor<40x20xi32>) {
    %zero = arith.constant 0 : i32
    %e = tensor.empty() : tensor<40x20xi32>
    %f = linalg.fill ins(%zero : i32) outs(%e : tensor<40x20xi32>) -> tensor<40x20xi32>
    %bytes = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<37x40xi8>, tensor<37x20xi8>) outs(%f : tensor<40x20xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %0 = arith.extsi %x : i8 to i32
      %1 = arith.extsi %y : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %acc, %2 : i32
      linalg.yield %3 : i32
    } -> tensor<40x20xi32>
    %words = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%c, %d : tensor<40x37xi32>, tensor<37x20xi32>) outs(%f : tensor<40x20xi32>) {
    ^bb0(%x: i32, %y: i32, %acc: i32):
      %0 = arith.muli %x, %y : i32
      %1 = arith.addi %acc, %0 : i32
      linalg.yield %1 : i32
    } -> tensor<40x20xi32>
    return %bytes, %words : tensor<40x20xi32>, tensor<40x20xi32>
  }
}

// -----

// A filter whose pixels are no whole steps has them along its rows of taps, which are
// one depth in the image; with a dilation each tap is padded.
// CHECK-LABEL: module @filters
// CHECK: rt.packed %{{.+}} nr 16 step 4 : tensor<1x3x3x16x4xi8> -> tensor<3x3x3x8xi8>
// CHECK: rt.strategy = #rt.conv<{{.*}}joinTaps = true, product = mixed_dots
// CHECK: rt.packed %{{.+}} nr 16 step 4 : tensor<1x3x3x1x16x4xi8> -> tensor<3x3x3x8xi8>
// CHECK: rt.strategy = #rt.conv<{{.*}}workPerTask = {{[0-9]+}}, product = mixed_dots
#image = affine_map<(n, h, w, o, y, x, c) -> (n, h + y, w + x, c)>
#dilated = affine_map<(n, h, w, o, y, x, c) -> (n, h + y, w + x * 2, c)>
#filter = affine_map<(n, h, w, o, y, x, c) -> (y, x, c, o)>
#out = affine_map<(n, h, w, o, y, x, c) -> (n, h, w, o)>
module @filters attributes {rt.target = #rt.cpu<vectorBits = 512, vectorRegisters = 32, facts = [maskedVectors, mixedDots]>} {
  func.func @images(%a: tensor<1x6x6x3xi8>, %b: tensor<1x6x8x3xi8>, %filter: tensor<3x3x3x8xi8>) -> (tensor<1x4x4x8xi32>, tensor<1x4x4x8xi32>) {
    %zero = arith.constant 0 : i32
    %e = tensor.empty() : tensor<1x4x4x8xi32>
    %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x4x4x8xi32>) -> tensor<1x4x4x8xi32>
    %0 = linalg.generic {indexing_maps = [#image, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%a, %filter : tensor<1x6x6x3xi8>, tensor<3x3x3x8xi8>) outs(%f : tensor<1x4x4x8xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %2 = arith.extui %x : i8 to i32
      %3 = arith.extsi %y : i8 to i32
      %4 = arith.muli %2, %3 : i32
      %5 = arith.addi %acc, %4 : i32
      linalg.yield %5 : i32
    } -> tensor<1x4x4x8xi32>
    %1 = linalg.generic {indexing_maps = [#dilated, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%b, %filter : tensor<1x6x8x3xi8>, tensor<3x3x3x8xi8>) outs(%f : tensor<1x4x4x8xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %2 = arith.extui %x : i8 to i32
      %3 = arith.extsi %y : i8 to i32
      %4 = arith.muli %2, %3 : i32
      %5 = arith.addi %acc, %4 : i32
      linalg.yield %5 : i32
    } -> tensor<1x4x4x8xi32>
    return %0, %1 : tensor<1x4x4x8xi32>, tensor<1x4x4x8xi32>
  }
}

// -----

// An attention gets a strategy; what it reads along its queries is laid out for whole
// vectors of them, once for both, and what it does not stays.
#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#mask = affine_map<(b, m, k, t, n) -> (m, t)>
#bias = affine_map<(b, m, k, t, n) -> (b, t)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
// CHECK-DAG: #[[MASK:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d1)>
// CHECK-LABEL: @attention
// CHECK: %[[LAID:.+]] = linalg.generic {{.*}} outs(%{{.+}} : tensor<7x12xi1>)
// CHECK: arith.minsi
// CHECK: tensor.extract %arg3
// CHECK: rt.attention {{.*}} ins(%arg0, %arg1, %arg2, %[[LAID]], %arg4 : {{.*}}#[[MASK]]
// CHECK: {rt.strategy = #rt.attention<mr = {{.+}}, nv = {{.+}}, lanes = 4, keyBlock = {{.+}}, workPerTask = {{.+}}>}
// CHECK-NOT: linalg.generic
// CHECK: rt.attention {{.*}} ins(%arg0, %arg1, %arg2, %[[LAID]], %arg4 :
func.func @attention(%q: tensor<2x9x16xf32>, %k: tensor<2x7x16xf32>, %v: tensor<2x7x16xf32>, %mask: tensor<9x7xi1>, %bias: tensor<2x7xf32>) -> (tensor<2x9x16xf32>, tensor<2x9x16xf32>) {
  %init = tensor.empty() : tensor<2x9x16xf32>
  %0 = rt.attention scale 0.25 ins(%q, %k, %v, %mask, %bias : tensor<2x9x16xf32>, tensor<2x7x16xf32>, tensor<2x7x16xf32>, tensor<9x7xi1>, tensor<2x7xf32>)
      outs(%init : tensor<2x9x16xf32>) maps [#q, #k, #v, #mask, #bias, #y] {
  ^bb0(%score: f32, %keep: i1, %b: f32):
    %s = arith.select %keep, %score, %b : f32
    rt.score %s : f32
  } -> tensor<2x9x16xf32>
  %1 = rt.attention scale 0.5 ins(%q, %k, %v, %mask, %bias : tensor<2x9x16xf32>, tensor<2x7x16xf32>, tensor<2x7x16xf32>, tensor<9x7xi1>, tensor<2x7xf32>)
      outs(%init : tensor<2x9x16xf32>) maps [#q, #k, #v, #mask, #bias, #y] {
  ^bb0(%score: f32, %keep: i1, %b: f32):
    %s = arith.select %keep, %score, %b : f32
    rt.score %s : f32
  } -> tensor<2x9x16xf32>
  return %0, %1 : tensor<2x9x16xf32>, tensor<2x9x16xf32>
}

// -----

// A prologue belongs to the factor that is packed: rows that the body computes have no tiles.
// CHECK-LABEL: @computed_rows_have_no_tiles
// CHECK-NOT: rt.strategy
// CHECK: return
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @computed_rows_have_no_tiles(%b: tensor<2x20xf32>) -> tensor<64x20xf32> {
  %zero = arith.constant 0.0 : f32
  %a = arith.constant dense<3> : tensor<64x2xi8>
  %e = tensor.empty() : tensor<64x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x20xf32>) -> tensor<64x20xf32>
  %product = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x2xi8>, tensor<2x20xf32>) outs(%f : tensor<64x20xf32>) {
  ^bb0(%x: i8, %y: f32, %acc: f32):
    %0 = arith.sitofp %x : i8 to f32
    %1 = arith.mulf %0, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x20xf32>
  return %product : tensor<64x20xf32>
}
