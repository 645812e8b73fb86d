//===- Target.cpp - Triple, CPU and features -------------------------------===//
#include "codegen/Target.h"
#include "codegen/RuntimeFiles.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace llvm;

namespace onnxc {

/// A CPU feature that a model may require: LLVM's name and the descriptor's bit.
struct FeatureBit {
  const char *name;
  uint64_t bit;
};

static constexpr FeatureBit x86Features[] = {
    {"sse3", ONNXC_X86_SSE3},
    {"ssse3", ONNXC_X86_SSSE3},
    {"sse4.1", ONNXC_X86_SSE41},
    {"sse4.2", ONNXC_X86_SSE42},
    {"popcnt", ONNXC_X86_POPCNT},
    {"avx", ONNXC_X86_AVX},
    {"f16c", ONNXC_X86_F16C},
    {"fma", ONNXC_X86_FMA},
    {"avx2", ONNXC_X86_AVX2},
    {"bmi", ONNXC_X86_BMI},
    {"bmi2", ONNXC_X86_BMI2},
    {"lzcnt", ONNXC_X86_LZCNT},
    {"movbe", ONNXC_X86_MOVBE},
    {"avx512f", ONNXC_X86_AVX512F},
    {"avx512bw", ONNXC_X86_AVX512BW},
    {"avx512cd", ONNXC_X86_AVX512CD},
    {"avx512dq", ONNXC_X86_AVX512DQ},
    {"avx512vl", ONNXC_X86_AVX512VL},
    {"avx512vnni", ONNXC_X86_AVX512VNNI},
    {"avx512bf16", ONNXC_X86_AVX512BF16},
    {"avx512fp16", ONNXC_X86_AVX512FP16},
    {"avx512vbmi", ONNXC_X86_AVX512VBMI},
    {"avx512vbmi2", ONNXC_X86_AVX512VBMI2},
    {"avx512bitalg", ONNXC_X86_AVX512BITALG},
    {"avx512vpopcntdq", ONNXC_X86_AVX512VPOPCNTDQ},
    {"avx512ifma", ONNXC_X86_AVX512IFMA},
    {"avxvnni", ONNXC_X86_AVXVNNI},
    {"gfni", ONNXC_X86_GFNI},
};

static constexpr FeatureBit arm64Features[] = {
    {"fullfp16", ONNXC_ARM64_FP16}, {"dotprod", ONNXC_ARM64_DOTPROD}, {"i8mm", ONNXC_ARM64_I8MM},
    {"bf16", ONNXC_ARM64_BF16},     {"sve", ONNXC_ARM64_SVE},         {"sve2", ONNXC_ARM64_SVE2},
    {"lse", ONNXC_ARM64_LSE},
};

/// Features that "native" may bring, that no emitter uses and that the runtime
/// does not check for.
static constexpr const char *uncheckedX86Features[] = {
    "sse4a",        "xop",     "fma4",       "tbm",      "egpr",         "ndd",
    "nf",           "ccmp",    "cf",         "zu",       "push2pop2",    "ppx",
    "avx10.1",      "avx10.2", "adx",        "avxifma",  "avxneconvert", "avxvnniint8",
    "avxvnniint16", "vaes",    "vpclmulqdq", "amx-tile", "amx-int8",     "amx-bf16"};

static ArrayRef<FeatureBit> getFeatureBits(TargetArch arch) {
  if (arch == TargetArch::x86_64)
    return x86Features;
  if (arch == TargetArch::aarch64)
    return arm64Features;
  return {};
}

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    InitializeAllAsmParsers();
  });
}

/// The architecture of a target that there is a runtime for.
static Expected<TargetArch> getArch(const Triple &triple) {
  if (hasRuntime(triple))
    switch (triple.getArch()) {
    case Triple::x86_64: return TargetArch::x86_64;
    case Triple::aarch64: return TargetArch::aarch64;
    case Triple::arm: return TargetArch::arm;
    case Triple::riscv64: return TargetArch::riscv64;
    default: break;
    }
  return createStringError("unsupported target '%s', expected one of %s", triple.str().c_str(),
                           listTargets().c_str());
}

