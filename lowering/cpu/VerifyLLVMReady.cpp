//===- VerifyLLVMReady.cpp - The contract after the last lowering ---------===//
#include "lowering/cpu/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace onnxc::cpu {

#define GEN_PASS_DEF_VERIFYLLVMREADY
#include "lowering/cpu/Passes.h.inc"

/// Vectors may be this many registers wide: a conversion from i8 to f32 makes
/// four registers of one, and f64 arithmetic on such a vector eight.
static constexpr unsigned maxRegisters = 8;

/// Ops that LLVM turns into calls of libm or of compiler-rt on some target.
static bool isLibraryCall(Operation *op) {
  return isa<LLVM::ACosOp, LLVM::ASinOp, LLVM::ATan2Op, LLVM::ATanOp, LLVM::CosOp, LLVM::CoshOp,
             LLVM::Exp10Op, LLVM::Exp2Op, LLVM::ExpOp, LLVM::FRemOp, LLVM::FractionExpOp,
             LLVM::LlrintOp, LLVM::LlroundOp, LLVM::LoadExpOp, LLVM::Log10Op, LLVM::Log2Op,
             LLVM::LogOp, LLVM::LrintOp, LLVM::LroundOp, LLVM::PowIOp, LLVM::PowOp, LLVM::RoundOp,
             LLVM::SinOp, LLVM::SincosOp, LLVM::SinhOp, LLVM::TanOp, LLVM::TanhOp>(op);
}

namespace {

struct VerifyLLVMReady : impl::VerifyLLVMReadyBase<VerifyLLVMReady> {
  using VerifyLLVMReadyBase::VerifyLLVMReadyBase;

  void runOnOperation() override {
    bool isReady = true;
    SymbolTableCollection symbols;
    getOperation()->walk([&](Operation *op) {
      if (op != getOperation() && failed(verifyOp(op, symbols)))
        isReady = false;
    });
    if (!isReady)
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult verifyOp(Operation *op, SymbolTableCollection &symbols) {
    if (!isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
      return op->emitError() << "expected only ops of the llvm dialect, found '" << op->getName()
                             << "'";
    if (isLibraryCall(op))
      return op->emitError() << "'" << op->getName() << "' would become a library call";
    if (auto call = dyn_cast<LLVM::CallOp>(op); call && failed(verifyCall(call, symbols)))
      return failure();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(verifyType(op, type)))
            return failure();
    for (Type type : op->getResultTypes())
      if (failed(verifyType(op, type)))
        return failure();
    return success();
  }

  /// Calls go to the module's own functions, to the runtime, or to a pointer.
  LogicalResult verifyCall(LLVM::CallOp call, SymbolTableCollection &symbols) {
    std::optional<StringRef> callee = call.getCallee();
    if (!callee || callee->starts_with("onnxc_rt_"))
      return success();
    auto function = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(call, call.getCalleeAttr());
    if (function && !function.isExternal())
      return success();
    return call.emitError() << "expected a call of the module or of the runtime, found '" << *callee
                            << "'";
  }

  LogicalResult verifyType(Operation *op, Type type) {
    auto vector = dyn_cast<VectorType>(type);
    Type element = vector ? vector.getElementType() : type;
    if (element.isInteger() && element.getIntOrFloatBitWidth() > 64)
      return op->emitError() << "expected integers of at most 64 bits, found " << type;
    if (!vector)
      return success();
    if (vector.getRank() != 1 || vector.isScalable() ||
        !llvm::isPowerOf2_64(vector.getNumElements()))
      return op->emitError() << "expected a vector of a power of two of elements, found " << type;
    if (!element.isIntOrFloat())
      return success();
    if (vector.getNumElements() * element.getIntOrFloatBitWidth() > maxRegisters * vectorBits)
      return op->emitError() << "expected vectors of at most " << maxRegisters << " registers of "
                             << vectorBits.getValue() << " bits, found " << type;
    return success();
  }
};

} // namespace
} // namespace onnxc::cpu
