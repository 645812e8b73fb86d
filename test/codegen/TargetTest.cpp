//===- TargetTest.cpp - What the user typed, resolved ----------------------===//
#include "codegen/Target.h"
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
      {"x86_64-linux-gnu", "abacus", "",
       "unknown cpu 'abacus' for target 'x86_64-unknown-linux-gnu'"},
      {"aarch64-linux-gnu", "native", "",
       "cpu 'native' is a x86_64, expected one for target 'aarch64-unknown-linux-gnu'"},
      {"x86_64-linux-gnu", "", "avx2", "feature 'avx2' must begin with '+' or '-'"},
      {"x86_64-linux-gnu", "", "+magic",
       "unknown feature 'magic' for target 'x86_64-unknown-linux-gnu'"},
  };
  for (const Case &wrong : cases) {
    Expected<TargetInfo> target = resolveTarget(wrong.triple, wrong.cpu, wrong.features);
    ASSERT_FALSE(target) << wrong.message;
    std::string message = toString(target.takeError());
    EXPECT_TRUE(StringRef(message).starts_with(wrong.message)) << message;
  }
}

/// What lowering asks for follows from the CPU and its features.
TEST(Target, LoweringFactsFollowFromTheFeatures) {
  struct Case {
    const char *triple, *cpu, *features;
    bool hasMemoryOperands, hasRounding, hasNanMinMax;
  };
  const Case cases[] = {
      {"x86_64-linux-gnu", "", "", true, false, false},
      {"x86_64-linux-gnu", "", "+sse4.1", true, true, false},
      {"x86_64-linux-gnu", "x86-64-v3", "", true, true, false},
      {"x86_64-linux-gnu", "x86-64-v3", "-sse4.1", true, false, false},
      {"aarch64-linux-gnu", "", "", false, true, true},
      {"armv7-linux-gnueabihf", "", "", false, false, false},
      {"riscv64-linux-gnu", "", "", false, false, false},
  };
  for (const Case &row : cases) {
    TargetInfo target = cantFail(resolveTarget(row.triple, row.cpu, row.features));
    std::string name = target.triple + " " + row.cpu + row.features;
    EXPECT_EQ(target.hasMemoryOperands, row.hasMemoryOperands) << name;
    EXPECT_EQ(target.hasRounding, row.hasRounding) << name;
    EXPECT_EQ(target.hasNanMinMax, row.hasNanMinMax) << name;
  }
}
