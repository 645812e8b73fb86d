// Pools, a reduction over a sliding or global window, and sampling of images.
#ifndef ONNXC_DIALECTS_ONNX_ONNXWINDOWOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXWINDOWOPS_TD

include "dialects/onnx/OnnxWindowBase.td"

defvar poolAttributes = !con(windowAttributes, (ins
    DenseI64ArrayAttr:$kernel_shape, DefaultValuedAttr<I64Attr, "0">:$ceil_mode,
    Onnx_ChannelsLastAttr:$channels_last));

def Onnx_MaxPoolOp : Onnx_TypedOp<"MaxPool",
    [DeclareOpInterfaceMethods<ImageOpInterface, ["allowsChannelsLast"]>]>,
    Onnx_Since<[1, 8, 10, 11, 12, 22]> {
  let summary = "Maximum over a sliding window";
  let description = [{
    `Indices` are flat positions in the [N, C, spatial...] tensor, so that an op
    whose indices are used keeps that layout.
  }];
  let arguments = !con((ins Onnx_NumericTensor:$X), poolAttributes,
                       (ins DefaultValuedAttr<I64Attr, "0">:$storage_order));
  let results = (outs Onnx_NumericTensor:$Y, Onnx_I64Tensor:$Indices);
}

def Onnx_AveragePoolOp : Onnx_TypedOp<"AveragePool", [ImageOpInterface]>,
    Onnx_Since<[1, 7, 10, 11, 19, 22]> {
  let summary = "Mean over a sliding window";
  let arguments = !con((ins Onnx_FloatTensor:$X), poolAttributes,
                       (ins DefaultValuedAttr<I64Attr, "0">:$count_include_pad));
  let results = (outs Onnx_FloatTensor:$Y);
}

def Onnx_LpPoolOp : Onnx_TypedOp<"LpPool", [ImageOpInterface]>, Onnx_Since<[1, 2, 11, 18, 22]> {
  let summary = "Lp norm over a sliding window";
  let arguments = !con((ins Onnx_FloatTensor:$X), poolAttributes,
                       (ins DefaultValuedAttr<I64Attr, "2">:$p));
  let results = (outs Onnx_FloatTensor:$Y);
}

/// A reduction over all spatial axes, which stay as dims of size 1.
class Onnx_GlobalPool<string mnemonic, dag attributes = (ins)>
    : Onnx_TypedOp<mnemonic, [ImageOpInterface]> {
  let arguments = !con((ins Onnx_FloatTensor:$X), attributes, (ins Onnx_ChannelsLastAttr:$channels_last));
  let results = (outs Onnx_FloatTensor:$Y);
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      Adaptor adaptor(operands, attributes, properties, regions);
      return ::onnxc::onnx::inferGlobalPool(location, adaptor.getX(), adaptor.getChannelsLast(),
                                            results);
    }
  }];
}

def Onnx_GlobalAveragePoolOp : Onnx_GlobalPool<"GlobalAveragePool">, Onnx_Since<[1, 22]>;
def Onnx_GlobalMaxPoolOp : Onnx_GlobalPool<"GlobalMaxPool">, Onnx_Since<[1, 22]>;
def Onnx_GlobalLpPoolOp
    : Onnx_GlobalPool<"GlobalLpPool", (ins DefaultValuedAttr<I64Attr, "2">:$p)>,
    Onnx_Since<[1, 2, 22]>;

def Onnx_MaxUnpoolOp : Onnx_RuleOp<"MaxUnpool">, Onnx_Since<[9, 11, 22]> {
  let summary = "Puts the maxima of a MaxPool back to their places";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_I64Tensor:$I, Optional<Onnx_I64Tensor>:$output_shape,
                       DenseI64ArrayAttr:$kernel_shape, OptionalAttr<DenseI64ArrayAttr>:$pads,
                       OptionalAttr<DenseI64ArrayAttr>:$strides);
  let results = (outs Onnx_FloatTensor:$output);
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Sampling
//===----------------------------------------------------------------------===//

def Onnx_ResizeOp : Onnx_RuleOp<"Resize", [AttrSizedOperandSegments, ImageOpInterface]>,
    Onnx_Since<[10, 11, 13, 18, 19]> {
  let summary = "Resampling of a tensor to other sizes";
  let description = [{
    `axes`, `scales`, `sizes` and `roi` count dims as [N, C, spatial...] in either
    layout of the data.
  }];
  let arguments = (ins Onnx_Tensor:$X, Optional<Onnx_FloatTensor>:$roi,
                       Optional<Onnx_FloatTensor>:$scales, Optional<Onnx_I64Tensor>:$sizes,
                       DefaultValuedAttr<I64Attr, "0">:$antialias,
                       OptionalAttr<DenseI64ArrayAttr>:$axes,
                       DefaultValuedAttr<StrAttr, "\"half_pixel\"">:$coordinate_transformation_mode,
                       DefaultValuedAttr<F32Attr, "-0.75f">:$cubic_coeff_a,
                       DefaultValuedAttr<I64Attr, "0">:$exclude_outside,
                       DefaultValuedAttr<F32Attr, "0.0f">:$extrapolation_value,
                       DefaultValuedAttr<StrAttr, "\"stretch\"">:$keep_aspect_ratio_policy,
                       DefaultValuedAttr<StrAttr, "\"nearest\"">:$mode,
                       DefaultValuedAttr<StrAttr, "\"round_prefer_floor\"">:$nearest_mode,
                       Onnx_ChannelsLastAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_GridSampleOp : Onnx_TypedOp<"GridSample", [DeclareOpInterfaceMethods<SizeRulesOpInterface>]>,
    Onnx_Since<[16, 20, 22]> {
  let summary = "Samples an image at the places that a grid gives";
  let arguments = (ins Onnx_Tensor:$X, Onnx_FloatTensor:$grid,
                       DefaultValuedAttr<I64Attr, "0">:$align_corners,
                       DefaultValuedAttr<StrAttr, "\"linear\"">:$mode,
                       DefaultValuedAttr<StrAttr, "\"zeros\"">:$padding_mode);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_AffineGridOp : Onnx_RuleOp<"AffineGrid", [DeclareOpInterfaceMethods<SizeRulesOpInterface>]>,
    Onnx_Since<[20]> {
  let summary = "The grid that an affine map of the unit square gives";
  let arguments = (ins Onnx_FloatTensor:$theta, Onnx_I64Tensor:$size,
                       DefaultValuedAttr<I64Attr, "0">:$align_corners);
  let results = (outs Onnx_FloatTensor:$grid);
}

#endif // ONNXC_DIALECTS_ONNX_ONNXWINDOWOPS_TD
