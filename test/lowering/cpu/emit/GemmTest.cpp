//===- GemmTest.cpp - emitted contractions against a plain loop -----------===//
#include "lowering/cpu/emit/Gemm.h"
#include "lowering/cpu/strategies/TileTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "test/support/KernelJit.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace onnxc;
using namespace onnxc::emit;
using test::Kernel;
using test::Slot;

namespace {

enum class Finish { None, BiasRelu, Residual, Costly };

struct Case {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  bool constantB = true;
  bool transposedA = false, transposedB = false, transposedC = false;
  bool sharedB = false; ///< one B for all batch entries
  bool dynamicM = false, dynamicN = false, dynamicK = false;
  Finish finish = Finish::None;
  int64_t kc = -1; ///< forced depth block
  bool smallTasks = false;
  bool packedRows = false;
};

struct GemmFixture {
  const Case &test;
  TargetInfo target;
  rt::CpuAttr kernelTarget;
  rt::GemmAttr strategy;
  std::vector<float> a, b, packed, bias, residual;

  GemmFixture(const Case &test, const std::string &targetName)
      : test(test), target(test::getTarget(targetName)),
        kernelTarget(test::getKernelTarget(target)) {
    rt::GemmShape shape{test.dynamicM ? -1 : test.m, test.dynamicN ? -1 : test.n,
                        test.dynamicK ? -1 : test.k};
    shape.constantB = test.constantB;
    shape.contiguousRowsOfB = !test.transposedB;
    shape.contiguousColumnsOfB = test.transposedB;
    if (test.transposedA)
      shape.depthStrideOfA = test.packedRows ? 1024 : test.m;
    rt::GemmAttr chosen = cpu::chooseGemm(kernelTarget, shape);
    strategy = rt::GemmAttr::get(
        chosen.getContext(), chosen.getMr(), chosen.getNv(), chosen.getLanes(),
        test.kc >= 0 ? test.kc : chosen.getKc(), test.smallTasks ? 2 : chosen.getTilesPerTask(),
        test.smallTasks ? 1 : chosen.getWorkPerTask(), chosen.getReadRows(), chosen.getPanels(),
        chosen.getPackRows(), chosen.getProduct(), chosen.getChains());
    std::mt19937 random(7);
    std::uniform_real_distribution<float> values(-1, 1);
    auto fill = [&](std::vector<float> &array, int64_t size) {
      array.resize(size);
      for (float &value : array)
        value = values(random);
    };
    fill(a, test.batch * test.m * test.k);
    fill(b, (test.sharedB ? 1 : test.batch) * test.n * test.k);
    fill(bias, test.n);
    fill(residual, test.batch * test.m * test.n);
    if (test.constantB)
      packB();
  }

  float &elementB(int64_t entry, int64_t depth, int64_t column) {
    int64_t start = test.sharedB ? 0 : entry * test.k * test.n;
    return b[start + (test.transposedB ? column * test.k + depth : depth * test.n + column)];
  }

  void packB() {
    test::PackedLayout layout{strategy.getNr()};
    int64_t size = layout.elements(test.k, test.n);
    int64_t entries = test.sharedB ? 1 : test.batch;
    packed.resize(size * entries);
    for (int64_t e = 0; e < entries; ++e)
      for (int64_t k = 0; k < test.k; ++k)
        for (int64_t n = 0; n < test.n; ++n)
          packed[e * size + layout.offset(test.k, k, n)] = elementB(e, k, n);
  }

  /// Slots: a, b, c, bias, m, n, k.
  GemmProblem makeProblem(OpBuilder &builder, Location loc, ValueRange slots) {
    auto size = [&](bool dynamic, int64_t value, unsigned slot) {
      return dynamic ? OpFoldResult(slots[slot]) : OpFoldResult(builder.getIndexAttr(value));
    };
    OpFoldResult batch = builder.getIndexAttr(test.batch);
    OpFoldResult m = size(test.dynamicM, test.m, 4);
    OpFoldResult n = size(test.dynamicN, test.n, 5);
    OpFoldResult k = size(test.dynamicK, test.k, 6);
    Type f32 = builder.getF32Type();
    auto matrix = [&](Value pointer, OpFoldResult rows, OpFoldResult columns, bool transposed) {
      Buffer buffer =
          makeDenseBuffer(builder, loc, pointer, f32,
                          {batch, transposed ? columns : rows, transposed ? rows : columns});
      if (transposed) {
        std::swap(buffer.sizes[1], buffer.sizes[2]);
        std::swap(buffer.strides[1], buffer.strides[2]);
      }
      return buffer;
    };
    GemmProblem problem;
    problem.batch = {batch};
    problem.m = m;
    problem.n = n;
    problem.k = k;
    problem.a = matrix(slots[0], m, k, test.transposedA);
    problem.c = matrix(slots[2], m, n, test.transposedC);
    problem.accumulatorType = f32;
    if (test.constantB) {
      OpFoldResult nr = builder.getIndexAttr(strategy.getNr());
      problem.b = makeDenseBuffer(builder, loc, slots[1], f32,
                                  {batch, ceilDivIndex(builder, loc, n, nr), k, nr});
    } else {
      problem.b = matrix(slots[1], k, n, test.transposedB);
    }
    if (test.sharedB)
      problem.b.strides[0] = builder.getIndexAttr(0);
    return problem;
  }

