//===- Cases.h - the kernels that are timed ---------------------*- C++ -*-===//
#ifndef ONNXC_BENCH_KERNELS_CASES_H
#define ONNXC_BENCH_KERNELS_CASES_H

#include "bench/kernels/CompiledFunction.h"

namespace onnxc::bench {

/// A product or convolution of f32, as the linalg stage leaves it.
struct Case {
  std::string name;
  std::string module;           ///< MLIR text
  std::vector<int64_t> inputs;  ///< elements of each
  std::vector<int64_t> symbols; ///< sizes that only the run knows
  double multiplyAdds = 0;
  bool hasWeight = true; ///< the last argument, no input
};

std::vector<Case> getCases();

} // namespace onnxc::bench

#endif // ONNXC_BENCH_KERNELS_CASES_H
