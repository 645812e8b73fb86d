// Element-wise operators with numpy broadcasting. A plain op is one line: its
// mnemonic and its formula, written with the operators of Scalar.h.
#ifndef ONNXC_DIALECTS_ONNX_ONNXELEMENTWISEOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXELEMENTWISEOPS_TD

include "dialects/onnx/OnnxBase.td"

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// Element-wise: any number of operands, one result of the broadcast shape.
/// `resultElement` is the C++ expression of the result's element type over
/// `adaptor`; `body` builds the scalar from `arg(i)`, the scalar of operand i.
class Onnx_Elementwise<string mnemonic, code body, string resultElement = "elementOf(0)",
                       list<Trait> traits = []>
    : Onnx_TypedOp<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<ScalarBodyOpInterface>], traits)> {
  /// Definitions that an op adds to those of its class.
  code moreClassDefinition = "";
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      [[maybe_unused]] Adaptor adaptor(operands, attributes, properties, regions);
      [[maybe_unused]] auto elementOf = [&](unsigned i) {
        return ::mlir::getElementTypeOrSelf(operands[i].getType());
      };
      ::mlir::Type element = }] # resultElement # [{;
      if (!element)
        return emitOptionalError(location, "unknown element type number");
      return ::onnxc::onnx::inferBroadcastTypes(location, operands, element, results);
    }
    ::mlir::Value $cppClass::buildScalar(::mlir::OpBuilder &builder,
        ::mlir::Location loc, ::mlir::ValueRange args) {
      [[maybe_unused]] auto arg = [&](unsigned i) {
        ::mlir::Type type = ::mlir::getElementTypeOrSelf((*this)->getOperand(i).getType());
        return ::onnxc::onnx::Scalar(builder, loc, args[i], type.isUnsignedInteger());
      };
      }] # body # [{
    }
  }] # moreClassDefinition;
}

defvar boolResult = "::mlir::IntegerType::get(context, 1)";

/// One operand `x`; `attributes` come after it.
class Onnx_Unary<string mnemonic, string formula, TypeConstraint type = Onnx_FloatTensor,
                 dag attributes = (ins), string input = "X", string output = "Y",
                 string resultElement = "elementOf(0)", TypeConstraint resultType = type,
                 list<Trait> traits = []>
    : Onnx_Elementwise<mnemonic,
          "[[maybe_unused]] ::onnxc::onnx::Scalar x = arg(0); return " # formula # ";",
          resultElement, traits> {
  let arguments = !con(!dag(ins, [type], [input]), attributes);
  let results = !dag(outs, [resultType], [output]);
}

/// Two operands `a` and `b` of one element type.
class Onnx_Binary<string mnemonic, string formula, TypeConstraint type = Onnx_NumericTensor,
                  dag attributes = (ins), string resultElement = "elementOf(0)",
                  TypeConstraint resultType = type, list<Trait> traits = []>
    : Onnx_Elementwise<mnemonic,
          "::onnxc::onnx::Scalar a = arg(0), b = arg(1); return " # formula # ";",
          resultElement, !listconcat([SameOperandsElementType], traits)> {
  let arguments = !con((ins type:$A, type:$B), attributes);
  let results = (outs resultType:$C);
}

class Onnx_Comparison<string mnemonic, string formula, list<Trait> traits = []>
    : Onnx_Binary<mnemonic, formula, Onnx_Tensor, (ins), boolResult, Onnx_BoolTensor, traits>;

/// Any number of operands, combined pairwise: `result` with the next one, `x`.
class Onnx_Variadic<string mnemonic, string output, string formula, string last = "result",
                    list<Trait> traits = []>
    : Onnx_Elementwise<mnemonic, [{
        ::onnxc::onnx::Scalar result = arg(0);
        for (unsigned i = 1; i < args.size(); ++i) {
          ::onnxc::onnx::Scalar x = arg(i);
          result = }] # formula # [{;
        }
        return }] # last # [{;
      }], "elementOf(0)", !listconcat([SameOperandsElementType], traits)> {
  let arguments = (ins Variadic<Onnx_NumericTensor>:$data_0);
  let results = !dag(outs, [Onnx_NumericTensor], [output]);
}

