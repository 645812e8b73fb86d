//===- Cases.cpp - the kernels that are timed
//------------------------------===//
#include "bench/kernels/Cases.h"
#include "lowering/emit/Gemm.h"
#include "lowering/kernels/TileTable.h"

using namespace mlir;
using namespace onnxc::emit;

namespace onnxc::bench {

/// An array that starts at a cache line, as tensors do.
static void *addArray(Built &built, int64_t size) {
  std::vector<float> array(size + 16);
  for (size_t i = 0; i < array.size(); ++i)
    array[i] = float(i % 13) / 13 - 0.4f;
  built.arrays.push_back(std::move(array));
  auto address = reinterpret_cast<uintptr_t>(built.arrays.back().data());
  return reinterpret_cast<void *>((address + 63) & ~uintptr_t(63));
}

static Built buildGemm(const TargetInfo &target, int64_t m, int64_t n,
                       int64_t k) {
  GemmStrategy strategy = chooseGemm(target, {m, n, k});
  auto makeProblem = [=](OpBuilder &builder, Location loc, ValueRange slots) {
    auto dense = [&](Value pointer, ArrayRef<int64_t> sizes) {
      SmallVector<OpFoldResult> folded;
      for (int64_t size : sizes)
        folded.push_back(builder.getIndexAttr(size));
      return makeDenseBuffer(builder, loc, pointer, builder.getF32Type(),
                             folded);
    };
    GemmProblem problem;
    problem.m = builder.getIndexAttr(m);
    problem.n = builder.getIndexAttr(n);
    problem.k = builder.getIndexAttr(k);
    problem.a = dense(slots[0], {m, k});
    problem.b =
        dense(slots[1], {strategy.layout().panels(n), k, strategy.nr()});
    problem.c = dense(slots[2], {m, n});
    problem.accumulatorType = builder.getF32Type();
    return problem;
  };
  Built built;
  built.kernel = std::make_unique<test::Kernel>(
      target, std::vector<bool>{true, true, true},
      [&](OpBuilder &builder, Location loc, ValueRange slots) {
        return emitGemmTaskCount(builder, loc, makeProblem(builder, loc, slots),
                                 strategy);
      },
      [&](OpBuilder &builder, Location loc, ValueRange slots, Value task) {
        emitGemm(builder, loc, makeProblem(builder, loc, slots), strategy,
                 target, task);
      });
  built.slots.resize(3);
  built.slots[0].pointer = addArray(built, m * k);
  built.slots[1].pointer = addArray(built, strategy.layout().elements(k, n));
  built.slots[2].pointer = addArray(built, m * n);
  built.multiplyAdds = double(m) * n * k;
  return built;
}

std::vector<Case> getCases() {
  std::vector<Case> cases;
  for (auto [m, n, k] : {std::tuple(512, 512, 512),
                         {128, 768, 768},
                         {128, 3072, 768},
                         {128, 768, 3072},
                         {197, 768, 768},
                         {3136, 64, 64},
                         {196, 256, 1024},
                         {1, 768, 768}}) {
    std::string name = "gemm " + std::to_string(m) + "x" + std::to_string(n) +
                       "x" + std::to_string(k);
    cases.push_back({name, [m = m, n = n, k = k](const TargetInfo &target) {
                       return buildGemm(target, m, n, k);
                     }});
  }
  return cases;
}

} // namespace onnxc::bench
