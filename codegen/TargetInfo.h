//===- TargetInfo.h - What lowering may know about a target -------*- C++ -*-===//
//
// Plain data, so that the lowering can include it without LLVM's code
// generator. `codegen/Target.h` fills it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_CODEGEN_TARGETINFO_H
#define ONNXC_CODEGEN_TARGETINFO_H

#include <cstdint>
#include <string>

namespace onnxc {

enum class TargetArch { x86_64, aarch64, arm, riscv64, wasm32 };

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
  /// f16 <-> f32 conversion of vectors (F16C, NEON).
  bool hasF16Conversion = false;
  /// Arithmetic on f16 vectors (AVX512-FP16, FullFP16).
  bool hasF16Arithmetic = false;
  /// f32 -> bf16 conversion and bf16 dot products (AVX512-BF16, BF16).
  bool hasBf16 = false;
  /// 4-element dot product of bytes into i32: `vpdpbusd` (u8 x s8) on x86,
  /// `sdot/udot` on AArch64.
  bool hasInt8Dot = false;
  /// 8-element matrix product of bytes (AArch64 i8mm).
  bool hasInt8Matrix = false;

  /// x86 levels that emitters ask for.
  bool hasAvx2 = false;
  bool hasAvx512 = false;

  /// Data cache sizes of one core that tile sizes are chosen for.
  int64_t l1Bytes = 32 * 1024;
  int64_t l2Bytes = 512 * 1024;

  /// Lanes of a full vector of elements with this many bits.
  unsigned lanes(unsigned elementBits) const { return vectorBits / elementBits; }
};

} // namespace onnxc

#endif // ONNXC_CODEGEN_TARGETINFO_H