/// Computes on shapes too: `formula` on dim expressions, element by element.
class Onnx_OnShapes<string formula> {
  code definition = [{
    ::std::optional<::onnxc::onnx::ShapeValue> $cppClass::inferShapeValue(
        ::llvm::ArrayRef<::std::optional<::onnxc::onnx::ShapeValue>> operands) {
      return ::onnxc::onnx::mapShapeValues(operands,
          [&](::llvm::ArrayRef<::onnxc::onnx::DimExpr> args)
              -> ::std::optional<::onnxc::onnx::DimExpr> { return }] # formula # [{; });
    }
  }];
}

defvar shapeTrait = DeclareOpInterfaceMethods<ShapeValueOpInterface>;

/// One float operand `x` and an attribute `alpha`.
class Onnx_AlphaUnary<string mnemonic, string formula, string value>
    : Onnx_Elementwise<mnemonic, [{
        double alpha = getAlpha().convertToDouble();
        ::onnxc::onnx::Scalar x = arg(0);
        return }] # formula # ";"> {
  let arguments = (ins Onnx_FloatTensor:$X, DefaultValuedAttr<F32Attr, value>:$alpha);
  let results = (outs Onnx_FloatTensor:$Y);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

class Onnx_ShapeBinary<string mnemonic, string formula, string shapeFormula,
                       list<Trait> traits = [], dag attributes = (ins)>
    : Onnx_Binary<mnemonic, formula, Onnx_NumericTensor, attributes, "elementOf(0)",
                  Onnx_NumericTensor, !listconcat([shapeTrait], traits)> {
  let moreClassDefinition = Onnx_OnShapes<shapeFormula>.definition;
}

defvar affineTrait = DeclareOpInterfaceMethods<AffineOpInterface>;

def Onnx_AddOp : Onnx_ShapeBinary<"Add", "a + b", "args[0] + args[1]", [affineTrait]>,
    Onnx_Since<[1, 6, 7, 13, 14]>;
def Onnx_SubOp : Onnx_ShapeBinary<"Sub", "a - b", "args[0] - args[1]", [affineTrait]>,
    Onnx_Since<[1, 6, 7, 13, 14]>;
def Onnx_MulOp : Onnx_ShapeBinary<"Mul", "a * b", "args[0] * args[1]", [affineTrait]>,
    Onnx_Since<[1, 6, 7, 13, 14]>;

/// A quotient or remainder by B.
class Onnx_Division<string mnemonic, string formula, string shapeFormula, dag attributes = (ins)>
    : Onnx_ShapeBinary<mnemonic, formula, shapeFormula, [], attributes> {
  let moreClassDeclaration = [{
    ::mlir::Value getIntegerDivisor() {
      bool isInteger = ::llvm::isa<::mlir::IntegerType>(::mlir::getElementTypeOrSelf(getB().getType()));
      return isInteger ? getB() : ::mlir::Value();
    }
  }];
}

def Onnx_DivOp
    : Onnx_Division<"Div", "a / b", "::onnxc::onnx::divideDims(args[0], args[1])">,
    Onnx_Since<[1, 6, 7, 13, 14]>;
def Onnx_ModOp
    : Onnx_Division<"Mod", "getFmod() ? remainder(a, b) : modulo(a, b)",
                    "::onnxc::onnx::moduloDims(args[0], args[1])",
                    (ins DefaultValuedAttr<I64Attr, "0">:$fmod)>,
    Onnx_Since<[10, 13, 28]>;

def Onnx_PowOp : Onnx_Elementwise<"Pow", "return power(arg(0), arg(1));">,
    Onnx_Since<[1, 7, 12, 13, 15]> {
  let arguments = (ins Onnx_NumericTensor:$X, Onnx_NumericTensor:$Y);
  let results = (outs Onnx_NumericTensor:$Z);
}

