// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --split-input-file | FileCheck %s

// Sizes that must agree: checked at the head of the function when the inputs say them.
// CHECK-LABEL: func.func @main
// CHECK-DAG: rt.check %{{.*}}, "conv: 'kernel_shape' differs from the weights along axis 2, 'k' and '3'"
// CHECK-DAG: rt.check %{{.*}}, "conv: the output channels are no multiple of 'group', 'mod(m,2)' and '0'"
// CHECK-DAG: rt.check %{{.*}}, "conv: the bias has not one element per output channel, 'z' and 'm'"
// CHECK: linalg.generic
func.func @main(%x: tensor<1x4x8x8xf32>,
                %w: tensor<?x2x?x3xf32, #onnx.shape<["m", 2, "k", 3]>>,
                %b: tensor<?xf32, #onnx.shape<["z"]>>)
    -> tensor<1x?x6x6xf32, #onnx.shape<[1, "m", 6, 6]>> {
  %0 = onnx.Conv(%x, %w, %b) {group = 2 : i64, kernel_shape = array<i64: 3, 3>}
      : (tensor<1x4x8x8xf32>, tensor<?x2x?x3xf32, #onnx.shape<["m", 2, "k", 3]>>,
         tensor<?xf32, #onnx.shape<["z"]>>)
      -> tensor<1x?x6x6xf32, #onnx.shape<[1, "m", 6, 6]>> loc("conv")
  return %0 : tensor<1x?x6x6xf32, #onnx.shape<[1, "m", 6, 6]>>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: rt.check %{{.*}}, "conv: the input has not as many channels as the weights, 'c' and '4'"
// CHECK: linalg.generic
func.func @main(%x: tensor<1x9x?xf32, #onnx.shape<[1, 9, "c"]>>, %w: tensor<6x4x3xf32>) -> tensor<1x7x6xf32> {
  %0 = onnx.Conv(%x, %w) {channels_last} : (tensor<1x9x?xf32, #onnx.shape<[1, 9, "c"]>>, tensor<6x4x3xf32>) -> tensor<1x7x6xf32> loc("conv")
  return %0 : tensor<1x7x6xf32>
}

// -----

// All checks of an op come before its computations: also whether the addend of a product fits.
// CHECK-LABEL: func.func @main
// CHECK-NOT: linalg
// CHECK: rt.check %{{.*}}, "gemm: cannot broadcast dim 1, 'm', to 'n'"
// CHECK: linalg.generic
// CHECK-NOT: rt.check
// CHECK: return
func.func @main(%a: tensor<2x?xf32, #onnx.shape<[2, "k"]>>, %b: tensor<?x?xf32, #onnx.shape<["k", "n"]>>,
                %c: tensor<1x?xf32, #onnx.shape<[1, "m"]>>) -> tensor<2x?xf32, #onnx.shape<[2, "n"]>> {
  %0 = onnx.Gemm(%a, %b, %c)
      : (tensor<2x?xf32, #onnx.shape<[2, "k"]>>, tensor<?x?xf32, #onnx.shape<["k", "n"]>>, tensor<1x?xf32, #onnx.shape<[1, "m"]>>)
      -> tensor<2x?xf32, #onnx.shape<[2, "n"]>> loc("gemm")
  return %0 : tensor<2x?xf32, #onnx.shape<[2, "n"]>>
}

// -----

// What only the run knows is checked before the op.
// CHECK-LABEL: func.func @main
// CHECK: rt.bind
// CHECK: rt.check %{{.*}}, "scatter: there is not one write index for each batch, '?c' and '2'"
// CHECK: linalg.generic
func.func @main(%cache: tensor<2x1x4x3xf32>, %update: tensor<2x1x1x3xf32>, %condition: tensor<?xi1, #onnx.shape<["n"]>>,
                %indices: tensor<?xi64, #onnx.shape<["n"]>>) -> tensor<2x1x4x3xf32> {
  %0 = onnx.Compress(%indices, %condition) {axis = 0 : i64}
      : (tensor<?xi64, #onnx.shape<["n"]>>, tensor<?xi1, #onnx.shape<["n"]>>)
      -> tensor<?xi64, #onnx.shape<["?c"]>> loc("compress")
  %1 = onnx.TensorScatter(%cache, %update, %0)
      : (tensor<2x1x4x3xf32>, tensor<2x1x1x3xf32>, tensor<?xi64, #onnx.shape<["?c"]>>)
      -> tensor<2x1x4x3xf32> loc("scatter")
  return %1 : tensor<2x1x4x3xf32>
}
