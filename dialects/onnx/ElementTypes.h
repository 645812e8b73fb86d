//===- ElementTypes.h - TensorProto.DataType and MLIR types --------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_ELEMENTTYPES_H
#define ONNXC_DIALECTS_ONNX_ELEMENTTYPES_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace onnxc::onnx {

/// The element type that a TensorProto.DataType number names; null when the
/// number is none.
mlir::Type elementTypeOf(mlir::MLIRContext *context, int64_t dataType);
/// The TensorProto.DataType number of an element type; 0 (undefined) when ONNX
/// has none.
int64_t dataTypeOf(mlir::Type elementType);

/// Elements of 2 or 4 bits (`bits`), which share bytes as ONNX lays them out, to one byte
/// for each of `count` elements, as MLIR's dense attributes have them, and back.
llvm::SmallVector<char> unpackElements(llvm::ArrayRef<char> bytes, int64_t count, unsigned bits);
std::string packElements(llvm::ArrayRef<char> elements, unsigned bits);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_ELEMENTTYPES_H
