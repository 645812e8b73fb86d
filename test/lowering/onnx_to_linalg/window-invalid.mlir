// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --verify-diagnostics --split-input-file

func.func @kernel_of_the_run_time(%x: tensor<1x4x5xf32>, %w: tensor<4x3x?xf32, #onnx.shape<[4, 3, "k"]>>) -> tensor<1x3x?xf32, #onnx.shape<[1, 3, "k+4"]>> {
  // expected-error @below {{expected a kernel size that is known at compile time}}
  %0 = onnx.ConvTranspose(%x, %w) : (tensor<1x4x5xf32>, tensor<4x3x?xf32, #onnx.shape<[4, 3, "k"]>>) -> tensor<1x3x?xf32, #onnx.shape<[1, 3, "k+4"]>>
  return %0 : tensor<1x3x?xf32, #onnx.shape<[1, 3, "k+4"]>>
}

// -----

func.func @crop_to_nothing(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %s = onnx.Constant {value = dense<[1, 1, 2, 2]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error @below {{expected 'roi' with tf_crop_and_resize}}
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 0, 1>, coordinate_transformation_mode = "tf_crop_and_resize"}
      : (tensor<1x1x4x4xf32>, tensor<4xi64>) -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}