/// The CPU that stands for what every machine of the architecture has.
static StringRef getBaselineCpu(const Triple &triple) {
  switch (triple.getArch()) {
  case Triple::x86_64: return "x86-64";
  case Triple::riscv64: return "generic-rv64";
  default: return "generic";
  }
}

/// Extension letters that a triple's name does not imply.
static void addBaselineFeatures(const Triple &triple, SubtargetFeatures &features) {
  if (triple.getArch() == Triple::riscv64)
    for (const char *feature : {"m", "a", "f", "d", "c"})
      features.AddFeature(feature);
}

static void addHostFeatures(SubtargetFeatures &features) {
  for (const auto &[name, enabled] : sys::getHostCPUFeatures())
    features.AddFeature(name, enabled);
}

static std::unique_ptr<MCSubtargetInfo> makeSubtarget(const TargetInfo &target) {
  std::string error;
  Triple triple(target.triple);
  const Target *llvmTarget = TargetRegistry::lookupTarget(triple, error);
  if (!llvmTarget)
    return nullptr;
  return std::unique_ptr<MCSubtargetInfo>(
      llvmTarget->createMCSubtargetInfo(triple, target.cpu, target.features));
}

static void describeX86(TargetInfo &target, function_ref<bool(StringRef)> has) {
  bool hasAvx512 = has("avx512f") && has("avx512bw") && has("avx512vl") && has("avx512dq");
  target.hasFma = has("fma") || has("avx512f");
  target.vectorBits = hasAvx512 ? 512 : has("avx") ? 256 : 128;
  target.numVectorRegisters = hasAvx512 ? 32 : 16;
  target.hasMaskedVectors = hasAvx512;
  target.hasFmaByElement = hasAvx512;
  // Integers of 256 bits came with AVX2.
  target.hasPairDots = hasAvx512 || has("avx2") || target.vectorBits == 128;
  target.hasMixedDots = has("avx512vnni") ? hasAvx512 : has("avxvnni") && !hasAvx512;
  target.hasF16Conversion = has("f16c") || has("avx512f");
  target.hasRounding = has("sse4.1");
}

/// Fills what lowering asks for from the complete feature set.
static void describe(TargetInfo &target, const MCSubtargetInfo &subtarget) {
  auto has = [&](StringRef feature) { return subtarget.checkFeatures(("+" + feature).str()); };
  target.pointerBits = target.arch == TargetArch::arm ? 32 : 64;
  target.hasMemoryOperands = target.arch == TargetArch::x86_64;
  switch (target.arch) {
  case TargetArch::x86_64: return describeX86(target, has);
  case TargetArch::aarch64:
    target.numVectorRegisters = 32;
    target.hasFma = target.hasFmaByElement = target.hasF16Conversion = true;
    target.hasRounding = target.hasNanMinMax = true;
    target.hasMaskedVectors = has("sve");
    target.hasAlikeDots = has("dotprod");
    target.hasMixedDots = has("i8mm");
    return;
  case TargetArch::arm:
    target.hasFma = has("vfp4");
    target.hasF16Conversion = has("fp16");
    return;
  case TargetArch::riscv64:
    target.hasFma = has("f");
    target.numVectorRegisters = 32;
    return;
  }
}

/// One word of the user's feature list must be a feature of the target.
static Error checkFeatures(StringRef features, const MCSubtargetInfo &subtarget) {
  SmallVector<StringRef> words;
  features.split(words, ',', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    StringRef name = word;
    if (!name.consume_front("+") && !name.consume_front("-"))
      return createStringError("feature '%s' must begin with '+' or '-'", word.str().c_str());
    bool known = llvm::any_of(subtarget.getAllProcessorFeatures(),
                              [&](const auto &row) { return name == row.Key; });
    if (!known)
      return createStringError("unknown feature '%s' for target '%s'", name.str().c_str(),
                               subtarget.getTargetTriple().str().c_str());
  }
  return Error::success();
}

