//===- Cases.h - the kernels that are timed ---------------------*- C++ -*-===//
#ifndef ONNXC_BENCH_KERNELS_CASES_H
#define ONNXC_BENCH_KERNELS_CASES_H

#include "test/support/KernelJit.h"

namespace onnxc::bench {

/// A compiled kernel with its arguments.
struct Built {
  std::unique_ptr<test::Kernel> kernel;
  std::vector<std::vector<float>> arrays;
  std::vector<test::Slot> slots;
  double multiplyAdds;
  /// Accumulators of the largest register tile.
  int64_t accumulators;
};

struct Case {
  std::string name;
  std::function<Built(const TargetInfo &)> build;
};

std::vector<Case> getCases();

} // namespace onnxc::bench

#endif // ONNXC_BENCH_KERNELS_CASES_H
