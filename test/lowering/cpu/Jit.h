//===- Jit.h - Compiles MLIR text and runs it in this process ---*- C++ -*-===//
#ifndef ONNXC_TEST_LOWERING_CPU_JIT_H
#define ONNXC_TEST_LOWERING_CPU_JIT_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/MLIRContext.h"
#include <memory>
#include <string>

namespace onnxc::test {

/// A module lowered by a pass pipeline of the module and compiled for the host.
/// Runtime functions (`onnxc_rt_*`) come from the test program.
class Jit {
public:
  Jit(const std::string &source, const std::string &pipeline);

  bool isValid() const { return engine != nullptr; }
  const std::string &getError() const { return error; }

  template <typename Function> Function lookUp(llvm::StringRef name) {
    auto address = engine->lookup(name);
    if (!address) {
      llvm::consumeError(address.takeError());
      return nullptr;
    }
    return reinterpret_cast<Function>(*address);
  }

  /// Whether this machine has a feature of LLVM's name, "fma".
  static bool hostHas(llvm::StringRef feature);

private:
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  std::string error;
};

} // namespace onnxc::test

#endif // ONNXC_TEST_LOWERING_CPU_JIT_H
