//===- EmitKernels.cpp - Kernels become functions --------------------------===//
#include "lowering/Passes.h"
#include "lowering/emit/KernelContext.h"
#include "lowering/kernels/Contractions.h"
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

/// Whether the kernel holds what its strategy is for: the emitters rely on it.
LogicalResult verifyBody(rt::KernelOp kernel) {
  Attribute strategy = kernel.getStrategyAttr();
  if (!strategy)
    return kernel.emitError("has no strategy");
  Block &body = kernel.getBody().front();
  auto expect = [&](bool holds, StringRef what) -> LogicalResult {
    if (holds)
      return success();
    return kernel.emitError("expected ") << what << " for the strategy " << strategy;
  };
  auto generics = body.getOps<linalg::GenericOp>();
  auto isConvolution = [&](bool depthwise) {
    std::optional<MatchedConvolution> info;
    if (!generics.empty())
      info = matchConvolution(*generics.begin());
    return info && info->isDepthwise() == depthwise;
  };
  return llvm::TypeSwitch<Attribute, LogicalResult>(strategy)
      .Case([&](rt::LoopsAttr) { return expect(!generics.empty(), "a linalg.generic"); })
      .Case([&](rt::ConcatAttr) {
        return expect(!body.getOps<rt::ConcatOp>().empty(), "an rt.concat");
      })
      .Case([&](rt::GemmAttr) {
        return expect(!generics.empty() && matchContraction(*generics.begin()), "a contraction");
      })
      .Case([&](rt::ConvAttr) {
        bool packed = !body.getOps<rt::PackedOp>().empty();
        return expect(packed && isConvolution(/*depthwise=*/false),
                      "a convolution with a packed filter");
      })
      .Case([&](rt::DepthwiseAttr) {
        return expect(isConvolution(/*depthwise=*/true), "a depthwise convolution");
      })
      .Default(success());
}

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
      if (failed(verifyBody(kernel)) || failed(emitKernel(context)))
        return signalPassFailure();
      kernel.erase();
    }
  }
};

} // namespace
