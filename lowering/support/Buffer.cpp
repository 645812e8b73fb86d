//===- Buffer.cpp - memory and index arithmetic while a kernel is emitted -===//
#include "lowering/support/Buffer.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/support/BitAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace onnxc::emit {

// Unsigned wrap stays allowed: a padded position minus its pad is negative
// before it is checked.
static constexpr arith::IntegerOverflowFlags noWrap = arith::IntegerOverflowFlags::nsw;

//===-- Index arithmetic --------------------------------------------------===//

std::optional<int64_t> getConstant(OpFoldResult value) { return getConstantIntValue(value); }

bool isConstant(OpFoldResult value, int64_t constant) {
  std::optional<int64_t> known = getConstant(value);
  return known && *known == constant;
}

OpFoldResult getIndex(OpBuilder &builder, int64_t value) { return builder.getIndexAttr(value); }

Value asValue(OpBuilder &builder, Location loc, OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(builder, loc, value);
}

/// An op on two index values; two constants are folded by `fold`.
template <typename Op, typename... Flags>
static OpFoldResult buildIndex(OpBuilder &builder, Location loc, OpFoldResult lhs, OpFoldResult rhs,
                               function_ref<int64_t(int64_t, int64_t)> fold, Flags... flags) {
  std::optional<int64_t> left = getConstant(lhs), right = getConstant(rhs);
  if (left && right)
    return getIndex(builder, fold(*left, *right));
  return Op::create(builder, loc, asValue(builder, loc, lhs), asValue(builder, loc, rhs), flags...)
      .getResult();
}

OpFoldResult addIndex(OpBuilder &builder, Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  if (isConstant(lhs, 0))
    return rhs;
  if (isConstant(rhs, 0))
    return lhs;
  return buildIndex<arith::AddIOp>(builder, loc, lhs, rhs, std::plus<int64_t>(), noWrap);
}

OpFoldResult subIndex(OpBuilder &builder, Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  if (isConstant(rhs, 0))
    return lhs;
  return buildIndex<arith::SubIOp>(builder, loc, lhs, rhs, std::minus<int64_t>(), noWrap);
}

OpFoldResult mulIndex(OpBuilder &builder, Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  if (isConstant(lhs, 0) || isConstant(rhs, 0))
    return getIndex(builder, 0);
  if (isConstant(lhs, 1))
    return rhs;
  if (isConstant(rhs, 1))
    return lhs;
  return buildIndex<arith::MulIOp>(builder, loc, lhs, rhs, std::multiplies<int64_t>(), noWrap);
}

OpFoldResult divIndex(OpBuilder &builder, Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  if (isConstant(rhs, 1))
    return lhs;
  return buildIndex<arith::DivUIOp>(builder, loc, lhs, rhs, std::divides<int64_t>());
}

OpFoldResult ceilDivIndex(OpBuilder &builder, Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  if (isConstant(rhs, 1))
    return lhs;
  OpFoldResult lessOne = addIndex(builder, loc, rhs, getIndex(builder, -1));
  return divIndex(builder, loc, addIndex(builder, loc, lhs, lessOne), rhs);
}

OpFoldResult remIndex(OpBuilder &builder, Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  if (isConstant(rhs, 1))
    return getIndex(builder, 0);
  return buildIndex<arith::RemUIOp>(builder, loc, lhs, rhs, std::modulus<int64_t>());
}

OpFoldResult minIndex(OpBuilder &builder, Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  return buildIndex<arith::MinSIOp>(builder, loc, lhs, rhs,
                                    [](int64_t a, int64_t b) { return std::min(a, b); });
}

OpFoldResult maxIndex(OpBuilder &builder, Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  return buildIndex<arith::MaxSIOp>(builder, loc, lhs, rhs,
                                    [](int64_t a, int64_t b) { return std::max(a, b); });
}

OpFoldResult productIndex(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes) {
  OpFoldResult product = getIndex(builder, 1);
  for (OpFoldResult size : sizes)
    product = mulIndex(builder, loc, product, size);
  return product;
}

OpFoldResult bytesOfElements(OpBuilder &builder, Location loc, OpFoldResult count,
                             Type elementType) {
  OpFoldResult bits = getIndex(builder, rt::getStorageBits(elementType));
  if (rt::sharesBytes(elementType))
    return ceilDivIndex(builder, loc, mulIndex(builder, loc, count, bits), getIndex(builder, 8));
  return mulIndex(builder, loc, count, getIndex(builder, rt::getStorageBytes(elementType)));
}

