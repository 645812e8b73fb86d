// Pools: a reduction over a sliding or global window.
#ifndef ONNXC_DIALECTS_ONNX_ONNXWINDOWOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXWINDOWOPS_TD

include "dialects/onnx/OnnxWindowBase.td"

defvar poolAttributes = !con(windowAttributes, (ins
    DenseI64ArrayAttr:$kernel_shape, DefaultValuedAttr<I64Attr, "0">:$ceil_mode,
    UnitAttr:$channels_last));

def Onnx_MaxPoolOp : Onnx_TypedOp<"MaxPool",
    [DeclareOpInterfaceMethods<ImageOpInterface, ["allowsChannelsLast"]>]> {
  let summary = "Maximum over a sliding window";
  let description = [{
    `Indices` are flat positions in the [N, C, spatial...] tensor, so that an op
    whose indices are used keeps that layout.
  }];
  let arguments = !con((ins Onnx_NumericTensor:$X), poolAttributes,
                       (ins DefaultValuedAttr<I64Attr, "0">:$storage_order));
  let results = (outs Onnx_NumericTensor:$Y, Onnx_I64Tensor:$Indices);
}

def Onnx_AveragePoolOp : Onnx_TypedOp<"AveragePool", [ImageOpInterface]> {
  let summary = "Mean over a sliding window";
  let arguments = !con((ins Onnx_FloatTensor:$X), poolAttributes,
                       (ins DefaultValuedAttr<I64Attr, "0">:$count_include_pad));
  let results = (outs Onnx_FloatTensor:$Y);
}

def Onnx_LpPoolOp : Onnx_TypedOp<"LpPool", [ImageOpInterface]> {
  let summary = "Lp norm over a sliding window";
  let arguments = !con((ins Onnx_FloatTensor:$X), poolAttributes,
                       (ins DefaultValuedAttr<I64Attr, "2">:$p));
  let results = (outs Onnx_FloatTensor:$Y);
}

/// A reduction over all spatial axes, which stay as dims of size 1.
class Onnx_GlobalPool<string mnemonic, dag attributes = (ins)>
    : Onnx_TypedOp<mnemonic, [ImageOpInterface]> {
  let arguments = !con((ins Onnx_FloatTensor:$X), attributes, (ins UnitAttr:$channels_last));
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

def Onnx_GlobalAveragePoolOp : Onnx_GlobalPool<"GlobalAveragePool">;
def Onnx_GlobalMaxPoolOp : Onnx_GlobalPool<"GlobalMaxPool">;
def Onnx_GlobalLpPoolOp
    : Onnx_GlobalPool<"GlobalLpPool", (ins DefaultValuedAttr<I64Attr, "2">:$p)>;

#endif // ONNXC_DIALECTS_ONNX_ONNXWINDOWOPS_TD
