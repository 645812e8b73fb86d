//===- ElementTypes.cpp - TensorProto.DataType and MLIR types --------------===//
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace onnxc::onnx {

static constexpr int64_t lastDataType = 28;

Type elementTypeOf(MLIRContext *context, int64_t dataType) {
  auto integer = [&](unsigned width) { return IntegerType::get(context, width); };
  auto natural = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  switch (dataType) {
  case 1: return Float32Type::get(context);
  case 2: return natural(8);
  case 3: return integer(8);
  case 4: return natural(16);
  case 5: return integer(16);
  case 6: return integer(32);
  case 7: return integer(64);
  case 8: return StringType::get(context);
  case 9: return integer(1);
  case 10: return Float16Type::get(context);
  case 11: return Float64Type::get(context);
  case 12: return natural(32);
  case 13: return natural(64);
  case 14: return ComplexType::get(Float32Type::get(context));
  case 15: return ComplexType::get(Float64Type::get(context));
  case 16: return BFloat16Type::get(context);
  case 17: return Float8E4M3FNType::get(context);
  case 18: return Float8E4M3FNUZType::get(context);
  case 19: return Float8E5M2Type::get(context);
  case 20: return Float8E5M2FNUZType::get(context);
  case 21: return natural(4);
  case 22: return integer(4);
  case 23: return Float4E2M1FNType::get(context);
  case 24: return Float8E8M0FNUType::get(context);
  case 25: return natural(2);
  case 26: return integer(2);
  case 27: return Float6E2M3FNType::get(context);
  case lastDataType: return Float6E3M2FNType::get(context);
  default: return {};
  }
}

int64_t dataTypeOf(Type elementType) {
  for (int64_t number = 1; number <= lastDataType; ++number)
    if (elementTypeOf(elementType.getContext(), number) == elementType)
      return number;
  return 0;
}

SmallVector<char> unpackElements(ArrayRef<char> bytes, int64_t count, unsigned bits) {
  SmallVector<char> elements;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bit = i * bits;
    elements.push_back((bytes[bit / 8] >> (bit % 8)) & ((1 << bits) - 1));
  }
  return elements;
}

std::string packElements(ArrayRef<char> elements, unsigned bits) {
  std::string bytes((elements.size() * bits + 7) / 8, 0);
  for (auto [i, element] : llvm::enumerate(elements))
    bytes[i * bits / 8] |= (element & ((1 << bits) - 1)) << (i * bits % 8);
  return bytes;
}

} // namespace onnxc::onnx
