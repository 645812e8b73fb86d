//===- StageTimer.cpp - How far a compilation is, and where time went ------===//
#include "compiler/StageTimer.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace onnxc {

static double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

namespace {
/// Passes on modules run one after the other; those nested in them are their parts.
class PassTimer : public mlir::PassInstrumentation {
public:
  explicit PassTimer(StageTimer &timer) : timer(timer) {}

  void runBeforePass(mlir::Pass *, mlir::Operation *op) override {
    if (llvm::isa<mlir::ModuleOp>(op))
      start = std::chrono::steady_clock::now();
  }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (llvm::isa<mlir::ModuleOp>(op) && !pass->getArgument().empty())
      timer.addPart(pass->getArgument(), secondsSince(start));
  }

private:
  StageTimer &timer;
  std::chrono::steady_clock::time_point start;
};
} // namespace

void StageTimer::end() {
  if (!timings.empty())
    timings[current].seconds = secondsSince(start);
}

void StageTimer::begin(llvm::StringRef name) { report(name, 0, 0); }

void StageTimer::report(llvm::StringRef name, size_t done, size_t total) {
  std::lock_guard<std::mutex> lock(mutex);
  if (timings.empty() || timings[current].name != name) {
    end();
    current = timings.size();
    timings.push_back({name.str(), 0, 0});
    start = Clock::now();
  }
  if (progress)
    progress({{name.data(), name.size()}, done, total});
}

std::vector<Timing> StageTimer::take() {
  std::lock_guard<std::mutex> lock(mutex);
  end();
  return std::move(timings);
}

std::unique_ptr<mlir::PassInstrumentation> StageTimer::makePassTimer() {
  return std::make_unique<PassTimer>(*this);
}

void StageTimer::addPart(llvm::StringRef name, double seconds) {
  std::lock_guard<std::mutex> lock(mutex);
  timings.push_back({name.str(), 1, seconds});
}

} // namespace onnxc
