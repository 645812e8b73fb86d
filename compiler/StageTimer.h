//===- StageTimer.h - How far a compilation is, and where time went -*- C++ -*-===//
#ifndef ONNXC_COMPILER_STAGETIMER_H
#define ONNXC_COMPILER_STAGETIMER_H

#include "compiler/Compiler.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <memory>
#include <mutex>

namespace onnxc {

/// Takes the times of stages and of their passes, and tells a callback how far the work
/// is. May be called from several threads.
class StageTimer {
public:
  explicit StageTimer(const ProgressCallback &progress) : progress(progress) {}

  /// Ends the stage before and begins one. `name` must live as long as the timer.
  void begin(llvm::StringRef name);
  /// Counts the work of a stage, which begins with its first report.
  void report(llvm::StringRef name, size_t done, size_t total);
  /// Ends the last stage.
  std::vector<Timing> take();

  /// Takes the times of passes on modules as parts of the stage.
  std::unique_ptr<mlir::PassInstrumentation> makePassTimer();
  void addPart(llvm::StringRef name, double seconds);

private:
  using Clock = std::chrono::steady_clock;
  void end();

  const ProgressCallback &progress;
  std::mutex mutex;
  std::vector<Timing> timings;
  /// The stage under way in `timings`.
  size_t current = 0;
  Clock::time_point start;
};

} // namespace onnxc

#endif // ONNXC_COMPILER_STAGETIMER_H
