//===- HostControlFlow.cpp - If and loops of the host function --------------===//
//
// A tensor that a loop carries lies in one place, which each turn's result is
// copied to, when its size stays. One whose size changes, or that grows by a row
// at a time, lies in a heap block that changes: its pointer is a value that the
// lowered loop carries.
//
//===----------------------------------------------------------------------===//
#include "lowering/host/HostLowering.h"

using namespace mlir;
using namespace onnxc;
using namespace onnxc::emit;

/// Types of what a region op yields: pointers for tensors.
static SmallVector<Type> mappedTypes(TypeRange types, Type pointerType) {
  return llvm::map_to_vector(types,
                             [&](Type type) { return isa<TensorType>(type) ? pointerType : type; });
}

LogicalResult HostLowering::emit(scf::IfOp op) {
  auto created = scf::IfOp::create(builder, loc, mappedTypes(op.getResultTypes(), pointerType),
                                   mapping.lookup(op.getCondition()), !op.getElseRegion().empty());
  llvm::StringMap<Value> outer = symbolValues;
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), created->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Block &block = to.front();
    if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
      block.back().erase();
    builder.setInsertionPointToEnd(&block);
    if (failed(emitBlock(from.front())))
      return failure();
    SmallVector<Value> yielded =
        llvm::map_to_vector(from.front().getTerminator()->getOperands(),
                            [&](Value value) { return mapping.lookup(value); });
    scf::YieldOp::create(builder, loc, yielded);
    symbolValues = outer;
  }
  mapping.map(op.getResults(), created.getResults());
  return success();
}

/// Copies the initial values to where the loop carries them.
HostLowering::Carried HostLowering::startCarried(ValueRange inits, ValueRange arguments) {
  Carried carried;
  for (auto [init, argument] : llvm::zip_equal(inits, arguments)) {
    carried.places.push_back(Value());
    if (!isa<TensorType>(init.getType())) {
      carried.inits.push_back(mapping.lookup(init));
      continue;
    }
    unsigned id = buffers.storagesOf(argument).front();
    Storage &storage = buffers.storage(id);
    if (storage.carried == Storage::Carried::Grows) {
      // Allocated with the first row. What an earlier run of this loop left goes.
      releaseHeap(storage.index);
      carried.inits.push_back(LLVM::ZeroOp::create(builder, loc, pointerType));
      continue;
    }
    Value place = placeOf(argument);
    if (!init.getDefiningOp<tensor::EmptyOp>())
      copyTensor(place, mapping.lookup(init), init);
    if (storage.carried == Storage::Carried::Moves)
      carried.inits.push_back(place);
    else
      carried.places.back() = place;
  }
  return carried;
}

/// Gives carried values or results their lowered counterparts.
void HostLowering::mapCarried(const Carried &carried, ValueRange from, ValueRange lowered) {
  unsigned next = 0;
  for (auto [place, value] : llvm::zip_equal(carried.places, from))
    mapping.map(value, place ? place : lowered[next++]);
}