class Onnx_ShapeUnary<string mnemonic, string formula, string shapeFormula>
    : Onnx_Unary<mnemonic, formula, Onnx_NumericTensor, (ins), "X", "Y", "elementOf(0)",
                 Onnx_NumericTensor, [shapeTrait]> {
  let moreClassDefinition = Onnx_OnShapes<shapeFormula>.definition;
}

def Onnx_NegOp : Onnx_ShapeUnary<"Neg", "-x", "args[0] * -1">, Onnx_Since<[1, 6, 13]>;
def Onnx_AbsOp : Onnx_ShapeUnary<"Abs", "abs(x)", "::onnxc::onnx::absoluteDim(args[0])">,
    Onnx_Since<[1, 6, 13]>;
def Onnx_SignOp : Onnx_Unary<"Sign", "sign(x)", Onnx_NumericTensor, (ins), "input", "output">,
    Onnx_Since<[9, 13]>;
def Onnx_ReciprocalOp : Onnx_Unary<"Reciprocal", "1.0 / x">, Onnx_Since<[1, 6, 13]>;
def Onnx_SqrtOp : Onnx_Unary<"Sqrt", "sqrt(x)">, Onnx_Since<[1, 6, 13]>;
def Onnx_FloorOp : Onnx_Unary<"Floor", "floor(x)">, Onnx_Since<[1, 6, 13]>;
def Onnx_CeilOp : Onnx_Unary<"Ceil", "ceil(x)">, Onnx_Since<[1, 6, 13]>;
def Onnx_RoundOp : Onnx_Unary<"Round", "roundEven(x)">, Onnx_Since<[11, 22]>;

def Onnx_MinOp : Onnx_Variadic<"Min", "min", "min(result, x)", "result", [shapeTrait]>,
    Onnx_Since<[1, 6, 8, 12, 13]> {
  let moreClassDefinition = Onnx_OnShapes<
      "::onnxc::onnx::reduceDims(args, [](auto a, auto b) { return a.min(b); })">.definition;
}
def Onnx_MaxOp : Onnx_Variadic<"Max", "max", "max(result, x)", "result", [shapeTrait]>,
    Onnx_Since<[1, 6, 8, 12, 13]> {
  let moreClassDefinition = Onnx_OnShapes<
      "::onnxc::onnx::reduceDims(args, [](auto a, auto b) { return a.max(b); })">.definition;
}
def Onnx_SumOp : Onnx_Variadic<"Sum", "sum", "result + x">, Onnx_Since<[1, 6, 8, 13]>;
def Onnx_MeanOp : Onnx_Variadic<"Mean", "mean", "result + x", "result / double(args.size())">,
    Onnx_Since<[1, 6, 8, 13]>;

//===----------------------------------------------------------------------===//
// Bits and logic
//===----------------------------------------------------------------------===//

def Onnx_BitwiseAndOp : Onnx_Binary<"BitwiseAnd", "a & b", Onnx_IntTensor>, Onnx_Since<[18]>;
def Onnx_BitwiseOrOp : Onnx_Binary<"BitwiseOr", "a | b", Onnx_IntTensor>, Onnx_Since<[18]>;
def Onnx_BitwiseXorOp : Onnx_Binary<"BitwiseXor", "a ^ b", Onnx_IntTensor>, Onnx_Since<[18]>;
def Onnx_BitwiseNotOp : Onnx_Unary<"BitwiseNot", "~x", Onnx_IntTensor>, Onnx_Since<[18]>;
def Onnx_BitShiftOp : Onnx_Elementwise<"BitShift",
    "return ::onnxc::onnx::buildBitShift(arg(0), arg(1), getDirection() == \"LEFT\");",
    "elementOf(0)", [SameOperandsElementType]>, Onnx_Since<[11, 28]> {
  let arguments = (ins Onnx_IntTensor:$X, Onnx_IntTensor:$Y, StrAttr:$direction);
  let results = (outs Onnx_IntTensor:$Z);
  let hasVerifier = 1;
}
def Onnx_AndOp : Onnx_Binary<"And", "a & b", Onnx_BoolTensor>, Onnx_Since<[1, 7]>;
def Onnx_OrOp : Onnx_Binary<"Or", "a | b", Onnx_BoolTensor>, Onnx_Since<[1, 7]>;
def Onnx_XorOp : Onnx_Binary<"Xor", "a ^ b", Onnx_BoolTensor>, Onnx_Since<[1, 7]>;
def Onnx_NotOp : Onnx_Unary<"Not", "~x", Onnx_BoolTensor>, Onnx_Since<[1]>;

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

