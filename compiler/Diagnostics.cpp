//===- Diagnostics.cpp - MLIR's diagnostics as those of the library --------===//
#include "compiler/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace mlir;
using llvm::StringRef;

namespace onnxc {

/// A diagnostic about what a location names: a node with its operator, an input or an
/// initializer; about nothing for other locations.
static Diagnostic makeDiagnostic(Location loc, std::string reason) {
  Diagnostic diagnostic;
  diagnostic.reason = std::move(reason);
  NameLoc named;
  loc->walk([&](Location inner) {
    named = dyn_cast<NameLoc>(inner);
    return named ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!named)
    return diagnostic;
  diagnostic.kind = "node";
  diagnostic.name = named.getName().str();
  auto op = dyn_cast<NameLoc>(named.getChildLoc());
  if (!op)
    return diagnostic;
  StringRef kind = op.getName();
  (kind == "input" || kind == "initializer" ? diagnostic.kind : diagnostic.op) = kind.str();
  return diagnostic;
}

/// Whether a text begins as a verifier's does: "'dialect.op' op ".
static bool isOfVerifier(StringRef text) {
  if (!text.consume_front("'"))
    return false;
  auto [op, rest] = text.split("'");
  return op.contains('.') && rest.starts_with(" op ");
}

void DiagnosticCollector::collect(mlir::Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
    return;
  Diagnostic result = makeDiagnostic(diagnostic.getLocation(), diagnostic.str());
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  result.severity = isError ? Severity::error : Severity::warning;
  result.isInternal = isError && !importing && (!trusted || isOfVerifier(result.reason));
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    // MLIR attaches whole ops as notes.
    if (std::string text = note.str(); StringRef(text).count('\n') == 0)
      result.notes.push_back(makeDiagnostic(note.getLocation(), std::move(text)));
  diagnostics.push_back(std::move(result));
}

bool DiagnosticCollector::hasErrors() const {
  return llvm::any_of(diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity == Severity::error;
  });
}

void DiagnosticCollector::addError(const llvm::Twine &reason, bool isInternal) {
  Diagnostic diagnostic;
  diagnostic.reason = reason.str();
  diagnostic.isInternal = isInternal;
  diagnostics.push_back(std::move(diagnostic));
}

/// "model.onnx: node 'conv1' (Conv): ...".
static std::string formatLine(const Diagnostic &diagnostic, std::string_view model) {
  std::string text(model);
  text += ": ";
  if (!diagnostic.kind.empty())
    text += diagnostic.kind + " '" + diagnostic.name + "'";
  if (!diagnostic.op.empty())
    text += " (" + diagnostic.op + ")";
  if (!diagnostic.kind.empty())
    text += ": ";
  if (diagnostic.isInternal)
    text += "this is a bug of onnxc, please report it with the model: ";
  return text + diagnostic.reason + "\n";
}

std::string format(const Diagnostic &diagnostic, std::string_view model) {
  std::string text = diagnostic.severity == Severity::error ? "error: " : "warning: ";
  text += formatLine(diagnostic, model);
  for (const Diagnostic &note : diagnostic.notes)
    text += "note: " + formatLine(note, model);
  return text;
}

} // namespace onnxc
