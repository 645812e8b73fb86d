//===- RuntimeFiles.h - The runtime carried in this binary --------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_RUNTIMEFILES_H
#define ONNXC_CODEGEN_RUNTIMEFILES_H

#include "codegen/TargetInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <string>

namespace llvm {
class Triple;
} // namespace llvm

namespace onnxc {

struct RuntimeFiles {
  llvm::MemoryBufferRef bitcode; ///< linked into each model
  llvm::MemoryBufferRef archive; ///< linked as far as it is needed
};

/// Of a target that `hasRuntime`.
RuntimeFiles getRuntimeFiles(const TargetInfo &target);

/// Whether this build can compile for a target: its architecture, system and ABI.
bool hasRuntime(const llvm::Triple &triple);

/// The targets of this build, for messages: "a, b, c (untested) or d (untested)".
std::string listTargets();

/// The text of onnxc_runtime.h.
llvm::StringRef getRuntimeHeader();

/// The text of onnxc_model.hpp, what the C++ headers of all models share.
llvm::StringRef getRuntimeWrapper();

} // namespace onnxc

#endif // ONNXC_CODEGEN_RUNTIMEFILES_H
