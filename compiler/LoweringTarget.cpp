//===- LoweringTarget.cpp - What lowering must know about a target ---------===//
#include "compiler/LoweringTarget.h"

using namespace mlir;

namespace onnxc {

rt::TargetAttr getKernelTarget(MLIRContext *context, const TargetInfo &target) {
  context->loadDialect<rt::RtDialect>();
  return rt::TargetAttr::get(context, target.vectorBits, target.numVectorRegisters,
                             target.hasMaskedVectors, target.hasFmaByElement,
                             /*memoryOperands=*/target.arch == TargetArch::x86_64, target.l1Bytes);
}

cpu::CpuLoweringOptions getCpuLoweringOptions(const TargetInfo &target) {
  cpu::CpuLoweringOptions options;
  options.hasFma = target.hasFma;
  options.hasF16Conversion = target.hasF16Conversion;
  options.vectorBits = target.vectorBits;
  switch (target.arch) {
  case TargetArch::x86_64:
    options.hasRounding = StringRef(target.features).contains("+sse4.1");
    break;
  case TargetArch::aarch64:
    options.hasRounding = true;
    options.hasNanMinMax = true;
    break;
  case TargetArch::arm:
  case TargetArch::riscv64: break;
  }
  return options;
}

} // namespace onnxc
