//===- TargetInfo.h - A target, resolved -------*- C++ -*-===//
//
// Plain data without LLVM's code generator; `codegen/Target.h` fills it, and
// `compiler/LoweringTarget.h` tells the lowering what it must know.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_CODEGEN_TARGETINFO_H
#define ONNXC_CODEGEN_TARGETINFO_H

#include <cstdint>
#include <string>

namespace onnxc {

enum class TargetArch { x86_64, aarch64, arm, riscv64 };

/// The defaults are those of a plain x86-64.
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

  /// A fused multiply-add is one instruction (`llvm.fma` is no library call).
  bool hasFma = false;
  /// Masked vector loads and stores are one instruction (AVX-512, SVE).
  bool hasMaskedVectors = false;
  /// A multiply-add may take one vector operand by broadcasting an element
  /// (AArch64's by-element form) or from memory (AVX-512's embedded broadcast).
  bool hasFmaByElement = false;
  /// Arithmetic may read an operand from memory (x86).
  bool hasMemoryOperands = true;
  /// One instruction multiplies vectors of signed 16-bit integers and adds neighbouring
  /// products (x86's pmaddwd).
  bool hasPairDots = false;
  /// One adds four products of bytes to each 32-bit lane: of an unsigned and a signed
  /// vector (x86's vpdpbusd, Arm's usdot), of two of the same sign (Arm's sdot and udot).
  bool hasMixedDots = false;
  bool hasAlikeDots = false;
  /// f16 <-> f32 conversion of vectors (F16C, NEON).
  bool hasF16Conversion = false;
  /// floor, ceil, trunc and roundeven are one instruction each.
  bool hasRounding = false;
  /// `llvm.maximum` and `llvm.minimum`, which keep NaN, are one instruction each.
  bool hasNanMinMax = false;

  /// The first-level data cache of a core that tile sizes are chosen for.
  int64_t l1Bytes = 32 * 1024;
};

} // namespace onnxc

#endif // ONNXC_CODEGEN_TARGETINFO_H
