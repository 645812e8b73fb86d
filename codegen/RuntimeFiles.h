//===- RuntimeFiles.h - The runtime carried in this binary --------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_RUNTIMEFILES_H
#define ONNXC_CODEGEN_RUNTIMEFILES_H

#include "codegen/TargetInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace onnxc {

struct RuntimeFiles {
  llvm::MemoryBufferRef bitcode; ///< linked into each model
  llvm::MemoryBufferRef archive; ///< linked as far as it is needed
};

llvm::Expected<RuntimeFiles> getRuntimeFiles(const TargetInfo &target);

/// The text of onnxc_runtime.h.
llvm::StringRef getRuntimeHeader();

} // namespace onnxc

#endif // ONNXC_CODEGEN_RUNTIMEFILES_H
