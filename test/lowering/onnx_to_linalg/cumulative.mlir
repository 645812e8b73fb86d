// RUN: onnxc-opt --onnxc-lower-onnx-to-linalg %s | FileCheck %s

// CHECK-LABEL: @one_block_needs_no_second_level
func.func @one_block_needs_no_second_level(%x: tensor<2x5x3xf32>) -> tensor<2x5x3xf32> {
  %axis = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  // CHECK-COUNT-1: "reduction"
  // CHECK-NOT: "reduction"
  // CHECK: return
  %0 = onnx.CumSum(%x, %axis) : (tensor<2x5x3xf32>, tensor<i64>) -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}

// CHECK-LABEL: @blocks_of_a_long_axis
func.func @blocks_of_a_long_axis(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %axis = onnx.Constant {value = dense<-1> : tensor<i64>} : tensor<i64>
  // CHECK: tensor.empty() : tensor<1x16x1xf32>
  // CHECK-COUNT-3: "reduction"
  // CHECK: arith.mulf
  %0 = onnx.CumProd(%x, %axis) : (tensor<1000xf32>, tensor<i64>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// CHECK-LABEL: @axis_of_the_run
func.func @axis_of_the_run(%x: tensor<2x5xf32>, %axis: tensor<i32>) -> tensor<2x5xf32> {
  // CHECK: rt.check {{.*}}the axis is out of range
  // CHECK-COUNT-3: rt.bind
  // CHECK: rt.reshape %arg0
  %0 = onnx.CumSum(%x, %axis) : (tensor<2x5xf32>, tensor<i32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// One axis: its number is checked all the same.
// CHECK-LABEL: @only_axis_of_the_run
func.func @only_axis_of_the_run(%x: tensor<5xf32>, %axis: tensor<i64>) -> tensor<5xf32> {
  // CHECK: rt.check {{.*}}the axis is out of range" found {{.*}} status out_of_range
  // CHECK-NOT: rt.bind
  %0 = onnx.CumSum(%x, %axis) : (tensor<5xf32>, tensor<i64>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