  Value emitFinish(OpBuilder &builder, Location loc, ValueRange slots, const GemmProblem &problem,
                   Value value, ArrayRef<OpFoldResult> indices, Value mask) {
    unsigned lanes = 1;
    if (auto type = dyn_cast<VectorType>(value.getType()))
      lanes = type.getNumElements();
    auto read = [&](const Buffer &buffer, ArrayRef<OpFoldResult> position) {
      return mask ? maskedLoad(builder, loc, buffer, position, mask)
                  : load(builder, loc, buffer, position, lanes);
    };
    if (test.finish == Finish::Residual) {
      // The residual stands where the result goes.
      Value other = read(problem.c, indices);
      return arith::AddFOp::create(builder, loc, value, other);
    }
    Buffer bias = makeDenseBuffer(builder, loc, slots[3], builder.getF32Type(), {problem.n});
    value = arith::AddFOp::create(builder, loc, value, read(bias, {indices.back()}));
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
    Value positive = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, value, zero);
    return arith::SelectOp::create(builder, loc, positive, value, zero);
  }

  std::unique_ptr<Kernel> build() {
    return std::make_unique<Kernel>(
        target, std::vector<bool>{true, true, true, true, false, false, false},
        [&](OpBuilder &builder, Location loc, ValueRange slots) {
          return emitGemmTaskCount(builder, loc, makeProblem(builder, loc, slots), strategy);
        },
        [&](OpBuilder &builder, Location loc, ValueRange slots, Value task) {
          GemmProblem problem = makeProblem(builder, loc, slots);
          auto epilogue = [&](OpBuilder &builder, Location loc, Value value,
                              ArrayRef<OpFoldResult> indices, Value mask) {
            return emitFinish(builder, loc, slots, problem, value, indices, mask);
          };
          Epilogue none = nullptr;
          bool finish = test.finish != Finish::None;
          emitGemm(builder, loc, problem, strategy, kernelTarget, task,
                   finish ? Epilogue(epilogue) : none,
                   test.finish == Finish::Costly ? 50
                   : finish                      ? 3
                                                 : 0);
        });
  }

  double reference(int64_t entry, int64_t row, int64_t column) {
    double sum = 0;
    for (int64_t k = 0; k < test.k; ++k) {
      int64_t place = test.transposedA ? k * test.m + row : row * test.k + k;
      sum += double(a[entry * test.m * test.k + place]) * elementB(entry, k, column);
    }
    if (test.finish == Finish::Residual)
      return sum + residual[(entry * test.m + row) * test.n + column];
    if (test.finish != Finish::None)
      return std::max(0.0, sum + bias[column]);
    return sum;
  }

  void check() {
    std::unique_ptr<Kernel> kernel = build();
    ASSERT_EQ(kernel->error(), "");
    // Guards behind the end show writes beyond it.
    constexpr int64_t guard = 64;
    int64_t size = test.batch * test.m * test.n;
    std::vector<float> c = residual;
    c.resize(size + guard, 123.0f);
    std::vector<Slot> slots(7);
    slots[0].pointer = a.data();
    slots[1].pointer = test.constantB ? packed.data() : b.data();
    slots[2].pointer = c.data();
    slots[3].pointer = bias.data();
    slots[4].size = test.m;
    slots[5].size = test.n;
    slots[6].size = test.k;
    kernel->run(slots);
    double worst = 0;
    for (int64_t e = 0; e < test.batch; ++e)
      for (int64_t i = 0; i < test.m; ++i)
        for (int64_t j = 0; j < test.n; ++j) {
          int64_t place = test.transposedC ? j * test.m + i : i * test.n + j;
          double found = c[e * test.m * test.n + place];
          worst = std::max(worst, std::abs(found - reference(e, i, j)));
          if (std::isnan(found))
            worst = 1e9;
        }
    EXPECT_LT(worst, 1e-5 * std::sqrt(double(test.k) + 1) + 1e-6)
        << test.m << " x " << test.n << " x " << test.k;
    for (int64_t i = 0; i < guard; ++i)
      EXPECT_EQ(c[size + i], 123.0f);
  }
};