OpFoldResult roundToBytes(OpBuilder &builder, Location loc, OpFoldResult count, Type elementType) {
  if (!rt::sharesBytes(elementType))
    return count;
  OpFoldResult pieces = getIndex(builder, 8 / rt::getStorageBits(elementType));
  return mulIndex(builder, loc, ceilDivIndex(builder, loc, count, pieces), pieces);
}

SmallVector<OpFoldResult> delinearize(OpBuilder &builder, Location loc, OpFoldResult number,
                                      ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> indices(sizes.size());
  for (size_t i = sizes.size(); i-- > 1;) {
    indices[i] = remIndex(builder, loc, number, sizes[i]);
    number = divIndex(builder, loc, number, sizes[i]);
  }
  if (!sizes.empty())
    indices[0] = number;
  return indices;
}

//===-- Buffers -----------------------------------------------------------===//

Buffer makeDenseBuffer(OpBuilder &builder, Location loc, Value pointer, Type elementType,
                       ArrayRef<OpFoldResult> sizes) {
  Buffer buffer{pointer, elementType, llvm::to_vector(sizes), {}};
  buffer.strides.resize(sizes.size());
  OpFoldResult stride = getIndex(builder, 1);
  for (size_t i = sizes.size(); i-- > 0;) {
    buffer.strides[i] = stride;
    if (i > 0)
      stride = mulIndex(builder, loc, stride, sizes[i]);
  }
  return buffer;
}

Buffer subBuffer(OpBuilder &builder, Location loc, const Buffer &buffer,
                 ArrayRef<OpFoldResult> offsets, unsigned dropped) {
  Buffer part;
  part.pointer = elementPointer(builder, loc, buffer, offsets);
  part.elementType = buffer.elementType;
  for (unsigned i = dropped; i < buffer.rank(); ++i) {
    part.sizes.push_back(subIndex(builder, loc, buffer.sizes[i], offsets[i]));
    part.strides.push_back(buffer.strides[i]);
  }
  return part;
}

Type getStorageType(Type elementType) {
  if (elementType.isInteger(1))
    return IntegerType::get(elementType.getContext(), 8);
  if (auto floatType = dyn_cast<FloatType>(elementType))
    if (floatType.getWidth() <= 8)
      return IntegerType::get(elementType.getContext(), rt::getStorageBits(elementType));
  if (elementType.isIndex())
    return IntegerType::get(elementType.getContext(), 64);
  return elementType;
}

static Value offsetBits(OpBuilder &builder, Location loc, Value pointer, OpFoldResult bits) {
  Value address = toBitAddress(builder, loc, pointer);
  Value distance =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), asValue(builder, loc, bits));
  return arith::AddIOp::create(builder, loc, address, distance);
}

Value offsetPointer(OpBuilder &builder, Location loc, Value pointer, Type elementType,
                    OpFoldResult offset) {
  Type storageType = getStorageType(elementType);
  std::optional<int64_t> constant = getConstant(offset);
  if (constant && *constant == 0)
    return pointer;
  if (rt::sharesBytes(elementType))
    return offsetBits(
        builder, loc, pointer,
        mulIndex(builder, loc, offset, getIndex(builder, rt::getStorageBits(elementType))));
  // A GEP holds constant indices of so many bits and silently drops the rest.
  if (constant && llvm::isInt<LLVM::kGEPConstantBitWidth>(*constant))
    return LLVM::GEPOp::create(builder, loc, pointer.getType(), storageType, pointer,
                               ArrayRef<LLVM::GEPArg>{int32_t(*constant)});
  Value distance =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), asValue(builder, loc, offset));
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), storageType, pointer,
                             ArrayRef<LLVM::GEPArg>{distance});
}

Value elementPointer(OpBuilder &builder, Location loc, const Buffer &buffer,
                     ArrayRef<OpFoldResult> indices) {
  // Varying part first, so that neighbours share it and differ by a constant.
  OpFoldResult varying = getIndex(builder, 0);
  int64_t constant = 0;
  for (auto [index, stride] : llvm::zip_equal(indices, buffer.strides)) {
    OpFoldResult distance = mulIndex(builder, loc, index, stride);
    if (std::optional<int64_t> known = getConstant(distance))
      constant += *known;
    else
      varying = addIndex(builder, loc, varying, distance);
  }
  Value pointer = offsetPointer(builder, loc, buffer.pointer, buffer.elementType, varying);
  return offsetPointer(builder, loc, pointer, buffer.elementType, getIndex(builder, constant));
}

//===-- Accesses ----------------------------------------------------------===//

Type getScalarType(Type type) {
  if (auto vectorType = dyn_cast<VectorType>(type))
    return vectorType.getElementType();
  return type;
}

Type getLanesType(Type elementType, unsigned lanes) {
  return lanes == 1 ? elementType : VectorType::get(lanes, elementType);
}

