// RUN: onnxc-opt --onnxc-verify-memory --split-input-file --verify-diagnostics %s

// expected-error @below {{has the type 'tensor<4xf32>', expected a pointer}}
func.func @tensor(%x: tensor<4xf32>) {
  return
}

// -----

func.func @symbol() -> index {
  // expected-error @below {{is left behind the memory stage}}
  %n = rt.symbol "n"
  return %n : index
}
