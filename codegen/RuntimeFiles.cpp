//===- RuntimeFiles.cpp - The runtime carried in this binary ---------------===//
#include "codegen/RuntimeFiles.h"
#include "runtime/embedded.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace onnxc {

static MemoryBufferRef makeBuffer(const char *begin, const char *end, StringRef name) {
  return MemoryBufferRef(StringRef(begin, end - begin), name);
}

/// The row with a triple's architecture, system and ABI; null when there is none.
static const onnxc_embedded_runtime *findRow(const Triple &wanted) {
  for (const onnxc_embedded_runtime &row :
       ArrayRef(onnxc_embedded_runtimes, onnxc_num_embedded_runtimes)) {
    Triple triple(Triple::normalize(row.target));
    // Of 64-bit ones there is a common ABI.
    bool sameAbi = wanted.getEnvironment() == triple.getEnvironment() ||
                   (triple.isArch64Bit() && wanted.getEnvironment() == Triple::UnknownEnvironment);
    if (triple.getArch() == wanted.getArch() && triple.getSubArch() == wanted.getSubArch() &&
        triple.getOS() == wanted.getOS() && sameAbi)
      return &row;
  }
  return nullptr;
}

RuntimeFiles getRuntimeFiles(const TargetInfo &target) {
  const onnxc_embedded_runtime *row = findRow(Triple(target.triple));
  return {makeBuffer(row->bitcode, row->bitcode_end, "runtime.bc"),
          makeBuffer(row->archive, row->archive_end, "runtime.a")};
}

bool hasRuntime(const Triple &triple) { return findRow(triple) != nullptr; }

std::string listTargets() {
  std::string list;
  for (size_t i = 0; i < onnxc_num_embedded_runtimes; ++i) {
    StringRef target = onnxc_embedded_runtimes[i].target;
    if (i > 0)
      list += i + 1 < onnxc_num_embedded_runtimes ? ", " : " or ";
    list += target;
    if (!target.starts_with("x86_64") && !target.starts_with("aarch64"))
      list += " (untested)";
  }
  return list;
}

StringRef getRuntimeHeader() {
  return StringRef(onnxc_embedded_header, onnxc_embedded_header_end - onnxc_embedded_header);
}

StringRef getRuntimeWrapper() {
  return StringRef(onnxc_embedded_wrapper, onnxc_embedded_wrapper_end - onnxc_embedded_wrapper);
}

} // namespace onnxc
