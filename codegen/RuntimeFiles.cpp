//===- RuntimeFiles.cpp - The runtime carried in this binary ---------------===//
#include "codegen/RuntimeFiles.h"
#include "llvm/TargetParser/Triple.h"
#include "runtime/embedded.h"

using namespace llvm;

namespace onnxc {

static MemoryBufferRef makeBuffer(const char *begin, const char *end, StringRef name) {
  return MemoryBufferRef(StringRef(begin, end - begin), name);
}

Expected<RuntimeFiles> getRuntimeFiles(const TargetInfo &target) {
  Triple wanted(target.triple);
  std::string list;
  for (size_t i = 0; i < onnxc_num_embedded_runtimes; ++i) {
    const onnxc_embedded_runtime &row = onnxc_embedded_runtimes[i];
    Triple triple(Triple::normalize(row.target));
    list += (list.empty() ? "'" : ", '") + std::string(row.target) + "'";
    if (triple.getArch() != wanted.getArch() || triple.getOS() != wanted.getOS())
      continue;
    return RuntimeFiles{makeBuffer(row.bitcode, row.bitcode_end, "runtime.bc"),
                        makeBuffer(row.archive, row.archive_end, "runtime.a")};
  }
  return createStringError("no runtime for target '%s' in this build, only for %s",
                           target.triple.c_str(), list.c_str());
}

StringRef getRuntimeHeader() {
  return StringRef(onnxc_embedded_header,
                   onnxc_embedded_header_end - onnxc_embedded_header);
}

} // namespace onnxc