void checkAll(const Case &test) {
  for (const std::string &target : test::getRunnableTargets()) {
    SCOPED_TRACE(target);
    GemmFixture(test, target).check();
  }
}

Case make(int64_t m, int64_t n, int64_t k) {
  Case test;
  test.m = m;
  test.n = n;
  test.k = k;
  return test;
}

TEST(Gemm, ConstantSizes) {
  for (auto [m, n, k] : {std::tuple(1, 1, 1),
                         {6, 64, 8},
                         {13, 80, 33},
                         {7, 100, 3},
                         {64, 48, 64},
                         {3, 1000, 70},
                         {50, 17, 5},
                         {128, 96, 40}})
    checkAll(make(m, n, k));
}

TEST(Gemm, SingleRow) {
  for (int64_t rows : {1, 2, 4})
    checkAll(make(rows, 130, 200));
}

TEST(Gemm, RowsKnownAtRunTime) {
  for (int64_t rows : {0, 1, 5, 6, 11, 96, 101}) {
    Case test = make(rows, 70, 20);
    test.dynamicM = true;
    test.finish = Finish::BiasRelu;
    checkAll(test);
  }
}

TEST(Gemm, AllSizesKnownAtRunTime) {
  for (auto [m, n, k] :
       {std::tuple(1, 1, 1), {33, 47, 129}, {24, 128, 600}, {7, 65, 0}, {9, 16, 31}})
    for (bool transposed : {false, true}) {
      Case test = make(m, n, k);
      test.batch = 2;
      test.constantB = false;
      test.transposedB = transposed;
      test.dynamicM = test.dynamicN = test.dynamicK = true;
      checkAll(test);
    }
}

TEST(Gemm, BlocksOfDepth) {
  for (int64_t k : {24, 30}) {
    Case test = make(20, 70, k);
    test.kc = 8;
    test.finish = Finish::Residual;
    checkAll(test);
  }
}

TEST(Gemm, EpilogueInALoop) {
  for (auto [m, n] : {std::pair(13, 70), {12, 64}}) {
    Case test = make(m, n, 9);
    test.finish = Finish::Costly;
    checkAll(test);
    test.dynamicM = true;
    checkAll(test);
  }
}

TEST(Gemm, ResidualSharesMemoryWithTheOutput) {
  Case test = make(29, 90, 17);
  test.finish = Finish::Residual;
  checkAll(test);
  test.kc = 8;
  checkAll(test);
}

TEST(Gemm, RunTimePanels) {
  for (bool transposed : {false, true})
    for (auto [m, n, k] : {std::tuple(30, 64, 64), {48, 70, 33}, {25, 9, 300}}) {
      Case test = make(m, n, k);
      test.constantB = false;
      test.transposedB = transposed;
      test.batch = 3;
      checkAll(test);
    }
}

TEST(Gemm, PanelsInPlace) {
  for (int64_t columns : {64, 70, 200})
    for (int64_t depth : {40, 600})
      for (bool dynamic : {false, true}) {
        Case test = make(3, columns, depth);
        test.constantB = false;
        test.dynamicN = test.dynamicK = dynamic;
        checkAll(test);
      }
}

TEST(Gemm, FewRowsWithContiguousColumns) {
  for (auto [m, n, k] : {std::tuple(1, 64, 64), {3, 37, 50}, {1, 5, 3}})
    for (bool dynamic : {false, true}) {
      Case test = make(m, n, k);
      test.batch = 2;
      test.constantB = false;
      test.transposedB = true;
      test.dynamicN = test.dynamicK = dynamic;
      test.finish = Finish::BiasRelu;
      checkAll(test);
      test.transposedA = true;
      checkAll(test);
    }
}

TEST(Gemm, TransposedAAndC) {
  Case test = make(21, 75, 19);
  test.transposedA = true;
  checkAll(test);
  test.transposedC = true;
  test.finish = Finish::None;
  checkAll(test);
}

TEST(Gemm, PackedRows) {
  for (bool dynamic : {false, true})
    for (auto [m, n, k] : {std::tuple(100, 70, 200), {31, 40, 20}}) {
      Case test = make(m, n, k);
      test.transposedA = test.packedRows = true;
      test.dynamicM = dynamic;
      test.finish = Finish::BiasRelu;
      checkAll(test);
      test.constantB = false;
      test.dynamicK = test.dynamicN = dynamic;
      checkAll(test);
    }
}

TEST(Gemm, SharedB) {
  Case test = make(10, 40, 12);
  test.batch = 4;
  test.sharedB = true;
  checkAll(test);
}

TEST(Gemm, ManyTasks) {
  for (bool dynamic : {false, true}) {
    Case test = make(100, 200, 16);
    test.batch = 3;
    test.smallTasks = true;
    test.dynamicM = dynamic;
    checkAll(test);
  }
}

} // namespace
