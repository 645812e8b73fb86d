//===- JitTest.cpp - Modules compiled and called in this process -----------===//
#include "codegen/Jit.h"
#include "Models.h"
#include "codegen/Target.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace onnxc;
using namespace onnxc::test;

namespace {
struct Jit {
  Jit(StringRef text, StringRef targetCpu) {
    context.loadDialect<mlir::LLVM::LLVMDialect>();
    auto source = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(source);
    TargetInfo target = cantFail(resolveTarget("x86_64-linux-gnu", targetCpu, ""));
    TargetInfo host = cantFail(getEvaluationTarget(target));
    Expected<std::unique_ptr<JitModule>> compiled =
        compileInProcess(*source, host, /*anyAddress=*/true);
    if (compiled)
      module = std::move(*compiled);
    else
      error = toString(compiled.takeError());
  }
  template <typename F> F *get(StringRef name) {
    return reinterpret_cast<F *>(cantFail(module->lookup(name)));
  }
  mlir::MLIRContext context;
  std::unique_ptr<JitModule> module;
  std::string error;
};
} // namespace

static const char *const mulAdd = R"mlir(
llvm.func @mul_add(%a: f32, %b: f32, %c: f32) -> f32 {
  %r = llvm.intr.fmuladd(%a, %b, %c) : (f32, f32, f32) -> f32
  llvm.return %r : f32
}
)mlir";

TEST(Jit, MulAddRoundsAsTheTargetDoes) {
  float a = 1.0f + 0x1p-12f, c = -(1.0f + 0x1p-11f);
  volatile float product = a * a;
  float twoRoundings = product + c, oneRounding = std::fma(a, a, c);
  ASSERT_NE(twoRoundings, oneRounding);
  Jit fused(mulAdd, "x86-64-v3"), plain(mulAdd, "x86-64");
  ASSERT_EQ(fused.error + plain.error, "");
  EXPECT_EQ(fused.get<float(float, float, float)>("mul_add")(a, a, c), oneRounding);
  EXPECT_EQ(plain.get<float(float, float, float)>("mul_add")(a, a, c), twoRoundings);
}

TEST(Jit, VectorsMayBeAsWideAsTheTargets) {
  TargetInfo target = cantFail(resolveTarget("x86_64-linux-gnu", "x86-64-v4", ""));
  EXPECT_GE(cantFail(getEvaluationTarget(target)).vectorBits, target.vectorBits);
}

TEST(Jit, KernelsRunThroughTheRuntime) {
  // The body of the test model, with its kernel, and no descriptor.
  TestModel model;
  TargetInfo host = cantFail(getEvaluationTarget(cantFail(resolveTarget("", "native", ""))));
  auto module = cantFail(compileInProcess(*model.module, host, /*anyAddress=*/true));
  using Kernel = void(void *, int64_t);
  auto *kernel = reinterpret_cast<Kernel *>(cantFail(module->lookup("scale_add")));
  float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {};
  void *slots[] = {x, model.weightValues.data(), y};
  kernel(slots, 1);
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[4], 6);
  EXPECT_EQ(y[7], 33);
}

TEST(Jit, ConstantsMayLieAtAnyByte) {
  Jit copy(R"mlir(
    llvm.func @copy(%from: !llvm.ptr, %to: !llvm.ptr) {
      %x = llvm.load %from {alignment = 64 : i64} : !llvm.ptr -> vector<16xf32>
      llvm.store %x, %to {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
      llvm.return
    })mlir",
           "native");
  ASSERT_EQ(copy.error, "");
  alignas(64) char from[65] = {};
  for (int i = 0; i < 65; ++i)
    from[i] = static_cast<char>(i);
  float to[16];
  copy.get<void(const char *, float *)>("copy")(from + 1, to);
  EXPECT_EQ(memcmp(from + 1, to, sizeof to), 0);
}

TEST(Jit, HelpersAreFoundAndLibcIsNot) {
  Jit division(R"mlir(
    llvm.func @divide(%a: i64, %b: i64) -> i64 {
      %x = llvm.sext %a : i64 to i128
      %y = llvm.sext %b : i64 to i128
      %q = llvm.sdiv %x, %y : i128
      %r = llvm.trunc %q : i128 to i64
      llvm.return %r : i64
    })mlir",
               "x86-64");
  ASSERT_EQ(division.error, "");
  EXPECT_EQ(division.get<int64_t(int64_t, int64_t)>("divide")(-100, 7), -14);
  Jit libc(R"mlir(
    llvm.func @sinf(f32) -> f32
    llvm.func @sine(%x: f32) -> f32 {
      %y = llvm.call @sinf(%x) : (f32) -> f32
      llvm.return %y : f32
    })mlir",
           "x86-64");
  ASSERT_EQ(libc.error, "");
  std::string message = messageOf(libc.module->lookup("sine").takeError());
  EXPECT_NE(message.find("sinf"), std::string::npos) << message;
}
