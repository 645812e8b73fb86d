//===- Object.cpp - Machine code -------------------------------------------===//
#include "codegen/Object.h"
#include "codegen/Target.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace onnxc {

namespace {
/// Collects a backend's errors, which would otherwise end the process.
struct ErrorCollector : DiagnosticHandler {
  explicit ErrorCollector(std::string &text) : text(text) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }
  std::string &text;
};
} // namespace

Expected<Bytes> generateCode(Module &module, const TargetInfo &target,
                             CodeGenFileType type) {
  std::unique_ptr<TargetMachine> machine = createTargetMachine(target);
  std::string errors;
  module.getContext().setDiagnosticHandler(std::make_unique<ErrorCollector>(errors));
  Bytes result;
  raw_svector_ostream stream(result);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
    return createStringError("target '%s' cannot emit this kind of file",
                             target.triple.c_str());
  passes.run(module);
  if (!errors.empty())
    return createStringError("code generation failed: %s", errors.c_str());
  return std::move(result);
}

} // namespace onnxc
