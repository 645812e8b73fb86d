//===- TypeTest.cpp - contractions of all element types -------------------===//
#include "lowering/cpu/emit/Gemm.h"
#include "lowering/cpu/strategies/TileTable.h"
#include "test/support/KernelJit.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace onnxc;
using namespace onnxc::emit;

namespace {

enum class Kind { F16, BF16, F32, F64, I8, U8, I32 };

unsigned bytesOf(Kind kind) {
  switch (kind) {
  case Kind::I8:
  case Kind::U8: return 1;
  case Kind::F16:
  case Kind::BF16: return 2;
  case Kind::F64: return 8;
  default: return 4;
  }
}

Type typeOf(OpBuilder &builder, Kind kind) {
  switch (kind) {
  case Kind::F16: return builder.getF16Type();
  case Kind::BF16: return builder.getBF16Type();
  case Kind::F32: return builder.getF32Type();
  case Kind::F64: return builder.getF64Type();
  case Kind::I32: return builder.getI32Type();
  default: return builder.getI8Type();
  }
}

const llvm::fltSemantics &semanticsOf(Kind kind) {
  if (kind == Kind::F16)
    return llvm::APFloat::IEEEhalf();
  if (kind == Kind::BF16)
    return llvm::APFloat::BFloat();
  return kind == Kind::F32 ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble();
}

bool isInteger(Kind kind) { return kind == Kind::I8 || kind == Kind::U8 || kind == Kind::I32; }

/// An array of any element type, read and written as doubles.
struct Array {
  Kind kind;
  std::vector<char> bytes;

  Array(Kind kind, int64_t size) : kind(kind), bytes(size * bytesOf(kind)) {}

  void set(int64_t index, double value) {
    uint64_t bits;
    if (isInteger(kind)) {
      bits = uint64_t(int64_t(value));
    } else {
      llvm::APFloat number(value);
      bool lost;
      number.convert(semanticsOf(kind), llvm::APFloat::rmNearestTiesToEven, &lost);
      bits = number.bitcastToAPInt().getZExtValue();
    }
    memcpy(&bytes[index * bytesOf(kind)], &bits, bytesOf(kind));
  }

  double get(int64_t index) const {
    uint64_t bits = 0;
    unsigned width = bytesOf(kind) * 8;
    memcpy(&bits, &bytes[index * bytesOf(kind)], bytesOf(kind));
    if (kind == Kind::U8)
      return double(bits);
    if (isInteger(kind))
      return double(llvm::SignExtend64(bits, width));
    llvm::APFloat number(semanticsOf(kind), llvm::APInt(width, bits));
    bool lost;
    number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
    return number.convertToDouble();
  }
};

struct Types {
  Kind a, b, c, accumulator;
  double tolerance;
};

void check(const Types &types, const std::string &targetName, bool packed) {
  constexpr int64_t m = 7, n = 41, k = 35;
  TargetInfo target = test::getTarget(targetName);
  rt::GemmShape shape{m, n, k, bytesOf(types.accumulator) * 8};
  shape.constantB = packed;
  shape.factors = {bytesOf(types.a) == 1 && bytesOf(types.b) == 1, types.a == Kind::U8,
                   types.b == Kind::U8};
  rt::CpuAttr kernelTarget = test::getKernelTarget(target);
  rt::GemmAttr strategy = cpu::chooseGemm(kernelTarget, shape);
  test::PackedLayout layout{strategy.getNr(), rt::getDepthStep(strategy.getProduct())};
  Array a(types.a, m * k), c(types.c, m * n);
  Array b(types.b, packed ? layout.elements(k, n) : k * n);
  auto offset = [&](int64_t depth, int64_t column) {
    return packed ? layout.offset(k, depth, column) : depth * n + column;
  };
  double scale = isInteger(types.a) ? 1 : 1.0 / 64;
  for (int64_t i = 0; i < m * k; ++i)
    a.set(i, double(i * 37 % 128) * (types.a == Kind::U8 ? 2 : 1) * scale);
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < n; ++j)
      b.set(offset(i, j),
            (double((i * 53 + j * 29) % 256) - (types.b == Kind::U8 ? 0 : 128)) * scale);

  auto makeProblem = [&](OpBuilder &builder, Location loc, ValueRange slots) {
    auto dense = [&](Value pointer, Kind kind, ArrayRef<int64_t> sizes) {
      SmallVector<OpFoldResult> folded;
      for (int64_t size : sizes)
        folded.push_back(builder.getIndexAttr(size));
      return makeDenseBuffer(builder, loc, pointer, typeOf(builder, kind), folded);
    };
    GemmProblem problem;
    problem.m = builder.getIndexAttr(m);
    problem.n = builder.getIndexAttr(n);
    problem.k = builder.getIndexAttr(k);
    problem.a = dense(slots[0], types.a, {m, k});
    problem.b = packed ? dense(slots[1], types.b,
                               {layout.panels(n), layout.steps(k), layout.nr, layout.step})
                       : dense(slots[1], types.b, {k, n});
    problem.c = dense(slots[2], types.c, {m, n});
    problem.accumulatorType = typeOf(builder, types.accumulator);
    problem.aUnsigned = types.a == Kind::U8;
    problem.bUnsigned = types.b == Kind::U8;
    return problem;
  };
  test::Kernel kernel(
      target, {true, true, true},
      [&](OpBuilder &builder, Location loc, ValueRange slots) {
        return emitGemmTaskCount(builder, loc, makeProblem(builder, loc, slots), strategy);
      },
      [&](OpBuilder &builder, Location loc, ValueRange slots, Value task) {
        emitGemm(builder, loc, makeProblem(builder, loc, slots), strategy, kernelTarget, task);
      });
  ASSERT_EQ(kernel.error(), "");
  std::vector<test::Slot> slots(3);
  slots[0].pointer = a.bytes.data();
  slots[1].pointer = b.bytes.data();
  slots[2].pointer = c.bytes.data();
  kernel.run(slots);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t depth = 0; depth < k; ++depth)
        sum += a.get(i * k + depth) * b.get(offset(depth, j));
      double bound = types.tolerance * (std::abs(sum) + 1);
      ASSERT_NEAR(c.get(i * n + j), sum, bound) << i << ", " << j;
    }
}

void checkAll(const Types &types) {
  for (const std::string &target : test::getRunnableTargets())
    for (bool packed : {true, false}) {
      SCOPED_TRACE(target);
      check(types, target, packed);
    }
}

TEST(Types, Half) {
  checkAll({Kind::F16, Kind::F16, Kind::F16, Kind::F32, 1e-3});
  checkAll({Kind::F16, Kind::F16, Kind::F32, Kind::F32, 1e-5});
}

TEST(Types, BFloat) { checkAll({Kind::BF16, Kind::BF16, Kind::F32, Kind::F32, 1e-5}); }

TEST(Types, Double) { checkAll({Kind::F64, Kind::F64, Kind::F64, Kind::F64, 1e-14}); }

TEST(Types, Bytes) {
  for (Kind a : {Kind::I8, Kind::U8})
    for (Kind b : {Kind::I8, Kind::U8})
      checkAll({a, b, Kind::I32, Kind::I32, 0});
}

TEST(Types, Integers) { checkAll({Kind::I32, Kind::I32, Kind::I32, Kind::I32, 0}); }

} // namespace
