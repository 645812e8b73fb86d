//===- ModelFile.cpp - What an artifact says of its model ------------------===//
#include "tools/onnxc-run/ModelFile.h"
#include <cstring>
#include <elf.h>
#include <map>
#include <memory>

namespace onnxc::runner {

std::string machineName(unsigned machine) {
  static constexpr struct {
    unsigned machine;
    const char *name;
  } names[] = {
      {EM_X86_64, "x86-64"}, {EM_AARCH64, "aarch64"}, {EM_ARM, "arm"}, {EM_RISCV, "riscv"}};
  for (const auto &row : names)
    if (row.machine == machine)
      return row.name;
  return "machine " + std::to_string(machine);
}

namespace {

/// The data of an ELF file, by addresses: of a shared library, those that it is linked
/// for; of an object, the section's index and the offset in it. Pointers are followed
/// through the relocations, as a loader or linker would write them.
class Image {
public:
  virtual ~Image() = default;
  unsigned machine = 0;
  bool isShared = false;
  size_t pointerBytes = 0;
  std::string modelSymbol; ///< of the descriptor; empty when there is none
  uint64_t modelAddress = 0;

  /// `size` bytes at an address; null when the file holds no such bytes.
  virtual const char *at(uint64_t address, uint64_t size) const = 0;
  /// Up to the end of what is stored there; empty when nothing is.
  virtual std::string_view rest(uint64_t address) const = 0;
  /// Where the pointer at an address points to; 0 for null and for other files.
  uint64_t follow(uint64_t address) const {
    auto found = targets.find(address);
    return found == targets.end() ? 0 : found->second;
  }

protected:
  std::map<uint64_t, uint64_t> targets;
};

struct Elf32 {
  using Header = Elf32_Ehdr;
  using Section = Elf32_Shdr;
  using Symbol = Elf32_Sym;
  using Rel = Elf32_Rel;
  using Rela = Elf32_Rela;
  using Word = uint32_t;
  static uint64_t symbolOf(uint64_t info) { return ELF32_R_SYM(info); }
};
struct Elf64 {
  using Header = Elf64_Ehdr;
  using Section = Elf64_Shdr;
  using Symbol = Elf64_Sym;
  using Rel = Elf64_Rel;
  using Rela = Elf64_Rela;
  using Word = uint64_t;
  static uint64_t symbolOf(uint64_t info) { return ELF64_R_SYM(info); }
};

/// Nothing in the file is trusted: what lies outside of it reads as nothing.
template <typename E> class ElfImage : public Image {
public:
  explicit ElfImage(std::string_view bytes) : bytes(bytes) {
    auto header = load<typename E::Header>(0);
    machine = header.e_machine;
    isShared = header.e_type == ET_DYN;
    pointerBytes = sizeof(typename E::Word);
    for (unsigned i = 0; i < header.e_shnum; ++i)
      sections.push_back(
          load<typename E::Section>(header.e_shoff + uint64_t{i} * sizeof(typename E::Section)));
    for (const auto &section : sections)
      if (section.sh_type == (isShared ? SHT_DYNSYM : SHT_SYMTAB))
        findModel(section);
    for (const auto &section : sections)
      readRelocations(section);
  }

  std::string_view rest(uint64_t address) const override {
    for (size_t i = 0; i < sections.size(); ++i) {
      const auto &section = sections[i];
      uint64_t begin = isShared ? section.sh_addr : addressOf(i, 0);
      if (!(section.sh_flags & SHF_ALLOC) || section.sh_type == SHT_NOBITS || address < begin ||
          address - begin >= section.sh_size)
        continue;
      std::string_view content = slice(section.sh_offset, section.sh_size);
      return content.substr(std::min<uint64_t>(address - begin, content.size()));
    }
    return {};
  }
  const char *at(uint64_t address, uint64_t size) const override {
    std::string_view found = rest(address);
    return found.size() < size ? nullptr : found.data();
  }

private:
  static constexpr int sectionShift = 40;
  static uint64_t addressOf(uint64_t section, uint64_t offset) {
    return ((section + 1) << sectionShift) + offset;
  }
  std::string_view slice(uint64_t offset, uint64_t size) const {
    return offset > bytes.size() || size > bytes.size() - offset ? std::string_view()
                                                                 : bytes.substr(offset, size);
  }
  /// A record anywhere in the file, zeros when it lies outside.
  template <typename T> T load(uint64_t offset) const {
    T value = {};
    std::string_view found = slice(offset, sizeof value);
    if (!found.empty())
      std::memcpy(&value, found.data(), sizeof value);
    return value;
  }
  std::string_view stringAt(uint64_t table, uint64_t offset) const {
    if (table >= sections.size())
      return {};
    std::string_view strings = slice(sections[table].sh_offset, sections[table].sh_size);
    strings = strings.substr(std::min<uint64_t>(offset, strings.size()));
    return strings.substr(0, strings.find('\0'));
  }
  uint64_t countOf(const typename E::Section &table, size_t entry) const {
    return slice(table.sh_offset, table.sh_size).size() / entry;
  }
  /// The address of a symbol of a table; 0 when it is defined elsewhere.
  uint64_t addressOf(const typename E::Symbol &symbol) const {
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE)
      return 0;
    return isShared ? symbol.st_value : addressOf(symbol.st_shndx, symbol.st_value);
  }
  typename E::Symbol symbolAt(const typename E::Section &table, uint64_t index) const {
    return load<typename E::Symbol>(table.sh_offset + index * sizeof(typename E::Symbol));
  }