def Onnx_EqualOp : Onnx_Comparison<"Equal", "a == b", [shapeTrait]>,
    Onnx_Since<[1, 7, 11, 13, 19]> {
  let moreClassDefinition = Onnx_OnShapes<"::onnxc::onnx::equalDims(args[0], args[1])">.definition;
}
def Onnx_GreaterOp : Onnx_Comparison<"Greater", "a > b">, Onnx_Since<[1, 7, 9, 13]>;
def Onnx_GreaterOrEqualOp : Onnx_Comparison<"GreaterOrEqual", "a >= b">, Onnx_Since<[12, 16]>;
def Onnx_LessOp : Onnx_Comparison<"Less", "a < b">, Onnx_Since<[1, 7, 9, 13]>;
def Onnx_LessOrEqualOp : Onnx_Comparison<"LessOrEqual", "a <= b">, Onnx_Since<[12, 16]>;

def Onnx_IsNaNOp : Onnx_Unary<"IsNaN", "isNaN(x)", Onnx_FloatTensor, (ins), "X", "Y", boolResult,
                              Onnx_BoolTensor>, Onnx_Since<[9, 13, 20]>;
def Onnx_IsInfOp : Onnx_Unary<"IsInf",
    "::onnxc::onnx::buildIsInf(x, getDetectNegative() != 0, getDetectPositive() != 0)",
    Onnx_FloatTensor,
    (ins DefaultValuedAttr<I64Attr, "1">:$detect_negative,
         DefaultValuedAttr<I64Attr, "1">:$detect_positive),
    "X", "Y", boolResult, Onnx_BoolTensor>, Onnx_Since<[10, 20]>;

def Onnx_WhereOp : Onnx_Elementwise<"Where", "return select(arg(0), arg(1), arg(2));",
                                    "elementOf(1)", [shapeTrait, AllElementTypesMatch<["X", "Y"]>]>,
    Onnx_Since<[9, 16]> {
  let arguments = (ins Onnx_BoolTensor:$condition, Onnx_Tensor:$X, Onnx_Tensor:$Y);
  let results = (outs Onnx_Tensor:$output);
  let moreClassDefinition = Onnx_OnShapes<"::onnxc::onnx::selectDim(args)">.definition;
}

def Onnx_ClipOp : Onnx_Elementwise<"Clip",
    [{ return ::onnxc::onnx::buildClip(arg(0),
           getMin() ? ::std::optional(arg(1)) : ::std::nullopt,
           getMax() ? ::std::optional(arg(getMin() ? 2 : 1)) : ::std::nullopt); }],
    "elementOf(0)", [AttrSizedOperandSegments, SameOperandsElementType, shapeTrait]>,
    Onnx_Since<[1, 6, 11, 12, 13]> {
  let arguments = (ins Onnx_NumericTensor:$input, Optional<Onnx_NumericTensor>:$min,
                       Optional<Onnx_NumericTensor>:$max);
  let results = (outs Onnx_NumericTensor:$output);
  let moreClassDefinition = Onnx_OnShapes<
      "::onnxc::onnx::clipDim(args, bool(getMin()), bool(getMax()))">.definition;
}

