//===- ElementTypes.h - TensorProto.DataType and MLIR types --------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_ELEMENTTYPES_H
#define ONNXC_DIALECTS_ONNX_ELEMENTTYPES_H

#include "mlir/IR/Types.h"
#include <cstdint>

namespace onnxc::onnx {

/// The element type that a TensorProto.DataType number names; null when the
/// number is none.
mlir::Type elementTypeOf(mlir::MLIRContext *context, int64_t dataType);
/// The TensorProto.DataType number of an element type; 0 (undefined) when ONNX
/// has none.
int64_t dataTypeOf(mlir::Type elementType);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_ELEMENTTYPES_H
