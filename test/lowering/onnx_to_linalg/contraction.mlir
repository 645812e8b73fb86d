// RUN: onnxc-opt %s --onnxc-lower-onnx-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[MK:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[KN:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[MN:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[Q:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[K:.+]] = affine_map<(d0, d1, d2, d3) -> (d2, d1, d3)>
// CHECK-DAG: #[[QK:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[KM:.+]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[NK:.+]] = affine_map<(d0, d1, d2) -> (d1, d2)>

// CHECK-LABEL: @leading_dims_are_one_matrix
// CHECK: rt.reshape %arg0[%{{.*}}] : tensor<?x128x768xf32> -> tensor<?x768xf32>
// CHECK: linalg.generic {indexing_maps = [#[[MK]], #[[KN]], #[[MN]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: rt.reshape %{{.*}} : tensor<?x64xf32> -> tensor<?x128x64xf32>
func.func @leading_dims_are_one_matrix(%a: tensor<?x128x768xf32, #onnx.shape<["n", 128, 768]>>, %b: tensor<768x64xf32>)
    -> tensor<?x128x64xf32, #onnx.shape<["n", 128, 64]>> {
  %0 = onnx.MatMul(%a, %b) : (tensor<?x128x768xf32, #onnx.shape<["n", 128, 768]>>, tensor<768x64xf32>)
      -> tensor<?x128x64xf32, #onnx.shape<["n", 128, 64]>>
  return %0 : tensor<?x128x64xf32, #onnx.shape<["n", 128, 64]>>
}

// CHECK-LABEL: @folded_transposes_are_maps
// CHECK: linalg.fill {{.*}} tensor<128x12x128xf32>
// CHECK: linalg.generic {indexing_maps = [#[[Q]], #[[K]], #[[QK]]]
// CHECK: arith.extf
// CHECK: arith.truncf
func.func @folded_transposes_are_maps(%q: tensor<1x128x12x64xf16>, %k: tensor<1x128x12x64xf16>) -> tensor<1x128x12x128xf16> {
  %0 = onnx.MatMul(%q, %k) {permA = array<i64: 0, 2, 1, 3>, permB = array<i64: 0, 2, 3, 1>, permY = array<i64: 0, 2, 1, 3>}
      : (tensor<1x128x12x64xf16>, tensor<1x128x12x64xf16>) -> tensor<1x128x12x128xf16>
  return %0 : tensor<1x128x12x128xf16>
}

// CHECK-LABEL: @batch_may_be_stretched
// CHECK-COUNT-2: rt.check
// CHECK: tensor.extract %arg0
// CHECK: tensor.extract %arg1
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
func.func @batch_may_be_stretched(%a: tensor<?x4x5xf32, #onnx.shape<["n", 4, 5]>>, %b: tensor<?x5x6xf32, #onnx.shape<["m", 5, 6]>>)
    -> tensor<?x4x6xf32, #onnx.shape<["broadcast(m,n)", 4, 6]>> {
  %0 = onnx.MatMul(%a, %b) : (tensor<?x4x5xf32, #onnx.shape<["n", 4, 5]>>, tensor<?x5x6xf32, #onnx.shape<["m", 5, 6]>>)
      -> tensor<?x4x6xf32, #onnx.shape<["broadcast(m,n)", 4, 6]>>
  return %0 : tensor<?x4x6xf32, #onnx.shape<["broadcast(m,n)", 4, 6]>>
}

// CHECK-LABEL: @vectors
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
func.func @vectors(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<f32> {
  %0 = onnx.MatMul(%a, %b) : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @gemm(
// CHECK: linalg.generic {indexing_maps = [#[[KM]], #[[NK]], #[[MN]]]
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[SUM:.+]]: f32, %[[C:.+]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[BIAS:.+]] = arith.mulf %[[C]], %cst
// CHECK-NEXT: arith.addf %[[SUM]], %[[BIAS]]
func.func @gemm(%a: tensor<5x2xf32>, %b: tensor<6x5xf32>, %c: tensor<6xf32>) -> tensor<2x6xf32> {
  %0 = onnx.Gemm(%a, %b, %c) {transA = 1 : i64, transB = 1 : i64, beta = 0.5 : f32}
     : (tensor<5x2xf32>, tensor<6x5xf32>, tensor<6xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// CHECK-LABEL: @integer_product
// CHECK: linalg.generic
// CHECK: arith.extui
// CHECK: arith.extui
// CHECK: arith.subi
// CHECK: arith.extsi
// CHECK: arith.extsi
// CHECK: arith.subi
// CHECK: arith.muli
func.func @integer_product(%a: tensor<4x3xui8>, %b: tensor<3x2xi8>, %az: tensor<ui8>, %bz: tensor<2xi8>) -> tensor<4x2xi32> {
  %0 = onnx.MatMulInteger(%a, %b, %az, %bz) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (tensor<4x3xui8>, tensor<3x2xi8>, tensor<ui8>, tensor<2xi8>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// CHECK-LABEL: @quantised_product
// CHECK: linalg.generic
// CHECK: arith.muli
// CHECK: arith.divf
// CHECK: math.roundeven
// CHECK: arith.trunci
func.func @quantised_product(%a: tensor<2x4x3xui8>, %as: tensor<f32>, %az: tensor<ui8>, %b: tensor<2x3x2xi8>, %bs: tensor<1xf32>, %bz: tensor<1xi8>, %ys: tensor<f32>, %yz: tensor<ui8>) -> tensor<2x4x2xui8> {
  %0 = onnx.QLinearMatMul(%a, %as, %az, %b, %bs, %bz, %ys, %yz) : (tensor<2x4x3xui8>, tensor<f32>, tensor<ui8>, tensor<2x3x2xi8>, tensor<1xf32>, tensor<1xi8>, tensor<f32>, tensor<ui8>) -> tensor<2x4x2xui8>
  return %0 : tensor<2x4x2xui8>
}

// CHECK-LABEL: @depth_from_the_weights
// CHECK: rt.check
// CHECK-SAME: B has not as many rows as A has columns
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3x5xf32>, tensor<5x4xf32>)
func.func @depth_from_the_weights(%a: tensor<3x?xf32, #onnx.shape<[3, "k"]>>, %b: tensor<5x4xf32>) -> tensor<3x4xf32> {
  %0 = onnx.MatMul(%a, %b) : (tensor<3x?xf32, #onnx.shape<[3, "k"]>>, tensor<5x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
