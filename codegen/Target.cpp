//===- Target.cpp - Triple, CPU and features -------------------------------===//
#include "codegen/Target.h"
#include "codegen/CpuFeatures.h"
#include "codegen/RuntimeFiles.h"
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
  // Nothing of a C library is called, so that one model suits all of them.
  const char *hint =
      triple.isMusl() ? "; what is compiled for -linux-gnu can be linked with musl too" : "";
  return createStringError("unsupported target '%s', expected one of %s%s", triple.str().c_str(),
                           listTargets().c_str(), hint);
}

/// An empty text stands for the host.
static Triple parseTriple(StringRef text) {
  Triple triple(text.empty() ? sys::getDefaultTargetTriple() : Triple::normalize(text));
  // What Debian calls its port for armv7.
  if (triple.getArch() == Triple::arm && triple.getSubArch() == Triple::NoSubArch &&
      triple.getEnvironment() == Triple::GNUEABIHF)
    triple.setArchName("armv7");
  return triple;
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

/// The words of a feature list, "+a,-b".
static SmallVector<StringRef> splitFeatures(StringRef features) {
  SmallVector<StringRef> words;
  features.split(words, ',', -1, /*KeepEmpty=*/false);
  return words;
}

/// Each word of the user's feature list must be a feature of the target.
static Error checkNames(StringRef features, const MCSubtargetInfo &subtarget) {
  for (StringRef word : splitFeatures(features)) {
    StringRef name = word;
    if (!name.consume_front("+") && !name.consume_front("-"))
      return createStringError("feature '%s' must begin with '+' or '-'", word.str().c_str());
    bool known = llvm::any_of(subtarget.getAllProcessorFeatures(),
                              [&](const auto &row) { return name == row.Key; });
    if (!known)
      return createStringError("unknown feature '%s' for target '%s'; --mattr=help lists them",
                               name.str().c_str(), subtarget.getTargetTriple().str().c_str());
  }
  return Error::success();
}

/// What every machine of the architecture has.
static TargetInfo getBaseline(const TargetInfo &target) {
  Triple triple(target.triple);
  SubtargetFeatures features;
  addBaselineFeatures(triple, features);
  TargetInfo baseline = target;
  baseline.cpu = getBaselineCpu(triple).str();
  baseline.features = features.getString();
  return baseline;
}

/// Features that are on, add instructions, and that a model neither checks for when
/// it runs nor finds on every machine.
static std::vector<std::string> findUnchecked(const TargetInfo &target,
                                              const MCSubtargetInfo &subtarget) {
  TargetInfo explained = getBaseline(target);
  SubtargetFeatures features(explained.features);
  for (const CheckedFeature &row : getCheckedFeatures(target.arch))
    if (isOn(subtarget, row.name))
      features.AddFeature(row.name);
  explained.features = features.getString();
  std::unique_ptr<MCSubtargetInfo> known = makeSubtarget(explained);
  std::vector<std::string> unchecked;
  for (const SubtargetFeatureKV &row : subtarget.getAllProcessorFeatures())
    if (subtarget.getFeatureBits().test(row.Value) && !known->getFeatureBits().test(row.Value) &&
        addsInstructions(target.arch, row.Key))
      unchecked.push_back(row.Key);
  return unchecked;
}

/// Nothing that the user asked for is dropped: each word of the list holds, or is an
/// error.
static Error checkOutcome(StringRef list, const TargetInfo &target,
                          const MCSubtargetInfo &subtarget, ArrayRef<std::string> unchecked) {
  std::unique_ptr<MCSubtargetInfo> baseline = makeSubtarget(getBaseline(target));
  for (StringRef word : splitFeatures(list)) {
    std::string name = word.drop_front().str();
    bool wanted = word.starts_with("+");
    if (wanted && llvm::is_contained(unchecked, name))
      return createStringError("feature '%s' is not supported: no kernel uses it, and a model does "
                               "not check for it when it runs; --mattr=help lists what is",
                               name.c_str());
    if (!wanted && isOn(*baseline, name) && addsInstructions(target.arch, name))
      return createStringError("feature '%s' cannot be switched off: what is compiled for '%s' "
                               "relies on it",
                               name.c_str(), target.triple.c_str());
    if (isOn(subtarget, name) != wanted)
      return createStringError("feature '%s' contradicts another one of '%s'", word.str().c_str(),
                               list.str().c_str());
  }
  return Error::success();
}

/// The features that are on, written out, so that a CPU's name and an attribute
/// on a function can never disagree.
static std::string completeFeatures(const TargetInfo &target, const MCSubtargetInfo &subtarget,
                                    ArrayRef<std::string> unchecked) {
  SubtargetFeatures features(target.features);
  for (const std::string &name : unchecked)
    features.AddFeature(name, false);
  for (const CheckedFeature &row : getCheckedFeatures(target.arch))
    if (isOn(subtarget, row.name))
      features.AddFeature(row.name);
  return features.getString();
}

Expected<TargetInfo> resolveTarget(StringRef tripleText, StringRef cpu, StringRef extraFeatures) {
  initializeTargets();
  Triple triple = parseTriple(tripleText);
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
  if (Error bad = checkNames(extraFeatures, *plain))
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
  std::vector<std::string> unchecked = findUnchecked(target, *subtarget);
  if (Error bad = checkOutcome(extraFeatures, target, *subtarget, unchecked))
    return std::move(bad);
  target.features = completeFeatures(target, *subtarget, unchecked);
  describe(target, *makeSubtarget(target));
  return target;
}

static Expected<std::unique_ptr<MCSubtargetInfo>> makeBaseline(StringRef tripleText,
                                                               TargetArch &arch) {
  initializeTargets();
  Triple triple = parseTriple(tripleText);
  Expected<TargetArch> known = getArch(triple);
  if (!known)
    return known.takeError();
  arch = *known;
  TargetInfo target;
  target.triple = triple.str();
  return makeSubtarget(getBaseline(target));
}

Expected<std::string> listCpus(StringRef triple) {
  TargetArch arch;
  Expected<std::unique_ptr<MCSubtargetInfo>> subtarget = makeBaseline(triple, arch);
  if (!subtarget)
    return subtarget.takeError();
  std::string list = "CPUs of " + (*subtarget)->getTargetTriple().str() + ":\n";
  if (Triple(sys::getDefaultTargetTriple()).getArch() == (*subtarget)->getTargetTriple().getArch())
    list += "  native\n";
  for (const SubtargetSubTypeKV &row : (*subtarget)->getAllProcessorDescriptions()) {
    StringRef name = row.Key;
    // 32-bit ones, which are refused.
    bool tooSmall =
        (arch == TargetArch::x86_64 || arch == TargetArch::riscv64) &&
        !isOn(*makeSubtarget({(*subtarget)->getTargetTriple().str(), name.str(), ""}), "64bit");
    if (!tooSmall)
      list += ("  " + name + "\n").str();
  }
  return list;
}

Expected<std::string> listFeatures(StringRef triple) {
  TargetArch arch;
  Expected<std::unique_ptr<MCSubtargetInfo>> subtarget = makeBaseline(triple, arch);
  if (!subtarget)
    return subtarget.takeError();
  std::string checked = "Features of " + (*subtarget)->getTargetTriple().str() +
                        ", which a model checks for when it runs:\n";
  std::string tuning = "Features that tune code, which then runs on every CPU:\n";
  for (const SubtargetFeatureKV &row : (*subtarget)->getAllProcessorFeatures()) {
    StringRef name = row.Key;
    bool isChecked = llvm::any_of(getCheckedFeatures(arch),
                                  [&](const CheckedFeature &known) { return name == known.name; });
    if (isChecked || !addsInstructions(arch, name))
      (isChecked ? checked : tuning) += ("  " + name + ": " + row.Desc + "\n").str();
  }
  return checked + tuning;
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
  for (const CheckedFeature &row : getCheckedFeatures(target.arch))
    if (isOn(*subtarget, row.name))
      bits |= row.bit;
  return bits;
}

std::string getDataLayoutString(const TargetInfo &target) {
  return createTargetMachine(target)->createDataLayout().getStringRepresentation();
}

} // namespace onnxc
