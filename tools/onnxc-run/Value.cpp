//===- Value.cpp - A value at a model's border, owned ----------------------===//
#include "tools/onnxc-run/Value.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace onnxc::runner {

int64_t Value::numElements() const {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

int64_t Value::numScalars() const {
  bool isComplex = dtype == ONNXC_COMPLEX64 || dtype == ONNXC_COMPLEX128;
  return numElements() * (isComplex ? 2 : 1);
}

template <typename T> static T load(const char *bytes, int64_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

namespace {
/// A binary floating-point format of at most 16 bits.
struct SmallFloat {
  int exponentBits, mantissaBits, bias;
  bool hasInfinity; ///< all-ones exponent: infinity and NaN
  enum { AllOnesNan, NegativeZeroNan, NoNan } nan;
};
} // namespace

static double decode(unsigned bits, SmallFloat format) {
  int width = 1 + format.exponentBits + format.mantissaBits;
  unsigned exponentMask = (1u << format.exponentBits) - 1;
  unsigned mantissaMask = (1u << format.mantissaBits) - 1;
  double sign = bits >> (width - 1) & 1 ? -1.0 : 1.0;
  unsigned exponent = bits >> format.mantissaBits & exponentMask;
  unsigned mantissa = bits & mantissaMask;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (format.hasInfinity && exponent == exponentMask)
    return mantissa ? nan : sign * std::numeric_limits<double>::infinity();
  if (!format.hasInfinity) {
    bool allOnes = exponent == exponentMask && mantissa == mantissaMask;
    if (format.nan == SmallFloat::AllOnesNan && allOnes)
      return nan;
    if (format.nan == SmallFloat::NegativeZeroNan && bits == 1u << (width - 1))
      return nan;
  }
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - format.bias - format.mantissaBits);
  return sign * std::ldexp(mantissa | 1u << format.mantissaBits,
                           static_cast<int>(exponent) - format.bias - format.mantissaBits);
}

static double decodeByDtype(onnxc_dtype dtype, unsigned bits) {
  switch (dtype) {
  case ONNXC_FLOAT16: return decode(bits, {5, 10, 15, true, SmallFloat::NoNan});
  case ONNXC_BFLOAT16: return decode(bits, {8, 7, 127, true, SmallFloat::NoNan});
  case ONNXC_FLOAT8E4M3FN: return decode(bits, {4, 3, 7, false, SmallFloat::AllOnesNan});
  case ONNXC_FLOAT8E4M3FNUZ: return decode(bits, {4, 3, 8, false, SmallFloat::NegativeZeroNan});
  case ONNXC_FLOAT8E5M2: return decode(bits, {5, 2, 15, true, SmallFloat::NoNan});
  case ONNXC_FLOAT8E5M2FNUZ: return decode(bits, {5, 2, 16, false, SmallFloat::NegativeZeroNan});
  case ONNXC_FLOAT4E2M1: return decode(bits, {2, 1, 1, false, SmallFloat::NoNan});
  case ONNXC_FLOAT8E8M0:
    return bits == 255 ? std::numeric_limits<double>::quiet_NaN()
                       : std::ldexp(1.0, static_cast<int>(bits) - 127);
  default: return 0;
  }
}

/// A packed element: the first one is in the lowest bits.
static unsigned loadPacked(const char *bytes, int64_t index, unsigned bits) {
  unsigned perByte = 8 / bits;
  unsigned byte = static_cast<unsigned char>(bytes[index / perByte]);
  return byte >> (index % perByte * bits) & ((1u << bits) - 1);
}

static double signExtend(unsigned value, unsigned bits) {
  return value >> (bits - 1) ? static_cast<double>(value) - (1 << bits) : value;
}

double Value::element(int64_t index) const {
  const char *data = bytes.data();
  switch (dtype) {
  case ONNXC_FLOAT:
  case ONNXC_COMPLEX64: return load<float>(data, index);
  case ONNXC_DOUBLE:
  case ONNXC_COMPLEX128: return load<double>(data, index);
  case ONNXC_UINT8:
  case ONNXC_BOOL: return load<uint8_t>(data, index);
  case ONNXC_INT8: return load<int8_t>(data, index);
  case ONNXC_UINT16: return load<uint16_t>(data, index);
  case ONNXC_INT16: return load<int16_t>(data, index);
  case ONNXC_INT32: return load<int32_t>(data, index);
  case ONNXC_UINT32: return load<uint32_t>(data, index);
  case ONNXC_INT64: return static_cast<double>(load<int64_t>(data, index));
  case ONNXC_UINT64: return static_cast<double>(load<uint64_t>(data, index));
  case ONNXC_FLOAT16:
  case ONNXC_BFLOAT16: return decodeByDtype(dtype, load<uint16_t>(data, index));
  case ONNXC_UINT4: return loadPacked(data, index, 4);
  case ONNXC_INT4: return signExtend(loadPacked(data, index, 4), 4);
  case ONNXC_FLOAT4E2M1: return decodeByDtype(dtype, loadPacked(data, index, 4));
  case ONNXC_UINT2: return loadPacked(data, index, 2);
  case ONNXC_INT2: return signExtend(loadPacked(data, index, 2), 2);
  default: return decodeByDtype(dtype, load<uint8_t>(data, index));
  }
}

const char *dtypeName(onnxc_dtype dtype) {
  static const char *const names[] = {
      "undefined",      "float32",  "uint8",        "int8",           "uint16",
      "int16",          "int32",    "int64",        "string",         "bool",
      "float16",        "float64",  "uint32",       "uint64",         "complex64",
      "complex128",     "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2",
      "float8e5m2fnuz", "uint4",    "int4",         "float4e2m1",     "float8e8m0",
      "uint2",          "int2"};
  bool known = dtype >= 0 && static_cast<size_t>(dtype) < std::size(names);
  return known ? names[dtype] : "unknown";
}

std::string jsonText(const std::string &text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c < 32)
      result += ' ';
    else
      result += static_cast<char>(c);
  }
  return result + "\"";
}

