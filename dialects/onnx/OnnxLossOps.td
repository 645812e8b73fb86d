// Losses of classification, and the windows of signal processing.
#ifndef ONNXC_DIALECTS_ONNX_ONNXLOSSOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXLOSSOPS_TD

include "dialects/onnx/OnnxBase.td"

defvar lossAttributes = (ins OptionalAttr<I64Attr>:$ignore_index,
                             DefaultValuedAttr<StrAttr, "\"mean\"">:$reduction);

/// -input[n, target[n, d...], d...] * weight[target[n, d...]], or its sum or mean.
def Onnx_NegativeLogLikelihoodLossOp : Onnx_TypedOp<"NegativeLogLikelihoodLoss",
                                                    [DeclareOpInterfaceMethods<SizeRulesOpInterface>]>,
    Onnx_Since<[12, 13, 22]> {
  let arguments = !con((ins Onnx_FloatTensor:$input, Onnx_IntTensor:$target,
                            Optional<Onnx_FloatTensor>:$weight), lossAttributes);
  let results = (outs Onnx_FloatTensor:$loss);
}

/// The same of LogSoftmax(scores), which is the second result.
def Onnx_SoftmaxCrossEntropyLossOp : Onnx_TypedOp<"SoftmaxCrossEntropyLoss">, Onnx_Since<[12, 13]> {
  let arguments = !con((ins Onnx_FloatTensor:$scores, Onnx_IntTensor:$labels,
                            Optional<Onnx_FloatTensor>:$weights), lossAttributes);
  let results = (outs Onnx_FloatTensor:$output, Onnx_FloatTensor:$log_prob);
}

/// a - b * cos(2 pi n / N) + c * cos(4 pi n / N), with N one less unless periodic.
class Onnx_SignalWindow<string mnemonic, string a, string b, string c>
    : Onnx_RuleOp<mnemonic, [DeclareOpInterfaceMethods<SignalWindowOpInterface>]> {
  let arguments = (ins Onnx_IntTensor:$size, DefaultValuedAttr<I64Attr, "1">:$output_datatype,
                       DefaultValuedAttr<I64Attr, "1">:$periodic);
  let results = (outs Onnx_NumericTensor:$output);
  let extraClassDefinition = effectDefinition # [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      return ::onnxc::onnx::inferSignalWindow(location, adaptor.getSize(),
                                              adaptor.getOutputDatatype(), results);
    }
    ::llvm::SmallVector<double> $cppClass::getCoefficients() {
      return }] # "{" # a # ", " # b # ", " # c # "}" # [{;
    }
    bool $cppClass::isPeriodic() { return getPeriodic() != 0; }
  }];
}

def Onnx_HannWindowOp : Onnx_SignalWindow<"HannWindow", "0.5", "0.5", "0">, Onnx_Since<[17]>;
def Onnx_HammingWindowOp : Onnx_SignalWindow<"HammingWindow", "25.0 / 46", "21.0 / 46", "0">,
    Onnx_Since<[17]>;
def Onnx_BlackmanWindowOp : Onnx_SignalWindow<"BlackmanWindow", "0.42", "0.5", "0.08">,
    Onnx_Since<[17]>;

#endif // ONNXC_DIALECTS_ONNX_ONNXLOSSOPS_TD
