//===- OnnxShapes.h - Shared shape rules --------------------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_ONNXSHAPES_H
#define ONNXC_DIALECTS_ONNX_ONNXSHAPES_H

#include "dialects/onnx/OnnxOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace onnxc::onnx {

/// One result: the broadcast shape of all operands with this element type.
mlir::LogicalResult inferBroadcastTypes(std::optional<mlir::Location> location,
                                        mlir::ValueRange operands, mlir::Type elementType,
                                        llvm::SmallVectorImpl<mlir::Type> &results);

/// An error unless a string attribute is one of those allowed.
mlir::LogicalResult checkChoice(std::optional<mlir::Location> location, llvm::StringRef name,
                                llvm::StringRef value, llvm::ArrayRef<llvm::StringRef> allowed);

/// The elements of a float tensor, truncated to integers, when they follow exactly
/// from dim expressions; nothing otherwise.
std::optional<ShapeValue> truncateToShapeValue(mlir::Value floats);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_ONNXSHAPES_H
