//===- Commit.cpp - What onnxc was built from -----------------------------===//
#include "tools/onnxc/CommandLine.h"
#include "tools/onnxc/Commit.h"

namespace onnxc {

std::string_view getCommit() { return ONNXC_COMMIT; }

} // namespace onnxc
