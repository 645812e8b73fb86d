//===- Descriptor.h - The model's public symbols ------------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_DESCRIPTOR_H
#define ONNXC_CODEGEN_DESCRIPTOR_H

#include "codegen/Artifact.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace onnxc {

/// What the descriptor says about the weights. Their bytes and hash are in an
/// object of their own, which defines the two symbols.
struct WeightsInfo {
  uint64_t bytes = 0;
  std::string file; ///< name of the side file; empty: embedded
  static std::string dataSymbol(llvm::StringRef prefix);
  static std::string hashSymbol(llvm::StringRef prefix);
};

/// The symbols that an artifact exports.
std::vector<std::string> getPublicNames(const ModelInfo &info);

/// Defines the descriptor, which refers to the runtime's entry points. To be
/// called before the runtime is linked.
void addDescriptor(llvm::Module &module, const ModelInfo &info,
                   const WeightsInfo &weights, const TargetInfo &target);

/// Gives descriptor and entry points their public names. To be called after the
/// runtime is linked.
void nameEntryPoints(llvm::Module &module, const ModelInfo &info);

} // namespace onnxc

#endif // ONNXC_CODEGEN_DESCRIPTOR_H
