//===- ModelDescription.h - What the descriptor says of a model -*- C++ -*-===//
#ifndef ONNXC_COMPILER_MODELDESCRIPTION_H
#define ONNXC_COMPILER_MODELDESCRIPTION_H

#include "codegen/Artifact.h"
#include "compiler/Compiler.h"
#include "compiler/import/OnnxFile.h"
#include "mlir/IR/BuiltinOps.h"

namespace onnxc {

/// Reads inputs, outputs and symbols off an imported module, while its types
/// still have symbols.
ModelInfo describeModel(mlir::ModuleOp module, const OnnxFile &file, const CompileOptions &options);

} // namespace onnxc

#endif // ONNXC_COMPILER_MODELDESCRIPTION_H