/// Ends a turn of a loop: copies tensors to where they are carried and returns
/// what the lowered loop carries. Nothing is overwritten or released before all
/// that lies in it has been copied: new blocks are filled first, and tensors that
/// change places go through scratch memory.
SmallVector<Value> HostLowering::endTurn(Operation *yield, ValueRange arguments,
                                         const Carried &carried) {
  auto storageOf = [&](unsigned i) -> Storage & {
    return buffers.storage(buffers.storagesOf(arguments[i]).front());
  };
  SmallVector<Value> sources, lowered;
  SmallVector<unsigned> moved;
  for (auto [i, value] : llvm::enumerate(yield->getOperands())) {
    Value source = mapping.lookup(value);
    if (carried.places[i]) {
      if (int scratch = buffers.scratchFor(yield, i); scratch >= 0) {
        Value saved = buffers.storage(scratch).kind == Storage::Kind::Heap ? allocateHeap(scratch)
                                                                           : fixedPlace(scratch);
        copyTensor(saved, source, value);
        source = saved;
      }
    } else if (isa<TensorType>(value.getType()) &&
               storageOf(i).carried == Storage::Carried::Moves) {
      FailureOr<SmallVector<OpFoldResult>> sizes = mappedSizes(value);
      Type element = cast<RankedTensorType>(value.getType()).getElementType();
      checkBytes(*sizes, element);
      Value fresh = allocate(bytesOf(*sizes, element), "a value that a loop carries");
      LLVM::StoreOp::create(builder, loc, fresh, heapSlot(storageOf(i).nextIndex));
      copyTensor(fresh, source, value);
      source = fresh;
      moved.push_back(i);
    }
    sources.push_back(source);
    if (!carried.places[i])
      lowered.push_back(source);
  }
  for (auto [i, value] : llvm::enumerate(yield->getOperands()))
    if (carried.places[i])
      copyTensor(carried.places[i], sources[i], value);
  Value null;
  for (unsigned i : moved) {
    Storage &storage = storageOf(i);
    releaseHeap(storage.index);
    if (!null)
      null = LLVM::ZeroOp::create(builder, loc, pointerType);
    LLVM::StoreOp::create(builder, loc, sources[i], heapSlot(storage.index));
    LLVM::StoreOp::create(builder, loc, null, heapSlot(storage.nextIndex));
  }
  return lowered;
}

LogicalResult HostLowering::emit(scf::ForOp op) {
  Carried carried = startCarried(op.getInitArgs(), op.getRegionIterArgs());
  auto created = scf::ForOp::create(builder, loc, mapping.lookup(op.getLowerBound()),
                                    mapping.lookup(op.getUpperBound()),
                                    mapping.lookup(op.getStep()), carried.inits);
  mapping.map(op.getInductionVar(), created.getInductionVar());
  mapCarried(carried, op.getRegionIterArgs(), created.getRegionIterArgs());
  llvm::StringMap<Value> outer = symbolValues;
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!created.getBody()->empty())
      created.getBody()->back().erase();
    builder.setInsertionPointToEnd(created.getBody());
    if (failed(emitBlock(*op.getBody())))
      return failure();
    scf::YieldOp::create(builder, loc,
                         endTurn(op.getBody()->getTerminator(), op.getRegionIterArgs(), carried));
  }
  symbolValues = outer;
  mapCarried(carried, op.getResults(), created.getResults());
  return success();
}

LogicalResult HostLowering::emit(scf::WhileOp op) {
  Carried carried = startCarried(op.getInits(), op.getBeforeArguments());
  SmallVector<Type> initTypes(ValueRange(carried.inits).getTypes());
  SmallVector<Type> resultTypes = mappedTypes(op.getResultTypes(), pointerType);
  auto created = scf::WhileOp::create(builder, loc, resultTypes, carried.inits);
  llvm::StringMap<Value> outer = symbolValues;
  OpBuilder::InsertionGuard guard(builder);

  Block *before = builder.createBlock(&created.getBefore(), {}, initTypes,
                                      SmallVector<Location>(initTypes.size(), loc));
  mapCarried(carried, op.getBeforeArguments(), before->getArguments());
  if (failed(emitBlock(*op.getBeforeBody())))
    return failure();
  SmallVector<Value> forwarded = llvm::map_to_vector(
      op.getConditionOp().getArgs(), [&](Value value) { return mapping.lookup(value); });
  scf::ConditionOp::create(builder, loc, mapping.lookup(op.getConditionOp().getCondition()),
                           forwarded);

  Block *after = builder.createBlock(&created.getAfter(), {}, resultTypes,
                                     SmallVector<Location>(resultTypes.size(), loc));
  mapping.map(op.getAfterArguments(), after->getArguments());
  if (failed(emitBlock(*op.getAfterBody())))
    return failure();
  scf::YieldOp::create(builder, loc, endTurn(op.getYieldOp(), op.getBeforeArguments(), carried));
  symbolValues = outer;
  mapping.map(op.getResults(), created.getResults());
  builder.setInsertionPointAfter(created);
  return success();
}
