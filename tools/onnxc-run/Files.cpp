//===- Files.cpp - Values in .npy and ONNX files ---------------------------===//
#include "tools/onnxc-run/Value.h"
#include <cstdio>
#include <cstring>
#include <string_view>

namespace onnxc::runner {

Failure readFile(const std::string &path, std::vector<char> &bytes) {
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return "cannot read '" + path + "': " + std::strerror(errno);
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, file))
    bytes.insert(bytes.end(), buffer, buffer + count);
  bool failed = std::ferror(file);
  std::fclose(file);
  return failed ? "cannot read '" + path + "'" : "";
}

//===----------------------------------------------------------------------===//
// .npy
//===----------------------------------------------------------------------===//

namespace {
struct NpyType {
  onnxc_dtype dtype;
  const char *name;
};
} // namespace

static constexpr NpyType npyTypes[] = {
    {ONNXC_FLOAT, "<f4"},     {ONNXC_DOUBLE, "<f8"},      {ONNXC_FLOAT16, "<f2"},
    {ONNXC_BOOL, "|b1"},      {ONNXC_INT8, "|i1"},        {ONNXC_UINT8, "|u1"},
    {ONNXC_INT16, "<i2"},     {ONNXC_UINT16, "<u2"},      {ONNXC_INT32, "<i4"},
    {ONNXC_UINT32, "<u4"},    {ONNXC_INT64, "<i8"},       {ONNXC_UINT64, "<u8"},
    {ONNXC_COMPLEX64, "<c8"}, {ONNXC_COMPLEX128, "<c16"},
};

/// The text behind `'key':` in a header, without leading blanks.
static std::string_view field(std::string_view header, std::string_view key) {
  size_t position = header.find("'" + std::string(key) + "'");
  if (position == std::string_view::npos)
    return {};
  position = header.find(':', position);
  if (position == std::string_view::npos)
    return {};
  std::string_view rest = header.substr(position + 1);
  return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
}

