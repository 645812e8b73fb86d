//===- LoweringTarget.cpp - What lowering must know about a target ---------===//
#include "compiler/LoweringTarget.h"

using namespace mlir;

namespace onnxc {

rt::CpuAttr getKernelTarget(MLIRContext *context, const TargetInfo &target) {
  context->loadDialect<rt::RtDialect>();
  return rt::CpuAttr::get(context, target.vectorBits, target.numVectorRegisters,
                          target.hasMaskedVectors, target.hasFmaByElement, target.hasMemoryOperands,
                          target.hasPairDots, target.hasMixedDots, target.hasAlikeDots,
                          target.l1Bytes);
}

cpu::CpuLoweringOptions getCpuLoweringOptions(const TargetInfo &target) {
  cpu::CpuLoweringOptions options;
  options.hasFma = target.hasFma;
  options.hasRounding = target.hasRounding;
  options.hasF16Conversion = target.hasF16Conversion;
  options.hasNanMinMax = target.hasNanMinMax;
  options.vectorBits = target.vectorBits;
  return options;
}

} // namespace onnxc
