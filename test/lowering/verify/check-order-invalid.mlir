// RUN: not onnxc-opt --onnxc-verify-linalg --split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: {{.*}}'rt.check' op stands behind a computation of the same node
func.func @check_behind(%x: tensor<?xf32>, %n: index, %good: i1) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.copy ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32> loc(#split)
  rt.check %good, "split: the sizes do not fit" loc(#split)
  return %0 : tensor<?xf32>
}
#split = loc(fused<7 : i64>["split"])

// -----

// CHECK: error: {{.*}}'rt.call' op stands behind a computation of the same node
func.func @call_behind(%x: tensor<?xf32>, %i: tensor<?xi64>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.copy ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32> loc(#gather)
  rt.call "onnxc_rt_check_indices" message "gather" ins(%i : tensor<?xi64>) outs() parameters [1, 0] [%n, %n] loc(#gather)
  return %0 : tensor<?xf32>
}
#gather = loc(fused<7 : i64>["gather"])
