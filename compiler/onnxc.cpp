//===- onnxc.cpp - The compiler's command ---------------------------------===//
#include "compiler/Compile.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::Expected<onnxc::CompileOptions> options = onnxc::parseCommandLine(argc, argv);
  if (!options) {
    llvm::errs() << "error: " << llvm::toString(options.takeError()) << "\n";
    return 1;
  }
  return llvm::succeeded(onnxc::compileModel(*options, llvm::errs())) ? 0 : 1;
}