static bool parseShape(std::string_view text, std::vector<int64_t> &dims) {
  if (text.empty() || text[0] != '(')
    return false;
  text = text.substr(1, text.find(')') - 1);
  while (!text.empty()) {
    size_t digits = text.find_first_of("0123456789");
    if (digits == std::string_view::npos)
      return true;
    dims.push_back(std::strtoll(std::string(text.substr(digits)).c_str(), nullptr, 10));
    size_t comma = text.find(',', digits);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return true;
}

static Failure parseNpy(const std::string &path, const std::vector<char> &file, Value &value) {
  if (file.size() < 12)
    return "'" + path + "' is cut off in its header";
  bool isOld = file[6] == 1;
  uint32_t length = 0;
  std::memcpy(&length, file.data() + 8, isOld ? 2 : 4);
  size_t start = isOld ? 10 : 12;
  if (file.size() - start < length)
    return "'" + path + "' is cut off in its header";
  std::string_view header(file.data() + start, length);
  std::string_view type = field(header, "descr");
  for (const NpyType &row : npyTypes)
    if (type.substr(0, std::strlen(row.name) + 2) == "'" + std::string(row.name) + "'")
      value.dtype = row.dtype;
  if (value.dtype == ONNXC_UNDEFINED)
    return "'" + path + "' has an element type that is not supported";
  if (field(header, "fortran_order").substr(0, 5) != "False")
    return "'" + path + "' is in Fortran order, expected C order";
  if (!parseShape(field(header, "shape"), value.dims))
    return "'" + path + "' has no shape";
  value.bytes.assign(file.begin() + static_cast<int64_t>(start + length), file.end());
  int64_t expected =
      onnxc_tensor_bytes(value.dtype, value.dims.data(), static_cast<int32_t>(value.dims.size()));
  if (static_cast<int64_t>(value.bytes.size()) != expected)
    return "'" + path + "' has the wrong size (found " + std::to_string(value.bytes.size()) +
           " bytes, expected " + std::to_string(expected) + ")";
  return "";
}

Failure writeNpy(const std::string &path, const Value &value) {
  const char *name = nullptr;
  for (const NpyType &row : npyTypes)
    if (row.dtype == value.dtype)
      name = row.name;
  // Types that numpy does not know are written as their bit patterns.
  if (!name && value.kind == ONNXC_TENSOR && onnxc_dtype_bits(value.dtype) == 16)
    name = "<u2";
  if (!name && value.kind == ONNXC_TENSOR && onnxc_dtype_bits(value.dtype) == 8)
    name = "|u1";
  if (!name || value.kind != ONNXC_TENSOR)
    return "a " + typeText(value) + " does not fit a .npy file";
  std::string header = std::string("{'descr': '") + name + "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : value.dims)
    header += std::to_string(dim) + ",";
  header += "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  uint16_t length = static_cast<uint16_t>(header.size());
  FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return "cannot write '" + path + "': " + std::strerror(errno);
  std::fwrite("\x93NUMPY\x01\x00", 1, 8, file);
  std::fwrite(&length, 2, 1, file);
  std::fwrite(header.data(), 1, header.size(), file);
  std::fwrite(value.bytes.data(), 1, value.bytes.size(), file);
  bool failed = std::ferror(file);
  failed |= std::fclose(file) != 0;
  return failed ? "cannot write '" + path + "'" : "";
}

//===----------------------------------------------------------------------===//
// ONNX: the few messages that hold values, read from protobuf's wire format
//===----------------------------------------------------------------------===//

namespace {
/// Walks the fields of one message.
class MessageReader {
public:
  explicit MessageReader(std::string_view bytes) : rest(bytes) {}

  /// Goes to the next field; false at the end and on errors.
  bool next() {
    if (rest.empty() || failed)
      return false;
    uint64_t tag = readVarint();
    field = static_cast<int>(tag >> 3);
    switch (wire = static_cast<int>(tag & 7)) {
    case 0: number = readVarint(); break;
    case 1: payload = take(8); break;
    case 2: payload = take(readVarint()); break;
    case 5: payload = take(4); break;
    default: failed = true;
    }
    return !failed;
  }

  uint64_t readVarint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !rest.empty(); shift += 7) {
      unsigned char byte = static_cast<unsigned char>(rest[0]);
      rest.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 127) << shift;
      if (byte < 128)
        return value;
    }
    failed = true;
    return 0;
  }
  bool isAtEnd() const { return rest.empty() || failed; }

  int field = 0, wire = 0;
  uint64_t number = 0;
  std::string_view payload;
  bool failed = false;

private:
  std::string_view take(uint64_t size) {
    if (size > rest.size()) {
      failed = true;
      return {};
    }
    std::string_view result = rest.substr(0, size);
    rest.remove_prefix(size);
    return result;
  }
  std::string_view rest;
};
} // namespace

/// A repeated integer field, packed or not.
static void appendIntegers(const MessageReader &reader, std::vector<int64_t> &values) {
  if (reader.wire == 0) {
    values.push_back(static_cast<int64_t>(reader.number));
    return;
  }
  MessageReader packed(reader.payload);
  while (!packed.isAtEnd())
    values.push_back(static_cast<int64_t>(packed.readVarint()));
}

/// Integers of the typed fields, each narrowed to the width of an element (a
/// byte for packed types, whose pairs ONNX stores one per integer).
static void storeIntegers(const std::vector<int64_t> &integers, Value &value) {
  size_t width = std::max(1u, onnxc_dtype_bits(value.dtype) / 8);
  for (int64_t integer : integers)
    value.bytes.insert(value.bytes.end(), reinterpret_cast<const char *>(&integer),
                       reinterpret_cast<const char *>(&integer) + width);
}

