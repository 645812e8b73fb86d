//===- HeaderText.cpp - What a model's values are called in C --------------===//
#include "codegen/HeaderText.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace onnxc::header {

// Octal escapes have a fixed length, unlike \x.
std::string quote(StringRef text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\' || c == '?' || c < 32 || c >= 127) {
      result += '\\';
      for (int shift : {6, 3, 0})
        result += static_cast<char>('0' + (c >> shift & 7));
    } else {
      result += static_cast<char>(c);
    }
  }
  return result + "\"";
}

std::string comment(StringRef text) {
  std::string result;
  for (char c : text)
    result += isPrint(c) ? c : ' ';
  for (size_t i = 0; i + 1 < result.size(); ++i)
    if (result.compare(i, 2, "*/") == 0 || result.compare(i, 2, "/*") == 0)
      result[i + 1] = ' ';
  return result;
}

std::string shapeText(const ValueInfo &value) {
  if (!value.hasRank)
    return "[...]";
  std::string result = "[";
  ListSeparator separator(", ");
  for (const DimInfo &dim : value.dims) {
    result += StringRef(separator);
    result += comment(dim.text);
  }
  return result + "]";
}

const char *dtypeName(int32_t dtype) {
  static const char *const names[] = {
      "UNDEFINED",      "FLOAT",    "UINT8",        "INT8",           "UINT16",
      "INT16",          "INT32",    "INT64",        "STRING",         "BOOL",
      "FLOAT16",        "DOUBLE",   "UINT32",       "UINT64",         "COMPLEX64",
      "COMPLEX128",     "BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2",
      "FLOAT8E5M2FNUZ", "UINT4",    "INT4",         "FLOAT4E2M1",     "FLOAT8E8M0",
      "UINT2",          "INT2"};
  bool known = dtype >= 0 && static_cast<size_t>(dtype) < std::size(names);
  return known ? names[dtype] : names[0];
}

const char *elementType(int32_t dtype) {
  switch (dtype) {
  case ONNXC_FLOAT:
  case ONNXC_COMPLEX64: return "float";
  case ONNXC_DOUBLE:
  case ONNXC_COMPLEX128: return "double";
  case ONNXC_INT8: return "int8_t";
  case ONNXC_INT16: return "int16_t";
  case ONNXC_INT32: return "int32_t";
  case ONNXC_INT64: return "int64_t";
  case ONNXC_UINT16:
  case ONNXC_FLOAT16:
  case ONNXC_BFLOAT16: return "uint16_t";
  case ONNXC_UINT32: return "uint32_t";
  case ONNXC_UINT64: return "uint64_t";
  case ONNXC_STRING: return "onnxc_string";
  default: return "uint8_t"; // bytes, f8, and the packed types
  }
}

bool isStatic(const ValueInfo &value) {
  return value.kind == ONNXC_TENSOR && value.hasRank &&
         llvm::all_of(value.dims, [](const DimInfo &dim) { return dim.size >= 0; });
}

std::string upper(StringRef text) { return text.upper(); }

std::vector<std::string> identifiers(ArrayRef<ValueInfo> values) {
  StringSet<> used;
  std::vector<std::string> result;
  for (const auto &[i, value] : llvm::enumerate(values)) {
    std::string name;
    for (char c : value.name)
      name += isAlnum(c) ? c : '_';
    if (name.empty() || isDigit(name.front()))
      name.insert(0, "_");
    while (!used.insert(upper(name)).second)
      name += "_" + std::to_string(i);
    result.push_back(name);
  }
  return result;
}

} // namespace onnxc::header
