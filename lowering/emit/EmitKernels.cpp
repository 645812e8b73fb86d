//===- EmitKernels.cpp - Kernels become functions --------------------------===//
#include "lowering/Passes.h"
#include "lowering/emit/KernelContext.h"
#include "lowering/kernels/Contractions.h"
#include "lowering/kernels/TensorSizes.h"
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
  rt::StrategyAttr strategy = kernel.getStrategyAttr();
  Block &body = kernel.getBody().front();
  auto expect = [&](bool holds, StringRef what) -> LogicalResult {
    if (holds)
      return success();
    return kernel.emitError("expected ") << what << " for the strategy " << strategy;
  };
  auto generics = body.getOps<linalg::GenericOp>();
  for (linalg::GenericOp generic : generics)
    if (failed(getLoopSizes(generic)))
      return generic.emitError("the sizes of its loops are not known");
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
      if (failed(verifyBody(kernel)) || failed(emitKernel(context)))
        return signalPassFailure();
      kernel.erase();
    }
  }
};

} // namespace
