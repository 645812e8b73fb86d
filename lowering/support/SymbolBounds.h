//===- SymbolBounds.h - Between which numbers sizes lie -------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_SYMBOLBOUNDS_H
#define ONNXC_LOWERING_SUPPORT_SYMBOLBOUNDS_H

#include "dialects/onnx/DimAnalysis.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

namespace onnxc {

/// The symbols of the inputs, as they stand at the main function, with the bounds that
/// the user gave them (`onnx.symbol_bounds` of the module). Other symbols are at least 0.
class SymbolBounds {
public:
  SymbolBounds() = default;
  explicit SymbolBounds(mlir::Operation *function);

  /// Whether it is a symbol of the inputs.
  bool contains(llvm::StringRef symbol) const { return bounds.contains(symbol); }
  onnx::DimBounds of(llvm::StringRef symbol) const { return bounds.lookup(symbol); }
  onnx::DimBounds of(onnx::DimExpr dim) const {
    return onnx::boundsOf(dim, [&](llvm::StringRef symbol) { return of(symbol); });
  }

private:
  llvm::StringMap<onnx::DimBounds> bounds;
};

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_SYMBOLBOUNDS_H
