//===- Target.h - Triple, CPU and features ------------------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_TARGET_H
#define ONNXC_CODEGEN_TARGET_H

#include "codegen/TargetInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace onnxc {

/// Resolves what the user typed to a complete description. An empty triple is the
/// host's; an empty CPU is the triple's baseline, "native" the host's; features are
/// extra ones, "+avx2,-fma". An unknown triple, CPU or feature is an error.
llvm::Expected<TargetInfo> resolveTarget(llvm::StringRef triple, llvm::StringRef cpu,
                                         llvm::StringRef features);

/// The CPUs of a triple, and the features that may be added or removed, one a line.
llvm::Expected<std::string> listCpus(llvm::StringRef triple);
llvm::Expected<std::string> listFeatures(llvm::StringRef triple);

/// A new machine; not to be shared between threads.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const TargetInfo &target);

/// The descriptor's bit mask of CPU features that code for `target` may use.
uint64_t requiredCpuFeatures(const TargetInfo &target);

/// LLVM's data layout string.
std::string getDataLayoutString(const TargetInfo &target);

} // namespace onnxc

#endif // ONNXC_CODEGEN_TARGET_H