std::string typeText(const Value &value) {
  if (value.kind == ONNXC_SEQUENCE)
    return "sequence of " + std::to_string(value.elements.size());
  if (value.kind != ONNXC_TENSOR)
    return value.elements.empty() ? "empty optional" : "optional " + typeText(value.elements[0]);
  std::string text = std::string(dtypeName(value.dtype)) + "[";
  for (size_t i = 0; i < value.dims.size(); ++i)
    text += (i ? ", " : "") + std::to_string(value.dims[i]);
  return text + "]";
}

ValueView::ValueView(Value &value) {
  view.kind = value.kind;
  view.dtype = value.dtype;
  for (Value &element : value.elements) {
    children.push_back(std::make_unique<ValueView>(element));
    childViews.push_back(children.back()->view);
  }
  if (value.kind == ONNXC_SEQUENCE) {
    sequence = {static_cast<int64_t>(childViews.size()), childViews.data()};
    view.data = &sequence;
    return;
  }
  if (value.kind != ONNXC_TENSOR) {
    optional = {childViews.empty() ? nullptr : childViews.data()};
    view.data = &optional;
    return;
  }
  view.dims = value.dims.data();
  view.rank = static_cast<int32_t>(value.dims.size());
  if (value.dtype == ONNXC_STRING) {
    for (const std::string &string : value.strings)
      strings.push_back({string.data(), string.size()});
    view.data = strings.data();
    view.bytes = strings.size() * sizeof(onnxc_string);
  } else {
    view.data = value.bytes.data();
    view.bytes = value.bytes.size();
  }
}

Value copyView(const onnxc_view &view) {
  Value value;
  value.kind = view.kind;
  value.dtype = view.dtype;
  if (view.kind == ONNXC_SEQUENCE) {
    auto *sequence = static_cast<const onnxc_sequence *>(view.data);
    for (int64_t i = 0; sequence && i < sequence->length; ++i)
      value.elements.push_back(copyView(sequence->elements[i]));
    return value;
  }
  if (view.kind != ONNXC_TENSOR) {
    auto *optional = static_cast<const onnxc_optional *>(view.data);
    if (optional && optional->value)
      value.elements.push_back(copyView(*optional->value));
    return value;
  }
  value.dims.assign(view.dims, view.dims + view.rank);
  if (view.dtype == ONNXC_STRING) {
    auto *strings = static_cast<const onnxc_string *>(view.data);
    for (int64_t i = 0, e = value.numElements(); i < e; ++i)
      value.strings.emplace_back(strings[i].data, strings[i].length);
    return value;
  }
  int64_t bytes = onnxc_tensor_bytes(view.dtype, view.dims, view.rank);
  auto *data = static_cast<const char *>(view.data);
  if (bytes > 0)
    value.bytes.assign(data, data + bytes);
  return value;
}

/// Round to nearest even is not needed here: any pattern near the value will do.
static uint16_t toHalf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  int exponent = static_cast<int>(bits >> 23 & 255) - 112;
  if (exponent <= 0)
    return static_cast<uint16_t>(bits >> 16 & 0x8000);
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 0x3ff));
}

template <typename T, typename Next> static void fill(Value &value, Next next) {
  for (size_t i = 0; i < value.bytes.size() / sizeof(T); ++i) {
    T element = static_cast<T>(next());
    std::memcpy(value.bytes.data() + i * sizeof(T), &element, sizeof(T));
  }
}

