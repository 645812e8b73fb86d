//===- Terminal.cpp - What onnxc shows while it works ---------------------===//
#include "tools/onnxc/Terminal.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <unistd.h>

using namespace llvm;

namespace onnxc {

static constexpr std::chrono::milliseconds patience(1000), interval(100);

ProgressLine::ProgressLine()
    : isTerminal(::isatty(STDERR_FILENO)), begin(Clock::now()), last(begin) {}

void ProgressLine::show(const Progress &progress) {
  Clock::time_point now = Clock::now();
  if (!isTerminal || now - begin < patience || (isShown && now - last < interval))
    return;
  last = now;
  isShown = true;
  // To the line's start, the text, and nothing behind it.
  errs() << "\ronnxc: " << StringRef(progress.stage.data(), progress.stage.size());
  if (progress.total)
    errs() << ", " << progress.done << " of " << progress.total << " functions";
  errs() << "\x1b[K";
  errs().flush();
}

void ProgressLine::wipe() {
  if (isShown)
    errs() << "\r\x1b[K";
  isShown = false;
}

Error writeStdout(StringRef text) {
  while (!text.empty()) {
    ssize_t count = sys::RetryAfterSignal(-1, ::write, STDOUT_FILENO, text.data(), text.size());
    // A reader that has seen enough is no fault.
    if (count < 0 && errno == EPIPE)
      return Error::success();
    if (count < 0)
      return createStringError("cannot write to standard output: %s",
                               sys::StrError(errno).c_str());
    text = text.drop_front(count);
  }
  return Error::success();
}

std::string formatTimings(const std::vector<Timing> &timings) {
  double total = 0;
  for (const Timing &timing : timings)
    total += timing.depth == 0 ? timing.seconds : 0;
  std::string text;
  raw_string_ostream os(text);
  auto print = [&](unsigned depth, StringRef name, double seconds) {
    os << llvm::format("%8.3f s %5.1f %%  ", seconds, total > 0 ? 100 * seconds / total : 0.0);
    os.indent(2 * depth) << name << "\n";
  };
  for (const Timing &timing : timings)
    if (timing.depth == 0 || timing.seconds >= total / 100)
      print(timing.depth, timing.name, timing.seconds);
  print(0, "total", total);
  return text;
}

} // namespace onnxc
