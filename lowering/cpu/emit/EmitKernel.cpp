//===- EmitKernel.cpp - The emitter that obeys a strategy -------------------===//
#include "lowering/cpu/emit/Attention.h"

using namespace mlir;

namespace onnxc::emit {

LogicalResult emitKernel(KernelContext &context) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(context.kernel.getStrategyAttr())
      .Case([&](rt::AttentionAttr strategy) { return emitAttention(context, strategy); })
      .Case([&](rt::LoopsAttr strategy) { return emitLoops(context, strategy); })
      .Case([&](rt::ConcatAttr strategy) { return emitConcat(context, strategy); })
      .Case([&](rt::GemmAttr strategy) { return emitContraction(context, strategy); })
      .Case([&](rt::ConvAttr strategy) { return emitConvolution(context, strategy); })
      .Case([&](rt::DepthwiseAttr strategy) { return emitDepthwiseConvolution(context, strategy); })
      .Default([&](Attribute strategy) {
        return context.kernel.emitError("no emitter obeys the strategy ") << strategy;
      });
}

} // namespace onnxc::emit
