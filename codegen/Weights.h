//===- Weights.h - Weights, straight into the artifact or a side file -*- C++ -*-===//
#ifndef ONNXC_CODEGEN_WEIGHTS_H
#define ONNXC_CODEGEN_WEIGHTS_H

#include "codegen/Artifact.h"
#include "codegen/Output.h"

namespace onnxc {

/// Checks that the chunks are in order and inside the total size.
llvm::Error verifyLayout(const WeightsLayout &weights);

/// SHA-256 over all bytes, gaps included, as lower-case hex.
std::string hashWeights(const WeightsLayout &weights);

/// The weights' bytes alone.
void writeWeights(FileWriter &writer, const WeightsLayout &weights);

/// An ELF relocatable object that defines WeightsInfo::hashSymbol and, when
/// `embed` is set, WeightsInfo::dataSymbol, both hidden. It keeps the place of
/// the weights; once it is linked, `fillWeights` writes them.
void writeWeightsObject(FileWriter &writer, const WeightsLayout &weights, llvm::StringRef hash,
                        llvm::StringRef prefix, bool embed, const TargetInfo &target);

/// Writes the weights into a linked file at WeightsInfo::dataSymbol.
llvm::Error fillWeights(llvm::StringRef path, const WeightsLayout &weights, llvm::StringRef prefix);

} // namespace onnxc

#endif // ONNXC_CODEGEN_WEIGHTS_H
