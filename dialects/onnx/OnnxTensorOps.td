// Constants, shapes and data movement without index tensors.
#ifndef ONNXC_DIALECTS_ONNX_ONNXTENSOROPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXTENSOROPS_TD

include "dialects/onnx/OnnxBase.td"
include "mlir/IR/BuiltinAttributes.td"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def Onnx_ConstantOp : Onnx_Op<"Constant", [Pure, ConstantLike]>,
    Onnx_Since<[1, 9, 11, 12, 13, 19, 21, 23, 24, 25]> {
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

def Onnx_RefineOp : Onnx_Op<"Refine", [Pure]> {
  let summary = "The same tensor with other expressions for its dims";
  let description = [{
    For an input dim that the model gives as an expression ("past + 1"): the
    argument has a symbol of its own there, and the run checks that both are
    equal. Also for a dim that must have a certain size. Not an ONNX operator.
  }];
  let arguments = (ins Onnx_Tensor:$data);
  let results = (outs Onnx_Tensor:$refined);
  let assemblyFormat = "`(` $data `)` attr-dict `:` functional-type($data, $refined)";
}

def Onnx_DimsOp : Onnx_Op<"Dims", [Pure]> {
  let summary = "An integer tensor whose elements are dim expressions";
  let description = [{
    What shape arithmetic (Shape, Gather, Concat ...) folds to: the elements are
    known as expressions over the symbols, in row-major order. Static shape. Not
    an ONNX operator. No ConstantLike: it must stay below the op that binds its
    symbols.
  }];
  let arguments = (ins ArrayAttr:$dims);
  let results = (outs Onnx_Tensor:$output);
  let assemblyFormat = "$dims attr-dict `:` type($output)";
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def Onnx_ShapeOp : Onnx_RuleOp<"Shape", [DeclareOpInterfaceMethods<ShapeValueOpInterface>]>,
    Onnx_Since<[1, 13, 15, 19, 21, 23, 24, 25]> {
  let arguments = (ins Onnx_Tensor:$data, OptionalAttr<I64Attr>:$end,
                       DefaultValuedAttr<I64Attr, "0">:$start);
  let results = (outs Onnx_I64Tensor:$shape);
}

def Onnx_SizeOp : Onnx_RuleOp<"Size", [DeclareOpInterfaceMethods<ShapeValueOpInterface>]>,
    Onnx_Since<[1, 13, 19, 21, 23, 24, 25]> {
  let arguments = (ins Onnx_Tensor:$data);
  let results = (outs Onnx_I64Tensor:$size);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

def Onnx_ReshapeOp : Onnx_MovementOp<"Reshape", ["getUnchanged"]>,
    Onnx_Limits<"the number of dims is known">,
    Onnx_Since<[1, 5, 13, 14, 19, 21, 23, 24, 25]> {
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$shape,
                       DefaultValuedAttr<I64Attr, "0">:$allowzero);
  let results = (outs Onnx_Tensor:$reshaped);
  let hasCanonicalizer = 1;
}

def Onnx_FlattenOp : Onnx_MovementOp<"Flatten", ["getUnchanged"]>,
    Onnx_Since<[1, 9, 11, 13, 21, 23, 24, 25]> {
  let arguments = (ins Onnx_Tensor:$input, DefaultValuedAttr<I64Attr, "1">:$axis);
  let results = (outs Onnx_Tensor:$output);
  let hasCanonicalizer = 1;
}

def Onnx_SqueezeOp : Onnx_MovementOp<"Squeeze", ["getUnchanged"]>,
    Onnx_Since<[1, 11, 13, 21, 23, 24, 25]> {
  let description = [{
    Without `axes` every dim that is constantly 1 goes. With axes that only the
    run knows all dims of the result are fresh symbols.
  }];
  let arguments = (ins Onnx_Tensor:$data, Optional<Onnx_I64Tensor>:$axes);
  let results = (outs Onnx_Tensor:$squeezed);
  let hasCanonicalizer = 1;
}

def Onnx_UnsqueezeOp : Onnx_MovementOp<"Unsqueeze", ["getUnchanged"]>,
    Onnx_Since<[1, 11, 13, 21, 23, 24, 25]> {
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$axes);
  let results = (outs Onnx_Tensor:$expanded);
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

def Onnx_TransposeOp : Onnx_MovementOp<"Transpose", ["getUnchanged"]>,
    Onnx_Since<[1, 13, 21, 23, 24, 25]> {
  let arguments = (ins Onnx_Tensor:$data, OptionalAttr<DenseI64ArrayAttr>:$perm);
  let results = (outs Onnx_Tensor:$transposed);
  let hasCanonicalizer = 1;
  let moreClassDeclaration = [{
    /// The permutation, reversal when the attribute is absent.
    ::llvm::SmallVector<int64_t> getPermutation();
  }];
}

def Onnx_ConcatOp : Onnx_MovementOp<"Concat", ["getUnchanged"],
    [DeclareOpInterfaceMethods<AxisOpInterface, ["getDataOperands"]>]>, Onnx_Since<[1, 4, 11, 13]> {
  let arguments = (ins Variadic<Onnx_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Onnx_Tensor:$concat_result);
}

def Onnx_SplitOp : Onnx_RuleOp<"Split", [DeclareOpInterfaceMethods<MovementOpInterface>]>,
    Onnx_Since<[1, 2, 11, 13, 18]> {
  let description = [{
    The number of results is the length of `split`, else `num_outputs`, which the
    importer fills in for the older form that has neither.
  }];
  let arguments = (ins Onnx_Tensor:$input, Optional<Onnx_I64Tensor>:$split,
                       OptionalAttr<I64Attr>:$num_outputs,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Variadic<Onnx_Tensor>:$outputs);
  let hasCanonicalizer = 1;
}

def Onnx_SliceOp : Onnx_MovementOp<"Slice", ["getUnchanged"], [AttrSizedOperandSegments]>,
    Onnx_Since<[1, 10, 11, 13]> {
  let arguments = (ins Onnx_Tensor:$data, Onnx_IntTensor:$starts, Onnx_IntTensor:$ends,
                       Optional<Onnx_IntTensor>:$axes, Optional<Onnx_IntTensor>:$steps);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_ExpandOp : Onnx_MovementOp<"Expand", ["getUnchanged"]>, Onnx_Since<[8, 13]> {
  let arguments = (ins Onnx_Tensor:$input, Onnx_I64Tensor:$shape);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_TileOp : Onnx_MovementOp<"Tile", ["getUnchanged"]>, Onnx_Since<[1, 6, 13]> {
  let arguments = (ins Onnx_Tensor:$input, Onnx_I64Tensor:$repeats);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_PadOp : Onnx_MovementOp<"Pad", ["getUnchanged"], [AttrSizedOperandSegments]>,
    Onnx_Since<[1, 2, 11, 13, 18, 19, 21, 23, 24, 25]> {
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$pads,
                       Optional<Onnx_Tensor>:$constant_value, Optional<Onnx_IntTensor>:$axes,
                       DefaultValuedAttr<StrAttr, "\"constant\"">:$mode);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_CenterCropPadOp : Onnx_MovementOp<"CenterCropPad", ["getUnchanged"]>, Onnx_Since<[18]> {
  let arguments = (ins Onnx_Tensor:$input_data, Onnx_IntTensor:$shape,
                       OptionalAttr<DenseI64ArrayAttr>:$axes);
  let results = (outs Onnx_Tensor:$output_data);
}

def Onnx_TriluOp : Onnx_MovementOp<"Trilu">, Onnx_Since<[14]> {
  let arguments = (ins Onnx_Tensor:$input, Optional<Onnx_I64Tensor>:$k,
                       DefaultValuedAttr<I64Attr, "1">:$upper);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_DepthToSpaceOp : Onnx_MovementOp<"DepthToSpace", ["getUnchanged"]>,
    Onnx_Since<[1, 11, 13, 28]> {
  let arguments = (ins Onnx_Tensor:$input, DefaultValuedAttr<StrAttr, "\"DCR\"">:$mode,
                       I64Attr:$blocksize);
  let results = (outs Onnx_Tensor:$output);
  let hasCanonicalizer = 1;
}

def Onnx_SpaceToDepthOp : Onnx_MovementOp<"SpaceToDepth", ["getUnchanged"]>,
    Onnx_Since<[1, 13, 28]> {
  let arguments = (ins Onnx_Tensor:$input, DefaultValuedAttr<StrAttr, "\"DCR\"">:$mode,
                       I64Attr:$blocksize);
  let results = (outs Onnx_Tensor:$output);
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Generated values
//===----------------------------------------------------------------------===//

def Onnx_RangeOp : Onnx_RuleOp<"Range", [DeclareOpInterfaceMethods<ShapeValueOpInterface>]>,
    Onnx_Since<[11, 27]> {
  let arguments = (ins Onnx_NumericTensor:$start, Onnx_NumericTensor:$limit,
                       Onnx_NumericTensor:$delta, DefaultValuedAttr<I64Attr, "1">:$stash_type);
  let results = (outs Onnx_NumericTensor:$output);
  let hasFolder = 1;
}

def Onnx_ConstantOfShapeOp
    : Onnx_RuleOp<"ConstantOfShape", [DeclareOpInterfaceMethods<ShapeValueOpInterface>]>,
    Onnx_Limits<"the number of dims is known">,
    Onnx_Since<[9, 20, 21, 23, 24, 25]> {
  let arguments = (ins Onnx_I64Tensor:$input, OptionalAttr<ElementsAttr>:$value);
  let results = (outs Onnx_Tensor:$output);
  let hasFolder = 1;
}

def Onnx_EyeLikeOp : Onnx_RuleOp<"EyeLike">, Onnx_Since<[9, 22]> {
  let arguments = (ins Onnx_Tensor:$input, OptionalAttr<I64Attr>:$dtype,
                       DefaultValuedAttr<I64Attr, "0">:$k);
  let results = (outs Onnx_Tensor:$output);
}

#endif // ONNXC_DIALECTS_ONNX_ONNXTENSOROPS_TD
