//===- Jit.h - Compile a module and call it in this process -------*- C++ -*-===//
//
// Constant evaluation runs the kernels that it stores the results of. They are
// compiled for the host, but with the target's numeric profile, so that a
// folded value equals the run-time one bit by bit.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_CODEGEN_JIT_H
#define ONNXC_CODEGEN_JIT_H

#include "codegen/TargetInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace onnxc {

/// The host, seen with the numeric properties of `target`: vectors as wide, same
/// answer to whether multiply-adds are fused. Kernels for constant evaluation are emitted for this.
llvm::Expected<TargetInfo> getEvaluationTarget(const TargetInfo &target);

/// Machine code in this process; unloaded by the destructor.
class JitModule {
public:
  virtual ~JitModule() = default;
  /// The address of an llvm.func with external linkage.
  virtual llvm::Expected<void *> lookup(llvm::StringRef name) = 0;
};

/// Compiles a module in the llvm dialect for `host`, a target that this machine runs, as
/// an artifact is compiled. The runtime (onnxc_rt_*) is linked in. `anyAddress`: tensors
/// may stand at any byte, as constants in a mapped file do.
llvm::Expected<std::unique_ptr<JitModule>>
compileInProcess(mlir::ModuleOp module, const TargetInfo &host, bool anyAddress);

/// The assembly that an artifact for `target` has for the module's functions, the
/// runtime's inlined ones among them.
llvm::Expected<std::string> compileToAssembly(mlir::ModuleOp module, const TargetInfo &target);

} // namespace onnxc

#endif // ONNXC_CODEGEN_JIT_H
