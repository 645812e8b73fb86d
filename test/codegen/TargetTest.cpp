//===- TargetTest.cpp - What the user typed, resolved ----------------------===//
#include "codegen/Target.h"
#include "codegen/CpuFeatures.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace onnxc;

/// Each way to be wrong.
TEST(Target, FaultsAreErrors) {
  struct Case {
    const char *triple, *cpu, *features, *message;
  };
  const Case cases[] = {
      {"sparc-linux-gnu", "", "",
       "unsupported target 'sparc-unknown-linux-gnu', expected one of x86_64-linux-gnu, "
       "aarch64-linux-gnu, "},
      {"x86_64-windows-msvc", "", "",
       "unsupported target 'x86_64-unknown-windows-msvc', expected one of x86_64-linux-gnu, "},
      // An ABI or a C library that nothing was tried with.
      {"aarch64-linux-android21", "", "",
       "unsupported target 'aarch64-unknown-linux-android21', expected one of "},
      {"x86_64-linux-gnux32", "", "", "unsupported target 'x86_64-unknown-linux-gnux32'"},
      {"aarch64-linux-gnu_ilp32", "", "", "unsupported target 'aarch64-unknown-linux-gnu_ilp32'"},
      {"arm-linux-gnueabi", "", "", "unsupported target 'arm-unknown-linux-gnueabi'"},
      {"armv6-linux-gnueabihf", "", "", "unsupported target 'armv6-unknown-linux-gnueabihf'"},
      {"armv7-linux", "", "", "unsupported target 'armv7-unknown-linux'"},
      {"x86_64-linux-musl", "", "",
       "unsupported target 'x86_64-unknown-linux-musl', expected one of x86_64-linux-gnu, "
       "aarch64-linux-gnu, armv7-linux-gnueabihf (untested) or riscv64-linux-gnu (untested); what "
       "is compiled for -linux-gnu can be linked with musl too"},
      {"x86_64-linux-gnu", "abacus", "",
       "unknown cpu 'abacus' for target 'x86_64-unknown-linux-gnu'"},
      {"aarch64-linux-gnu", "native", "",
       "cpu 'native' is a x86_64, expected one for target 'aarch64-unknown-linux-gnu'"},
      {"x86_64-linux-gnu", "", "avx2", "feature 'avx2' must begin with '+' or '-'"},
      {"x86_64-linux-gnu", "", "+magic",
       "unknown feature 'magic' for target 'x86_64-unknown-linux-gnu'; --mattr=help lists them"},
      // What a model could not check for.
      {"x86_64-linux-gnu", "", "+amx-int8", "feature 'amx-int8' is not supported: no kernel uses"},
      {"x86_64-linux-gnu", "x86-64-v4", "+avx10.1", "feature 'avx10.1' is not supported"},
      {"x86_64-linux-gnu", "znver4", "+avx2,+vaes", "feature 'vaes' is not supported"},
      {"x86_64-linux-gnu", "", "+fma4", "feature 'fma4' is not supported"},
      {"aarch64-linux-gnu", "", "+sme", "feature 'sme' is not supported"},
      {"armv7-linux-gnueabihf", "", "+crc", "feature 'crc' is not supported"},
      {"riscv64-linux-gnu", "", "+zbkb", "feature 'zbkb' is not supported"},
      // What cannot be.
      {"x86_64-linux-gnu", "", "-sse2",
       "feature 'sse2' cannot be switched off: what is compiled for 'x86_64-unknown-linux-gnu'"},
      {"x86_64-linux-gnu", "", "+avx2,-avx", "feature '+avx2' contradicts another one of"},
  };
  for (const Case &wrong : cases) {
    Expected<TargetInfo> target = resolveTarget(wrong.triple, wrong.cpu, wrong.features);
    ASSERT_FALSE(target) << wrong.message;
    std::string message = toString(target.takeError());
    EXPECT_TRUE(StringRef(message).starts_with(wrong.message)) << message;
  }
}

/// The names that toolchains have for the same targets.
TEST(Target, TriplesHaveSeveralNames) {
  const std::pair<const char *, const char *> cases[] = {
      {"x86_64-linux", "x86_64-unknown-linux"},
      {"x86_64-pc-linux-gnu", "x86_64-pc-linux-gnu"},
      {"aarch64-linux-gnu", "aarch64-unknown-linux-gnu"},
      {"armv7a-linux-gnueabihf", "armv7a-unknown-linux-gnueabihf"},
      {"arm-linux-gnueabihf", "armv7-unknown-linux-gnueabihf"},
  };
  for (auto [name, triple] : cases) {
    Expected<TargetInfo> target = resolveTarget(name, "", "");
    ASSERT_TRUE(bool(target)) << toString(target.takeError());
    EXPECT_EQ(target->triple, triple);
  }
}

TEST(Target, ListsCpusAndFeatures) {
  std::string cpus = cantFail(listCpus("x86_64-linux-gnu"));
  EXPECT_NE(cpus.find("\n  x86-64-v3\n"), std::string::npos) << cpus;
  EXPECT_EQ(cpus.find("\n  i686\n"), std::string::npos) << cpus;
  std::string features = cantFail(listFeatures("x86_64-linux-gnu"));
  EXPECT_NE(features.find("\n  avx512vnni: "), std::string::npos) << features;
  EXPECT_NE(features.find("\n  prefer-256-bit: "), std::string::npos) << features;
  EXPECT_EQ(features.find("\n  amx-int8: "), std::string::npos) << features;
  EXPECT_NE(cantFail(listFeatures("arm-linux-gnueabihf")).find("\n  vfp4: "), std::string::npos);
  EXPECT_TRUE(errorToBool(listCpus("pdp11").takeError()));
}

