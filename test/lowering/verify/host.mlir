// RUN: onnxc-opt --onnxc-verify-host %s | FileCheck %s

// Kernels hold what a host function may not.
// CHECK: rt.launch @k
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<?xf32>, %more: i1) -> tensor<?xf32> {
  %n = rt.symbol "n"
  %two = arith.constant 2 : index
  %m = arith.muli %n, %two : index
  %y = rt.reshape %x [%n] : tensor<?xf32> -> tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = scf.if %more -> tensor<?xf32> {
    %1 = rt.launch @k ins(%y, %n : tensor<?xf32>, index) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    scf.yield %y : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
"rt.kernel"() <{node = "exp", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = 16384, nests = [<loops = [0], lanes = 1>]>, sym_name = "k", target = #rt.cpu<>}> ({
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
