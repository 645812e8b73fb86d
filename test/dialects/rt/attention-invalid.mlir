// RUN: onnxc-opt %s -split-input-file -verify-diagnostics

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @missing_map(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects an indexing map for each of its 5 operands, found 4}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(m, k, t) -> (m, k)>
#k = affine_map<(m, k, t) -> (t, k)>
#v = affine_map<(m, k, t) -> (t, k)>
#y = affine_map<(m, k, t) -> (m, k)>
#x = affine_map<(m, k, t) -> (m, t)>
func.func @few_loops(%q: tensor<9x64xf32>, %k: tensor<7x64xf32>, %v: tensor<7x64xf32>, %x: tensor<9x7xf32>, %init: tensor<9x64xf32>) {
  // expected-error @below {{expects the loops batch..., M, K1, K2 and N, found 3}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<9x64xf32>, tensor<7x64xf32>, tensor<7x64xf32>, tensor<9x7xf32>) outs(%init : tensor<9x64xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<9x64xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @rank(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects a map from 5 loops to the 3 dims of operand 0, found}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, t, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @query_of_keys(%q: tensor<2x7x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects operand 0 to be read along batch loops, M and K1, each once, found}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x7x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (k, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @transposed_twice(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects operand 1 to be read along batch loops, K2 and K1, each once, found}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, m, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @value_of_queries(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects operand 2 to be read along batch loops, K2 and N, each once, found}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, k)>
func.func @bias_of_elements(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects operand 3 to be read along some of the batch loops, M and K2, each once, found}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @result_without_batch(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<9x32xf32>) {
  // expected-error @below {{expects operand 4 to be read along all batch loops, M and N, each once, found}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @sizes(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x8x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects one size for loop 3, found 7 and 8}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x8x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @short_bias(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<8x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects one size for loop 1, found 9 and 8}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<8x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @integers(%q: tensor<2x9x64xi32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects floats as operand 0, found }}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xi32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @region_arguments(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects a region on a score of f32 or f64 and on an element of each of its 1 inputs, found arguments of types}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32):
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @score_type(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects a region on a score of f32 or f64 and on an element of each of its 1 inputs, found arguments of types}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f16, %bias: f32):
    rt.score %score : f16
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @yielded(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  // expected-error @below {{expects a region that ends with a score of type}}
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    %d = arith.extf %score : f32 to f64
    rt.score %d : f64
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @tensor_in_region(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    %i = arith.constant 0 : index
    // expected-error @below {{has no place in the region of 'rt.attention', which computes on scalars}}
    %e = tensor.extract %x[%i, %i] : tensor<9x7xf32>
    rt.score %e : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

#q = affine_map<(b, m, k, t, n) -> (b, m, k)>
#k = affine_map<(b, m, k, t, n) -> (b, t, k)>
#v = affine_map<(b, m, k, t, n) -> (b, t, n)>
#y = affine_map<(b, m, k, t, n) -> (b, m, n)>
#x = affine_map<(b, m, k, t, n) -> (m, t)>
func.func @index_of_an_element(%q: tensor<2x9x64xf32>, %k: tensor<2x7x64xf32>, %v: tensor<2x7x32xf32>, %x: tensor<9x7xf32>, %init: tensor<2x9x32xf32>) {
  %0 = rt.attention scale 1.0 ins(%q, %k, %v, %x : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x32xf32>, tensor<9x7xf32>) outs(%init : tensor<2x9x32xf32>) maps [#q, #k, #v, #x, #y] {
  ^bb0(%score: f32, %bias: f32):
    // expected-error @below {{expects a loop that a score has, a batch loop, M (1) or K2 (3), found 4}}
    %i = rt.index 4
    rt.score %score : f32
  } -> tensor<2x9x32xf32>
  return
}

// -----

func.func @index_outside() {
  // expected-error @below {{expects parent op 'rt.attention'}}
  %i = rt.index 0
  return
}