//===----------------------------------------------------------------------===//
// Exponential, trigonometric
//===----------------------------------------------------------------------===//

def Onnx_ExpOp : Onnx_Unary<"Exp", "exp(x)", Onnx_FloatTensor, (ins), "input", "output">,
    Onnx_Since<[1, 6, 13]>;
def Onnx_LogOp : Onnx_Unary<"Log", "log(x)", Onnx_FloatTensor, (ins), "input", "output">,
    Onnx_Since<[1, 6, 13]>;
def Onnx_ErfOp : Onnx_Unary<"Erf", "erf(x)", Onnx_FloatTensor, (ins), "input", "output">,
    Onnx_Since<[9, 13]>;
class Onnx_Function<string mnemonic>
    : Onnx_Unary<mnemonic, !tolower(mnemonic) # "(x)", Onnx_FloatTensor, (ins), "input", "output">;
foreach name = ["Sin", "Cos", "Tan", "Asin", "Acos", "Atan"] in
  def Onnx_#name#Op : Onnx_Function<name>, Onnx_Since<[7, 22]>;
foreach name = ["Sinh", "Cosh", "Asinh", "Acosh", "Atanh"] in
  def Onnx_#name#Op : Onnx_Function<name>, Onnx_Since<[9, 22]>;
def Onnx_TanhOp : Onnx_Function<"Tanh">, Onnx_Since<[1, 6, 13]>;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

def Onnx_ReluOp : Onnx_Unary<"Relu", "atLeast(x, 0.0)", Onnx_NumericTensor>,
    Onnx_Since<[1, 6, 13, 14]>;
def Onnx_LeakyReluOp : Onnx_AlphaUnary<"LeakyRelu", "select(x < 0.0, x * alpha, x)", "0.01f">,
    Onnx_Since<[1, 6, 16]>;
def Onnx_EluOp : Onnx_AlphaUnary<"Elu", "select(x < 0.0, (exp(x) - 1.0) * alpha, x)", "1.0f">,
    Onnx_Since<[1, 6, 22]>;
def Onnx_CeluOp : Onnx_AlphaUnary<"Celu",
    "atLeast(x, 0.0) + atMost((exp(x / alpha) - 1.0) * alpha, 0.0)", "1.0f">, Onnx_Since<[12, 28]>;
def Onnx_ThresholdedReluOp : Onnx_AlphaUnary<"ThresholdedRelu", "select(x > alpha, x, 0.0)", "1.0f">,
    Onnx_Since<[10, 22]>;
def Onnx_SwishOp : Onnx_AlphaUnary<"Swish", "x / (1.0 + exp(x * -alpha))", "1.0f">,
    Onnx_Since<[24]>;
def Onnx_SeluOp : Onnx_Unary<"Selu",
    "::onnxc::onnx::buildSelu(x, getAlpha().convertToDouble(), getGamma().convertToDouble())",
    Onnx_FloatTensor, (ins DefaultValuedAttr<F32Attr, "1.67326319217681884765625f">:$alpha,
                           DefaultValuedAttr<F32Attr, "1.05070102214813232421875f">:$gamma)>,
    Onnx_Since<[1, 6, 22]>;
def Onnx_HardSigmoidOp : Onnx_Unary<"HardSigmoid",
    [{atMost(atLeast(x * getAlpha().convertToDouble() + getBeta().convertToDouble(), 0.0), 1.0)}],
    Onnx_FloatTensor,
    (ins DefaultValuedAttr<F32Attr, "0.2f">:$alpha, DefaultValuedAttr<F32Attr, "0.5f">:$beta)>,
    Onnx_Since<[1, 6, 22]>;
def Onnx_HardSwishOp : Onnx_Unary<"HardSwish",
    "x * atMost(atLeast(x * (1.0 / 6.0) + 0.5, 0.0), 1.0)">, Onnx_Since<[14, 22]>;
