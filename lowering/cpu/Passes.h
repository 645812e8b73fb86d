//===- Passes.h - From kernels to the llvm dialect --------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_PASSES_H
#define ONNXC_LOWERING_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace onnxc::cpu {

#define GEN_PASS_DECL
#include "lowering/cpu/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lowering/cpu/Passes.h.inc"

} // namespace onnxc::cpu

#endif // ONNXC_LOWERING_CPU_PASSES_H
