//===- TargetInfo.h - A target, resolved -------*- C++ -*-===//
//
// Plain data without LLVM's code generator; `codegen/Target.h` fills it, and
// `compiler/LoweringTarget.h` tells the lowering what it must know.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_CODEGEN_TARGETINFO_H
#define ONNXC_CODEGEN_TARGETINFO_H

#include "target/CpuFacts.h"
#include <cstdint>
#include <string>

namespace onnxc {

enum class TargetArch { x86_64, aarch64, arm, riscv64 };

/// The defaults are those of a plain x86-64, without its facts.
struct TargetInfo {
  /// Normalised triple, resolved CPU name (never "native") and the complete
  /// feature string ("+avx2,+fma,...").
  std::string triple;
  std::string cpu;
  std::string features;
  TargetArch arch = TargetArch::x86_64;
  unsigned pointerBits = 64;

  /// Width of the vectors that the emitters should use, and how many registers
  /// of that width there are.
  unsigned vectorBits = 128;
  unsigned numVectorRegisters = 16;

  /// What else holds; see target/cpu_facts.def.
  CpuFacts facts = {};
  bool has(CpuFact fact) const { return facts.has(fact); }

  /// The first-level data cache of a core that tile sizes are chosen for.
  int64_t l1Bytes = 32 * 1024;
};

} // namespace onnxc

#endif // ONNXC_CODEGEN_TARGETINFO_H
