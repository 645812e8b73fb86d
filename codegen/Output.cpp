//===- Output.cpp - Files that appear all at once or not at all ------------===//
#include "codegen/Output.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;

namespace onnxc {

OutputSet::~OutputSet() {
  for (Entry &entry : entries)
    if (!entry.committed)
      consumeError(entry.file.discard());
}

Expected<sys::fs::TempFile &> OutputSet::create(StringRef path, bool executable) {
  // Renaming over a device or folder would replace it.
  sys::fs::file_status status;
  std::error_code code = sys::fs::status(path, status);
  if (code == std::errc::filename_too_long)
    return createStringError("cannot write '%s': %s", path.str().c_str(), code.message().c_str());
  if (!code && sys::fs::exists(status) && !sys::fs::is_regular_file(status))
    return createStringError("cannot write '%s': it exists and is no regular file",
                             path.str().c_str());
  unsigned mode = executable ? 0777 : 0666;
  // Not the name with an ending: it may be as long as names can be.
  SmallString<128> temporary(path);
  sys::path::remove_filename(temporary);
  sys::path::append(temporary, "onnxc-%%%%%%%%.tmp");
  Expected<sys::fs::TempFile> file = sys::fs::TempFile::create(temporary, mode);
  if (!file)
    return createStringError("cannot write '%s': %s", path.str().c_str(),
                             toString(file.takeError()).c_str());
  entries.push_back({std::move(*file), path.str()});
  return entries.back().file;
}

Error OutputSet::write(StringRef path, ArrayRef<char> content) {
  Expected<sys::fs::TempFile &> file = create(path);
  if (!file)
    return file.takeError();
  FileWriter writer(file->FD);
  writer.write(content);
  return writer.finish(path);
}

namespace {
/// Keeps others who would write the same files waiting: the folder is locked.
class FolderLock {
public:
  explicit FolderLock(StringRef path) {
    SmallString<128> folder(sys::path::parent_path(path));
    fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // Without a lock (some network file systems have none) the files are written all the
    // same.
    if (fd >= 0)
      (void)sys::RetryAfterSignal(-1, ::flock, fd, LOCK_EX);
  }
  ~FolderLock() {
    if (fd >= 0)
      ::close(fd);
  }
  FolderLock(const FolderLock &) = delete;

private:
  int fd;
};
} // namespace

Error OutputSet::commit() {
  if (entries.empty())
    return Error::success();
  // The files of two compilations that write the same ones never mix.
  FolderLock lock(entries.front().path);
  for (Entry &entry : entries) {
    entry.committed = true;
    if (Error bad = entry.file.keep(entry.path))
      return createStringError("cannot write '%s': %s", entry.path.c_str(),
                               toString(std::move(bad)).c_str());
  }
  return Error::success();
}

Error checkSpace(StringRef path, uint64_t bytes) {
  StringRef folder = sys::path::parent_path(path);
  ErrorOr<sys::fs::space_info> space = sys::fs::disk_space(folder.empty() ? "." : folder);
  // Where nobody knows, writing will tell.
  if (!space || space->available >= bytes)
    return Error::success();
  return createStringError("cannot write '%s': it needs %llu bytes, and the disk has room for %llu",
                           path.str().c_str(), (unsigned long long)bytes,
                           (unsigned long long)space->available);
}

Error writeFile(StringRef path, ArrayRef<char> content) {
  OutputSet outputs;
  if (Error bad = outputs.write(path, content))
    return bad;
  return outputs.commit();
}

void FileWriter::write(ArrayRef<char> bytes) {
  while (!error && !bytes.empty()) {
    // Some systems refuse more than 2 GiB at once.
    ssize_t count = sys::RetryAfterSignal(-1, ::pwrite, fd, bytes.data(),
                                          std::min<size_t>(bytes.size(), 1u << 30),
                                          static_cast<off_t>(written));
    if (count < 0) {
      error = errno;
      return;
    }
    written += count;
    bytes = bytes.drop_front(count);
  }
}

void FileWriter::padTo(uint64_t offset) {
  static const char zeros[4096] = {};
  while (!error && written < offset)
    write(ArrayRef<char>(zeros, std::min<uint64_t>(sizeof zeros, offset - written)));
}

void FileWriter::overwrite(uint64_t offset, ArrayRef<char> bytes) {
  if (error)
    return;
  ssize_t count = sys::RetryAfterSignal(-1, ::pwrite, fd, bytes.data(), bytes.size(),
                                        static_cast<off_t>(offset));
  if (count != static_cast<ssize_t>(bytes.size()))
    error = count < 0 ? errno : EIO;
}

Error FileWriter::finish(StringRef path) {
  if (!error)
    return Error::success();
  return createStringError("cannot write '%s': %s", path.str().c_str(),
                           sys::StrError(error).c_str());
}

} // namespace onnxc
