// Every element-wise op of floats becomes one generic whose body has no op of
// another dialect than arith and math.
// RUN: onnxc-opt --onnxc-lower-onnx-to-linalg %s | FileCheck %s
// CHECK-NOT: onnx.

// CHECK-LABEL: @Neg
func.func @Neg(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Neg(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Abs
func.func @Abs(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Abs(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Reciprocal
func.func @Reciprocal(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Reciprocal(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Sqrt
func.func @Sqrt(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Sqrt(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Floor
func.func @Floor(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Floor(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Ceil
func.func @Ceil(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Ceil(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Round
func.func @Round(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Round(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Sign
func.func @Sign(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Sign(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Exp
func.func @Exp(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Exp(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Log
func.func @Log(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Log(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Erf
func.func @Erf(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Erf(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Sin
func.func @Sin(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Sin(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Cos
func.func @Cos(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Cos(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Tan
func.func @Tan(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Tan(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Asin
func.func @Asin(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Asin(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Acos
func.func @Acos(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Acos(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Atan
func.func @Atan(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Atan(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Sinh
func.func @Sinh(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Sinh(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Cosh
func.func @Cosh(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Cosh(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Tanh
func.func @Tanh(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Tanh(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Asinh
func.func @Asinh(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Asinh(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Acosh
func.func @Acosh(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Acosh(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Atanh
func.func @Atanh(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Atanh(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Relu
func.func @Relu(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Relu(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @LeakyRelu
func.func @LeakyRelu(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.LeakyRelu(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Elu
func.func @Elu(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Elu(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Celu
func.func @Celu(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Celu(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @ThresholdedRelu
func.func @ThresholdedRelu(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.ThresholdedRelu(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Swish
func.func @Swish(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Swish(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Selu
func.func @Selu(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Selu(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @HardSigmoid
func.func @HardSigmoid(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.HardSigmoid(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @HardSwish
func.func @HardSwish(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.HardSwish(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Shrink
func.func @Shrink(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Shrink(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Sigmoid
func.func @Sigmoid(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Sigmoid(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Softplus
func.func @Softplus(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Softplus(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Softsign
func.func @Softsign(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Softsign(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Mish
func.func @Mish(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Mish(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Gelu
func.func @Gelu(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = onnx.Gelu(%a) : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: @Add
func.func @Add(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Add(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @Sub
func.func @Sub(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Sub(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @Mul
func.func @Mul(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Mul(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @Div
func.func @Div(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Div(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @Mod
func.func @Mod(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Mod(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @Pow
func.func @Pow(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Pow(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @PRelu
func.func @PRelu(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.PRelu(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @SwiGLU
func.func @SwiGLU(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.SwiGLU(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @Min
func.func @Min(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Min(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @Max
func.func @Max(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Max(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @Sum
func.func @Sum(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Sum(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @Mean
func.func @Mean(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Mean(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @Equal
func.func @Equal(%a: tensor<2x3xui8>, %b: tensor<3xui8>) -> tensor<2x3xi1> {
  %0 = onnx.Equal(%a, %b) : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: @Greater
func.func @Greater(%a: tensor<2x3xui8>, %b: tensor<3xui8>) -> tensor<2x3xi1> {
  %0 = onnx.Greater(%a, %b) : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: @GreaterOrEqual
func.func @GreaterOrEqual(%a: tensor<2x3xui8>, %b: tensor<3xui8>) -> tensor<2x3xi1> {
  %0 = onnx.GreaterOrEqual(%a, %b) : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: @Less
func.func @Less(%a: tensor<2x3xui8>, %b: tensor<3xui8>) -> tensor<2x3xi1> {
  %0 = onnx.Less(%a, %b) : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: @LessOrEqual
func.func @LessOrEqual(%a: tensor<2x3xui8>, %b: tensor<3xui8>) -> tensor<2x3xi1> {
  %0 = onnx.LessOrEqual(%a, %b) : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}