  /// The descriptor's symbol, by its ending: a file may have any name.
  void findModel(const typename E::Section &table) {
    constexpr std::string_view suffix = "_model";
    for (uint64_t i = 0; i < countOf(table, sizeof(typename E::Symbol)); ++i) {
      auto symbol = symbolAt(table, i);
      std::string_view name = stringAt(table.sh_link, symbol.st_name);
      bool isPublic = symbol.st_info >> 4 == STB_GLOBAL && (symbol.st_other & 3) == STV_DEFAULT;
      if (!isPublic || !addressOf(symbol) || name.size() <= suffix.size() ||
          name.substr(name.size() - suffix.size()) != suffix)
        continue;
      modelSymbol = name;
      modelAddress = addressOf(symbol);
      return;
    }
  }

  void readRelocations(const typename E::Section &table) {
    bool hasAddend = table.sh_type == SHT_RELA;
    if (!hasAddend && table.sh_type != SHT_REL)
      return;
    if (table.sh_link >= sections.size() || (!isShared && table.sh_info >= sections.size()))
      return;
    size_t entry = hasAddend ? sizeof(typename E::Rela) : sizeof(typename E::Rel);
    for (uint64_t i = 0; i < countOf(table, entry); ++i) {
      typename E::Rela relocation = {};
      std::memcpy(&relocation, bytes.data() + table.sh_offset + i * entry, entry);
      uint64_t place = isShared ? relocation.r_offset : addressOf(table.sh_info, relocation.r_offset);
      typename E::Word addend = static_cast<typename E::Word>(relocation.r_addend);
      if (!hasAddend)
        if (const char *stored = at(place, sizeof addend))
          std::memcpy(&addend, stored, sizeof addend);
      // All pointers in data are absolute: without a symbol, relative to the library.
      uint64_t index = E::symbolOf(relocation.r_info);
      uint64_t symbol = index ? addressOf(symbolAt(sections[table.sh_link], index)) : 0;
      if (symbol || !index)
        targets[place] = symbol + addend;
    }
  }

