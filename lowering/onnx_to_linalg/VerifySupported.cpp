//===- VerifySupported.cpp - Report the ops that nothing lowers ------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/Passes.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

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
    return names.contains(op->getName()) ||
           llvm::any_of(interfaces, [&](TypeID id) { return op->getName().hasInterface(id); });
  }

private:
  llvm::DenseSet<OperationName> names;
  SmallVector<TypeID> interfaces;
};

/// Whether values of this type can be lowered: ranked tensors of bool and of elements
/// that take 2 or 4 bits or whole bytes.
bool isLowered(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return isa<NoneType>(type);
  Type element = tensor.getElementType();
  if (!element.isIntOrFloat())
    return false;
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits <= 64 && (bits <= 2 || bits == 4 || bits % 8 == 0);
}

/// One error for what the op says itself, or for its first value that cannot be lowered.
LogicalResult verifyLowered(Operation *op) {
  auto onnxOp = dyn_cast<onnx::OnnxOpInterface>(op);
  if (StringRef reason = onnxOp ? onnxOp.getUnsupported() : ""; !reason.empty())
    return emitError(op->getLoc())
           << "operator '" << op->getName().stripDialect() << "' is not supported: " << reason;
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types)
    if (!isLowered(type))
      return emitError(op->getLoc())
             << "operator '" << op->getName().stripDialect() << "' on " << type
             << " is not supported: expected tensors of bool or of 2-, 4- or 8- to 64-bit integers "
                "or floats";
  return success();
}

struct VerifySupported : impl::VerifySupportedBase<VerifySupported> {
  using Base::Base;

  void runOnOperation() override {
    LoweredOps lowered(&getContext());
    getOperation().walk([&](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op)) {
        for (Type type :
             llvm::concat<const Type>(function.getArgumentTypes(), function.getResultTypes()))
          if (!isLowered(type)) {
            emitError(op->getLoc())
                << "an input or output is " << type << ", which is not supported";
            return signalPassFailure();
          }
        return;
      }
      if (!isa_and_nonnull<onnx::OnnxDialect>(op->getDialect()) ||
          op->hasTrait<OpTrait::IsTerminator>())
        return;
      if (lowered.contains(op)) {
        if (failed(verifyLowered(op)))
          signalPassFailure();
        return;
      }
      reportUnsupported(op);
      signalPassFailure();
    });
  }
};

} // namespace
void reportUnsupported(Operation *op) {
  emitError(op->getLoc()) << "operator '" << op->getName().stripDialect() << "' is not supported";
}

} // namespace onnxc
