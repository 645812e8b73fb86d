// Attributes of the onnx dialect: symbolic dims and shapes.
#ifndef ONNXC_DIALECTS_ONNX_ONNXATTRIBUTES_TD
#define ONNXC_DIALECTS_ONNX_ONNXATTRIBUTES_TD

include "dialects/onnx/OnnxBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"

def Onnx_DimExprAttr : AttrDef<Onnx_Dialect, "DimExpr"> {
  let mnemonic = "dim";
  let summary = "A node of a canonical dim expression";
  let description = [{
    Written `#onnx.dim<"2*batch+1">`. Built and read through the C++ class
    `DimExpr`, which keeps the canonical form.
  }];
  let parameters = (ins "unsigned":$kind, "int64_t":$value,
                        StringRefParameter<"symbol name">:$name,
                        ArrayRefParameter<"::mlir::Attribute">:$operands);
  let hasCustomAssemblyFormat = 1;
}

def Onnx_ShapeAttr : AttrDef<Onnx_Dialect, "Shape",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "shape";
  let summary = "The dims of a tensor type with symbols, as its encoding";
  let description = [{
    `tensor<?x3x?xf32, #onnx.shape<["n", 3, "2*w"]>>`. Present exactly when a dim
    is dynamic.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute">:$dims);
  let hasCustomAssemblyFormat = 1;
}

#endif // ONNXC_DIALECTS_ONNX_ONNXATTRIBUTES_TD
