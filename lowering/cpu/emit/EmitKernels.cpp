//===- EmitKernels.cpp - Kernels become functions --------------------------===//
#include "lowering/Passes.h"
#include "lowering/cpu/emit/KernelContext.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_EMITKERNELS
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

/// The emitter that obeys a strategy.
LogicalResult emitKernel(emit::KernelContext &context) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(context.kernel.getStrategyAttr())
      .Case([&](rt::LoopsAttr strategy) { return emit::emitLoops(context, strategy); })
      .Case([&](rt::ConcatAttr strategy) { return emit::emitConcat(context, strategy); })
      .Case([&](rt::GemmAttr strategy) { return emit::emitContraction(context, strategy); })
      .Case([&](rt::ConvAttr strategy) { return emit::emitConvolution(context, strategy); })
      .Case([&](rt::DepthwiseAttr strategy) {
        return emit::emitDepthwiseConvolution(context, strategy);
      })
      .Default([&](Attribute strategy) {
        return context.kernel.emitError("no emitter obeys the strategy ") << strategy;
      });
}

struct EmitKernels : onnxc::impl::EmitKernelsBase<EmitKernels> {
  using Base::Base;
  void runOnOperation() override {
    rt::TargetAttr target = rt::getTarget(getOperation());
    SmallVector<rt::KernelOp> kernels(getOperation().getOps<rt::KernelOp>());
    for (rt::KernelOp kernel : kernels) {
      emit::KernelContext context(kernel, target);
      if (failed(emitKernel(context)))
        return signalPassFailure();
      kernel.erase();
    }
  }
};

} // namespace