static unsigned getLanes(Type type) {
  auto vectorType = dyn_cast<VectorType>(type);
  return vectorType ? vectorType.getNumElements() : 1;
}

/// Turns what stands in memory, or an i8 whose lowest bits do, into a value of the element
/// type.
static Value fromStorage(OpBuilder &builder, Location loc, Value stored, Type elementType) {
  unsigned lanes = getLanes(stored.getType());
  if (rt::sharesBytes(elementType))
    stored = arith::TruncIOp::create(builder, loc, getLanesType(getStorageType(elementType), lanes),
                                     stored);
  Type type = getLanesType(elementType, lanes);
  if (stored.getType() == type)
    return stored;
  if (elementType.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, stored);
  if (isa<FloatType>(elementType))
    return arith::BitcastOp::create(builder, loc, type, stored);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(stored.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, stored, zero);
}

static Value toStorage(OpBuilder &builder, Location loc, Value value) {
  Type elementType = getScalarType(value.getType());
  unsigned lanes = getLanes(value.getType());
  Type type = getLanesType(getStorageType(elementType), lanes);
  if (elementType.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (value.getType() != type && isa<FloatType>(elementType))
    value = arith::BitcastOp::create(builder, loc, type, value);
  if (value.getType() == type && !rt::sharesBytes(elementType))
    return value;
  return arith::ExtUIOp::create(builder, loc, getLanesType(builder.getI8Type(), lanes), value);
}

Value loadFrom(OpBuilder &builder, Location loc, Value pointer, Type elementType, unsigned lanes) {
  if (rt::sharesBytes(elementType))
    return fromStorage(builder, loc, BitAccess(builder, loc, pointer, elementType).load(lanes),
                       elementType);
  Type type = getLanesType(getStorageType(elementType), lanes);
  Value stored =
      LLVM::LoadOp::create(builder, loc, type, pointer, rt::getStorageBytes(elementType));
  return fromStorage(builder, loc, stored, elementType);
}

Value loadGroup(OpBuilder &builder, Location loc, Value pointer, Type elementType, unsigned count) {
  Type type = builder.getIntegerType(elementType.getIntOrFloatBitWidth() * count);
  return LLVM::LoadOp::create(builder, loc, type, pointer, rt::getStorageBytes(elementType));
}

void storeTo(OpBuilder &builder, Location loc, Value value, Value pointer, bool nonTemporal) {
  Type elementType = getScalarType(value.getType());
  Value stored = toStorage(builder, loc, value);
  if (rt::sharesBytes(elementType))
    return BitAccess(builder, loc, pointer, elementType).store(stored);
  LLVM::StoreOp::create(builder, loc, stored, pointer, rt::getStorageBytes(elementType),
                        /*isVolatile=*/false, nonTemporal);
}

Value load(OpBuilder &builder, Location loc, const Buffer &buffer, ArrayRef<OpFoldResult> indices,
           unsigned lanes) {
  return loadFrom(builder, loc, elementPointer(builder, loc, buffer, indices), buffer.elementType,
                  lanes);
}

void store(OpBuilder &builder, Location loc, Value value, const Buffer &buffer,
           ArrayRef<OpFoldResult> indices) {
  storeTo(builder, loc, value, elementPointer(builder, loc, buffer, indices));
}

Value makeTailMask(OpBuilder &builder, Location loc, OpFoldResult count, unsigned lanes) {
  if (std::optional<int64_t> constant = getConstant(count)) {
    SmallVector<bool> isSet(lanes);
    for (unsigned i = 0; i < lanes; ++i)
      isSet[i] = i < *constant;
    auto type = VectorType::get(lanes, builder.getI1Type());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, ArrayRef<bool>(isSet)));
  }
  // Many lanes fit one register as bytes.
  IntegerType step = lanes > 16 ? builder.getI8Type() : builder.getI32Type();
  auto type = VectorType::get(lanes, step);
  SmallVector<Attribute> steps;
  for (unsigned i = 0; i < lanes; ++i)
    steps.push_back(builder.getIntegerAttr(step, i));
  Value numbers = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, steps));
  OpFoldResult bounded = minIndex(builder, loc, count, getIndex(builder, lanes));
  Value limit = arith::IndexCastOp::create(builder, loc, step, asValue(builder, loc, bounded));
  Value limits = vector::BroadcastOp::create(builder, loc, type, limit);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, numbers, limits);
}

/// The type for accesses under a mask, which targets have for 16-bit integers rather
/// than for floats.
static Type getMaskedType(Type elementType) {
  Type storage = getStorageType(elementType);
  if (isa<FloatType>(storage) && storage.getIntOrFloatBitWidth() == 16)
    return IntegerType::get(elementType.getContext(), 16);
  return storage;
}

