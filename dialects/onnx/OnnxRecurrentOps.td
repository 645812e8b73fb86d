// Recurrent networks.
#ifndef ONNXC_DIALECTS_ONNX_ONNXRECURRENTOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXRECURRENTOPS_TD

include "dialects/onnx/OnnxBase.td"

/// X (sequence, batch, input), or batch first with layout 1; W and R hold the
/// gates of each direction. The results are all hidden states, and the last ones.
class Onnx_Recurrent<string mnemonic, dag moreOperands, dag moreAttributes, dag moreResults>
    : Onnx_TypedOp<mnemonic, [AttrSizedOperandSegments]> {
  let arguments = !con(
      (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_FloatTensor:$R,
           Optional<Onnx_FloatTensor>:$B, Optional<Onnx_IntTensor>:$sequence_lens,
           Optional<Onnx_FloatTensor>:$initial_h),
      moreOperands,
      (ins OptionalAttr<DenseF32ArrayAttr>:$activation_alpha,
           OptionalAttr<DenseF32ArrayAttr>:$activation_beta, OptionalAttr<StrArrayAttr>:$activations,
           OptionalAttr<F32Attr>:$clip, DefaultValuedAttr<StrAttr, "\"forward\"">:$direction,
           OptionalAttr<I64Attr>:$hidden_size, DefaultValuedAttr<I64Attr, "0">:$layout),
      moreAttributes);
  let results = !con((outs Onnx_FloatTensor:$Y, Onnx_FloatTensor:$Y_h), moreResults);
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      Adaptor adaptor(operands, attributes, properties, regions);
      return ::onnxc::onnx::inferRecurrent(location, adaptor.getX(), adaptor.getR(),
          adaptor.getDirection(), adaptor.getHiddenSize(), adaptor.getLayout() != 0, /*gates=*/}] #
      !cond(!eq(mnemonic, "LSTM") : "4", !eq(mnemonic, "GRU") : "3", true : "1") # [{,
          /*states=*/}] # !if(!eq(mnemonic, "LSTM"), "2", "1") # [{, results);
    }
  }];
}

def Onnx_RNNOp : Onnx_Recurrent<"RNN", (ins), (ins), (outs)>, Onnx_Since<[1, 7, 14, 22]>;
def Onnx_GRUOp : Onnx_Recurrent<"GRU", (ins),
    (ins DefaultValuedAttr<I64Attr, "0">:$linear_before_reset), (outs)>,
    Onnx_Since<[1, 3, 7, 14, 22]>;
def Onnx_LSTMOp : Onnx_Recurrent<"LSTM",
    (ins Optional<Onnx_FloatTensor>:$initial_c, Optional<Onnx_FloatTensor>:$P),
    (ins DefaultValuedAttr<I64Attr, "0">:$input_forget), (outs Onnx_FloatTensor:$Y_c)>,
    Onnx_Since<[1, 7, 14, 22]>;

#endif // ONNXC_DIALECTS_ONNX_ONNXRECURRENTOPS_TD
