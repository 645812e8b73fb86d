//===- CpuFeatures.cpp - target/cpu_facts.def and LLVM's features ----------===//
#include "codegen/CpuFeatures.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/ARMTargetParser.h"
#include "llvm/TargetParser/RISCVISAInfo.h"

using namespace llvm;

namespace onnxc {

static constexpr CheckedFeature x86Features[] = {
#define ONNXC_X86_FEATURE(bit, name, word, place, states) {name, UINT64_C(1) << (bit)},
#include "target/cpu_facts.def"
};
static constexpr CheckedFeature arm64Features[] = {
#define ONNXC_ARM64_FEATURE(bit, name, register, place, least) {name, UINT64_C(1) << (bit)},
#include "target/cpu_facts.def"
};
static constexpr CheckedFeature armFeatures[] = {
#define ONNXC_ARM_FEATURE(bit, name, word, place) {name, UINT64_C(1) << (bit)},
#include "target/cpu_facts.def"
};
static constexpr CheckedFeature riscv64Features[] = {
#define ONNXC_RISCV64_FEATURE(bit, name, word, place) {name, UINT64_C(1) << (bit)},
#include "target/cpu_facts.def"
};

ArrayRef<CheckedFeature> getCheckedFeatures(TargetArch arch) {
  switch (arch) {
  case TargetArch::x86_64: return x86Features;
  case TargetArch::aarch64: return arm64Features;
  case TargetArch::arm: return armFeatures;
  case TargetArch::riscv64: return riscv64Features;
  }
  return {};
}

bool isOn(const MCSubtargetInfo &subtarget, StringRef name) {
  for (const SubtargetFeatureKV &row : subtarget.getAllProcessorFeatures())
    if (name == row.Key)
      return subtarget.getFeatureBits().test(row.Value);
  return false;
}

/// Of x86-64, without what only frontends and tuning use.
static bool addsX86Instructions(StringRef name) {
  static constexpr StringLiteral names[] = {
#define X86_FEATURE(id, name) name,
#include "llvm/TargetParser/X86TargetParser.def"
  };
  if (name == "vzeroupper" || name.starts_with("retpoline") || name.starts_with("lvi"))
    return false;
  return llvm::is_contained(names, name);
}

/// Of 32-bit Arm: extensions, floating-point units and versions of the architecture.
static bool addsArmInstructions(StringRef name) {
  for (const ARM::ExtName &extension : ARM::ARCHExtNames)
    if (extension.Feature.drop_front(extension.Feature.empty() ? 0 : 1) == name)
      return true;
  for (StringRef unit : {"vfp", "fp-armv8", "neon", "d32", "fp16", "fp64", "hwdiv", "v8"})
    if (name.starts_with(unit))
      return true;
  return name == "fullfp16";
}

bool addsInstructions(TargetArch arch, StringRef name) {
  switch (arch) {
  case TargetArch::x86_64: return addsX86Instructions(name);
  case TargetArch::aarch64:
    return AArch64::targetFeatureToExtension(("+" + name).str()).has_value();
  case TargetArch::arm: return addsArmInstructions(name);
  case TargetArch::riscv64: return RISCVISAInfo::isSupportedExtensionFeature(name);
  }
  return false;
}

namespace {
struct FactRow {
  CpuFact fact;
  TargetArch arch;
  StringLiteral features;
};
struct VectorRow {
  TargetArch arch;
  unsigned bits, registers;
  StringLiteral features;
};
} // namespace

static constexpr FactRow factRows[] = {
#define ONNXC_CPU_FACT_HOLDS(name, architecture, features) \
  {CpuFact::name, TargetArch::architecture, features},
#include "target/cpu_facts.def"
};
static constexpr VectorRow vectorRows[] = {
#define ONNXC_CPU_VECTORS(architecture, bits, registers, features) \
  {TargetArch::architecture, bits, registers, features},
#include "target/cpu_facts.def"
};

/// "+a,-b": a is on and b is off.
static bool holds(const MCSubtargetInfo &subtarget, StringRef features) {
  SmallVector<StringRef> words;
  features.split(words, ',', -1, /*KeepEmpty=*/false);
  return llvm::all_of(words, [&](StringRef word) {
    return isOn(subtarget, word.drop_front()) == word.starts_with("+");
  });
}

void describe(TargetInfo &target, const MCSubtargetInfo &subtarget) {
  target.pointerBits = target.arch == TargetArch::arm ? 32 : 64;
  for (const FactRow &row : factRows)
    if (row.arch == target.arch && holds(subtarget, row.features))
      target.facts.set(row.fact);
  for (const VectorRow &row : vectorRows)
    if (row.arch == target.arch && holds(subtarget, row.features)) {
      target.vectorBits = row.bits;
      target.numVectorRegisters = row.registers;
      return;
    }
}

} // namespace onnxc
