// Contractions: matrix products and convolutions.
#ifndef ONNXC_DIALECTS_ONNX_ONNXCONTRACTIONOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXCONTRACTIONOPS_TD

include "dialects/onnx/OnnxBase.td"
include "dialects/onnx/OnnxWindowBase.td"

defvar weightedTrait = DeclareOpInterfaceMethods<WeightedOpInterface>;

def Onnx_PermutationAttr : Onnx_InternalAttr<OptionalAttr<DenseI64ArrayAttr>>;

def Onnx_MatMulOp : Onnx_TypedOp<"MatMul">, Onnx_Since<[1, 9, 13]> {
  let summary = "Matrix product with numpy broadcasting of the batch dims";
  let description = [{
    `permA`, `permB` and `permY` are not ONNX's: transposes of the operands and of
    the result that were folded into the product,
    `Y = transpose(transpose(A, permA) x transpose(B, permB), permY)`.
  }];
  let arguments = (ins Onnx_NumericTensor:$A, Onnx_NumericTensor:$B,
                       Onnx_PermutationAttr:$permA,
                       Onnx_PermutationAttr:$permB,
                       Onnx_PermutationAttr:$permY);
  let results = (outs Onnx_NumericTensor:$Y);
  let hasCanonicalizer = 1;
}

def Onnx_GemmOp : Onnx_TypedOp<"Gemm", [weightedTrait]>, Onnx_Since<[1, 6, 7, 9, 11, 13]> {
  let summary = "alpha * A' x B' + beta * C, A' and B' optionally transposed";
  let arguments = (ins Onnx_NumericTensor:$A, Onnx_NumericTensor:$B,
                       Optional<Onnx_NumericTensor>:$C,
                       DefaultValuedAttr<F32Attr, "1.0f">:$alpha,
                       DefaultValuedAttr<F32Attr, "1.0f">:$beta,
                       DefaultValuedAttr<I64Attr, "0">:$transA,
                       DefaultValuedAttr<I64Attr, "0">:$transB);
  let results = (outs Onnx_NumericTensor:$Y);
}

def Onnx_MatMulIntegerOp : Onnx_TypedOp<"MatMulInteger", [AttrSizedOperandSegments]>,
    Onnx_Since<[10]> {
  let summary = "Matrix product of 8-bit integers less their zero points, in int32";
  let arguments = (ins Onnx_IntTensor:$A, Onnx_IntTensor:$B,
                       Optional<Onnx_IntTensor>:$a_zero_point,
                       Optional<Onnx_IntTensor>:$b_zero_point);
  let results = (outs Onnx_IntTensor:$Y);
}

def Onnx_QLinearMatMulOp : Onnx_TypedOp<"QLinearMatMul">, Onnx_Since<[10, 21]> {
  let summary = "Matrix product of quantised operands with a quantised result";
  let arguments = (ins Onnx_NumericTensor:$a, Onnx_FloatTensor:$a_scale,
                       Onnx_NumericTensor:$a_zero_point, Onnx_NumericTensor:$b,
                       Onnx_FloatTensor:$b_scale, Onnx_NumericTensor:$b_zero_point,
                       Onnx_FloatTensor:$y_scale, Onnx_NumericTensor:$y_zero_point);
  let results = (outs Onnx_NumericTensor:$y);
}

def Onnx_EinsumOp : Onnx_TypedOp<"Einsum">, Onnx_Since<[12, 28]> {
  let summary = "Sums of products over named dims";
  let arguments = (ins Variadic<Onnx_NumericTensor>:$Inputs, StrAttr:$equation);
  let results = (outs Onnx_NumericTensor:$Output);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

defvar convolutionAttributes = !con(windowAttributes, (ins
    OptionalAttr<DenseI64ArrayAttr>:$kernel_shape,
    DefaultValuedAttr<I64Attr, "1">:$group, Onnx_ChannelsLastAttr:$channels_last));

/// A convolution is what the layout pass is for.
class Onnx_Convolution<string mnemonic, list<Trait> traits = []>
    : Onnx_TypedOp<mnemonic, !listconcat(
          [ImageOpInterface, DeclareOpInterfaceMethods<SizeRulesOpInterface>], traits)> {
  let moreClassDeclaration = "bool prefersChannelsLast() { return true; }";
}

def Onnx_ConvOp : Onnx_Convolution<"Conv", [weightedTrait]>, Onnx_Since<[1, 11, 22]> {
  let summary = "Convolution with 1 to 3 or more spatial axes";
  let description = "The weights are [M, C/group, k...] in either layout of the data.";
  let arguments = !con((ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W,
                            Optional<Onnx_FloatTensor>:$B), convolutionAttributes);
  let results = (outs Onnx_FloatTensor:$Y);
}

def Onnx_ConvIntegerOp : Onnx_Convolution<"ConvInteger", [AttrSizedOperandSegments]>,
    Onnx_Since<[10]> {
  let summary = "Convolution of 8-bit integers less their zero points, in int32";
  let arguments = !con((ins Onnx_IntTensor:$x, Onnx_IntTensor:$w,
                            Optional<Onnx_IntTensor>:$x_zero_point,
                            Optional<Onnx_IntTensor>:$w_zero_point), convolutionAttributes);
  let results = (outs Onnx_IntTensor:$y);
}

def Onnx_QLinearConvOp : Onnx_Convolution<"QLinearConv">, Onnx_Since<[10]> {
  let summary = "Convolution of quantised operands with a quantised result";
  let arguments = !con((ins Onnx_IntTensor:$x, Onnx_FloatTensor:$x_scale,
                            Onnx_IntTensor:$x_zero_point, Onnx_IntTensor:$w,
                            Onnx_FloatTensor:$w_scale, Onnx_IntTensor:$w_zero_point,
                            Onnx_FloatTensor:$y_scale, Onnx_IntTensor:$y_zero_point,
                            Optional<Onnx_IntTensor>:$B), convolutionAttributes);
  let results = (outs Onnx_IntTensor:$y);
}

def Onnx_ConvTransposeOp : Onnx_Convolution<"ConvTranspose", [weightedTrait]>,
    Onnx_Since<[1, 11, 22]> {
  let summary = "The gradient of Conv with respect to its input";
  let arguments = !con((ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W,
                            Optional<Onnx_FloatTensor>:$B), convolutionAttributes,
                       (ins OptionalAttr<DenseI64ArrayAttr>:$output_padding,
                            OptionalAttr<DenseI64ArrayAttr>:$output_shape));
  let results = (outs Onnx_FloatTensor:$Y);
}

def Onnx_DeformConvOp : Onnx_TypedOp<"DeformConv", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SizeRulesOpInterface>]>,
    Onnx_Since<[19, 22]> {
  let summary = "Convolution whose taps are displaced by an offset image";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_FloatTensor:$offset,
                       Optional<Onnx_FloatTensor>:$B, Optional<Onnx_FloatTensor>:$mask,
                       OptionalAttr<DenseI64ArrayAttr>:$dilations,
                       DefaultValuedAttr<I64Attr, "1">:$group,
                       OptionalAttr<DenseI64ArrayAttr>:$kernel_shape,
                       DefaultValuedAttr<I64Attr, "1">:$offset_group,
                       OptionalAttr<DenseI64ArrayAttr>:$pads,
                       OptionalAttr<DenseI64ArrayAttr>:$strides);
  let results = (outs Onnx_FloatTensor:$Y);
}

#endif // ONNXC_DIALECTS_ONNX_ONNXCONTRACTIONOPS_TD
