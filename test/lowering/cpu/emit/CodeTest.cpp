//===- CodeTest.cpp - the machine code of emitted kernels -----------------===//
//
// What makes the kernels fast can be seen in their innermost loops: one
// multiply-add per accumulator, and no vector that moves to the stack or to
// another register.
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/Cases.h"
#include "test/support/KernelJit.h"
#include <gtest/gtest.h>

using namespace onnxc;

namespace {

/// The innermost loops of a kernel that could be compiled; a kernel whose code shows
/// none would pass every check of them.
std::vector<test::InnerLoop> innerLoops(const bench::CompiledFunction &function) {
  EXPECT_EQ(function.error(), "");
  EXPECT_FALSE(function.assembly().empty());
  std::vector<test::InnerLoop> loops = test::findInnerLoops(function.assembly());
  EXPECT_FALSE(loops.empty());
  return loops;
}

TEST(Code, AccumulatorsStayInRegisters) {
  for (const char *name : {"avx512", "avx2", "neon"})
    for (const bench::Case &test : bench::getCases()) {
      if (test.name.find("depthwise") != std::string::npos)
        continue;
      SCOPED_TRACE(std::string(name) + ", " + test.name);
      bench::CompiledFunction built(test::getTarget(name), test.module, test.hasWeight);
      int most = 0;
      for (test::InnerLoop loop : innerLoops(built)) {
        if (loop.multiplyAdds == 0)
          continue;
        most = std::max(most, loop.multiplyAdds);
        EXPECT_EQ(loop.spills, 0);
        EXPECT_EQ(loop.moves, 0);
      }
      // Short loops are unrolled.
      EXPECT_GE(most, built.accumulators());
    }
}

TEST(Code, DepthwiseDoesNotSpill) {
  for (const char *name : {"avx512", "avx2", "neon"})
    for (const bench::Case &test : bench::getCases()) {
      if (test.name.find("depthwise") == std::string::npos)
        continue;
      SCOPED_TRACE(std::string(name) + ", " + test.name);
      bench::CompiledFunction built(test::getTarget(name), test.module, test.hasWeight);
      for (test::InnerLoop loop : innerLoops(built))
        EXPECT_EQ(loop.spills, 0);
    }
}

TEST(Code, NoCalls) {
  for (const char *name : {"avx512", "avx2", "sse", "neon"})
    for (const bench::Case &test : bench::getCases()) {
      SCOPED_TRACE(std::string(name) + ", " + test.name);
      bench::CompiledFunction built(test::getTarget(name), test.module, test.hasWeight);
      ASSERT_EQ(built.error(), "");
      const std::string &text = built.assembly();
      ASSERT_FALSE(text.empty());
      EXPECT_EQ(text.find("\tcall"), std::string::npos);
      EXPECT_EQ(text.find("\tbl\t"), std::string::npos);
    }
}

} // namespace
