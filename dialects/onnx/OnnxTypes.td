// Types of the onnx dialect that are no tensors.
#ifndef ONNXC_DIALECTS_ONNX_ONNXTYPES_TD
#define ONNXC_DIALECTS_ONNX_ONNXTYPES_TD

include "dialects/onnx/OnnxBase.td"
include "mlir/IR/AttrTypeBase.td"

def Onnx_StringType : TypeDef<Onnx_Dialect, "String"> {
  let mnemonic = "string";
  let summary = "The element type of string tensors";
}

def Onnx_SeqType : TypeDef<Onnx_Dialect, "Seq"> {
  let mnemonic = "seq";
  let summary = "A sequence of values of one type";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Onnx_OptType : TypeDef<Onnx_Dialect, "Opt"> {
  let mnemonic = "opt";
  let summary = "A value that may be absent";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

#endif // ONNXC_DIALECTS_ONNX_ONNXTYPES_TD
