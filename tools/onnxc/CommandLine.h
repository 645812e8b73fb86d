//===- CommandLine.h - The command line of onnxc ----------------*- C++ -*-===//
#ifndef ONNXC_TOOLS_ONNXC_COMMANDLINE_H
#define ONNXC_TOOLS_ONNXC_COMMANDLINE_H

#include "compiler/Compiler.h"
#include "llvm/Support/Error.h"

namespace onnxc {

/// What the user asks of the command.
struct Command {
  std::string inputPath;
  CompileOptions options;
  /// Text goes to standard output.
  bool writesToStdout = false;
  /// Print what the artifact consists of, and where the time went.
  bool printReport = false, printTiming = false;
  /// What to print instead of compiling: the answer to --mcpu=help or --mattr=help.
  std::string help;
};

/// Reads "batch=1" or "batch=1..64" into `options`.
llvm::Error parseDim(llvm::StringRef text, CompileOptions &options);
/// Reads "input:1x3x224x224" (a '?' leaves a dim as it is) into `options`.
llvm::Error parseShape(llvm::StringRef text, CompileOptions &options);

/// The commit that this program was built from; empty when that is not known.
std::string_view getCommit();

/// Reads the command line and fills in defaults. `--help` and `--version` print
/// and end the program, as LLVM's command line library has it.
llvm::Expected<Command> parseCommandLine(int argc, char **argv);

} // namespace onnxc

#endif // ONNXC_TOOLS_ONNXC_COMMANDLINE_H
