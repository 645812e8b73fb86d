//===- Peak.cpp - shares of the multiply-add peak -------------------------===//
#include "bench/kernels/Peak.h"
#include "lowering/cpu/emit/MicroKernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <algorithm>
#include <ctime>

using namespace mlir;

namespace onnxc::bench {

static constexpr int64_t iterations = 200000;
static constexpr unsigned chains = 12; // two units, latency four

/// Lanes of a full vector of f32.
static unsigned lanesOf(const TargetInfo &target) { return target.vectorBits / 32; }

/// Every chain starts at a value that is loaded and not at its fixed point.
static void emitPeak(OpBuilder &outer, Location loc, ValueRange slots, unsigned lanes) {
  ImplicitLocOpBuilder builder(loc, outer);
  Type f32 = builder.getF32Type();
  auto place = [&](unsigned i) {
    return emit::offsetPointer(builder, loc, slots[0], f32, builder.getIndexAttr(i * lanes));
  };
  SmallVector<Value> start;
  for (unsigned i = 0; i < chains; ++i)
    start.push_back(emit::loadFrom(builder, loc, place(i), f32, lanes));
  Value factor = emit::loadFrom(builder, loc, place(chains), f32, lanes);
  auto loop =
      scf::ForOp::create(builder, emit::asValue(builder, loc, builder.getIndexAttr(0)), slots[1],
                         emit::asValue(builder, loc, builder.getIndexAttr(1)), start,
                         [&](OpBuilder &nested, Location nestedLoc, Value, ValueRange carried) {
                           ImplicitLocOpBuilder body(nestedLoc, nested);
                           SmallVector<Value> next;
                           for (Value value : carried)
                             next.push_back(emit::emitMultiplyAdd(body, factor, factor, value));
                           scf::YieldOp::create(body, next);
                         });
  for (unsigned i = 0; i < chains; ++i)
    emit::storeTo(builder, loc, loop.getResult(i), place(i));
  outer.restoreInsertionPoint(builder.saveInsertionPoint());
}

/// Seconds that this thread has computed: other processes do not count.
static double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

Peak::Peak(const TargetInfo &target)
    : kernel(
          target, {true, false},
          [](OpBuilder &builder, Location, ValueRange) {
            return OpFoldResult(builder.getIndexAttr(1));
          },
          [&](OpBuilder &builder, Location loc, ValueRange slots, Value) {
            emitPeak(builder, loc, slots, lanesOf(target));
          }),
      multiplyAddsPerRound(double(iterations) * chains * lanesOf(target)),
      data((chains + 1) * lanesOf(target), 1e-3f) {}

double Peak::timePeak() {
  std::vector<test::Slot> slots(2);
  slots[0].pointer = data.data();
  slots[1].size = iterations;
  double start = now();
  kernel.run(slots);
  return multiplyAddsPerRound / (now() - start);
}

Share Peak::measure(double multiplyAdds, const std::function<void()> &run, int rounds) {
  run();
  double start = now();
  run();
  int repeats = std::max(1, int(2e-3 / std::max(now() - start, 1e-9)));
  std::vector<double> ratios, times;
  for (int round = 0; round < rounds; ++round) {
    double before = timePeak();
    start = now();
    for (int i = 0; i < repeats; ++i)
      run();
    double time = (now() - start) / repeats;
    double peak = (before + timePeak()) / 2;
    ratios.push_back(multiplyAdds / time / peak);
    times.push_back(time);
  }
  std::sort(ratios.begin(), ratios.end());
  std::sort(times.begin(), times.end());
  return {ratios[rounds / 2], ratios.front(), ratios.back(), times[rounds / 2] * 1e6};
}

} // namespace onnxc::bench
