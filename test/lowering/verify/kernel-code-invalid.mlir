// RUN: onnxc-opt --onnxc-verify-kernel-code --split-input-file --verify-diagnostics %s

// expected-error @below {{has not been emitted}}
"rt.kernel"() <{node = "", strategy = #rt.concat<bytesPerTask = 1>, sym_name = "k", target = #rt.cpu<>}> ({
^bb0(%x: tensor<4xf32>, %init: tensor<4xf32>):
  rt.yield %x : tensor<4xf32>
}) : () -> ()

// -----

func.func private @k.task(%slots: !llvm.ptr, %task: i64) {
  // expected-error @below {{has the type 'vector<2x4xf32>', expected pointers, scalars and 1-D vectors}}
  %0 = arith.constant dense<0.0> : vector<2x4xf32>
  return
}

// -----

func.func private @k.task(%slots: !llvm.ptr, %task: i64) {
  // expected-error @below {{has the type 'tensor<4xf32>'}}
  %0 = tensor.empty() : tensor<4xf32>
  return
}
