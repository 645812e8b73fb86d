//===- Importer.h - An .onnx file as a module of the onnx dialect -*- C++ -*-===//
#ifndef ONNXC_COMPILER_IMPORT_IMPORTER_H
#define ONNXC_COMPILER_IMPORT_IMPORTER_H

#include "compiler/Compiler.h"
#include "compiler/import/OnnxFile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace onnxc {

/// Imports the main graph as `func.func @main`. Its arguments and results carry
/// `onnx.name`; the module carries `onnx.opset` and, as `onnx.symbols`, the
/// symbols of the inputs in order, each with its name in the file (which may
/// have characters that a symbol cannot have), and, as `onnx.symbol_bounds`, the least
/// and the largest value of each, when the user gave any. Faults are emitted as errors,
/// all at once as far as possible; then the result is null.
mlir::OwningOpRef<mlir::ModuleOp> importModel(std::shared_ptr<OnnxFile> file,
                                              mlir::MLIRContext *context,
                                              const ImportOptions &options = {});

} // namespace onnxc

#endif // ONNXC_COMPILER_IMPORT_IMPORTER_H