  std::string_view bytes;
  std::vector<typename E::Section> sections;
};

std::unique_ptr<Image> openElf(std::string_view bytes) {
  bool isElf = bytes.size() >= sizeof(Elf64_Ehdr) && bytes.substr(0, SELFMAG) == ELFMAG &&
               bytes[EI_DATA] == ELFDATA2LSB;
  if (isElf && bytes[EI_CLASS] == ELFCLASS64)
    return std::make_unique<ElfImage<Elf64>>(bytes);
  if (isElf && bytes[EI_CLASS] == ELFCLASS32)
    return std::make_unique<ElfImage<Elf32>>(bytes);
  return nullptr;
}

/// The member of an archive that has a descriptor, or the file itself.
std::unique_ptr<Image> openModel(std::string_view bytes) {
  constexpr std::string_view magic = "!<arch>\n";
  if (bytes.substr(0, magic.size()) != magic)
    return openElf(bytes);
  constexpr size_t headerBytes = 60, sizeAt = 48, sizeDigits = 10;
  std::unique_ptr<Image> first;
  for (size_t at = magic.size(); at + headerBytes <= bytes.size();) {
    uint64_t size = std::strtoull(std::string(bytes.substr(at + sizeAt, sizeDigits)).c_str(),
                                  nullptr, 10);
    at += headerBytes;
    if (size > bytes.size() - at)
      break;
    std::unique_ptr<Image> image = openElf(bytes.substr(at, size));
    if (image && !image->modelSymbol.empty())
      return image;
    if (!first)
      first = std::move(image);
    at += size + size % 2;
  }
  return first;
}

/// Reads records field by field, laid out as C does: each field at a multiple of its size.
class RecordReader {
public:
  RecordReader(const Image &image, uint64_t address) : image(image), address(address) {}

  template <typename T> T number() {
    T value = {};
    align(sizeof value);
    if (const char *stored = image.at(address, sizeof value))
      std::memcpy(&value, stored, sizeof value);
    else
      failed = true;
    address += sizeof value;
    return value;
  }
  uint64_t pointer() {
    align(image.pointerBytes);
    uint64_t target = image.follow(address);
    failed |= !image.at(address, image.pointerBytes);
    address += image.pointerBytes;
    return target;
  }
  /// A NUL-terminated text that a pointer points to.
  std::string text() {
    std::string_view found = image.rest(pointer());
    return std::string(found.substr(0, found.find('\0')));
  }
  void align(uint64_t size) { address = (address + size - 1) / size * size; }
  /// The next element of an array whose largest field has eight bytes.
  void endRecord() { align(8); }

