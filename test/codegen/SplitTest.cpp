//===- SplitTest.cpp - Models compiled in several parts --------------------===//
#include "Models.h"
#include "codegen/Jit.h"
#include "codegen/LLVMIR.h"
#include "codegen/Target.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace onnxc;
using namespace onnxc::test;

/// `count` kernels of `size` additions, all run by @host, each through @helper;
/// every kernel adds its number to its slot.
static std::string makeModule(int count, int size) {
  std::string text = R"mlir(
llvm.func @onnxc_rt_launch(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
llvm.mlir.global private constant @table(dense<[5, 7]> : tensor<2xi64>) : !llvm.array<2 x i64>
llvm.func @helper(%slot: !llvm.ptr, %x: i64) {
  %table = llvm.mlir.addressof @table : !llvm.ptr
  %five = llvm.load %table : !llvm.ptr -> i64
  %y = llvm.add %x, %five : i64
  llvm.store %y, %slot : i64, !llvm.ptr
  llvm.return
}
)mlir";
  std::string host = "llvm.func @host(%context: !llvm.ptr, %slots: !llvm.ptr) {\n"
                     "  %one = llvm.mlir.constant(1 : i64) : i64\n";
  for (int k = 0; k < count; ++k) {
    std::string number = std::to_string(k);
    text += "llvm.func @kernel" + number + "(%slots: !llvm.ptr, %task: i64) {\n" +
            "  %slot = llvm.getelementptr %slots[" + number +
            "] : (!llvm.ptr) -> !llvm.ptr, i64\n"
            "  %step = llvm.mlir.constant(" +
            number +
            " : i64) : i64\n"
            "  %x0 = llvm.load volatile %slot : !llvm.ptr -> i64\n";
    for (int i = 0; i < size; ++i)
      text +=
          "  %x" + std::to_string(i + 1) + " = llvm.xor %x" + std::to_string(i) + ", %step : i64\n";
    text += "  llvm.call @helper(%slot, %x" + std::to_string(size) +
            ") : (!llvm.ptr, i64) -> ()\n  llvm.return\n}\n";
    host += "  %k" + number + " = llvm.mlir.addressof @kernel" + number + " : !llvm.ptr\n" +
            "  llvm.call @onnxc_rt_launch(%context, %slots, %slots, %one, %k" + number +
            ", %slots) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()\n";
  }
  return text + host + "  llvm.return\n}\n";
}

namespace {
struct Split : ::testing::Test {
  Split() { context.loadDialect<mlir::LLVM::LLVMDialect>(); }
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }
  mlir::MLIRContext context;
  TargetInfo host = cantFail(resolveTarget("", "native", ""));
};
} // namespace

TEST_F(Split, KernelsAreSpreadAndHelpersCopied) {
  auto source = parse(makeModule(24, 10));
  ASSERT_TRUE(source);
  IRModule whole = cantFail(translateToLLVM(*source, host));
  cantFail(linkRuntime(*whole.module, host));
  std::vector<IRModule> parts = cantFail(splitModule(std::move(whole), 3, {"host"}));
  ASSERT_EQ(parts.size(), 3u);
  std::map<std::string, int> definitions;
  for (IRModule &part : parts) {
    EXPECT_FALSE(verifyModule(*part.module, &errs()));
    int kernels = 0;
    for (const Function &function : *part.module) {
      if (function.isDeclaration())
        continue;
      ++definitions[function.getName().str()];
      if (!function.getName().starts_with("kernel"))
        continue;
      ++kernels;
      EXPECT_TRUE(function.hasHiddenVisibility() || function.hasLocalLinkage());
    }
    EXPECT_GE(kernels, 1);
    const Function *helper = part.module->getFunction("helper");
    ASSERT_NE(helper, nullptr);
    EXPECT_TRUE(helper->hasLocalLinkage());
  }
  EXPECT_EQ(definitions["host"], 1);
  EXPECT_EQ(definitions["helper"], 3);
  EXPECT_EQ(definitions["onnxc_rt_launch"], 3);
  for (int k = 0; k < 24; ++k)
    EXPECT_EQ(definitions["kernel" + std::to_string(k)], 1);
}

TEST_F(Split, PartsLinkAndRun) {
  // Large enough for several parts where there are several cores.
  constexpr int count = 40;
  auto source = parse(makeModule(count, 401));
  ASSERT_TRUE(source);
  auto module = cantFail(compileInProcess(*source, host, /*anyAddress=*/true));
  auto *run = reinterpret_cast<void (*)(void *, int64_t *)>(cantFail(module->lookup("host")));
  int64_t slots[count] = {};
  // A context whose call has no thread hooks: tasks run serially.
  char call[256] = {};
  void *context[] = {call};
  run(context, slots);
  for (int k = 0; k < count; ++k)
    EXPECT_EQ(slots[k], k + 5);
}
