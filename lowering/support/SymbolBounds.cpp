//===- SymbolBounds.cpp - Between which numbers sizes lie -----------------===//
#include "lowering/support/SymbolBounds.h"
#include "dialects/rt/RtDialect.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace onnxc {

SymbolBounds::SymbolBounds(Operation *function) {
  auto names = function->getAttrOfType<ArrayAttr>(rt::attributes::symbols);
  auto ends = function->getParentOp()->getAttrOfType<DenseI64ArrayAttr>("onnx.symbol_bounds");
  if (!names)
    return;
  for (auto [i, name] : llvm::enumerate(names)) {
    onnx::DimBounds &own = bounds[cast<StringAttr>(name).getValue()];
    if (ends)
      own = {ends[2 * i], ends[2 * i + 1]};
  }
}

} // namespace onnxc
