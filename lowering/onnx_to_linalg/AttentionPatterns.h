//===- AttentionPatterns.h - Attention to rt.attention --------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_ATTENTIONPATTERNS_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_ATTENTIONPATTERNS_H

#include "mlir/Transforms/DialectConversion.h"

namespace onnxc {

void populateAttentionPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_ATTENTIONPATTERNS_H
