//===- LoweringTarget.h - What lowering must know about a target ---*- C++ -*-===//
//
// The lowering knows neither triples nor CPUs, only what its decisions depend on.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_COMPILER_LOWERINGTARGET_H
#define ONNXC_COMPILER_LOWERINGTARGET_H

#include "codegen/TargetInfo.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/cpu/LowerToLLVM.h"

namespace onnxc {

/// For the choice and the emission of kernels, in a context that knows CPUs
/// (`cpu::registerCpuTarget`).
rt::TargetAttr getKernelTarget(mlir::MLIRContext *context, const TargetInfo &target);

/// For the way to the llvm dialect.
cpu::CpuLoweringOptions getCpuLoweringOptions(const TargetInfo &target);

} // namespace onnxc

#endif // ONNXC_COMPILER_LOWERINGTARGET_H
