//===- Origins.h - Which onnx op something comes from ----------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_ORIGINS_H
#define ONNXC_LOWERING_SUPPORT_ORIGINS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"

namespace onnxc {

/// The location with a number that tells one onnx op from all others: the lowering
/// gives each its own, and so all that it becomes. Names of nodes need not differ.
inline mlir::Location withOrigin(mlir::Location loc, int64_t number) {
  auto type = mlir::IntegerType::get(loc.getContext(), 64);
  return mlir::FusedLoc::get(loc.getContext(), loc, mlir::IntegerAttr::get(type, number));
}

/// That number; nothing for what does not come from one onnx op alone.
inline std::optional<int64_t> getOrigin(mlir::Location loc) {
  auto fused = llvm::dyn_cast<mlir::FusedLoc>(loc);
  auto number =
      fused ? llvm::dyn_cast_or_null<mlir::IntegerAttr>(fused.getMetadata()) : mlir::IntegerAttr();
  return number ? std::optional<int64_t>(number.getInt()) : std::nullopt;
}

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_ORIGINS_H