def Onnx_ShrinkOp : Onnx_Unary<"Shrink",
    "::onnxc::onnx::buildShrink(x, getBias().convertToDouble(), getLambd().convertToDouble())",
    Onnx_NumericTensor, (ins DefaultValuedAttr<F32Attr, "0.0f">:$bias,
                             DefaultValuedAttr<F32Attr, "0.5f">:$lambd), "input", "output">,
    Onnx_Since<[9]>;
def Onnx_PReluOp : Onnx_Elementwise<"PRelu",
    "::onnxc::onnx::Scalar x = arg(0); return select(x < 0.0, x * arg(1), x);",
    "elementOf(0)", [SameOperandsElementType]>, Onnx_Since<[1, 6, 7, 9, 16]> {
  let arguments = (ins Onnx_NumericTensor:$X, Onnx_NumericTensor:$slope);
  let results = (outs Onnx_NumericTensor:$Y);
}
def Onnx_SwiGLUOp : Onnx_Elementwise<"SwiGLU", [{
      ::onnxc::onnx::Scalar a = arg(0);
      return a / (1.0 + exp(a * -getAlpha().convertToDouble())) * arg(1);
    }], "elementOf(0)", [SameOperandsElementType]>, Onnx_Since<[28]> {
  let arguments = (ins Onnx_FloatTensor:$A, Onnx_FloatTensor:$B,
                       DefaultValuedAttr<F32Attr, "1.0f">:$alpha);
  let results = (outs Onnx_FloatTensor:$Y);
}
/// Whether a number is above a threshold, as 1 or 0.
def Onnx_BinarizerOp : Onnx_Unary<"ml.Binarizer",
    "::onnxc::onnx::buildBinarizer(x, getThreshold().convertToDouble())", Onnx_NumericTensor,
    (ins DefaultValuedAttr<F32Attr, "0.0f">:$threshold)>,
    Onnx_Since<[1]>, Onnx_Domain<"ai.onnx.ml">;
def Onnx_SigmoidOp : Onnx_Unary<"Sigmoid", "sigmoid(x)">, Onnx_Since<[1, 6, 13]>;
def Onnx_SoftplusOp : Onnx_Unary<"Softplus", "softplus(x)">, Onnx_Since<[1, 22]>;
def Onnx_SoftsignOp : Onnx_Unary<"Softsign", "x / (abs(x) + 1.0)", Onnx_FloatTensor, (ins),
                                 "input", "output">, Onnx_Since<[1, 22]>;
