// RUN: onnxc-opt %s | onnxc-opt | FileCheck %s

// Every op is read back as it is printed, also with empty lists.
// CHECK-LABEL: @sizes
// CHECK: rt.symbol "n"
// CHECK: rt.symbol "floordiv(n,2)+2*m"
// CHECK: rt.bind "?nonzero0", %{{.+}}
// CHECK: rt.check %{{.+}}, "node 'reshape'"
// CHECK: rt.check %{{.+}}, "node 'reshape'" found %{{.+}} expected %{{.+}}
// CHECK: rt.check %{{.+}}, "node 'gather'" status out_of_range
// CHECK: rt.exit %{{.+}}
func.func @sizes(%condition: i1, %status: i32) {
  %n = rt.symbol "n"
  %m = rt.symbol "floordiv(n,2)+2*m"
  rt.bind "?nonzero0", %n
  rt.check %condition, "node 'reshape'"
  rt.check %condition, "node 'reshape'" found %n expected %n status shape_mismatch
  rt.check %condition, "node 'gather'" status out_of_range
  rt.exit %status
  return
}

// CHECK-LABEL: @tensors
// CHECK: rt.reshape %{{.+}}[%{{.+}}] : tensor<8xf32> -> tensor<?x2xf32>
// CHECK: rt.reshape %{{.+}}[] : tensor<8xf32> -> tensor<4x2xf32>
// CHECK: rt.packed %{{.+}} nr 4 : tensor<2x3x4xf32> -> tensor<3x8xf32>
// CHECK: rt.packed %{{.+}} nr 4 step 2 : tensor<2x3x4x2xi8> -> tensor<6x8xi8>
// CHECK: rt.concat axis 0 ins(%{{.+}}, %{{.+}} : tensor<8xf32>, tensor<8xf32>) outs(%{{.+}} : tensor<16xf32>) -> tensor<16xf32>
func.func @tensors(%x: tensor<8xf32>, %panels: tensor<2x3x4xf32>, %steps: tensor<2x3x4x2xi8>, %n: index) {
  %0 = rt.reshape %x [%n] : tensor<8xf32> -> tensor<?x2xf32>
  %1 = rt.reshape %x [] : tensor<8xf32> -> tensor<4x2xf32>
  %2 = rt.packed %panels nr 4 : tensor<2x3x4xf32> -> tensor<3x8xf32>
  %4 = rt.packed %steps nr 4 step 2 : tensor<2x3x4x2xi8> -> tensor<6x8xi8>
  %e = tensor.empty() : tensor<16xf32>
  %3 = rt.concat axis 0 ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return
}

// CHECK-LABEL: @calls
// CHECK: rt.call "f" message "node 'f'" ins(%{{.+}} : tensor<8xf32>) outs(%{{.+}} : tensor<8xf32>) parameters [1, -2][%{{.+}}] -> (tensor<8xf32>, tensor<?xi64>) dims(index)
// CHECK: rt.call "f" message "node 'f'" ins(%{{.+}} : tensor<8xf32>) outs(%{{.+}} : tensor<8xf32>) parameters [][] -> (tensor<8xf32>)
// CHECK: rt.call "f" message "node 'f'" ins() outs() parameters [][]
func.func @calls(%x: tensor<8xf32>, %n: index) {
  %e = tensor.empty() : tensor<8xf32>
  %0, %1, %2 = rt.call "f" message "node 'f'" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
      parameters [1, -2] [%n] -> (tensor<8xf32>, tensor<?xi64>) dims (index)
  %3 = rt.call "f" message "node 'f'" ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
      parameters [] [] -> (tensor<8xf32>)
  rt.call "f" message "node 'f'" ins() outs() parameters [] []
  return
}

// CHECK-LABEL: @launches
// CHECK: rt.launch @k ins(%{{.+}}, %{{.+}} : tensor<8xf32>, index) outs(%{{.+}} : tensor<8xf32>) -> tensor<8xf32>
// CHECK: rt.launch @k ins() outs(%{{.+}} : tensor<8xf32>) -> tensor<8xf32>
func.func @launches(%x: tensor<8xf32>, %n: index) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = rt.launch @k ins(%x, %n : tensor<8xf32>, index) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = rt.launch @k ins() outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return
}
