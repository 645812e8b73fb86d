//===- Link.h - In-process linking --------------------------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_LINK_H
#define ONNXC_CODEGEN_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace onnxc {

/// Bytes in memory under a path that the linker can open.
class MemoryFile {
public:
  static llvm::Expected<MemoryFile> create(llvm::StringRef name, llvm::ArrayRef<char> bytes);
  MemoryFile(MemoryFile &&other);
  MemoryFile &operator=(MemoryFile &&) = delete;
  ~MemoryFile();
  const std::string &path() const { return filePath; }
  uint64_t size() const { return bytes; }

private:
  MemoryFile() = default;
  int fd = -1;
  uint64_t bytes = 0;
  std::string filePath;
};

/// Links objects and archives to a shared library without dependencies. An
/// undefined symbol is an error, a weak one is left to the host.
llvm::Error linkShared(llvm::ArrayRef<std::string> inputs, llvm::StringRef soname,
                       llvm::StringRef output);

/// Merges objects, and those members of archives that they need, into one.
llvm::Error linkRelocatable(llvm::ArrayRef<std::string> inputs, llvm::StringRef output);

/// An error when an object refers to symbols other than `allowed` that it does not
/// define; weak ones are left to the host.
llvm::Error checkUndefined(llvm::StringRef path, llvm::ArrayRef<std::string> allowed);

/// Rewrites an object so that its hidden symbols become local.
llvm::Error localizeHidden(llvm::StringRef path);

/// Writes an archive of (member name, file) pairs.
llvm::Error writeStaticLibrary(llvm::ArrayRef<std::pair<std::string, std::string>> members,
                               llvm::StringRef output);

} // namespace onnxc

#endif // ONNXC_CODEGEN_LINK_H