  bool failed = false;

private:
  const Image &image;
  uint64_t address;
};

std::vector<ModelFacts::Dim> readDims(const Image &image, uint64_t address, int32_t count,
                                      bool &failed) {
  std::vector<ModelFacts::Dim> dims;
  RecordReader reader(image, address);
  for (int32_t i = 0; i < count && !reader.failed; ++i) {
    ModelFacts::Dim dim;
    dim.size = reader.number<int64_t>();
    reader.number<int32_t>(); // the symbol's index
    dim.dataDependent = reader.number<int32_t>() != 0;
    dim.text = reader.text();
    reader.endRecord();
    dims.push_back(dim);
  }
  failed |= reader.failed;
  return dims;
}

std::vector<ModelFacts::Value> readValues(const Image &image, uint64_t address, int32_t count,
                                          bool &failed) {
  std::vector<ModelFacts::Value> values;
  RecordReader reader(image, address);
  for (int32_t i = 0; i < count && !reader.failed && !failed; ++i) {
    ModelFacts::Value value;
    value.name = reader.text();
    uint64_t dims = reader.pointer();
    value.rank = reader.number<int32_t>();
    value.dtype = reader.number<int32_t>();
    value.kind = reader.number<int32_t>();
    reader.number<int32_t>(); // reserved
    value.dims = readDims(image, dims, value.rank, failed);
    values.push_back(value);
  }
  failed |= reader.failed;
  return values;
}

std::vector<ModelFacts::Symbol> readSymbols(const Image &image, uint64_t address, int32_t count,
                                            bool &failed) {
  std::vector<ModelFacts::Symbol> symbols;
  RecordReader reader(image, address);
  for (int32_t i = 0; i < count && !reader.failed; ++i) {
    std::string name = reader.text();
    int64_t min = reader.number<int64_t>(), max = reader.number<int64_t>();
    symbols.push_back({name, min, max});
  }
  failed |= reader.failed;
  return symbols;
}

/// The fields of onnxc_model, in its order.
Failure readFacts(const Image &image, ModelFacts &facts) {
  RecordReader reader(image, image.modelAddress);
  uint32_t abi = reader.number<uint32_t>();
  if (abi != ONNXC_ABI_VERSION)
    return "ABI version differs (found " + std::to_string(abi) + ", expected " +
           std::to_string(ONNXC_ABI_VERSION) + ")";
  int32_t numInputs = reader.number<int32_t>();
  facts.name = reader.text();
  uint64_t inputs = reader.pointer(), outputs = reader.pointer(), symbols = reader.pointer();
  int32_t numOutputs = reader.number<int32_t>(), numSymbols = reader.number<int32_t>();
  facts.weightsBytes = reader.number<uint64_t>();
  reader.pointer(); // weights
  reader.pointer(); // weights_sha256
  facts.weightsFile = reader.text();
  reader.number<uint64_t>(); // required_cpu_features
  facts.triple = reader.text();
  facts.cpu = reader.text();
  facts.features = reader.text();
  reader.number<uint64_t>(); // instance_bytes
  for (int i = 0; i < 5; ++i)
    reader.pointer(); // plan, run, init, fini, pool
  facts.compilerVersion = reader.text();
  facts.compilerOptions = reader.text();
  facts.modelSha256 = reader.text();
  facts.opset = reader.number<int64_t>();
  facts.id = reader.text();
  bool failed = reader.failed;
  facts.inputs = readValues(image, inputs, numInputs, failed);
  facts.outputs = readValues(image, outputs, numOutputs, failed);
  facts.symbols = readSymbols(image, symbols, numSymbols, failed);
  return failed ? "the descriptor is damaged" : "";
}

bool endsWith(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

} // namespace

Failure ModelFile::read(std::string_view bytes, const std::string &path, ModelFacts *facts) {
  std::unique_ptr<Image> image = openModel(bytes);
  if (!image)
    return "'" + path + "' is no shared library, object or archive" +
           (endsWith(path, ".onnx") && !bytes.empty() ? "; compile the model with onnxc first" : "");
  machine = image->machine;
  isShared = image->isShared;
  symbol = image->modelSymbol;
  if (symbol.empty())
    return "'" + path + "' holds no model of onnxc";
  if (!facts)
    return "";
  Failure bad = readFacts(*image, *facts);
  return bad.empty() ? "" : "'" + path + "': " + bad;
}

//===----------------------------------------------------------------------===//
// --info
//===----------------------------------------------------------------------===//

static const char *kindName(onnxc_kind kind) {
  static const char *const names[] = {"tensor", "sequence", "optional", "optional sequence"};
  return names[kind & 3];
}

static std::string dimsText(const ModelFacts::Value &value) {
  std::string text = "[";
  for (size_t i = 0; i < value.dims.size(); ++i)
    text += (i ? ", " : "") + value.dims[i].text;
  return text + (value.rank < 0 ? "...]" : "]");
}

static std::string boundsText(const ModelFacts::Symbol &symbol) {
  std::string least = std::to_string(symbol.min);
  return symbol.max == INT64_MAX ? "at least " + least
                                 : "from " + least + " to " + std::to_string(symbol.max);
}

static void printText(const ModelFacts &facts) {
  auto printValues = [](const char *title, const std::vector<ModelFacts::Value> &values) {
    int i = 0;
    for (const ModelFacts::Value &value : values) {
      std::string kind = value.kind == ONNXC_TENSOR
                             ? ""
                             : kindName(value.kind) +
                                   std::string(value.kind == ONNXC_OPTIONAL ? " " : " of ");
      std::printf("%s %d \"%s\": %s%s%s\n", title, i++, value.name.c_str(), kind.c_str(),
                  dtypeName(value.dtype), dimsText(value).c_str());
    }
  };
  std::printf("model \"%s\", opset %lld\n", facts.name.c_str(),
              static_cast<long long>(facts.opset));
  printValues("input", facts.inputs);
  printValues("output", facts.outputs);
  for (const ModelFacts::Symbol &symbol : facts.symbols)
    std::printf("symbol \"%s\": %s\n", symbol.name.c_str(), boundsText(symbol).c_str());
  std::printf("weights: %llu bytes %s\n", static_cast<unsigned long long>(facts.weightsBytes),
              facts.weightsFile.empty() ? "inside" : facts.weightsFile.c_str());
  std::printf("target: %s, cpu %s\ncompiler: %s, options: %s\nmodel sha256: %s\nmodel id: %s\n",
              facts.triple.c_str(), facts.cpu.c_str(), facts.compilerVersion.c_str(),
              facts.compilerOptions.c_str(), facts.modelSha256.c_str(), facts.id.c_str());
}

/// Sizes as numbers; open ones as the text of their expression.
static std::string jsonValues(const std::vector<ModelFacts::Value> &values) {
  std::string text = "[";
  for (const ModelFacts::Value &value : values) {
    std::string dims;
    for (const ModelFacts::Dim &dim : value.dims)
      dims += (dims.empty() ? "" : ", ") +
              (dim.size >= 0 ? std::to_string(dim.size) : jsonText(dim.text));
    text += std::string(text.size() > 1 ? ", " : "") + "{\"name\": " + jsonText(value.name) +
            ", \"kind\": " + jsonText(kindName(value.kind)) +
            ", \"dtype\": " + jsonText(dtypeName(value.dtype)) +
            ", \"dims\": " + (value.rank < 0 ? "null" : "[" + dims + "]") + "}";
  }
  return text + "]";
}

static std::string jsonSymbols(const std::vector<ModelFacts::Symbol> &symbols) {
  std::string text = "[";
  for (const ModelFacts::Symbol &symbol : symbols)
    text += std::string(text.size() > 1 ? ", " : "") + "{\"name\": " + jsonText(symbol.name) +
            ", \"min\": " + std::to_string(symbol.min) + ", \"max\": " +
            (symbol.max == INT64_MAX ? "null" : std::to_string(symbol.max)) + "}";
  return text + "]";
}

static void printJson(const ModelFacts &facts) {
  auto text = [](const std::string &string) { return jsonText(string); };
  std::string weightsFile = facts.weightsFile.empty() ? "null" : text(facts.weightsFile);
  std::string all = "{\"name\": " + text(facts.name) + ", \"id\": " + text(facts.id) +
                    ", \"abi_version\": " + std::to_string(ONNXC_ABI_VERSION) +
                    ", \"opset\": " + std::to_string(facts.opset) +
                    ",\n \"inputs\": " + jsonValues(facts.inputs) +
                    ",\n \"outputs\": " + jsonValues(facts.outputs) +
                    ",\n \"symbols\": " + jsonSymbols(facts.symbols) +
                    ",\n \"weights_bytes\": " + std::to_string(facts.weightsBytes) +
                    ", \"weights_file\": " + weightsFile +
                    ",\n \"target_triple\": " + text(facts.triple) +
                    ", \"target_cpu\": " + text(facts.cpu) +
                    ",\n \"target_features\": " + text(facts.features) +
                    ",\n \"compiler_version\": " + text(facts.compilerVersion) +
                    ", \"compiler_options\": " + text(facts.compilerOptions) +
                    ",\n \"model_sha256\": " + text(facts.modelSha256) + "}";
  std::puts(all.c_str());
}

void printInfo(const ModelFacts &facts, bool json) { json ? printJson(facts) : printText(facts); }

} // namespace onnxc::runner
