//===- HostMemory.cpp - Where the host's tensors are ------------------------===//
#include "lowering/host/HostLowering.h"
#include "lowering/support/NodeNames.h"
#include "lowering/support/TensorSizes.h"

using namespace mlir;
using namespace onnxc;
using namespace onnxc::emit;

OpFoldResult HostLowering::map(OpFoldResult size) {
  // A constant of the old function must not be used in the new one.
  if (std::optional<int64_t> constant = getConstant(size))
    return getIndex(builder, *constant);
  return mapping.lookup(cast<Value>(size));
}

FailureOr<SmallVector<OpFoldResult>> HostLowering::mappedSizes(Value tensor) {
  FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(tensor);
  if (succeeded(sizes))
    for (OpFoldResult &size : *sizes)
      size = map(size);
  return sizes;
}

OpFoldResult HostLowering::bytesOf(ArrayRef<OpFoldResult> mappedSizes, Type elementType) {
  return bytesOfElements(builder, loc, productIndex(builder, loc, mappedSizes), elementType);
}

/// Of a tensor whose sizes the memory plan has found.
OpFoldResult HostLowering::bytesOf(Value tensor) {
  return bytesOf(*mappedSizes(tensor), cast<RankedTensorType>(tensor.getType()).getElementType());
}

/// Offsets of the slots behind the static part, and the size of it all.
void HostLowering::placeSlots() {
  OpFoldResult line = getIndex(builder, ONNXC_ALIGNMENT);
  OpFoldResult offset = getIndex(builder, buffers.staticBytes);
  for (const Slot &slot : buffers.slots) {
    slotOffsets.push_back(asValue(builder, loc, offset));
    OpFoldResult unit = unitOf(slot);
    OpFoldResult bytes = mulIndex(builder, loc, unit, getIndex(builder, slot.numUnits));
    SmallVector<OpFoldResult> seen;
    for (unsigned id : slot.unit.empty() ? ArrayRef(slot.tenants) : ArrayRef<unsigned>()) {
      Storage &storage = buffers.storage(id);
      OpFoldResult own = bytesOf(valuesOf(storage.sizes), storage.elementType);
      if (llvm::is_contained(seen, own))
        continue;
      seen.push_back(own);
      bytes = maxIndex(builder, loc, bytes, own);
    }
    OpFoldResult lines = ceilDivIndex(builder, loc, bytes, line);
    offset = addIndex(builder, loc, offset, mulIndex(builder, loc, lines, line));
  }
  // Kernels may look at the first element even of an empty tensor at the end.
  if (!buffers.slots.empty())
    offset = addIndex(builder, loc, offset, line);
  workspaceBytes = asValue(builder, loc, offset);
}

/// The product of sizes that a slot's offsets are multiples of.
OpFoldResult HostLowering::unitOf(const Slot &slot) {
  OpFoldResult unit = getIndex(builder, 1);
  for (onnx::DimExpr factor : slot.unit)
    unit = mulIndex(builder, loc, unit, valueOf(factor));
  return unit;
}

/// The address of a storage that has one for the whole call.
Value HostLowering::fixedPlace(unsigned id) {
  Storage &storage = buffers.storage(id);
  switch (storage.kind) {
  case Storage::Kind::Input: return loadPointer(inputs, storage.index);
  case Storage::Kind::Output: return loadPointer(outputs, storage.index);
  case Storage::Kind::Weight: return field(weights, storage.offset);
  case Storage::Kind::Arena:
    if (storage.slot >= 0) {
      Value slot =
          offsetPointer(builder, loc, workspace, builder.getI8Type(), slotOffsets[storage.slot]);
      OpFoldResult offset = mulIndex(builder, loc, unitOf(buffers.slots[storage.slot]),
                                     getIndex(builder, storage.offset));
      return offsetPointer(builder, loc, slot, builder.getI8Type(), offset);
    }
    return field(workspace, storage.offset);
  case Storage::Kind::Heap: break;
  }
  llvm_unreachable("allocated where it is defined");
}

/// The memory that a tensor is about to be written into: allocated here when its
/// size depends on data.
Value HostLowering::placeOf(Value tensor) {
  unsigned id = buffers.storagesOf(tensor).front();
  return buffers.storage(id).kind == Storage::Kind::Heap ? allocateHeap(id) : fixedPlace(id);
}

/// Memory from the host's hook; the call fails when it gives none.
Value HostLowering::allocate(OpFoldResult bytes, const Twine &what) {
  Value fresh = callRuntime("onnxc_rt_alloc", pointerType, {context, toI64(bytes)});
  checkAllocated(fresh, what);
  return fresh;
}

/// The hook gave no memory when `pointer` is null.
void HostLowering::checkAllocated(Value pointer, const Twine &what) {
  Value null = LLVM::ZeroOp::create(builder, loc, pointerType);
  Value missing = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, pointer, null);
  fail(missing, ONNXC_OUT_OF_MEMORY,
       what + ": cannot allocate memory (no allocator, or it failed)");
}

void HostLowering::releaseHeap(unsigned index) {
  Value old = LLVM::LoadOp::create(builder, loc, pointerType, heapSlot(index));
  callRuntime("onnxc_rt_free", Type(), {context, old});
  // A failure in what comes next must not release it again.
  LLVM::StoreOp::create(builder, loc, LLVM::ZeroOp::create(builder, loc, pointerType),
                        heapSlot(index));
}

