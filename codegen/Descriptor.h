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

/// The symbol by which the generated headers refer to the descriptor.
std::string getTiedName(const ModelInfo &info);

/// The symbols that the linker must see: those that an artifact exports, and the
/// hidden ones that the runtime's archive refers to.
std::vector<std::string> getLinkedNames(const ModelInfo &info);

/// Defines the descriptor and the exported functions, which call the runtime's
/// entry points.
void addDescriptor(llvm::Module &module, const ModelInfo &info, const WeightsInfo &weights,
                   const TargetInfo &target);

} // namespace onnxc

#endif // ONNXC_CODEGEN_DESCRIPTOR_H
