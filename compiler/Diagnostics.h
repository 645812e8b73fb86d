//===- Diagnostics.h - MLIR's diagnostics as those of the library --*- C++ -*-===//
#ifndef ONNXC_COMPILER_DIAGNOSTICS_H
#define ONNXC_COMPILER_DIAGNOSTICS_H

#include "compiler/Compiler.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

namespace onnxc {

/// Turns what is emitted in a context into diagnostics of the library.
///
/// What the import says is about the model. From then on the IR is ours: an op that its
/// verifier rejects, or an error of a stage that a right model cannot reach
/// (`setTrusted`), is a fault of onnxc.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) { collect(diagnostic); }) {}

  /// Whether the errors from here on can come from the model at all.
  void setImporting(bool value) { importing = value; }
  void setTrusted(bool value) { trusted = value; }

  bool hasErrors() const;
  /// An error about the model as a whole, an option or a file.
  void addError(const llvm::Twine &reason, bool isInternal = false);
  std::vector<Diagnostic> take() { return std::move(diagnostics); }

private:
  void collect(mlir::Diagnostic &diagnostic);

  bool importing = true, trusted = true;
  std::vector<Diagnostic> diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace onnxc

#endif // ONNXC_COMPILER_DIAGNOSTICS_H
