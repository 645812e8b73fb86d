// What convolutions and pools have in common.
#ifndef ONNXC_DIALECTS_ONNX_ONNXWINDOWBASE_TD
#define ONNXC_DIALECTS_ONNX_ONNXWINDOWBASE_TD

include "dialects/onnx/OnnxBase.td"

defvar windowAttributes = (ins
    DefaultValuedAttr<StrAttr, "\"NOTSET\"">:$auto_pad,
    OptionalAttr<DenseI64ArrayAttr>:$dilations,
    OptionalAttr<DenseI64ArrayAttr>:$pads,
    OptionalAttr<DenseI64ArrayAttr>:$strides);

#endif // ONNXC_DIALECTS_ONNX_ONNXWINDOWBASE_TD
