//===- Link.cpp - In-process linking ---------------------------------------===//
#include "codegen/Link.h"
#include "codegen/Output.h"
#include "lld/Common/Driver.h"
#include "llvm/ObjCopy/CommonConfig.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace onnxc {

Expected<MemoryFile> MemoryFile::create(StringRef name, ArrayRef<char> bytes) {
  MemoryFile file;
#ifdef __linux__
  file.fd = ::memfd_create(name.str().c_str(), MFD_CLOEXEC);
  file.filePath = "/proc/self/fd/" + std::to_string(file.fd);
#else
  SmallString<128> path;
  if (!sys::fs::createTemporaryFile(name, "o", file.fd, path))
    file.filePath = path.str().str();
#endif
  if (file.fd < 0)
    return createStringError("cannot make a temporary file for '%s'", name.str().c_str());
  file.bytes = bytes.size();
  FileWriter writer(file.fd);
  writer.write(bytes);
  if (Error bad = writer.finish(name))
    return std::move(bad);
  return std::move(file);
}

MemoryFile::MemoryFile(MemoryFile &&other)
    : fd(std::exchange(other.fd, -1)), bytes(other.bytes), filePath(std::move(other.filePath)) {}

MemoryFile::~MemoryFile() {
  if (fd < 0)
    return;
  ::close(fd);
#ifndef __linux__
  sys::fs::remove(filePath);
#endif
}

/// lld keeps global state: two links at once crash.
static Error runLinker(ArrayRef<std::string> arguments) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  // Without it, an error that lld calls fatal would end the process.
  CrashRecoveryContext::Enable();
  SmallVector<const char *> pointers = {"ld.lld"};
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  std::string text;
  raw_string_ostream messages(text);
  lld::Result result = lld::lldMain(pointers, nulls(), messages, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return Error::success();
  return createStringError("linking failed: %s", text.c_str());
}

Error linkShared(ArrayRef<std::string> inputs, StringRef soname, StringRef output) {
  std::vector<std::string> arguments = {"-shared",
                                        "--no-undefined",
                                        "--gc-sections",
                                        "--build-id=none",
                                        "--hash-style=gnu",
                                        "-z",
                                        "noexecstack",
                                        "-z",
                                        "now",
                                        "-soname",
                                        soname.str(),
                                        "-o",
                                        output.str()};
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());
  return runLinker(arguments);
}

Error linkRelocatable(ArrayRef<std::string> inputs, StringRef output) {
  std::vector<std::string> arguments = {"-r", "-z", "noexecstack", "-o", output.str()};
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());
  return runLinker(arguments);
}

Error checkUndefined(StringRef path, ArrayRef<std::string> allowed) {
  Expected<object::OwningBinary<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(path);
  if (!file)
    return file.takeError();
  std::string missing;
  for (const object::SymbolRef &symbol : file->getBinary()->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (!flags || !name)
      return joinErrors(flags.takeError(), name.takeError());
    bool isMissing = (*flags & object::SymbolRef::SF_Undefined) &&
                     !(*flags & object::SymbolRef::SF_Weak) && !name->empty();
    if (isMissing && !is_contained(allowed, *name))
      missing += (missing.empty() ? "" : ", ") + name->str();
  }
  if (missing.empty())
    return Error::success();
  return createStringError("linking failed: undefined symbol: %s", missing.c_str());
}

Error localizeHidden(StringRef path) {
  // Not mapped: the file is written over.
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!buffer)
    return createStringError("cannot read '%s': %s", path.str().c_str(),
                             buffer.getError().message().c_str());
  Expected<std::unique_ptr<object::Binary>> binary =
      object::createBinary(**buffer, /*Context=*/nullptr);
  if (!binary)
    return binary.takeError();
  objcopy::ConfigManager config;
  config.Common.InputFilename = path;
  config.Common.OutputFilename = path;
  config.ELF.LocalizeHidden = true;
  SmallVector<char, 0> result;
  raw_svector_ostream stream(result);
  if (Error bad = objcopy::executeObjcopyOnBinary(config, **binary, stream))
    return bad;
  std::error_code code;
  raw_fd_ostream file(path, code);
  if (!code)
    file.write(result.data(), result.size());
  file.close();
  if (file.has_error())
    code = file.error();
  file.clear_error();
  if (code)
    return createStringError("cannot write '%s': %s", path.str().c_str(), code.message().c_str());
  return Error::success();
}

Error writeStaticLibrary(ArrayRef<std::pair<std::string, std::string>> members, StringRef output) {
  std::vector<NewArchiveMember> archive;
  for (const auto &[name, path] : members) {
    Expected<NewArchiveMember> member = NewArchiveMember::getFile(path, /*Deterministic=*/true);
    if (!member)
      return member.takeError();
    member->MemberName = name;
    archive.push_back(std::move(*member));
  }
  return writeArchive(output, archive, SymtabWritingMode::NormalSymtab, object::Archive::K_GNU,
                      /*Deterministic=*/true, /*Thin=*/false);
}

} // namespace onnxc