void fillRandom(Value &value, uint64_t seed) {
  std::mt19937_64 generator(seed);
  auto real = [&] { return std::uniform_real_distribution<double>(-1, 1)(generator); };
  auto small = [&] { return generator() % 8; };
  if (value.dtype == ONNXC_STRING) {
    for (int64_t i = 0, e = value.numElements(); i < e; ++i)
      value.strings.push_back("s" + std::to_string(small()));
    return;
  }
  value.bytes.resize(
      onnxc_tensor_bytes(value.dtype, value.dims.data(), static_cast<int32_t>(value.dims.size())));
  switch (value.dtype) {
  case ONNXC_FLOAT:
  case ONNXC_COMPLEX64: return fill<float>(value, real);
  case ONNXC_DOUBLE:
  case ONNXC_COMPLEX128: return fill<double>(value, real);
  case ONNXC_FLOAT16:
    return fill<uint16_t>(value, [&] { return toHalf(static_cast<float>(real())); });
  case ONNXC_BFLOAT16:
    return fill<uint16_t>(value, [&] {
      float element = static_cast<float>(real());
      uint32_t bits;
      std::memcpy(&bits, &element, 4);
      return bits >> 16;
    });
  case ONNXC_BOOL: return fill<uint8_t>(value, [&] { return small() & 1; });
  case ONNXC_INT16:
  case ONNXC_UINT16: return fill<uint16_t>(value, small);
  case ONNXC_INT32:
  case ONNXC_UINT32: return fill<uint32_t>(value, small);
  case ONNXC_INT64:
  case ONNXC_UINT64: return fill<uint64_t>(value, small);
  default: return fill<uint8_t>(value, small);
  }
}

static std::string indexText(const Value &value, int64_t index) {
  std::string text;
  for (size_t i = value.dims.size(); i-- > 0; index /= value.dims[i])
    text = std::to_string(index % value.dims[i]) + (text.empty() ? "" : ", ") + text;
  return "[" + text + "]";
}

static std::string numberText(double number) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", number);
  return buffer;
}

static bool agree(double found, double expected, Tolerance tolerance) {
  if (std::isnan(found) || std::isnan(expected))
    return std::isnan(found) && std::isnan(expected);
  if (found == expected)
    return true;
  if (std::isinf(found) || std::isinf(expected))
    return false;
  return std::abs(found - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected);
}

static std::string compareNumbers(const Value &found, const Value &expected, Tolerance tolerance,
                                  double &maxError) {
  int64_t count = expected.numScalars(), wrong = 0, first = -1, worst = -1;
  double worstError = -1;
  for (int64_t i = 0; i < count; ++i) {
    double a = found.element(i), b = expected.element(i);
    double error = std::abs(a - b);
    if (agree(a, b, tolerance)) {
      if (error > maxError) // not where both are infinite or NaN
        maxError = error;
      continue;
    }
    ++wrong;
    if (first < 0)
      first = i;
    if (!(error <= worstError)) {
      worstError = error;
      worst = i;
    }
  }
  if (!wrong)
    return "";
  int64_t perElement = count / std::max<int64_t>(expected.numElements(), 1);
  auto describe = [&](int64_t i) {
    return indexText(expected, i / perElement) + " (found " + numberText(found.element(i)) +
           ", expected " + numberText(expected.element(i)) + ")";
  };
  return std::to_string(wrong) + " of " + std::to_string(count) + " elements differ, first at " +
         describe(first) + ", maximum error " + numberText(worstError) + " at " + describe(worst);
}

std::string compareValues(const Value &found, const Value &expected, Tolerance tolerance,
                          double &maxError) {
  if (found.kind != expected.kind || found.elements.size() != expected.elements.size() ||
      (expected.kind == ONNXC_TENSOR &&
       (found.dtype != expected.dtype || found.dims != expected.dims)))
    return "type differs (found " + typeText(found) + ", expected " + typeText(expected) + ")";
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    std::string difference =
        compareValues(found.elements[i], expected.elements[i], tolerance, maxError);
    if (!difference.empty())
      return "element " + std::to_string(i) + ": " + difference;
  }
  if (expected.kind != ONNXC_TENSOR)
    return "";
  if (expected.dtype != ONNXC_STRING)
    return compareNumbers(found, expected, tolerance, maxError);
  for (size_t i = 0; i < expected.strings.size(); ++i)
    if (found.strings[i] != expected.strings[i])
      return "string differs at " + indexText(expected, i) + " (found \"" + found.strings[i] +
             "\", expected \"" + expected.strings[i] + "\")";
  return "";
}

} // namespace onnxc::runner
