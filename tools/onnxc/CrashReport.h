//===- CrashReport.h - When onnxc itself fails ------------------*- C++ -*-===//
#ifndef ONNXC_TOOLS_ONNXC_CRASHREPORT_H
#define ONNXC_TOOLS_ONNXC_CRASHREPORT_H

#include <string>
#include <string_view>

namespace onnxc {

/// Makes a crash, an error that LLVM calls fatal, and the end of memory a message; files
/// that are being written are removed. `model` is named in it.
void installCrashReport(std::string model);

/// Remembers the stage that is at work for such a message.
void setStageAtWork(std::string_view stage);

} // namespace onnxc

#endif // ONNXC_TOOLS_ONNXC_CRASHREPORT_H