Value maskedLoadFrom(OpBuilder &builder, Location loc, Value pointer, Type elementType,
                     Value mask) {
  if (rt::sharesBytes(elementType))
    return fromStorage(
        builder, loc,
        BitAccess(builder, loc, pointer, elementType).load(getLanes(mask.getType()), mask),
        elementType);
  Type type = getLanesType(getMaskedType(elementType), getLanes(mask.getType()));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value stored = LLVM::MaskedLoadOp::create(builder, loc, type, pointer, mask, zero,
                                            rt::getStorageBytes(elementType));
  return fromStorage(builder, loc, stored, elementType);
}

/// Elements at `offsets`, one by one. Lanes that do not exist read what the first one does.
static Value loadEach(OpBuilder &builder, Location loc, Value pointer, Type elementType,
                      Value offsets, Value mask) {
  unsigned lanes = getLanes(mask.getType());
  Value first = vector::ExtractOp::create(builder, loc, offsets, int64_t(0));
  first = vector::BroadcastOp::create(builder, loc, offsets.getType(), first);
  offsets = arith::SelectOp::create(builder, loc, mask, offsets, first);
  Value result = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(VectorType::get(lanes, elementType)));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value offset = vector::ExtractOp::create(builder, loc, offsets, lane);
    Value place = offsetPointer(builder, loc, pointer, elementType, offset);
    Value element = loadFrom(builder, loc, place, elementType);
    result = vector::InsertOp::create(builder, loc, element, result, lane);
  }
  return result;
}

/// Whether one instruction gathers such elements.
static bool canGather(Type elementType) {
  unsigned bits = getStorageType(elementType).getIntOrFloatBitWidth();
  return bits == 32 || bits == 64;
}

Value gatherFrom(OpBuilder &builder, Location loc, Value pointer, Type elementType, Value offsets,
                 Value mask) {
  unsigned lanes = getLanes(mask.getType());
  if (!canGather(elementType))
    return loadEach(builder, loc, pointer, elementType, offsets, mask);
  Type storage = getStorageType(elementType);
  Type type = getLanesType(storage, lanes);
  Value distances =
      arith::IndexCastOp::create(builder, loc, getLanesType(builder.getI64Type(), lanes), offsets);
  Value pointers = LLVM::GEPOp::create(builder, loc, VectorType::get(lanes, pointer.getType()),
                                       storage, pointer, ArrayRef<LLVM::GEPArg>{distances});
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value stored =
      LLVM::masked_gather::create(builder, loc, type, pointers, mask, ValueRange(zero),
                                  builder.getI32IntegerAttr(rt::getStorageBytes(elementType)));
  return fromStorage(builder, loc, stored, elementType);
}

void maskedStoreTo(OpBuilder &builder, Location loc, Value value, Value pointer, Value mask) {
  Type elementType = getScalarType(value.getType());
  Value stored = toStorage(builder, loc, value);
  if (rt::sharesBytes(elementType))
    return BitAccess(builder, loc, pointer, elementType).store(stored, mask);
  Type type = getLanesType(getMaskedType(elementType), getLanes(mask.getType()));
  if (stored.getType() != type)
    stored = arith::BitcastOp::create(builder, loc, type, stored);
  LLVM::MaskedStoreOp::create(builder, loc, stored, pointer, mask,
                              rt::getStorageBytes(elementType));
}

Value maskedLoad(OpBuilder &builder, Location loc, const Buffer &buffer,
                 ArrayRef<OpFoldResult> indices, Value mask) {
  return maskedLoadFrom(builder, loc, elementPointer(builder, loc, buffer, indices),
                        buffer.elementType, mask);
}

void maskedStore(OpBuilder &builder, Location loc, Value value, const Buffer &buffer,
                 ArrayRef<OpFoldResult> indices, Value mask) {
  maskedStoreTo(builder, loc, value, elementPointer(builder, loc, buffer, indices), mask);
}

Value allocateStack(OpBuilder &builder, Location loc, Type elementType, int64_t elements) {
  OpBuilder::InsertionGuard guard(builder);
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<FunctionOpInterface>(parent);
  if (!function)
    function = parent->getParentOfType<FunctionOpInterface>();
  if (function)
    builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Type type = getStorageType(elementType);
  if (rt::sharesBytes(elementType)) {
    type = builder.getI8Type();
    elements = rt::getStorageBytes(elementType, elements);
  }
  Value count = arith::ConstantIntOp::create(builder, loc, elements, 64);
  return LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                                type, count, /*alignment=*/64);
}

} // namespace onnxc::emit
