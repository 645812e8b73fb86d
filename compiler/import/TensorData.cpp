//===- TensorData.cpp - TensorProto to ElementsAttr -----------------------===//
#include "compiler/import/OnnxFile.h"
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using llvm::Error;
using llvm::Expected;
using namespace mlir;
using ::onnx::TensorProto;

namespace onnxc {
namespace {

/// Constants of at most this size are folded; larger ones are weights.
constexpr uint64_t maxFoldedBytes = 1024;

Error tensorError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// Bits of one element in raw data; 0 for strings.
unsigned bitsPerElement(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  if (!type.isIntOrFloat())
    return 0;
  return type.isInteger(1) ? 8 : type.getIntOrFloatBitWidth();
}

/// The shape of a tensor, whose size in bytes fits int64.
Expected<RankedTensorType> getTensorType(MLIRContext *context, const TensorProto &tensor) {
  Type elementType = getElementType(context, tensor.data_type());
  if (!elementType)
    return tensorError("unknown data type " + Twine(tensor.data_type()));
  int64_t count = std::max(bitsPerElement(elementType), 128u);
  for (int64_t dim : tensor.dims()) {
    if (dim < 0)
      return tensorError("negative dim " + Twine(dim));
    if (dim != 0 && llvm::MulOverflow(count, dim, count))
      return tensorError("dims are too large");
  }
  return RankedTensorType::get(ArrayRef(tensor.dims().data(), tensor.dims_size()), elementType);
}

/// The fields that a tensor's elements may be in; exactly one may be filled.
enum class Field { none, raw, floats, int32s, int64s, doubles, uint64s, strings, several };

Field filledField(const TensorProto &tensor) {
  SmallVector<Field> filled;
  if (!tensor.raw_data().empty())
    filled.push_back(Field::raw);
  if (tensor.float_data_size())
    filled.push_back(Field::floats);
  if (tensor.int32_data_size())
    filled.push_back(Field::int32s);
  if (tensor.int64_data_size())
    filled.push_back(Field::int64s);
  if (tensor.double_data_size())
    filled.push_back(Field::doubles);
  if (tensor.uint64_data_size())
    filled.push_back(Field::uint64s);
  if (tensor.string_data_size())
    filled.push_back(Field::strings);
  return filled.empty() ? Field::none : filled.size() > 1 ? Field::several : filled.front();
}

/// The typed field that ONNX keeps elements of this type in.
Field expectedField(int32_t dataType) {
  switch (dataType) {
  case TensorProto::FLOAT:
  case TensorProto::COMPLEX64: return Field::floats;
  case TensorProto::DOUBLE:
  case TensorProto::COMPLEX128: return Field::doubles;
  case TensorProto::INT64: return Field::int64s;
  case TensorProto::UINT32:
  case TensorProto::UINT64: return Field::uint64s;
  case TensorProto::STRING: return Field::strings;
  default: return Field::int32s;
  }
}

/// Appends each value of a typed field, narrowed to `Element`, as bytes.
template <typename Element, typename Values>
void appendAs(const Values &values, std::string &bytes) {
  bytes.reserve(values.size() * sizeof(Element));
  for (auto value : values) {
    Element element = static_cast<Element>(value);
    bytes.append(reinterpret_cast<const char *>(&element), sizeof(Element));
  }
}

/// The elements of a typed field, laid out as raw data would be.
std::string packField(const TensorProto &tensor, unsigned bits) {
  std::string bytes;
  switch (expectedField(tensor.data_type())) {
  case Field::floats: appendAs<float>(tensor.float_data(), bytes); break;
  case Field::doubles: appendAs<double>(tensor.double_data(), bytes); break;
  case Field::int64s: appendAs<int64_t>(tensor.int64_data(), bytes); break;
  case Field::uint64s:
    if (bits == 32)
      appendAs<uint32_t>(tensor.uint64_data(), bytes);
    else
      appendAs<uint64_t>(tensor.uint64_data(), bytes);
    break;
  default:
    // Also the bit patterns of small floats; 4- and 2-bit elements come packed,
    // one byte per value.
    if (tensor.data_type() == TensorProto::BOOL)
      for (int32_t value : tensor.int32_data())
        bytes.push_back(value != 0);
    else if (bits <= 8)
      appendAs<uint8_t>(tensor.int32_data(), bytes);
    else if (bits == 16)
      appendAs<uint16_t>(tensor.int32_data(), bytes);
    else
      appendAs<uint32_t>(tensor.int32_data(), bytes);
  }
  return bytes;
}

ElementsAttr makeDense(ShapedType type, StringRef bytes) {
  Type elementType = type.getElementType();
  unsigned bits = bitsPerElement(elementType);
  if (elementType.isInteger(1)) {
    SmallVector<bool> values;
    for (char byte : bytes)
      values.push_back(byte != 0);
    return DenseElementsAttr::get(type, values);
  }
  if (bits >= 8)
    return DenseElementsAttr::getFromRawBuffer(type, ArrayRef(bytes.data(), bytes.size()));
  SmallVector<char> values =
      onnx::unpackElements(ArrayRef(bytes.data(), bytes.size()), type.getNumElements(), bits);
  return DenseElementsAttr::getFromRawBuffer(type, values);
}

} // namespace

Type getElementType(MLIRContext *context, int32_t dataType) {
  Builder builder(context);
  auto integer = [&](unsigned width, bool isUnsigned) -> Type {
    return IntegerType::get(context, width,
                            isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
  };
  switch (dataType) {
  case TensorProto::FLOAT: return builder.getF32Type();
  case TensorProto::DOUBLE: return builder.getF64Type();
  case TensorProto::FLOAT16: return builder.getF16Type();
  case TensorProto::BFLOAT16: return builder.getBF16Type();
  case TensorProto::FLOAT8E4M3FN: return Float8E4M3FNType::get(context);
  case TensorProto::FLOAT8E4M3FNUZ: return Float8E4M3FNUZType::get(context);
  case TensorProto::FLOAT8E5M2: return Float8E5M2Type::get(context);
  case TensorProto::FLOAT8E5M2FNUZ: return Float8E5M2FNUZType::get(context);
  case TensorProto::FLOAT8E8M0: return Float8E8M0FNUType::get(context);
  case TensorProto::FLOAT4E2M1: return Float4E2M1FNType::get(context);
  case TensorProto::COMPLEX64: return ComplexType::get(builder.getF32Type());
  case TensorProto::COMPLEX128: return ComplexType::get(builder.getF64Type());
  case TensorProto::BOOL: return builder.getI1Type();
  case TensorProto::INT2: return integer(2, false);
  case TensorProto::INT4: return integer(4, false);
  case TensorProto::INT8: return integer(8, false);
  case TensorProto::INT16: return integer(16, false);
  case TensorProto::INT32: return integer(32, false);
  case TensorProto::INT64: return integer(64, false);
  case TensorProto::UINT2: return integer(2, true);
  case TensorProto::UINT4: return integer(4, true);
  case TensorProto::UINT8: return integer(8, true);
  case TensorProto::UINT16: return integer(16, true);
  case TensorProto::UINT32: return integer(32, true);
  case TensorProto::UINT64: return integer(64, true);
  case TensorProto::STRING: return onnx::StringType::get(context);
  default: return Type();
  }
}

int32_t getDataType(Type elementType) {
  for (int32_t dataType = 1; dataType < ::onnx::TensorProto_DataType_DataType_ARRAYSIZE; ++dataType)
    if (getElementType(elementType.getContext(), dataType) == elementType)
      return dataType;
  return 0;
}

ElementsAttr OnnxFile::makeElements(ShapedType type, StringRef bytes, bool ownsBytes) {
  if (bytes.size() <= maxFoldedBytes)
    return makeDense(type, bytes);
  // In a file, elements begin at any byte.
  constexpr size_t alignment = 1;
  ArrayRef<char> data(bytes.data(), bytes.size());
  AsmResourceBlob blob =
      ownsBytes ? UnmanagedAsmResourceBlob::allocateWithAlign(
                      data, alignment, [owner = shared_from_this()](void *, size_t, size_t) {})
                : HeapAsmResourceBlob::allocateAndCopyWithAlign(data, alignment,
                                                                /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, "weight", std::move(blob));
}

Expected<ElementsAttr> OnnxFile::readTensor(MLIRContext *context, const TensorProto &tensor) {
  Expected<RankedTensorType> type = getTensorType(context, tensor);
  if (!type)
    return type.takeError();
  if (tensor.has_segment())
    return tensorError("segmented tensors are not supported");
  int64_t count = type->getNumElements();
  unsigned bits = bitsPerElement(type->getElementType());
  uint64_t bytes = llvm::divideCeil(static_cast<uint64_t>(count) * bits, 8);

  Field field = filledField(tensor);
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    if (field != Field::none)
      return tensorError("data both in the model and external");
    if (bits == 0)
      return tensorError("strings cannot be external data");
    Expected<StringRef> data = readExternal(tensor, bytes);
    if (!data)
      return data.takeError();
    return makeElements(*type, *data, /*ownsBytes=*/true);
  }

  if (field == Field::several)
    return tensorError("elements in more than one field");
  Field expected = expectedField(tensor.data_type());
  if (field != Field::none && field != expected && (field != Field::raw || bits == 0))
    return tensorError("elements in a field that does not fit the data type");
  if (bits == 0) {
    if (tensor.string_data_size() != count)
      return tensorError("has " + Twine(tensor.string_data_size()) + " strings, its dims say " +
                         Twine(count));
    SmallVector<StringRef> strings(tensor.string_data().begin(), tensor.string_data().end());
    return DenseStringElementsAttr::get(*type, strings);
  }
  std::string packed = field == Field::raw ? std::string() : packField(tensor, bits);
  StringRef data = field == Field::raw ? getRawData(tensor) : StringRef(packed);
  if (data.size() != bytes)
    return tensorError("has " + Twine(data.size()) + " bytes of data, its dims say " +
                       Twine(bytes));
  return makeElements(*type, data, /*ownsBytes=*/field == Field::raw);
}

} // namespace onnxc