static Failure parseTensor(std::string_view bytes, Value &value) {
  MessageReader reader(bytes);
  std::vector<int64_t> integers;
  value.kind = ONNXC_TENSOR;
  while (reader.next()) {
    switch (reader.field) {
    case 1: appendIntegers(reader, value.dims); break;
    case 2: value.dtype = static_cast<onnxc_dtype>(reader.number); break;
    case 5:  // int32_data
    case 7:  // int64_data
    case 11: // uint64_data
      appendIntegers(reader, integers);
      break;
    case 6: value.strings.emplace_back(reader.payload); break;
    case 4:  // float_data
    case 9:  // raw_data
    case 10: // double_data
      value.bytes.insert(value.bytes.end(), reader.payload.begin(), reader.payload.end());
      break;
    case 13: return "a tensor with external data is not supported here";
    default: break;
    }
  }
  if (reader.failed)
    return "malformed tensor";
  storeIntegers(integers, value);
  int64_t expected =
      onnxc_tensor_bytes(value.dtype, value.dims.data(), static_cast<int32_t>(value.dims.size()));
  int64_t found =
      static_cast<int64_t>(value.dtype == ONNXC_STRING ? value.strings.size() * sizeof(onnxc_string)
                                                       : value.bytes.size());
  if (found != expected)
    return "tensor of the wrong size (found " + std::to_string(found) + " bytes, expected " +
           std::to_string(expected) + ")";
  return "";
}

/// A SequenceProto: field 3 holds tensors.
static Failure parseSequence(std::string_view bytes, Value &value) {
  MessageReader reader(bytes);
  value.kind = ONNXC_SEQUENCE;
  while (reader.next()) {
    if (reader.field != 3)
      continue;
    value.elements.emplace_back();
    if (Failure bad = parseTensor(reader.payload, value.elements.back()); !bad.empty())
      return bad;
    value.dtype = value.elements.back().dtype;
  }
  return reader.failed ? "malformed sequence" : "";
}

/// An OptionalProto: field 3 holds a tensor, field 5 a sequence.
static Failure parseOptional(std::string_view bytes, Value &value) {
  MessageReader reader(bytes);
  while (reader.next()) {
    if (reader.field != 3 && reader.field != 5)
      continue;
    value.elements.emplace_back();
    Value &element = value.elements.back();
    Failure bad = reader.field == 3 ? parseTensor(reader.payload, element)
                                    : parseSequence(reader.payload, element);
    if (!bad.empty())
      return bad;
    value.dtype = element.dtype;
  }
  return reader.failed ? "malformed optional" : "";
}

/// Printable from end to end: an array that someone wrote as text.
static bool looksLikeText(std::string_view bytes) {
  bytes = bytes.substr(0, 4096);
  for (unsigned char c : bytes)
    if ((c < 32 && c != '\n' && c != '\r' && c != '\t') || c == 127)
      return false;
  return !bytes.empty();
}

static Failure parseOnnx(std::string_view bytes, onnxc_kind kind, Value &value) {
  value.kind = kind;
  if (kind == ONNXC_SEQUENCE)
    return parseSequence(bytes, value);
  return kind == ONNXC_TENSOR ? parseTensor(bytes, value) : parseOptional(bytes, value);
}

/// A file is what it holds, whatever its name ends in.
Failure readValue(const std::string &path, onnxc_kind kind, Value &value) {
  std::vector<char> file;
  if (Failure bad = readFile(path, file); !bad.empty())
    return bad;
  std::string_view bytes(file.data(), file.size());
  constexpr std::string_view npyMagic = "\x93NUMPY", zipMagic = "PK\x03\x04";
  if (bytes.substr(0, npyMagic.size()) == npyMagic)
    return parseNpy(path, file, value);
  std::string isNeither = "'" + path + "' is neither a .npy file nor an ONNX tensor (.pb)";
  if (bytes.substr(0, zipMagic.size()) == zipMagic)
    return isNeither + ", it looks like a .npz archive; numpy.save writes each of its arrays as .npy";
  if (looksLikeText(bytes))
    return isNeither + ", it looks like text; numpy.save(\"x.npy\", array) writes what is wanted";
  Failure bad = parseOnnx(bytes, kind, value);
  if (bad.empty())
    return "";
  return (bad.compare(0, 9, "malformed") == 0 ? isNeither : "'" + path + "'") + ": " + bad;
}

} // namespace onnxc::runner
