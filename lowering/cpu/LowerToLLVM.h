//===- LowerToLLVM.h - The pipeline to the llvm dialect ---------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_LOWERTOLLVM_H
#define ONNXC_LOWERING_CPU_LOWERTOLLVM_H

#include "mlir/Pass/PassManager.h"

namespace onnxc::cpu {

/// What the last stage must know about a target.
struct CpuLoweringOptions {
  /// `llvm.fma` is one instruction.
  bool hasFma = false;
  /// floor, ceil, trunc and roundeven are one instruction each.
  bool hasRounding = false;
  /// f16 <-> f32 conversions are instructions.
  bool hasF16Conversion = false;
  /// `llvm.maximum` and `llvm.minimum` are one instruction each.
  bool hasNanMinMax = false;
  /// Width of the widest vector registers.
  unsigned vectorBits = 128;
};

/// From kernels and host functions in func, scf, arith, math, vector (1-D), llvm
/// and rt.exit to the llvm dialect alone. Afterwards the IR has no call but those of
/// the module and of `onnxc_rt_*`, no op that LLVM would turn into a call of
/// libm or compiler-rt, and no function that unwinds.
void buildCpuToLLVMPipeline(mlir::OpPassManager &passes, const CpuLoweringOptions &options);

/// Makes the pipeline known as `onnxc-cpu-to-llvm`, with the facts about the target
/// as options: tests look at code for targets other than the one for which the
/// compiler's stage, `onnxc-to-llvm-pipeline`, is registered.
void registerCpuToLLVMPipeline();

} // namespace onnxc::cpu

#endif // ONNXC_LOWERING_CPU_LOWERTOLLVM_H
