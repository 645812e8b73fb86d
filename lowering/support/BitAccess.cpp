//===- BitAccess.cpp - Elements that share bytes ----------------------------===//
#include "lowering/support/BitAccess.h"
#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace onnxc::emit {

/// How many of the lowest bits of an integer are known to be zero.
static unsigned knownZeros(Value value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 16, all = 64;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return llvm::countr_zero(uint64_t(*constant));
  if (depth > maxDepth)
    return 0;
  auto of = [&](Value part) { return knownZeros(part, depth + 1); };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || loop.getInductionVar() != value)
      return 0;
    return std::min(of(loop.getLowerBound()), of(loop.getStep()));
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return of(op->getOperand(0));
  if (isa<arith::MulIOp>(op))
    return std::min(all, of(op->getOperand(0)) + of(op->getOperand(1)));
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return std::min(of(op->getOperand(0)), of(op->getOperand(1)));
  return 0;
}

static unsigned countLanes(Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? vector.getNumElements() : 1;
}

Value toBitAddress(OpBuilder &builder, Location loc, Value pointer) {
  Type i64 = builder.getI64Type();
  if (pointer.getType() == i64)
    return pointer;
  Value address = LLVM::PtrToIntOp::create(builder, loc, i64, pointer);
  Value bits = arith::ConstantIntOp::create(builder, loc, 8, 64);
  return arith::MulIOp::create(builder, loc, address, bits);
}

BitAccess::BitAccess(OpBuilder &builder, Location loc, Value pointer, Type elementType)
    : builder(builder), loc(loc), address(toBitAddress(builder, loc, pointer)),
      width(rt::getStorageBits(elementType)) {}

Value BitAccess::constant(Type type, int64_t value) {
  TypedAttr attribute = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// The byte that holds the bit at an address.
Value BitAccess::bytePointer(Value bits) {
  Value byte = arith::ShRUIOp::create(builder, loc, bits, constant(bits.getType(), 3));
  return LLVM::IntToPtrOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                                  byte);
}

bool BitAccess::isWholeBytes(unsigned lanes) const {
  return lanes * width % 8 == 0 && knownZeros(address) >= 3;
}

/// Which bytes hold lanes under a mask: those whose first lane does.
Value BitAccess::bytesUnder(Value mask) {
  SmallVector<int64_t> first;
  for (unsigned lane = 0; lane < countLanes(mask); lane += 8 / width)
    first.push_back(lane);
  return vector::ShuffleOp::create(builder, loc, mask, mask, first);
}

/// Bytes to elements: each turn halves the fields that a number holds.
Value BitAccess::spread(Value bytes) {
  for (unsigned field = 8; field > width; field /= 2) {
    Type type = bytes.getType();
    Value low = arith::AndIOp::create(builder, loc, bytes, constant(type, (1 << field / 2) - 1));
    Value high = arith::ShRUIOp::create(builder, loc, bytes, constant(type, field / 2));
    SmallVector<int64_t> order;
    for (unsigned i = 0, count = countLanes(bytes); i < count; ++i)
      order.append({i, i + count});
    bytes = vector::ShuffleOp::create(builder, loc, low, high, order);
  }
  return bytes;
}

/// Elements to bytes.
Value BitAccess::join(Value elements) {
  for (unsigned field = width; field < 8; field *= 2) {
    SmallVector<int64_t> even, odd;
    for (unsigned i = 0; i < countLanes(elements); i += 2) {
      even.push_back(i);
      odd.push_back(i + 1);
    }
    Value low = vector::ShuffleOp::create(builder, loc, elements, elements, even);
    Value high = vector::ShuffleOp::create(builder, loc, elements, elements, odd);
    high = arith::ShLIOp::create(builder, loc, high, constant(high.getType(), field));
    elements = arith::OrIOp::create(builder, loc, low, high);
  }
  return elements;
}

/// How far the element at an address stands from the lowest bit of its byte, as an i8.
Value BitAccess::shiftOf(Value bits) {
  Value within = arith::AndIOp::create(builder, loc, bits, constant(bits.getType(), 7));
  return arith::TruncIOp::create(builder, loc, builder.getI8Type(), within);
}

Value BitAccess::loadOne(Value bits) {
  Value byte = LLVM::LoadOp::create(builder, loc, builder.getI8Type(), bytePointer(bits), 1);
  return arith::ShRUIOp::create(builder, loc, byte, shiftOf(bits));
}

void BitAccess::storeOne(Value element, Value bits) {
  Type i8 = builder.getI8Type();
  Value pointer = bytePointer(bits), shift = shiftOf(bits);
  Value old = LLVM::LoadOp::create(builder, loc, i8, pointer, 1);
  Value field = arith::ShLIOp::create(builder, loc, constant(i8, (1 << width) - 1), shift);
  Value others = arith::XOrIOp::create(builder, loc, field, constant(i8, -1));
  Value kept = arith::AndIOp::create(builder, loc, old, others);
  Value placed = arith::ShLIOp::create(builder, loc, element, shift);
  LLVM::StoreOp::create(builder, loc, arith::OrIOp::create(builder, loc, kept, placed), pointer, 1);
}

/// Of a lane that does not exist, the address of the first one.
Value BitAccess::laneAddress(unsigned lane, Value mask) {
  if (lane == 0)
    return address;
  Value distance = constant(address.getType(), lane * width);
  Value own = arith::AddIOp::create(builder, loc, address, distance);
  if (!mask)
    return own;
  Value exists = vector::ExtractOp::create(builder, loc, mask, lane);
  return arith::SelectOp::create(builder, loc, exists, own, address);
}

Value BitAccess::load(unsigned lanes, Value mask) {
  if (lanes == 1)
    return loadOne(address);
  Type i8 = builder.getI8Type();
  if (isWholeBytes(lanes)) {
    auto type = VectorType::get(lanes * width / 8, i8);
    if (!mask)
      return spread(LLVM::LoadOp::create(builder, loc, type, bytePointer(address), 1));
    return spread(LLVM::MaskedLoadOp::create(builder, loc, type, bytePointer(address),
                                             bytesUnder(mask), constant(type, 0), 1));
  }
  Value elements = constant(VectorType::get(lanes, i8), 0);
  for (unsigned lane = 0; lane < lanes; ++lane)
    elements =
        vector::InsertOp::create(builder, loc, loadOne(laneAddress(lane, mask)), elements, lane);
  return elements;
}

void BitAccess::store(Value elements, Value mask) {
  unsigned lanes = countLanes(elements);
  if (!isa<VectorType>(elements.getType()))
    return storeOne(elements, address);
  if (isWholeBytes(lanes)) {
    Value pointer = bytePointer(address);
    if (!mask) {
      LLVM::StoreOp::create(builder, loc, join(elements), pointer, 1);
      return;
    }
    Value all = arith::SelectOp::create(builder, loc, mask, elements, load(lanes, mask));
    LLVM::MaskedStoreOp::create(builder, loc, join(all), pointer, bytesUnder(mask), 1);
    return;
  }
  // Lanes that do not exist write the first element once more.
  Value first = vector::ExtractOp::create(builder, loc, elements, int64_t(0));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value element = vector::ExtractOp::create(builder, loc, elements, lane);
    if (mask && lane > 0)
      element = arith::SelectOp::create(
          builder, loc, vector::ExtractOp::create(builder, loc, mask, lane), element, first);
    storeOne(element, laneAddress(lane, mask));
  }
}

} // namespace onnxc::emit
