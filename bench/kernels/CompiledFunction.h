//===- CompiledFunction.h - Kernels as the compiler makes them ---*- C++ -*-===//
#ifndef ONNXC_BENCH_KERNELS_COMPILEDFUNCTION_H
#define ONNXC_BENCH_KERNELS_COMPILEDFUNCTION_H

#include "codegen/Jit.h"
#include "codegen/TargetInfo.h"
#include "runtime/onnxc_runtime.h"
#include <string>
#include <vector>

namespace onnxc::bench {

/// A function of linalg ops, compiled by the compiler's own stages from the choice of
/// kernels on, with the target that `onnxc` would resolve. Its kernels are those that a
/// model with these ops gets.
class CompiledFunction {
public:
  /// `text`: a module with the function `main`, as the linalg stage leaves it. Its last
  /// argument becomes a constant where `hasWeight` is set: a tensor of f32 and any numbers.
  CompiledFunction(const TargetInfo &target, const std::string &text, bool hasWeight);

  /// Empty when it could be compiled.
  const std::string &error() const { return message; }
  /// The strategy of the kernel that has an anchor: `#rt.gemm<...>`.
  const std::string &strategy() const { return strategyText; }
  /// The accumulators of that strategy's tile.
  int64_t accumulators() const { return tileAccumulators; }
  /// Of the kernels alone.
  const std::string &assembly() const { return kernelText; }
  /// Nothing runs a kernel of another architecture.
  bool canRun() const { return body; }

  /// One run on memory for the inputs, with values of the function's symbols. Results
  /// go to memory of this object.
  void run(const std::vector<void *> &inputs, const std::vector<int64_t> &symbols);
  /// The tasks of the last run; a launch of one runs without the hook that counts.
  int64_t countTasks() const { return std::max<int64_t>(tasks, 1); }

private:
  using PlanFunction = int32_t (*)(const int64_t *, int64_t *, int64_t *, void *);
  using BodyFunction = int32_t (*)(const int64_t *, const void *const *, void *const *, int64_t *,
                                   void *, const void *, void *);

  llvm::Error compile(const TargetInfo &target, const std::string &text, bool hasWeight);

  std::string message, strategyText, kernelText;
  int64_t tileAccumulators = 0, tasks = 0;
  std::unique_ptr<JitModule> code;
  PlanFunction planFunction = nullptr;
  BodyFunction body = nullptr;
  std::vector<char> weights, workspace, output;
  std::vector<int64_t> plannedSymbols, dims;
  bool planned = false;
};

} // namespace onnxc::bench

#endif // ONNXC_BENCH_KERNELS_COMPILEDFUNCTION_H
