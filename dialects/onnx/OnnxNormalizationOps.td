// Operators that scale elements by statistics of their row, group or channel.
#ifndef ONNXC_DIALECTS_ONNX_ONNXNORMALIZATIONOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXNORMALIZATIONOPS_TD

include "dialects/onnx/OnnxBase.td"

/// The first result has the type of the first operand.
class Onnx_Normalization<string mnemonic, string input, string output, dag moreOperands = (ins),
                         dag attributes = (ins), list<Trait> traits = []>
    : Onnx_TypedOp<mnemonic, traits> {
  let arguments = !con(!dag(ins, [Onnx_FloatTensor], [input]), moreOperands, attributes);
  let results = !dag(outs, [Onnx_FloatTensor], [output]);
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      results.push_back(operands[0].getType());
      return check(location, Adaptor(operands, attributes, properties, regions));
    }
  }];
  let moreClassDeclaration = [{
    static ::llvm::LogicalResult check(::std::optional<::mlir::Location> location, Adaptor adaptor);
  }];
}

defvar lastAxis = (ins DefaultValuedAttr<I64Attr, "-1">:$axis);
defvar epsilon = (ins DefaultValuedAttr<F32Attr, "1e-05f">:$epsilon);
defvar stashType = (ins DefaultValuedAttr<I64Attr, "1">:$stash_type);

/// The rows along an axis, each for itself.
class Onnx_RowOp<string mnemonic>
    : Onnx_Normalization<mnemonic, "input", "output", (ins), lastAxis, [AxisOpInterface]>;

def Onnx_SoftmaxOp : Onnx_RowOp<"Softmax">, Onnx_Since<[1, 11, 13]>;
def Onnx_LogSoftmaxOp : Onnx_RowOp<"LogSoftmax">, Onnx_Since<[1, 11, 13]>;
def Onnx_HardmaxOp : Onnx_RowOp<"Hardmax">, Onnx_Since<[1, 11, 13]>;
def Onnx_LpNormalizationOp : Onnx_Normalization<"LpNormalization", "input", "output", (ins),
    !con(lastAxis, (ins DefaultValuedAttr<I64Attr, "2">:$p)), [AxisOpInterface]>,
    Onnx_Since<[1, 22]>;
def Onnx_MeanVarianceNormalizationOp : Onnx_Normalization<"MeanVarianceNormalization", "X", "Y",
    (ins), (ins DefaultValuedAttr<DenseI64ArrayAttr, "{0, 2, 3}">:$axes)>, Onnx_Since<[9, 13]>;
def Onnx_InstanceNormalizationOp : Onnx_Normalization<"InstanceNormalization", "input", "output",
    (ins Onnx_FloatTensor:$scale, Onnx_FloatTensor:$B), epsilon>, Onnx_Since<[1, 6, 22]>;
def Onnx_GroupNormalizationOp : Onnx_Normalization<"GroupNormalization", "X", "Y",
    (ins Onnx_FloatTensor:$scale, Onnx_FloatTensor:$bias),
    !con(epsilon, (ins I64Attr:$num_groups), stashType)>, Onnx_Since<[18, 21]>;
def Onnx_LRNOp : Onnx_Normalization<"LRN", "X", "Y", (ins),
    (ins DefaultValuedAttr<F32Attr, "0.0001f">:$alpha, DefaultValuedAttr<F32Attr, "0.75f">:$beta,
         DefaultValuedAttr<F32Attr, "1.0f">:$bias, I64Attr:$size)>, Onnx_Since<[1, 13]>;

def Onnx_LayerNormalizationOp : Onnx_TypedOp<"LayerNormalization">, Onnx_Since<[17]> {
  let arguments = !con((ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$Scale,
                            Optional<Onnx_FloatTensor>:$B), lastAxis, epsilon, stashType);
  let results = (outs Onnx_FloatTensor:$Y, Onnx_FloatTensor:$Mean, Onnx_FloatTensor:$InvStdDev);
}

def Onnx_RMSNormalizationOp : Onnx_TypedOp<"RMSNormalization">, Onnx_Since<[23]> {
  let arguments = !con((ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$scale), lastAxis, epsilon,
                       stashType);
  let results = (outs Onnx_FloatTensor:$Y);
}

/// Inference mode: the running statistics are inputs. In training mode the
/// batch's own are used, and the running ones come back updated.
def Onnx_BatchNormalizationOp : Onnx_TypedOp<"BatchNormalization",
    [DeclareOpInterfaceMethods<AffineOpInterface, ["getParameterDim"]>]>,
    Onnx_Since<[1, 6, 7, 9, 14, 15]> {
  let arguments = !con((ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$scale, Onnx_FloatTensor:$B,
                            Onnx_FloatTensor:$input_mean, Onnx_FloatTensor:$input_var), epsilon,
                       (ins DefaultValuedAttr<F32Attr, "0.9f">:$momentum,
                            DefaultValuedAttr<I64Attr, "0">:$training_mode));
  let results = (outs Onnx_FloatTensor:$Y, Onnx_FloatTensor:$running_mean,
                      Onnx_FloatTensor:$running_var);
}

#endif // ONNXC_DIALECTS_ONNX_ONNXNORMALIZATIONOPS_TD