/// The features that are on, written out, so that a CPU's name and an attribute
/// on a function can never disagree.
static std::string completeFeatures(const TargetInfo &target, const MCSubtargetInfo &subtarget) {
  SubtargetFeatures features(target.features);
  if (target.arch == TargetArch::x86_64)
    for (const char *name : uncheckedX86Features)
      features.AddFeature(name, false);
  for (FeatureBit row : getFeatureBits(target.arch))
    if (subtarget.checkFeatures(std::string("+") + row.name))
      features.AddFeature(row.name);
  return features.getString();
}

Expected<TargetInfo> resolveTarget(StringRef tripleText, StringRef cpu, StringRef extraFeatures) {
  initializeTargets();
  Triple triple(tripleText.empty() ? sys::getDefaultTargetTriple() : Triple::normalize(tripleText));
  Expected<TargetArch> arch = getArch(triple);
  if (!arch)
    return arch.takeError();
  TargetInfo target;
  target.triple = triple.str();
  target.arch = *arch;
  SubtargetFeatures features;
  addBaselineFeatures(triple, features);
  if (cpu == "native") {
    Triple host(sys::getDefaultTargetTriple());
    if (host.getArch() != triple.getArch())
      return createStringError("cpu 'native' is a %s, expected one for target '%s'",
                               host.getArchName().str().c_str(), triple.str().c_str());
    target.cpu = sys::getHostCPUName().str();
    addHostFeatures(features);
  } else {
    target.cpu = (cpu.empty() ? getBaselineCpu(triple) : cpu).str();
  }
  std::string error;
  const Target *llvmTarget = TargetRegistry::lookupTarget(triple, error);
  if (!llvmTarget)
    return createStringError("target '%s': %s", triple.str().c_str(), error.c_str());
  std::unique_ptr<MCSubtargetInfo> plain(llvmTarget->createMCSubtargetInfo(triple, "", ""));
  if (!plain || !plain->isCPUStringValid(target.cpu))
    return createStringError("unknown cpu '%s' for target '%s'", target.cpu.c_str(),
                             triple.str().c_str());
  if (Error bad = checkFeatures(extraFeatures, *plain))
    return std::move(bad);
  SubtargetFeatures extra(extraFeatures);
  features.addFeaturesVector(extra.getFeatures());
  target.features = features.getString();
  std::unique_ptr<MCSubtargetInfo> subtarget = makeSubtarget(target);
  bool saysBits = target.arch == TargetArch::x86_64 || target.arch == TargetArch::riscv64;
  if (saysBits && !subtarget->checkFeatures("+64bit"))
    return createStringError("cpu '%s' is a 32-bit one, target '%s' has 64 bits; name another cpu "
                             "or none",
                             target.cpu.c_str(), triple.str().c_str());
  target.features = completeFeatures(target, *subtarget);
  describe(target, *makeSubtarget(target));
  return target;
}

std::unique_ptr<TargetMachine> createTargetMachine(const TargetInfo &target) {
  initializeTargets();
  std::string error;
  Triple triple(target.triple);
  const Target *llvmTarget = TargetRegistry::lookupTarget(triple, error);
  if (!llvmTarget)
    return nullptr;
  TargetOptions options;
  options.FunctionSections = true;
  options.DataSections = true;
  options.EmitAddrsig = false;
  if (target.arch == TargetArch::arm)
    options.FloatABIType =
        triple.getEnvironment() == Triple::GNUEABIHF ? FloatABI::Hard : FloatABI::Default;
  std::unique_ptr<TargetMachine> machine(
      llvmTarget->createTargetMachine(triple, target.cpu, target.features, options, Reloc::PIC_,
                                      std::nullopt, CodeGenOptLevel::Aggressive));
  return machine;
}

uint64_t requiredCpuFeatures(const TargetInfo &target) {
  initializeTargets();
  uint64_t bits = 0;
  std::unique_ptr<MCSubtargetInfo> subtarget = makeSubtarget(target);
  for (FeatureBit row : getFeatureBits(target.arch))
    if (subtarget->checkFeatures(std::string("+") + row.name))
      bits |= row.bit;
  return bits;
}

std::string getDataLayoutString(const TargetInfo &target) {
  return createTargetMachine(target)->createDataLayout().getStringRepresentation();
}

} // namespace onnxc
