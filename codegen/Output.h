//===- Output.h - Files that appear all at once or not at all -----*- C++ -*-===//
#ifndef ONNXC_CODEGEN_OUTPUT_H
#define ONNXC_CODEGEN_OUTPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <deque>

namespace onnxc {

/// Files are written under temporary names in their final folders and renamed
/// by `commit`; what was not committed is removed.
class OutputSet {
public:
  OutputSet() = default;
  OutputSet(const OutputSet &) = delete;
  OutputSet &operator=(const OutputSet &) = delete;
  ~OutputSet();

  /// A file that `commit` names `path`.
  llvm::Expected<llvm::sys::fs::TempFile &> create(llvm::StringRef path, bool executable = false);
  /// The same, with its content.
  llvm::Error write(llvm::StringRef path, llvm::ArrayRef<char> content);
  llvm::Error commit();

private:
  struct Entry {
    llvm::sys::fs::TempFile file;
    std::string path;
    bool committed = false;
  };
  std::deque<Entry> entries;
};

/// An error when the disk of `path` has less room than `bytes`. The linker maps its output:
/// a disk that is full is a signal there, no error.
llvm::Error checkSpace(llvm::StringRef path, uint64_t bytes);

/// Writes one file under a temporary name and renames it.
llvm::Error writeFile(llvm::StringRef path, llvm::ArrayRef<char> content);

/// Writes to a file from a position on; the first error sticks.
class FileWriter {
public:
  explicit FileWriter(int fd, uint64_t position = 0) : fd(fd), written(position) {}
  void write(llvm::ArrayRef<char> bytes);
  void padTo(uint64_t offset);
  /// Replaces bytes that were written before.
  void overwrite(uint64_t offset, llvm::ArrayRef<char> bytes);
  uint64_t position() const { return written; }
  /// Must be called; `path` is for the message.
  llvm::Error finish(llvm::StringRef path);

private:
  int fd;
  uint64_t written;
  int error = 0;
};

} // namespace onnxc

#endif // ONNXC_CODEGEN_OUTPUT_H
