//===- EmitKernels.cpp - Kernels become functions --------------------------===//
#include "lowering/Passes.h"
#include "lowering/emit/KernelContext.h"
#include "lowering/kernels/Target.h"
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
  Attribute strategy = context.kernel.getStrategyAttr();
  return llvm::TypeSwitch<Attribute, LogicalResult>(strategy)
      .Case([&](rt::LoopsAttr) { return emit::emitLoops(context); })
      .Case([&](rt::ConcatAttr) { return emit::emitConcat(context); })
      .Case([&](rt::GemmAttr) { return emit::emitContraction(context); })
      .Case([&](rt::ConvAttr) { return emit::emitConvolution(context); })
      .Case([&](rt::DepthwiseAttr) { return emit::emitDepthwiseConvolution(context); })
      .Default([&](Attribute) { return context.kernel.emitError("has no strategy"); });
}

struct EmitKernels : onnxc::impl::EmitKernelsBase<EmitKernels> {
  using Base::Base;
  void runOnOperation() override {
    TargetInfo target = getTarget(getOperation());
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