/// What decisions depend on follows from the CPU and its features.
TEST(Target, FactsFollowFromTheFeatures) {
  using F = CpuFact;
  struct Case {
    const char *triple, *cpu, *features;
    unsigned vectorBits, vectorRegisters;
    CpuFacts facts;
  };
  const Case cases[] = {
      {"x86_64-linux-gnu", "", "", 128, 16, {F::memoryOperands, F::pairDots}},
      {"x86_64-linux-gnu", "", "+sse4.1", 128, 16, {F::memoryOperands, F::pairDots, F::rounding}},
      {"x86_64-linux-gnu", "", "+avx", 256, 16, {F::memoryOperands, F::rounding}},
      {"x86_64-linux-gnu",
       "x86-64-v3",
       "",
       256,
       16,
       {F::fma, F::memoryOperands, F::f16Conversion, F::rounding, F::pairDots}},
      {"x86_64-linux-gnu",
       "x86-64-v3",
       "+avxvnni",
       256,
       16,
       {F::fma, F::memoryOperands, F::f16Conversion, F::rounding, F::pairDots, F::mixedDots}},
      {"x86_64-linux-gnu",
       "x86-64-v4",
       "",
       512,
       32,
       {F::fma, F::maskedVectors, F::broadcastOperands, F::memoryOperands, F::f16Conversion,
        F::rounding, F::pairDots}},
      // Its VNNI instructions have 256 bits only.
      {"x86_64-linux-gnu",
       "x86-64-v4",
       "+avxvnni",
       512,
       32,
       {F::fma, F::maskedVectors, F::broadcastOperands, F::memoryOperands, F::f16Conversion,
        F::rounding, F::pairDots}},
      {"x86_64-linux-gnu",
       "znver4",
       "",
       512,
       32,
       {F::fma, F::maskedVectors, F::broadcastOperands, F::memoryOperands, F::f16Conversion,
        F::rounding, F::pairDots, F::mixedDots, F::dotBf16}},
      {"aarch64-linux-gnu",
       "",
       "",
       128,
       32,
       {F::fma, F::elementOperands, F::f16Conversion, F::rounding, F::nanMinMax}},
      {"aarch64-linux-gnu",
       "neoverse-v1",
       "",
       128,
       32,
       {F::fma, F::maskedVectors, F::elementOperands, F::f16Conversion, F::rounding, F::nanMinMax,
        F::mixedDots, F::alikeDots, F::tileProductI8, F::dotBf16}},
      {"armv7-linux-gnueabihf", "", "", 128, 16, {}},
      {"armv7-linux-gnueabihf", "cortex-a15", "", 128, 16, {F::fma, F::f16Conversion}},
      {"riscv64-linux-gnu", "", "", 128, 32, {F::fma}},
  };
  for (const Case &row : cases) {
    TargetInfo target = cantFail(resolveTarget(row.triple, row.cpu, row.features));
    std::string name = target.triple + " " + row.cpu + row.features;
    EXPECT_EQ(target.vectorBits, row.vectorBits) << name;
    EXPECT_EQ(target.numVectorRegisters, row.vectorRegisters) << name;
    for (const CpuFactName &fact : cpuFactNames)
      EXPECT_EQ(target.has(fact.fact), row.facts.has(fact.fact)) << name << " " << fact.name;
  }
}

/// A CPU may have more than a model can check for: that is not used.
TEST(Target, WhatIsNotCheckedIsOff) {
  struct Case {
    const char *triple, *cpu, *off, *on;
  };
  const Case cases[] = {
      {"x86_64-linux-gnu", "sapphirerapids", "-amx-int8", "+avx512vnni"},
      {"x86_64-linux-gnu", "btver1", "-sse4a", "+popcnt"},
      {"aarch64-linux-gnu", "neoverse-v2", "-sve-bitperm", "+sve2"},
      {"armv7-linux-gnueabihf", "cortex-a53", "-crc", "+v8"},
      {"riscv64-linux-gnu", "sifive-p670", "-zvbb", "+zbb"},
  };
  for (const Case &row : cases) {
    TargetInfo target = cantFail(resolveTarget(row.triple, row.cpu, ""));
    SmallVector<StringRef> words;
    StringRef(target.features).split(words, ',');
    EXPECT_TRUE(is_contained(words, row.off)) << row.cpu << " " << target.features;
    EXPECT_TRUE(is_contained(words, row.on)) << row.cpu << " " << target.features;
  }
}

/// Bits have one meaning each, and every feature is one of LLVM's.
TEST(Target, FeaturesAreLLVMs) {
  const std::pair<const char *, TargetArch> archs[] = {{"x86_64-linux-gnu", TargetArch::x86_64},
                                                       {"aarch64-linux-gnu", TargetArch::aarch64},
                                                       {"armv7-linux-gnueabihf", TargetArch::arm},
                                                       {"riscv64-linux-gnu", TargetArch::riscv64}};
  for (auto [triple, arch] : archs) {
    uint64_t seen = 0;
    for (const CheckedFeature &row : getCheckedFeatures(arch)) {
      EXPECT_EQ(seen & row.bit, 0u) << row.name;
      seen |= row.bit;
      EXPECT_TRUE(addsInstructions(arch, row.name)) << row.name;
      Expected<TargetInfo> target = resolveTarget(triple, "", std::string("+") + row.name);
      ASSERT_TRUE(bool(target)) << toString(target.takeError());
      EXPECT_TRUE(requiredCpuFeatures(*target) & row.bit) << row.name;
    }
  }
}
