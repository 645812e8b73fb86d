//===- CrashReport.cpp - When onnxc itself fails ---------------------------===//
#include "tools/onnxc/CrashReport.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <new>
#include <system_error>
#include <typeinfo>
#include <unistd.h>

namespace onnxc {
namespace {

// What follows is read by signal handlers: plain memory, written whole before its length.
char model[512];
char stage[64] = "start";
std::atomic<size_t> stageLength{5};

void say(std::string_view text) {
  // Nothing can be done about a standard error that takes nothing.
  [[maybe_unused]] ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
}

void sayPlace() {
  say("error: ");
  say(model);
  say(": in the stage '");
  say({stage, stageLength});
  say("': ");
}

[[noreturn]] void endProcess() {
  // Removes what is being written.
  llvm::sys::RunInterruptHandlers();
  ::_exit(1);
}

void onCrash(void *) {
  sayPlace();
  say("onnxc crashed; this is a bug of onnxc, please report it with the model\n");
}

/// Files are mapped; that is the only way to this signal.
void onBusError(int) {
  sayPlace();
  say("a file cannot be read or written: it was made shorter meanwhile, or the disk is full\n");
  endProcess();
}

void onFatalError(void *, const char *reason, bool) {
  sayPlace();
  say(reason);
  say("; this is a bug of onnxc, please report it with the model\n");
  endProcess();
}

void onMemoryExhausted() {
  sayPlace();
  say("memory is exhausted\n");
  endProcess();
}

/// No exception of ours: only the C++ library has some.
[[noreturn]] void onTerminate() {
  const std::type_info *type = abi::__cxa_current_exception_type();
  if (type && *type == typeid(std::system_error)) {
    sayPlace();
    say("the system refused a thread: memory or the number of threads is exhausted\n");
    endProcess();
  }
  std::abort();
}

} // namespace

void installCrashReport(std::string path) {
  std::strncpy(model, path.c_str(), sizeof model - 1);
  llvm::sys::AddSignalHandler(onCrash, nullptr);
  // Behind LLVM's handlers, which that has installed.
  std::signal(SIGBUS, onBusError);
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { onMemoryExhausted(); });
  std::set_new_handler(onMemoryExhausted);
  std::set_terminate(onTerminate);
  // A closed pipe or a file at its size limit is an error of the write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void setStageAtWork(std::string_view name) {
  size_t length = std::min(name.size(), sizeof stage);
  std::memcpy(stage, name.data(), length);
  stageLength = length;
}

} // namespace onnxc
