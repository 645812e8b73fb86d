// RUN: onnxc-opt %s | FileCheck %s

// CHECK-LABEL: @matmul_broadcasts_batch
func.func @matmul_broadcasts_batch(%a: tensor<?x1x4x5xf32, #onnx.shape<["n", 1, 4, 5]>>, %b: tensor<3x5x6xf32>)
    -> tensor<?x3x4x6xf32, #onnx.shape<["n", 3, 4, 6]>> {
  %0 = onnx.MatMul(%a, %b) : (tensor<?x1x4x5xf32, #onnx.shape<["n", 1, 4, 5]>>, tensor<3x5x6xf32>)
      -> tensor<?x3x4x6xf32, #onnx.shape<["n", 3, 4, 6]>>
  return %0 : tensor<?x3x4x6xf32, #onnx.shape<["n", 3, 4, 6]>>
}

// CHECK-LABEL: @matmul_with_folded_transposes
func.func @matmul_with_folded_transposes(%q: tensor<1x128x12x64xf32>, %k: tensor<1x128x12x64xf32>) -> tensor<1x12x128x128xf32> {
  %0 = onnx.MatMul(%q, %k) {permA = array<i64: 0, 2, 1, 3>, permB = array<i64: 0, 2, 3, 1>}
      : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x12x128x128xf32>
  return %0 : tensor<1x12x128x128xf32>
}

// CHECK-LABEL: @conv_same_upper
func.func @conv_same_upper(%x: tensor<1x3x?x7xf32, #onnx.shape<[1, 3, "h", 7]>>, %w: tensor<8x3x3x3xf32>)
    -> tensor<1x8x?x4xf32, #onnx.shape<[1, 8, "floordiv(h+1,2)", 4]>> {
  %0 = onnx.Conv(%x, %w) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>}
      : (tensor<1x3x?x7xf32, #onnx.shape<[1, 3, "h", 7]>>, tensor<8x3x3x3xf32>)
      -> tensor<1x8x?x4xf32, #onnx.shape<[1, 8, "floordiv(h+1,2)", 4]>>
  return %0 : tensor<1x8x?x4xf32, #onnx.shape<[1, 8, "floordiv(h+1,2)", 4]>>
}

// CHECK-LABEL: @conv_channels_last
func.func @conv_channels_last(%x: tensor<1x7x7x4xf32>, %w: tensor<8x2x3x3xf32>) -> tensor<1x7x7x8xf32> {
  %0 = onnx.Conv(%x, %w) {pads = array<i64: 1, 1, 1, 1>, group = 2 : i64, channels_last}
      : (tensor<1x7x7x4xf32>, tensor<8x2x3x3xf32>) -> tensor<1x7x7x8xf32>
  return %0 : tensor<1x7x7x8xf32>
}

// CHECK-LABEL: @conv_transpose
func.func @conv_transpose(%x: tensor<1x4x5x5xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x3x10x10xf32> {
  %0 = onnx.ConvTranspose(%x, %w) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>, output_padding = array<i64: 1, 1>}
      : (tensor<1x4x5x5xf32>, tensor<4x3x3x3xf32>) -> tensor<1x3x10x10xf32>
  return %0 : tensor<1x3x10x10xf32>
}

// CHECK-LABEL: @max_pool_ceil_drops_window_in_padding
func.func @max_pool_ceil_drops_window_in_padding(%x: tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32> {
  %0:2 = onnx.MaxPool(%x) {kernel_shape = array<i64: 1, 1>, strides = array<i64: 2, 2>, ceil_mode = 1 : i64}
      : (tensor<1x1x2x2xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xi64>)
  return %0#0 : tensor<1x1x1x1xf32>
}

// CHECK-LABEL: @average_pool_ceil
func.func @average_pool_ceil(%x: tensor<1x1x32x32xf32>) -> tensor<1x1x16x16xf32> {
  %0 = onnx.AveragePool(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, ceil_mode = 1 : i64}
      : (tensor<1x1x32x32xf32>) -> tensor<1x1x16x16xf32>
  return %0 : tensor<1x1x16x16xf32>
}

// CHECK-LABEL: @global_pool_channels_last
func.func @global_pool_channels_last(%x: tensor<2x4x5x8xf32>) -> tensor<2x1x1x8xf32> {
  %0 = onnx.GlobalAveragePool(%x) {channels_last} : (tensor<2x4x5x8xf32>) -> tensor<2x1x1x8xf32>
  return %0 : tensor<2x1x1x8xf32>
}

// CHECK-LABEL: @einsum_attention
func.func @einsum_attention(%q: tensor<2x5x3x4xf32>, %k: tensor<2x6x3x4xf32>) -> tensor<2x3x5x6xf32> {
  %0 = onnx.Einsum(%q, %k) {equation = "bqhd, bkhd -> bhqk"} : (tensor<2x5x3x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x5x6xf32>
  return %0 : tensor<2x3x5x6xf32>
}

// CHECK-LABEL: @einsum_implicit_result
func.func @einsum_implicit_result(%a: tensor<7x2x3xf32>, %b: tensor<1x3x4xf32>) -> tensor<7x2x4xf32> {
  %0 = onnx.Einsum(%a, %b) {equation = "...ij,...jk"} : (tensor<7x2x3xf32>, tensor<1x3x4xf32>) -> tensor<7x2x4xf32>
  return %0 : tensor<7x2x4xf32>
}

// CHECK-LABEL: @resize_by_scale
func.func @resize_by_scale(%x: tensor<1x2x?x4xf32, #onnx.shape<[1, 2, "h", 4]>>) -> tensor<1x2x?x2xf32, #onnx.shape<[1, 2, "2*h", 2]>> {
  %s = onnx.Constant {value = dense<[1.0, 1.0, 2.0, 0.6]> : tensor<4xf32>} : tensor<4xf32>
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (tensor<1x2x?x4xf32, #onnx.shape<[1, 2, "h", 4]>>, tensor<4xf32>) -> tensor<1x2x?x2xf32, #onnx.shape<[1, 2, "2*h", 2]>>
  return %0 : tensor<1x2x?x2xf32, #onnx.shape<[1, 2, "2*h", 2]>>
}

// CHECK-LABEL: @resize_keeps_aspect_ratio
func.func @resize_keeps_aspect_ratio(%x: tensor<1x1x2x4xf32>) -> tensor<1x1x4x8xf32> {
  %s = onnx.Constant {value = dense<[4, 12]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Resize(%x, %s) {operandSegmentSizes = array<i32: 1, 0, 0, 1>, axes = array<i64: 2, 3>, keep_aspect_ratio_policy = "not_larger"}
      : (tensor<1x1x2x4xf32>, tensor<2xi64>) -> tensor<1x1x4x8xf32>
  return %0 : tensor<1x1x4x8xf32>
}

// CHECK-LABEL: @grid_sample
func.func @grid_sample(%x: tensor<1x3x8x8xf32>, %g: tensor<1x5x6x2xf32>) -> tensor<1x3x5x6xf32> {
  %0 = onnx.GridSample(%x, %g) : (tensor<1x3x8x8xf32>, tensor<1x5x6x2xf32>) -> tensor<1x3x5x6xf32>
  return %0 : tensor<1x3x5x6xf32>
}
