//===- KernelJit.h - compile emitted kernels and call them ------*- C++ -*-===//
//
// For tests of the emitters: builds a kernel with the signatures of
// docs/architecture.md around an emitter, compiles it as the compiler does from its
// last stage on, and runs it in this process.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_TEST_SUPPORT_KERNELJIT_H
#define ONNXC_TEST_SUPPORT_KERNELJIT_H

#include "codegen/Jit.h"
#include "codegen/TargetInfo.h"
#include "dialects/rt/RtDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace onnxc::test {

/// Targets that this machine can run.
std::vector<std::string> getRunnableTargets();

/// "avx512", "avx2", "sse" or "neon", CPUs of that family, or "native", this machine's;
/// nothing runs the kernels of another architecture.
TargetInfo getTarget(const std::string &name);
/// Whether it is of this machine's architecture.
bool isRunnable(const TargetInfo &target);

/// The target as the choice of a strategy wants it, in a context that lives as
/// long as the process.
rt::CpuAttr getKernelTarget(const TargetInfo &target);

/// Packed weights: [ceil(N / nr)][K][nr], zeros behind column N; with steps of the
/// depth [ceil(N / nr)][ceil(K / step)][nr][step]. Batch or group dimensions stand in
/// front.
struct PackedLayout {
  int64_t nr;
  int64_t step = 1;

  int64_t panels(int64_t n) const { return (n + nr - 1) / nr; }
  int64_t steps(int64_t k) const { return (k + step - 1) / step; }
  int64_t elements(int64_t k, int64_t n) const { return panels(n) * steps(k) * nr * step; }
  int64_t offset(int64_t size, int64_t k, int64_t n) const {
    return (((n / nr) * steps(size) + k / step) * nr + n % nr) * step + k % step;
  }
};

/// A slot of a kernel: an array, or the value of a size.
union Slot {
  void *pointer;
  int64_t size;
};

class Kernel {
public:
  /// `emitCount` returns the number of tasks, `emitTask` the code of one. Both
  /// get the values of the slots: pointers for `true` in `isPointer`, index
  /// values otherwise.
  using EmitCount =
      std::function<mlir::OpFoldResult(mlir::OpBuilder &, mlir::Location, mlir::ValueRange slots)>;
  using EmitTask = std::function<void(mlir::OpBuilder &, mlir::Location, mlir::ValueRange slots,
                                      mlir::Value task)>;

  Kernel(const TargetInfo &target, const std::vector<bool> &isPointer, EmitCount emitCount,
         EmitTask emitTask);
  ~Kernel();

  /// Empty when the kernel could be compiled.
  const std::string &error() const { return message; }
  int64_t countTasks(const std::vector<Slot> &slots) const;
  void run(const std::vector<Slot> &slots) const;
  bool canRun() const { return task; }

private:
  std::string message;
  std::unique_ptr<JitModule> code;
  void (*task)(const Slot *, int64_t) = nullptr;
  int64_t (*tasks)(const Slot *) = nullptr;
};

/// The innermost loops of one block in x86 or AArch64 assembly.
struct InnerLoop {
  int multiplyAdds = 0; ///< of vectors
  int spills = 0;       ///< moves of vectors to or from the stack
  int moves = 0;        ///< of vectors between registers
};
std::vector<InnerLoop> findInnerLoops(const std::string &assembly);

} // namespace onnxc::test

#endif // ONNXC_TEST_SUPPORT_KERNELJIT_H
