// RUN: onnxc-opt %s --onnxc-lower-host --verify-diagnostics --split-input-file

func.func @main() -> tensor<2xf32> attributes {rt.symbols = ["n"]} {
  %n = rt.symbol "n"
  // expected-error @below {{symbol '?nonzero0' is used before it is bound}}
  %m = rt.symbol "?nonzero0"
  rt.bind "?nonzero0", %n
  %0 = arith.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  // expected-error @below {{cannot be lowered in the host function}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2xf32>
  return %x : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<?xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @below {{the size of its tensor is not known}}
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = arith.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{the sizes of output 0 are not known}}
  return %x : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<2xf32>, %y: tensor<?xf32>) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  // expected-error @below {{the sizes of input 1 are not known}}
  %0 = rt.call "onnxc_rt_sort" message "node 'sort'" ins(%x, %y : tensor<2xf32>, tensor<?xf32>) outs(%e : tensor<2xf32>)
      parameters [] [] -> (tensor<2xf32>)
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<?xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{the sizes of loop-carried tensor 1 are not known}}
  %0:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %y, %b = %x) -> (tensor<2xf32>, tensor<?xf32>) {
    scf.yield %a, %b : tensor<2xf32>, tensor<?xf32>
  }
  return %0#0 : tensor<2xf32>
}

// -----

func.func @main(%row: tensor<1x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %e = tensor.empty() : tensor<4x2xf32>
  // expected-error @below {{inserts into a tensor that is used elsewhere}}
  %0 = tensor.insert_slice %row into %e[0, 0] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<4x2xf32>
  %1 = tensor.insert_slice %row into %e[1, 0] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>, %y: tensor<?xf32>) -> tensor<2xf32> attributes {rt.symbols = ["n"]} {
  %n = rt.symbol "n"
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  // expected-error @below {{the sizes of carried value 0 at the end of a turn are not known}}
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %e) -> (tensor<?xf32>) {
    scf.yield %y : tensor<?xf32>
  }
  return %x : tensor<2xf32>
}

// -----

func.func @main(%row: tensor<2xf32>) -> tensor<2xf32> attributes {rt.symbols = ["n"]} {
  %n = rt.symbol "n"
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x2xf32>
  // expected-error @below {{appends to a tensor that is used elsewhere}}
  %0 = rt.append %row to %e[%c0] : tensor<2xf32> to tensor<?x2xf32>
  %1 = rt.append %row to %e[%n] : tensor<2xf32> to tensor<?x2xf32>
  return %row : tensor<2xf32>
}

// -----

func.func @main(%row: tensor<?xf32>) -> tensor<2xf32> attributes {rt.symbols = ["n"]} {
  %n = rt.symbol "n"
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  // expected-error @below {{the sizes of the row are not known}}
  %0 = rt.append %row to %e[%c0] : tensor<?xf32> to tensor<?x?xf32>
  %1 = arith.constant dense<1.0> : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  // expected-error @below {{has a size that is neither an rt.symbol nor a constant}}
  %0 = rt.call "f" message "a" ins(%x : tensor<2xf32>) outs(%e : tensor<?xf32>) parameters [] [] -> (tensor<?xf32>)
  return %x : tensor<2xf32>
}
