//===- Weights.cpp - Weights, straight into the artifact or a side file ----===//
//
// The linker only lays out an object that keeps their place, so that it neither
// reads nor copies them; they are written into what it made.
//
//===----------------------------------------------------------------------===//
#include "codegen/Weights.h"
#include "codegen/Descriptor.h"
#include "codegen/Sha256.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ELFTypes.h"
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace onnxc {

Error verifyLayout(const WeightsLayout &weights) {
  uint64_t end = 0;
  for (const WeightsLayout::Chunk &chunk : weights.chunks) {
    if (chunk.offset < end)
      return createStringError("weights overlap (found offset %llu, expected at least %llu)",
                               (unsigned long long)chunk.offset, (unsigned long long)end);
    end = chunk.offset + chunk.bytes.size();
  }
  if (end > weights.bytes)
    return createStringError("weights exceed their size (found %llu bytes, expected %llu)",
                             (unsigned long long)end, (unsigned long long)weights.bytes);
  return Error::success();
}

std::string hashWeights(const WeightsLayout &weights) {
  Sha256 hash;
  uint64_t position = 0;
  auto padTo = [&](uint64_t offset) {
    static const char zeros[4096] = {};
    for (; position < offset;) {
      uint64_t count = std::min<uint64_t>(sizeof zeros, offset - position);
      hash.update({zeros, count});
      position += count;
    }
  };
  for (const WeightsLayout::Chunk &chunk : weights.chunks) {
    padTo(chunk.offset);
    hash.update({chunk.bytes.data(), chunk.bytes.size()});
    position += chunk.bytes.size();
  }
  padTo(weights.bytes);
  return hash.finish();
}

void writeWeights(FileWriter &writer, const WeightsLayout &weights) {
  uint64_t start = writer.position();
  for (const WeightsLayout::Chunk &chunk : weights.chunks) {
    writer.padTo(start + chunk.offset);
    writer.write(chunk.bytes);
  }
  writer.padTo(start + weights.bytes);
}

static uint16_t getMachine(TargetArch arch) {
  switch (arch) {
  case TargetArch::x86_64: return ELF::EM_X86_64;
  case TargetArch::aarch64: return ELF::EM_AARCH64;
  case TargetArch::arm: return ELF::EM_ARM;
  case TargetArch::riscv64: return ELF::EM_RISCV;
  }
  return ELF::EM_NONE;
}

/// Flags that linkers demand to be those of the other objects.
static uint32_t getMachineFlags(TargetArch arch) {
  if (arch == TargetArch::arm)
    return ELF::EF_ARM_EABI_VER5;
  if (arch == TargetArch::riscv64)
    return ELF::EF_RISCV_RVC | ELF::EF_RISCV_FLOAT_ABI_DOUBLE;
  return 0;
}

/// Above this, weights could push code and data further apart than x86-64's
/// 32-bit distances reach.
static constexpr uint64_t largeWeights = 256ull << 20;

namespace {
template <class ELFT> class ObjectWriter {
public:
  ObjectWriter(FileWriter &writer, const TargetInfo &target)
      : writer(writer), target(target), start(writer.position()) {
    // The null section and the null symbol.
    sections.push_back({});
    symbols.push_back({});
    strings.push_back(0);
    writer.padTo(start + sizeof(typename ELFT::Ehdr));
  }

  /// A read-only section of constants.
  void addData(StringRef name, uint64_t flags, ArrayRef<char> bytes) {
    begin(name, ELF::SHT_PROGBITS, flags, 1);
    writer.write(bytes);
    end();
  }

  /// A section without content in this file.
  void addPlace(StringRef name, uint64_t flags, uint64_t alignment, uint64_t bytes) {
    begin(name, ELF::SHT_NOBITS, flags, alignment);
    sections.back().sh_size = bytes;
  }

  /// A hidden symbol for the section that was written last.
  void addSymbol(StringRef name) {
    typename ELFT::Sym symbol = {};
    symbol.st_name = addString(name);
    symbol.setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
    symbol.st_other = ELF::STV_HIDDEN;
    symbol.st_shndx = sections.size() - 1;
    symbol.st_size = sections.back().sh_size;
    symbols.push_back(symbol);
  }

  /// Symbol table, strings, section headers; then the file header, whose place
  /// was kept.
  void finish() {
    // An object without this note would make the stack executable.
    addData(".note.GNU-stack", 0, {});
    unsigned strtabIndex = sections.size() + 1;
    writer.padTo(start + alignTo(offset(), 8));
    begin(".symtab", ELF::SHT_SYMTAB, 0, 8);
    sections.back().sh_entsize = sizeof(typename ELFT::Sym);
    sections.back().sh_link = strtabIndex;
    sections.back().sh_info = 1; // no local symbol but the null one
    write(symbols);
    end();
    // Last, since it names the sections too.
    begin(".strtab", ELF::SHT_STRTAB, 0, 1);
    writer.write(strings);
    end();
    writer.padTo(start + alignTo(offset(), 8));
    typename ELFT::Ehdr header = makeHeader(strtabIndex);
    write(sections);
    writer.overwrite(start, ArrayRef<char>(reinterpret_cast<char *>(&header), sizeof header));
  }

private:
  uint64_t offset() const { return writer.position() - start; }

  uint32_t addString(StringRef string) {
    uint32_t position = strings.size();
    strings.insert(strings.end(), string.begin(), string.end());
    strings.push_back(0);
    return position;
  }

  void begin(StringRef name, uint32_t type, uint64_t flags, uint64_t alignment) {
    typename ELFT::Shdr section = {};
    section.sh_name = addString(name);
    section.sh_type = type;
    section.sh_flags = flags;
    section.sh_offset = offset();
    section.sh_addralign = alignment;
    sections.push_back(section);
  }
  void end() { sections.back().sh_size = offset() - sections.back().sh_offset; }

  template <typename T> void write(const std::vector<T> &records) {
    writer.write(
        ArrayRef<char>(reinterpret_cast<const char *>(records.data()), records.size() * sizeof(T)));
  }

  typename ELFT::Ehdr makeHeader(unsigned stringsIndex) {
    typename ELFT::Ehdr header = {};
    memcpy(header.e_ident, ELF::ElfMagic, 4);
    header.e_ident[ELF::EI_CLASS] = ELFT::Is64Bits ? ELF::ELFCLASS64 : ELF::ELFCLASS32;
    header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
    header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
    header.e_type = ELF::ET_REL;
    header.e_machine = getMachine(target.arch);
    header.e_version = ELF::EV_CURRENT;
    header.e_flags = getMachineFlags(target.arch);
    header.e_ehsize = sizeof(typename ELFT::Ehdr);
    header.e_shentsize = sizeof(typename ELFT::Shdr);
    header.e_shnum = sections.size();
    header.e_shoff = offset();
    header.e_shstrndx = stringsIndex;
    return header;
  }

  FileWriter &writer;
  const TargetInfo &target;
  uint64_t start;
  std::vector<typename ELFT::Shdr> sections;
  std::vector<typename ELFT::Sym> symbols;
  std::vector<char> strings;
};
} // namespace

template <class ELFT>
static void writeObject(FileWriter &writer, const WeightsLayout &weights, StringRef hash,
                        StringRef prefix, bool embed, const TargetInfo &target) {
  ObjectWriter<ELFT> object(writer, target);
  bool large = embed && target.arch == TargetArch::x86_64 && weights.bytes >= largeWeights;
  StringRef name = large ? ".lrodata" : ".rodata";
  uint64_t flags = ELF::SHF_ALLOC | (large ? ELF::SHF_X86_64_LARGE : 0);
  if (embed) {
    object.addPlace(name, flags, ONNXC_ALIGNMENT, weights.bytes);
    object.addSymbol(WeightsInfo::dataSymbol(prefix));
  }
  // In a section of the same name: by its content the linker gives both a place
  // in the file.
  std::string text = hash.str();
  object.addData(name, flags, ArrayRef<char>(text.c_str(), text.size() + 1));
  object.addSymbol(WeightsInfo::hashSymbol(prefix));
  object.finish();
}

void writeWeightsObject(FileWriter &writer, const WeightsLayout &weights, StringRef hash,
                        StringRef prefix, bool embed, const TargetInfo &target) {
  if (target.pointerBits == 64)
    writeObject<object::ELF64LE>(writer, weights, hash, prefix, embed, target);
  else
    writeObject<object::ELF32LE>(writer, weights, hash, prefix, embed, target);
}

/// The place of `name` in a linked file; none when it has no bytes there.
template <class ELFT>
static Expected<std::optional<uint64_t>> findPlace(const object::ELFObjectFile<ELFT> &file,
                                                   StringRef name, uint64_t bytes) {
  for (const object::ELFSymbolRef symbol : file.symbols()) {
    Expected<StringRef> found = symbol.getName();
    if (!found)
      return found.takeError();
    if (*found != name)
      continue;
    Expected<const typename ELFT::Sym *> entry = file.getSymbol(symbol.getRawDataRefImpl());
    if (!entry)
      return entry.takeError();
    Expected<const typename ELFT::Shdr *> section =
        file.getELFFile().getSection((*entry)->st_shndx);
    if (!section)
      return section.takeError();
    uint64_t begin = (*entry)->st_value - (*section)->sh_addr;
    if ((*section)->sh_type != ELF::SHT_PROGBITS || begin + bytes > (*section)->sh_size)
      break;
    return (*section)->sh_offset + begin;
  }
  return std::nullopt;
}

Error fillWeights(StringRef path, const WeightsLayout &weights, StringRef prefix) {
  Expected<object::OwningBinary<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(path);
  if (!file)
    return file.takeError();
  std::string name = WeightsInfo::dataSymbol(prefix);
  Expected<std::optional<uint64_t>> place = std::nullopt;
  if (auto *elf = dyn_cast<object::ELF64LEObjectFile>(file->getBinary()))
    place = findPlace(*elf, name, weights.bytes);
  else if (auto *elf = dyn_cast<object::ELF32LEObjectFile>(file->getBinary()))
    place = findPlace(*elf, name, weights.bytes);
  if (!place)
    return place.takeError();
  if (!*place)
    return createStringError("linking left no place for the weights");
  int descriptor;
  if (std::error_code code = sys::fs::openFileForReadWrite(
          path, descriptor, sys::fs::CD_OpenExisting, sys::fs::OF_None))
    return createStringError(code, "cannot write '" + path + "': " + code.message());
  FileWriter writer(descriptor, **place);
  writeWeights(writer, weights);
  Error bad = writer.finish(path);
  ::close(descriptor);
  return bad;
}

} // namespace onnxc
