//===- LoweringTarget.cpp - What lowering must know about a target ---------===//
#include "compiler/LoweringTarget.h"

using namespace mlir;

namespace onnxc {

rt::TargetAttr getKernelTarget(MLIRContext *context, const TargetInfo &target) {
  context->loadDialect<rt::RtDialect>();
  return cast<rt::TargetAttr>(rt::CpuAttr::get(
      context, target.vectorBits, target.numVectorRegisters, target.l1Bytes, target.facts));
}

cpu::CpuLoweringOptions getCpuLoweringOptions(const TargetInfo &target) {
  cpu::CpuLoweringOptions options;
  options.hasFma = target.has(CpuFact::fma);
  options.hasRounding = target.has(CpuFact::rounding);
  options.hasF16Conversion = target.has(CpuFact::f16Conversion);
  options.hasNanMinMax = target.has(CpuFact::nanMinMax);
  options.vectorBits = target.vectorBits;
  return options;
}

} // namespace onnxc
