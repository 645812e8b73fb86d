//===- OnnxFile.cpp - Opening models and their external data --------------===//
#include "compiler/import/OnnxFile.h"
#include "codegen/Sha256.h"
#include "compiler/import/ModelReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <limits>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace onnxc {
namespace {

/// Protobuf's own limit: sizes inside a message are 32 bits.
constexpr uint64_t maxModelBytes = std::numeric_limits<int32_t>::max();

/// Subgraphs nest; each level takes about five messages.
constexpr int maxMessageDepth = 400;

Error fileError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

std::string hexDigest(StringRef bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

/// Closes a file descriptor at the end of a scope.
struct Descriptor {
  int value = -1;
  explicit Descriptor(int value) : value(value) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() { reset(-1); }
  void reset(int next) {
    if (value >= 0)
      ::close(value);
    value = next;
  }
};

/// Opens a file below `folder` one path component at a time, so that no
/// component can be a symbolic link, not even one that is swapped in meanwhile.
Error openBelow(StringRef folder, ArrayRef<StringRef> components, Descriptor &result) {
  Descriptor current(::open(folder.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (current.value < 0)
    return fileError("cannot open the model's folder '" + folder + "'");
  for (auto [i, component] : llvm::enumerate(components)) {
    bool last = i + 1 == components.size();
    // O_NONBLOCK: a pipe must not make us wait.
    int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (last ? O_NONBLOCK : O_DIRECTORY);
    int next = ::openat(current.value, component.str().c_str(), flags);
    if (next < 0) {
      int code = errno;
      struct stat info;
      bool isLink =
          ::fstatat(current.value, component.str().c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISLNK(info.st_mode);
      std::string reason =
          isLink ? "it is reached through a symbolic link" : std::generic_category().message(code);
      return fileError(reason);
    }
    current.reset(next);
  }
  result.reset(current.value);
  current.value = -1;
  return Error::success();
}

/// The components of a relative path that stays inside its folder.
Expected<SmallVector<StringRef>> splitLocation(StringRef location) {
  if (location.empty())
    return fileError("external data has no location");
  if (location.contains('\0') || location.contains('\\') || sys::path::is_absolute(location))
    return fileError("external data location '" + location.take_until([](char c) { return !c; }) +
                     "' is not a relative path");
  SmallVector<StringRef> components, result;
  location.split(components, '/', -1, /*KeepEmpty=*/false);
  for (StringRef component : components) {
    if (component == "..")
      return fileError("external data location '" + location + "' leaves the model's folder");
    if (component != ".")
      result.push_back(component);
  }
  if (result.empty())
    return fileError("external data location '" + location + "' names no file");
  return result;
}

} // namespace

OnnxFile::~OnnxFile() = default;

std::shared_ptr<OnnxFile> OnnxFile::create(::onnx::ModelProto model) {
  std::shared_ptr<OnnxFile> file(new OnnxFile());
  file->model = std::move(model);
  return file;
}

static Error checkSize(uint64_t bytes) {
  if (bytes <= maxModelBytes)
    return Error::success();
  return fileError("file has " + Twine(bytes) + " bytes, more than the limit of " +
                   Twine(maxModelBytes) + "; keep weights in external data");
}

Expected<std::shared_ptr<OnnxFile>> OnnxFile::parse(std::unique_ptr<MemoryBuffer> buffer) {
  std::shared_ptr<OnnxFile> file(new OnnxFile());
  file->buffer = std::move(buffer);
  StringRef bytes = file->buffer->getBuffer();
  // Parse errors are reported by us, with the file's name.
  static std::once_flag silenced;
  std::call_once(silenced, [] { google::protobuf::SetLogHandler(nullptr); });
  if (!readModel(bytes, maxMessageDepth, file->model))
    return fileError("not an ONNX model: malformed protobuf, or nested more than " +
                     Twine(maxMessageDepth) + " messages deep");
  if (!file->model.has_graph())
    return fileError("not an ONNX model: no graph");
  file->sha256 = hexDigest(bytes);
  return file;
}

Expected<std::shared_ptr<OnnxFile>> OnnxFile::open(StringRef path) {
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(path, status))
    return fileError(code.message());
  if (!sys::fs::is_regular_file(status))
    return fileError("not a regular file");
  if (Error error = checkSize(status.getSize()))
    return std::move(error);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fileError(buffer.getError().message());
  Expected<std::shared_ptr<OnnxFile>> file = parse(std::move(*buffer));
  if (!file)
    return file;
  (*file)->identities.push_back(status.getUniqueID());
  SmallString<256> real;
  if (std::error_code code = sys::fs::real_path(path, real))
    return fileError(code.message());
  (*file)->folder = sys::path::parent_path(real).str();
  return file;
}

Expected<std::shared_ptr<OnnxFile>> OnnxFile::fromBytes(StringRef bytes, StringRef folder) {
  if (Error error = checkSize(bytes.size()))
    return std::move(error);
  Expected<std::shared_ptr<OnnxFile>> file =
      parse(MemoryBuffer::getMemBuffer(bytes, /*BufferName=*/"", /*RequiresNullTerminator=*/false));
  if (file)
    (*file)->folder = folder.str();
  return file;
}

Expected<StringRef> OnnxFile::mapExternal(StringRef location) {
  Expected<SmallVector<StringRef>> components = splitLocation(location);
  if (!components)
    return components.takeError();
  std::string key = llvm::join(*components, "/");
  if (auto it = external.find(key); it != external.end())
    return it->second->getBuffer();
  if (folder.empty())
    return fileError("external data in a model without a folder");

  Descriptor descriptor(-1);
  if (Error error = openBelow(folder, *components, descriptor))
    return fileError("cannot open external data '" + location + "': " + toString(std::move(error)));
  struct stat info;
  if (::fstat(descriptor.value, &info) != 0 || !S_ISREG(info.st_mode))
    return fileError("external data '" + location + "' is not a regular file");
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getOpenFile(
      sys::fs::convertFDToNativeFile(descriptor.value), location, info.st_size,
      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fileError("cannot read external data '" + location +
                     "': " + buffer.getError().message());
  StringRef bytes = (*buffer)->getBuffer();
  external[key] = std::move(*buffer);
  identities.emplace_back(info.st_dev, info.st_ino);
  return bytes;
}

Expected<StringRef> OnnxFile::readExternal(const ::onnx::TensorProto &tensor, uint64_t bytes) {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  for (const ::onnx::StringStringEntryProto &entry : tensor.external_data()) {
    uint64_t number = 0;
    bool isNumber = !StringRef(entry.value()).getAsInteger(10, number);
    if (entry.key() == "location")
      location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length")
      continue;
    if (!isNumber)
      return fileError("external data " + entry.key() + " '" + entry.value() + "' is no number");
    if (entry.key() == "offset")
      offset = number;
    else
      length = number;
  }
  if (bytes == 0 && !location.empty())
    return StringRef();
  Expected<StringRef> content = mapExternal(location);
  if (!content)
    return content.takeError();
  if (offset > content->size() || bytes > content->size() - offset)
    return fileError("external data '" + location + "' has " + Twine(content->size()) +
                     " bytes, the tensor needs " + Twine(bytes) + " at offset " + Twine(offset));
  if (length && *length != bytes)
    return fileError("external data '" + location + "' has length " + Twine(*length) +
                     ", the tensor needs " + Twine(bytes) + " bytes");
  return content->substr(offset, bytes);
}

const ::onnx::NodeProto &OnnxFile::keep(::onnx::NodeProto node) {
  return rewritten.emplace_back(std::move(node));
}

StringRef OnnxFile::getRawData(const ::onnx::TensorProto &tensor) const {
  return buffer ? findRawData(buffer->getBuffer(), tensor) : StringRef(tensor.raw_data());
}

bool OnnxFile::isInput(StringRef path) const {
  sys::fs::UniqueID identity;
  return !sys::fs::getUniqueID(path, identity) && llvm::is_contained(identities, identity);
}

/// Gives the pages of a mapped file back; they are read again when needed.
static void releaseMapping(const MemoryBuffer &buffer) {
  if (buffer.getBufferKind() == MemoryBuffer::MemoryBuffer_MMap)
    ::madvise(const_cast<char *>(buffer.getBufferStart()), buffer.getBufferSize(), MADV_DONTNEED);
}

void OnnxFile::releasePages() const {
  if (buffer)
    releaseMapping(*buffer);
  for (const auto &entry : external)
    releaseMapping(*entry.second);
}

} // namespace onnxc
