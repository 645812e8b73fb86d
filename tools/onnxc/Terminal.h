//===- Terminal.h - What onnxc shows while it works -------------*- C++ -*-===//
#ifndef ONNXC_TOOLS_ONNXC_TERMINAL_H
#define ONNXC_TOOLS_ONNXC_TERMINAL_H

#include "compiler/Compiler.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <string>

namespace onnxc {

/// A line on standard error that says how far a compilation is; it appears when that takes
/// longer than a second, on terminals only, and is wiped at the end.
class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine() { wipe(); }
  ProgressLine(const ProgressLine &) = delete;

  void show(const Progress &progress);
  void wipe();

private:
  using Clock = std::chrono::steady_clock;
  bool isTerminal;
  Clock::time_point begin, last;
  bool isShown = false;
};

/// Writes to standard output; a full disk or a closed pipe is an error.
llvm::Error writeStdout(llvm::StringRef text);

/// A table of the time that stages and their parts took. Parts below a hundredth of the
/// whole are left out.
std::string formatTimings(const std::vector<Timing> &timings);

} // namespace onnxc

#endif // ONNXC_TOOLS_ONNXC_TERMINAL_H
