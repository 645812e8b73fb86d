// Constants, shapes and data movement.
#ifndef ONNXC_DIALECTS_ONNX_ONNXTENSOROPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXTENSOROPS_TD

include "dialects/onnx/OnnxBase.td"
include "mlir/IR/BuiltinAttributes.td"

def Onnx_ConstantOp : Onnx_Op<"Constant", [Pure, ConstantLike]> {
  let summary = "A constant tensor";
  let description = [{
    `value` is a DenseElementsAttr for small tensors (at most 1 KiB; those are
    folded) or a DenseResourceElementsAttr for weights (never copied, printed or
    uniqued by content).
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Onnx_Tensor:$output);
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value)>];
  let assemblyFormat = "attr-dict `:` type($output)";
  let hasFolder = 1;
}

def Onnx_DimsOp : Onnx_Op<"Dims", [Pure]> {
  let summary = "An int64 tensor whose elements are dim expressions";
  let description = [{
    What shape arithmetic (Shape, Gather, Concat ...) folds to: the elements are
    known as expressions over the symbols. Rank 0 or 1. Not an ONNX operator.
  }];
  let arguments = (ins ArrayAttr:$dims);
  let results = (outs Onnx_Tensor:$output);
  let assemblyFormat = "$dims attr-dict `:` type($output)";
}

#endif // ONNXC_DIALECTS_ONNX_ONNXTENSOROPS_TD
