//===- Peak.h - shares of the multiply-add peak -----------------*- C++ -*-===//
#ifndef ONNXC_BENCH_KERNELS_PEAK_H
#define ONNXC_BENCH_KERNELS_PEAK_H

#include "test/support/KernelJit.h"
#include <functional>

namespace onnxc::bench {

/// A share of the peak: the median and the extremes of its rounds.
struct Share {
  double median, least, most;
  double microseconds; ///< of one run, median
};

/// Times a function in alternation with a loop of independent multiply-adds,
/// so that both see the same clock and the same neighbours.
class Peak {
public:
  explicit Peak(const TargetInfo &target);
  bool canRun() const { return kernel.canRun(); }
  Share measure(double multiplyAdds, const std::function<void()> &run, int rounds = 9);

private:
  double timePeak();

  test::Kernel kernel;
  double multiplyAddsPerRound;
  std::vector<float> data;
};

} // namespace onnxc::bench

#endif // ONNXC_BENCH_KERNELS_PEAK_H
