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
