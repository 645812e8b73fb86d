//===- VerifySupported.cpp - Report the ops that nothing lowers ------------===//
#include "dialects/onnx/OnnxDialect.h"
#include "lowering/Passes.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_VERIFYSUPPORTED
#include "lowering/Passes.h.inc"

namespace {

/// What the patterns of the lowering match, by op or by interface.
class LoweredOps {
public:
  explicit LoweredOps(MLIRContext *context) {
    TypeConverter converter;
    RewritePatternSet patterns(context);
    populateOnnxToLinalgPatterns(converter, patterns);
    for (const auto &pattern : patterns.getNativePatterns()) {
      if (std::optional<OperationName> name = pattern->getRootKind())
        names.insert(*name);
      else if (std::optional<TypeID> interface = pattern->getRootInterfaceID())
        interfaces.push_back(*interface);
    }
  }

  bool contains(Operation *op) const {
    return names.contains(op->getName()) || llvm::any_of(interfaces, [&](TypeID id) {
             return op->getName().hasInterface(id);
           });
  }

private:
  llvm::DenseSet<OperationName> names;
  SmallVector<TypeID> interfaces;
};

struct VerifySupported : impl::VerifySupportedBase<VerifySupported> {
  using Base::Base;

  void runOnOperation() override {
    LoweredOps lowered(&getContext());
    getOperation().walk([&](Operation *op) {
      if (!isa_and_nonnull<onnx::OnnxDialect>(op->getDialect()) ||
          op->hasTrait<OpTrait::IsTerminator>() || lowered.contains(op))
        return;
      reportUnsupported(op);
      signalPassFailure();
    });
  }
};

} // namespace
void reportUnsupported(Operation *op) {
  InFlightDiagnostic error = emitError(op->getLoc());
  error << "operator '" << op->getName().stripDialect() << "'";
  if (std::string name = nodeName(op->getLoc()); !name.empty())
    error << " of node '" << name << "'";
  error << " is not supported";
}

} // namespace onnxc
