//===- CpuFeatures.h - target/cpu_facts.def and LLVM's features ---*- C++ -*-===//
#ifndef ONNXC_CODEGEN_CPUFEATURES_H
#define ONNXC_CODEGEN_CPUFEATURES_H

#include "codegen/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class MCSubtargetInfo;
} // namespace llvm

namespace onnxc {

/// A feature that a model may require: it checks for it when it runs.
struct CheckedFeature {
  const char *name; ///< LLVM's
  uint64_t bit;     ///< in the descriptor's required_cpu_features
};
llvm::ArrayRef<CheckedFeature> getCheckedFeatures(TargetArch arch);

/// Whether one of LLVM's features is on.
bool isOn(const llvm::MCSubtargetInfo &subtarget, llvm::StringRef name);

/// Whether one of LLVM's features says which instructions there are. Others tune
/// code, which then runs everywhere.
bool addsInstructions(TargetArch arch, llvm::StringRef name);

/// Fills vectors and facts of `target` from the features that are on.
void describe(TargetInfo &target, const llvm::MCSubtargetInfo &subtarget);

} // namespace onnxc

#endif // ONNXC_CODEGEN_CPUFEATURES_H
