//===- Compile.h - From a model to an artifact ------------------*- C++ -*-===//
#ifndef ONNXC_COMPILER_COMPILE_H
#define ONNXC_COMPILER_COMPILE_H

#include "compiler/Options.h"
#include "llvm/Support/LogicalResult.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace onnxc {

/// Runs the stages up to what is to be emitted and writes it. Faults go to
/// `errors`, one line each, as "error: <model>: ..."; then no file is left.
llvm::LogicalResult compileModel(const CompileOptions &options, llvm::raw_ostream &errors);

} // namespace onnxc

#endif // ONNXC_COMPILER_COMPILE_H
