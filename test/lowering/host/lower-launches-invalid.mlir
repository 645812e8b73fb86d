// RUN: onnxc-opt %s --onnxc-lower-launches -split-input-file -verify-diagnostics

func.func @no_kernel(%p: !llvm.ptr, %context: !llvm.ptr) {
  // expected-error @below {{kernel 'missing' has not been emitted}}
  rt.launch @missing ins() outs(%p : !llvm.ptr) context %context : !llvm.ptr
  return
}

// -----

func.func private @k.task(!llvm.ptr, i64)
func.func private @k.tasks(!llvm.ptr) -> i64
func.func @still_on_tensors(%init: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected pointers and a context, found tensors: run onnxc-lower-host first}}
  %0 = rt.launch @k ins() outs(%init : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