/// Allocates a heap storage; an earlier block in its slot (from the last turn of
/// a loop) is released first.
Value HostLowering::allocateHeap(unsigned id) {
  Storage &storage = buffers.storage(id);
  SmallVector<OpFoldResult> sizes = valuesOf(storage.sizes);
  checkBytes(sizes, storage.elementType);
  releaseHeap(storage.index);
  Value fresh = allocate(bytesOf(sizes, storage.elementType), nodeName(loc));
  LLVM::StoreOp::create(builder, loc, fresh, heapSlot(storage.index));
  return fresh;
}

Buffer HostLowering::bufferOf(Value tensor) {
  return makeDenseBuffer(builder, loc, mapping.lookup(tensor),
                         cast<RankedTensorType>(tensor.getType()).getElementType(),
                         *mappedSizes(tensor));
}

/// Copies a whole tensor between two places.
void HostLowering::copyTensor(Value target, Value source, Value tensor) {
  if (target != source)
    LLVM::MemmoveOp::create(builder, loc, target, source, toI64(bytesOf(tensor)),
                            /*isVolatile=*/false);
}

/// More bytes than any memory has. Sums of as many sizes as a model has tensors
/// still fit 64 bits.
static constexpr double maxBytes = 1ull << 46;

Value HostLowering::constantF64(double value) {
  return arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
}

/// Fails the plan when a tensor whose sizes it knows would be larger than any memory:
/// what it computes in 64 bits would have wrapped.
void HostLowering::checkPlannedBytes() {
  llvm::DenseSet<std::pair<int64_t, Attribute>> seen;
  Value largest;
  auto add = [&](ArrayRef<onnx::DimExpr> sizes, Type elementType) {
    auto isPlanned = [&](onnx::DimExpr size) { return buffers.isPlanned(size); };
    auto isConstant = [](onnx::DimExpr size) { return size.isConstant(); };
    if (!llvm::all_of(sizes, isPlanned) || llvm::all_of(sizes, isConstant))
      return;
    int64_t bits = rt::getStorageBits(elementType);
    SmallVector<Attribute> key =
        llvm::map_to_vector(sizes, [](onnx::DimExpr size) { return size.getAttribute(); });
    if (!seen.insert({bits, builder.getArrayAttr(key)}).second)
      return;
    Value bytes = constantF64(static_cast<double>(bits) / 8);
    for (onnx::DimExpr size : sizes)
      bytes = arith::MulFOp::create(builder, loc, bytes, wideSize(size));
    largest = largest ? arith::MaximumFOp::create(builder, loc, largest, bytes) : bytes;
  };
  for (unsigned id = 0; id < buffers.numStorages(); ++id)
    if (buffers.storage(id).kind == Storage::Kind::Arena)
      add(buffers.storage(id).sizes, buffers.storage(id).elementType);
  for (Value result : function.getBody().front().getTerminator()->getOperands())
    if (FailureOr<SmallVector<onnx::DimExpr>> sizes = getTensorDims(result); succeeded(sizes))
      add(*sizes, cast<RankedTensorType>(result.getType()).getElementType());
  if (!largest)
    return;
  Value tooLarge = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, largest,
                                         constantF64(maxBytes));
  fail(tooLarge, ONNXC_OUT_OF_MEMORY,
       "the sizes of the inputs make a tensor that is larger than any memory");
}

/// Fails the call when a tensor of these run-time sizes would be larger than any
/// memory: their product, in 64 bits, may have wrapped.
void HostLowering::checkBytes(ArrayRef<OpFoldResult> mappedSizes, Type elementType) {
  Type f64 = builder.getF64Type();
  Value bytes = constantF64(rt::getStorageBits(elementType) / 8.0);
  for (OpFoldResult size : mappedSizes) {
    if (getConstant(size) == 0)
      return;
    Value factor = arith::SIToFPOp::create(builder, loc, f64, toI64(size));
    bytes = arith::MulFOp::create(builder, loc, bytes, factor);
  }
  Value tooLarge =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, bytes, constantF64(maxBytes));
  fail(tooLarge, ONNXC_OUT_OF_MEMORY, nodeName(loc) + ": a result is larger than any memory");
}

/// Leaves the function with the status when it is not 0 (LowerExits).
void HostLowering::exitIf(Value status) { rt::ExitOp::create(builder, loc, status); }

/// Ends the call with a status and a message when `failed` is true.
void HostLowering::fail(Value failed, onnxc_status status, const Twine &message, Value found,
                        Value expected) {
  auto ifOp = scf::IfOp::create(builder, loc, i32Type, failed, /*withElse=*/true);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  SmallVector<Value> arguments = {context, constantI32(status), text(message.str())};
  bool hasNumbers = found && expected;
  if (hasNumbers)
    arguments.append({toI64(found), toI64(expected)});
  Value code = callRuntime(hasNumbers ? "onnxc_rt_fail" : "onnxc_rt_fail_text", i32Type, arguments);
  scf::YieldOp::create(builder, loc, code);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, constantI32(ONNXC_OK));
  builder.setInsertionPointAfter(ifOp);
  exitIf(ifOp.getResult(0));
}
