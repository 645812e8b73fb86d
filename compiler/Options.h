//===- Options.h - The command line of onnxc --------------------*- C++ -*-===//
#ifndef ONNXC_COMPILER_OPTIONS_H
#define ONNXC_COMPILER_OPTIONS_H

#include "compiler/import/Importer.h"
#include "llvm/Support/Error.h"
#include <limits>
#include <map>
#include <optional>
#include <string>

namespace onnxc {

/// Where to stop: the IR after a stage, or a kind of artifact.
enum class Emit { onnx, linalg, kernels, llvm, assembly, object, staticLibrary, sharedLibrary };

struct DimRange {
  int64_t min = 0;
  int64_t max = std::numeric_limits<int64_t>::max();
};

struct CompileOptions {
  std::string inputPath;
  /// Empty: IR goes to standard output; an artifact is named after the model.
  /// "-": standard output, for what is text.
  std::string outputPath;
  /// Prefix of the exported symbols, and of the files.
  std::string name;
  Emit emit = Emit::sharedLibrary;
  std::string triple, cpu, features;
  bool weightsInFile = false;
  /// Print what the artifact consists of to standard output.
  bool printStatistics = false;
  ImportOptions import;
  /// Bounds of dims that stay dynamic, by their name in the file.
  std::map<std::string, DimRange> ranges;
  /// What the user typed that changes the code, for the model's descriptor.
  std::string text;

  bool emitsIR() const { return emit <= Emit::kernels; }
  bool emitsText() const { return emit <= Emit::assembly; }
};

/// Reads "batch=1" or "batch=1..64" into `options`.
llvm::Error parseDim(llvm::StringRef text, CompileOptions &options);
/// Reads "input:1x3x224x224" (a '?' leaves a dim as it is) into `options`.
llvm::Error parseShape(llvm::StringRef text, CompileOptions &options);

/// Reads the command line and fills in defaults. `--help` and `--version` print
/// and end the program, as LLVM's command line library has it.
llvm::Expected<CompileOptions> parseCommandLine(int argc, char **argv);

} // namespace onnxc

#endif // ONNXC_COMPILER_OPTIONS_H