def Onnx_MishOp : Onnx_Unary<"Mish", "::onnxc::onnx::buildMish(x)">, Onnx_Since<[18, 22]>;
def Onnx_GeluOp : Onnx_Unary<"Gelu", "::onnxc::onnx::buildGelu(x, getApproximate() == \"tanh\")",
                             Onnx_FloatTensor,
                             (ins DefaultValuedAttr<StrAttr, "\"none\"">:$approximate)>,
    Onnx_Since<[20]> {
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

defvar castAttributes = (ins DefaultValuedAttr<StrAttr, "\"up\"">:$round_mode,
                             DefaultValuedAttr<I64Attr, "1">:$saturate);

def Onnx_CastOp : Onnx_Elementwise<"Cast",
    [{ return ::onnxc::onnx::buildCast(arg(0), ::mlir::getElementTypeOrSelf(getType()),
                                       getSaturate() != 0, getRoundMode()); }],
    "::onnxc::onnx::elementTypeOf(context, adaptor.getTo())", [shapeTrait]>,
    Onnx_Since<[1, 6, 9, 13, 19, 21, 23, 24, 25, 28]> {
  let arguments = !con((ins Onnx_Tensor:$input), castAttributes, (ins I64Attr:$to));
  let results = (outs Onnx_Tensor:$output);
  let hasVerifier = 1;
}

/// Becomes a Cast to the element type of `target_type`, which is not read.
def Onnx_CastLikeOp : Onnx_TypedOp<"CastLike">, Onnx_Since<[15, 19, 21, 23, 24, 25]> {
  let arguments = !con((ins Onnx_Tensor:$input, Onnx_Tensor:$target_type), castAttributes);
  let results = (outs Onnx_Tensor:$output);
}

/// The same bits as another type of the same width.
def Onnx_BitCastOp : Onnx_TypedOp<"BitCast">, Onnx_Since<[26]> {
  let arguments = (ins Onnx_Tensor:$input, I64Attr:$to);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_QuantizeLinearOp : Onnx_TypedOp<"QuantizeLinear",
    [DeclareOpInterfaceMethods<AxisOpInterface, ["getAxisDim"]>]>,
    Onnx_Since<[10, 13, 19, 21, 23, 24, 25, 28]> {
  let arguments = (ins Onnx_NumericTensor:$x, Onnx_NumericTensor:$y_scale,
                       Optional<Onnx_NumericTensor>:$y_zero_point,
                       DefaultValuedAttr<I64Attr, "1">:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$block_size,
                       DefaultValuedAttr<I64Attr, "0">:$output_dtype,
                       DefaultValuedAttr<I64Attr, "0">:$precision,
                       DefaultValuedAttr<I64Attr, "1">:$saturate);
  let results = (outs Onnx_NumericTensor:$y);
}

def Onnx_DequantizeLinearOp : Onnx_TypedOp<"DequantizeLinear",
    [DeclareOpInterfaceMethods<AxisOpInterface, ["getAxisDim"]>]>,
    Onnx_Since<[10, 13, 19, 21, 23, 24, 25, 28]> {
  let arguments = (ins Onnx_NumericTensor:$x, Onnx_FloatTensor:$x_scale,
                       Optional<Onnx_NumericTensor>:$x_zero_point,
                       DefaultValuedAttr<I64Attr, "1">:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$block_size,
                       DefaultValuedAttr<I64Attr, "0">:$output_dtype);
  let results = (outs Onnx_FloatTensor:$y);
}

def Onnx_DynamicQuantizeLinearOp : Onnx_TypedOp<"DynamicQuantizeLinear">, Onnx_Since<[11]> {
  let arguments = (ins Onnx_FloatTensor:$x);
  let results = (outs Onnx_IntTensor:$y, Onnx_FloatTensor:$y_scale, Onnx_IntTensor:$y_zero_point);
}

//===----------------------------------------------------------------------===//
// Nothing to compute
//===----------------------------------------------------------------------===//

def Onnx_IdentityOp : Onnx_TypedOp<"Identity">, Onnx_Since<[1, 13, 14, 16, 19, 21, 23, 24, 25]> {
  let arguments = (ins Onnx_Value:$input);
  let results = (outs Onnx_Value:$output);
  let hasFolder = 1;
}

/// In inference mode the identity, with a mask that is true everywhere.
def Onnx_DropoutOp : Onnx_TypedOp<"Dropout", [AttrSizedOperandSegments]>,
    Onnx_Limits<"no training mode that drops elements">,
    Onnx_Since<[1, 6, 7, 10, 12, 13, 22]> {
  let arguments = (ins Onnx_FloatTensor:$data, Optional<Onnx_FloatTensor>:$ratio,
                       Optional<Onnx_BoolTensor>:$training_mode, OptionalAttr<I64Attr>:$seed);
  let results = (outs Onnx_FloatTensor:$output, Onnx_BoolTensor:$mask);
  let moreClassDeclaration = [{
    /// Whether elements may be dropped: in training mode, with a ratio that is
    /// not known to be 0.
    bool drops();
    ::llvm::StringRef getUnsupported() {
      return drops() ? "input 'training_mode' is not known to be false, nor 'ratio' to be 0, and "
                       "elements are not dropped here"
                     : "";
    }
  }];
}

#endif // ONNXC_DIALECTS_ONNX_ONNXELEMENTWISEOPS_TD
