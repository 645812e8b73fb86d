//===- ModelWeights.h - The bytes of a model's weights --------------*- C++ -*-===//
#ifndef ONNXC_COMPILER_MODELWEIGHTS_H
#define ONNXC_COMPILER_MODELWEIGHTS_H

#include "codegen/Artifact.h"
#include "mlir/IR/BuiltinOps.h"
#include <deque>
#include <string>

namespace onnxc {

/// Where the weights lie and, for constants whose bytes exist nowhere else
/// (splats, bools), these bytes. Resource blobs are referred to, not copied.
struct ModelWeights {
  WeightsLayout layout;
  std::deque<std::string> owned;
};

/// Collects what the memory stage left in the module's `rt.weights`.
ModelWeights collectWeights(mlir::ModuleOp module);

/// The bytes of a constant as they stand in memory: dense, row-major, one byte
/// per bool. `owned` keeps those that had to be made.
llvm::ArrayRef<char> getConstantBytes(mlir::Attribute constant, std::deque<std::string> &owned);

} // namespace onnxc

#endif // ONNXC_COMPILER_MODELWEIGHTS_H
