//===- HostBuffers.cpp - Which memory each tensor of the host uses ---------===//
//
// Lifetimes are intervals of positions in program order; a storage that is used
// inside a loop but created before it lives until the loop's end.
//
//===----------------------------------------------------------------------===//
#include "lowering/memory/HostBuffers.h"
#include "lowering/support/TensorSizes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace onnxc {

static constexpr StringLiteral noExpression =
    "has a size that is neither an rt.symbol nor a constant";

ArrayRef<unsigned> HostBuffers::storagesOf(Value tensor) const {
  auto it = valueStorages.find(tensor);
  return it == valueStorages.end() ? ArrayRef<unsigned>() : ArrayRef<unsigned>(it->second);
}

bool HostBuffers::isPlanned(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto size = dyn_cast<rt::SymbolOp>(op))
    return isPlanned(getDim(op->getContext(), value));
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) { return isPlanned(operand); });
}

unsigned HostBuffers::create(Storage::Kind kind, Operation *op, Value tensor) {
  Storage storage(kind);
  storage.first = storage.last = positions.lookup(op);
  storages.push_back(storage);
  creators.push_back(op);
  unsigned id = storages.size() - 1;
  if (tensor)
    valueStorages[tensor] = {id};
  return id;
}

bool HostBuffers::isPlanned(onnx::DimExpr dim) const {
  bool known = true;
  dim.forEachSymbol([&](StringRef name) { known &= symbols.contains(name); });
  return known;
}

/// Workspace where the sizes follow from the input symbols, else heap.
unsigned HostBuffers::createPlanned(Operation *op, Value result, ArrayRef<onnx::DimExpr> sizes) {
  bool planned = llvm::all_of(sizes, [&](onnx::DimExpr size) { return isPlanned(size); });
  unsigned id = create(planned ? Storage::Kind::Arena : Storage::Kind::Heap, op, result);
  Storage &storage = storages[id];
  storage.sizes = llvm::to_vector(sizes);
  storage.elementType = cast<RankedTensorType>(result.getType()).getElementType();
  if (!planned)
    storage.index = numHeapSlots++;
  int64_t count = 1;
  for (onnx::DimExpr size : sizes) {
    std::optional<int64_t> constant = size.getConstant();
    count = constant && count >= 0 ? count * *constant : -1;
  }
  storage.staticBytes = count < 0 ? -1 : rt::getStorageBytes(storage.elementType, count);
  return id;
}

void HostBuffers::alias(Value tensor, Value source) {
  SmallVector<unsigned, 2> ids(storagesOf(source));
  SmallVector<unsigned, 2> &own = valueStorages[tensor];
  for (unsigned id : ids)
    if (!llvm::is_contained(own, id))
      own.push_back(id);
}

void HostBuffers::use(Value tensor, Operation *user) {
  for (unsigned id : storagesOf(tensor)) {
    int64_t position = positions.lookup(user);
    // Inside a loop that does not create it, it is needed in every turn.
    for (Operation *parent = user->getParentOp(); parent; parent = parent->getParentOp()) {
      if (parent->isAncestor(creators[id]) && parent != creators[id])
        break;
      if (isa<scf::ForOp, scf::WhileOp>(parent))
        position = std::max(position, ends.lookup(parent));
    }
    storages[id].last = std::max(storages[id].last, position);
  }
}

/// Loop-carried tensors live in a storage of their own, which the initial value
/// and each turn's result are copied into (unless they are written in place).
/// Returns the storage of each argument, -1 for scalars.
FailureOr<SmallVector<int>> HostBuffers::createCarried(Operation &op, ValueRange inits,
                                                       ValueRange arguments) {
  SmallVector<int> carried;
  for (auto [i, init] : llvm::enumerate(inits)) {
    carried.push_back(-1);
    if (!isa<RankedTensorType>(init.getType()))
      continue;
    FailureOr<SmallVector<onnx::DimExpr>> sizes = getTensorDims(init);
    if (failed(sizes))
      return op.emitError("the sizes of loop-carried tensor ") << i << " are not known";
    unsigned id = createPlanned(&op, arguments[i], *sizes);
    storages[id].last = ends.lookup(&op);
    carried.back() = id;
  }
  return carried;
}

/// A carried tensor that changes its block from turn to turn.
void HostBuffers::makeHeap(Storage &storage, Storage::Carried carried) {
  if (storage.kind != Storage::Kind::Heap)
    storage.index = numHeapSlots++;
  storage.kind = Storage::Kind::Heap;
  storage.carried = carried;
  if (carried == Storage::Carried::Moves)
    storage.nextIndex = numHeapSlots++;
}

/// What a yielded tensor is written into: the first tensor of a chain of views,
/// rows written in place, and rows appended (which sets `appends`).
static Value getWrittenTensor(Value value, bool &appends) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      value = insert.getDest();
    else if (auto view = dyn_cast<rt::ReshapeOp>(op))
      value = view.getSource();
    else if (auto append = dyn_cast<rt::AppendOp>(op))
      value = append.getDest(), appends = true;
    else
      break;
  }
  return value;
}

/// Decides how each tensor is carried, and finds those that change places.
LogicalResult HostBuffers::visitYield(Operation &yield, ArrayRef<int> carried) {
  for (auto [i, value] : llvm::enumerate(yield.getOperands())) {
    if (carried[i] < 0)
      continue;
    // A scan output: the carried tensor itself, with a row written.
    bool appends = false;
    Value base = getWrittenTensor(value, appends);
    if (isa<BlockArgument>(base) && storagesOf(base).size() == 1 &&
        static_cast<int>(storagesOf(base).front()) == carried[i]) {
      if (appends)
        makeHeap(storages[carried[i]], Storage::Carried::Grows);
      continue;
    }
    FailureOr<SmallVector<onnx::DimExpr>> sizes = getTensorDims(value);
    if (failed(sizes))
      return yield.getParentOp()->emitError("the sizes of carried value ")
             << i << " at the end of a turn are not known";
    SmallVector<onnx::DimExpr> expected(storages[carried[i]].sizes);
    if (*sizes != expected) {
      makeHeap(storages[carried[i]], Storage::Carried::Moves);
      continue;
    }
    SmallVector<unsigned, 2> own(storagesOf(value));
    bool moves = llvm::any_of(own, [&, i = i](unsigned id) {
      return static_cast<int>(id) != carried[i] &&
             llvm::is_contained(carried, static_cast<int>(id));
    });
    if (!moves)
      continue;
    unsigned id = createPlanned(yield.getParentOp(), value, expected);
    storages[id].last = ends.lookup(yield.getParentOp());
    valueStorages[value] = own;
    scratch[{&yield, static_cast<unsigned>(i)}] = id;
  }
  return success();
}

LogicalResult HostBuffers::visit(scf::ForOp loop) {
  FailureOr<SmallVector<int>> carried =
      createCarried(*loop, loop.getInitArgs(), loop.getRegionIterArgs());
  if (failed(carried) || failed(visitBlock(*loop.getBody())))
    return failure();
  for (auto [result, argument] : llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs()))
    if (isa<RankedTensorType>(result.getType()))
      alias(result, argument);
  return visitYield(*loop.getBody()->getTerminator(), *carried);
}

/// What the condition forwards is seen by the second region and, at the end, by
/// the results.
LogicalResult HostBuffers::visit(scf::WhileOp loop) {
  FailureOr<SmallVector<int>> carried =
      createCarried(*loop, loop.getInits(), loop.getBeforeArguments());
  if (failed(carried) || failed(visitBlock(*loop.getBeforeBody())))
    return failure();
  for (auto [value, argument, result] : llvm::zip_equal(
           loop.getConditionOp().getArgs(), loop.getAfterArguments(), loop.getResults())) {
    if (!isa<RankedTensorType>(value.getType()))
      continue;
    alias(argument, value);
    alias(result, value);
  }
  if (failed(visitBlock(*loop.getAfterBody())))
    return failure();
  return visitYield(*loop.getYieldOp(), *carried);
}

LogicalResult HostBuffers::visit(func::ReturnOp op) {
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    ArrayRef<unsigned> ids = storagesOf(value);
    if (ids.size() != 1)
      continue;
    Storage &storage = storages[ids.front()];
    // Written straight into the output; later users may still read it there.
    bool topLevel = creators[ids.front()]->getParentOp() == op->getParentOp();
    if (storage.kind == Storage::Kind::Arena && topLevel) {
      storage.kind = Storage::Kind::Output;
      storage.index = i;
    }
  }
  return success();
}

LogicalResult HostBuffers::visitOp(Operation &op) {
  for (Value operand : op.getOperands())
    use(operand, &op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<arith::ConstantOp, arith::SelectOp, func::ReturnOp, rt::AppendOp, scf::ForOp, scf::IfOp,
            scf::WhileOp, tensor::EmptyOp, tensor::InsertSliceOp>(
          [&](auto op) { return visit(op); })
      .Case<rt::ReshapeOp, tensor::CastOp, tensor::ExtractSliceOp>([&](auto op) {
        alias(op.getResult(), op.getSource());
        return success();
      })
      .Case<rt::CallOp, rt::LaunchOp, tensor::FromElementsOp>(
          [&](Operation *op) { return visitProducer(*op); })
      .Default(success());
}

LogicalResult HostBuffers::visit(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || op->use_empty())
    return success();
  auto [it, isNew] = constants.try_emplace(op.getValue(), storages.size());
  if (!isNew) {
    valueStorages[op] = {it->second};
    return success();
  }
  Storage &storage = storages[create(Storage::Kind::Weight, op, op)];
  storage.constant = op.getValue();
  storage.offset = weightsBytes;
  // One without elements has a place too: a kernel may look at its first element.
  int64_t bytes = rt::getStorageBytes(type.getElementType(), type.getNumElements());
  weightsBytes += llvm::alignTo(std::max<int64_t>(bytes, 1), alignment);
  return success();
}

/// An If with nothing to compute: one of two places.
LogicalResult HostBuffers::visit(arith::SelectOp op) {
  if (!isa<TensorType>(op.getType()))
    return success();
  alias(op.getResult(), op.getTrueValue());
  alias(op.getResult(), op.getFalseValue());
  return success();
}

LogicalResult HostBuffers::visit(tensor::InsertSliceOp op) {
  if (!op.getDest().hasOneUse())
    return op.emitError("inserts into a tensor that is used elsewhere");
  alias(op.getResult(), op.getDest());
  return success();
}

LogicalResult HostBuffers::visit(rt::AppendOp op) {
  if (!op.getDest().hasOneUse())
    return op.emitError("appends to a tensor that is used elsewhere");
  alias(op.getResult(), op.getDest());
  return success();
}

/// Only an init of launches needs no memory of its own.
LogicalResult HostBuffers::visit(tensor::EmptyOp op) {
  if (!llvm::all_of(op->getUsers(),
                    [](Operation *user) { return isa<rt::LaunchOp, rt::CallOp>(user); })) {
    FailureOr<SmallVector<onnx::DimExpr>> sizes = getTensorDims(op);
    if (failed(sizes))
      return op.emitError(noExpression);
    createPlanned(op, op, *sizes);
  }
  return success();
}

/// What computes tensors: each gets a storage.
LogicalResult HostBuffers::visitProducer(Operation &op) {
  for (OpResult result : op.getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    if (failed(getTensorSizes(result))) {
      // Allocated by the callee.
      unsigned id = create(Storage::Kind::Heap, &op, result);
      storages[id].index = numHeapSlots++;
      continue;
    }
    FailureOr<SmallVector<onnx::DimExpr>> sizes = getTensorDims(result);
    if (failed(sizes))
      return op.emitError(noExpression);
    createPlanned(&op, result, *sizes);
  }
  return success();
}

LogicalResult HostBuffers::visit(scf::IfOp op) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    if (failed(visitBlock(region.front())))
      return failure();
    for (auto [result, value] :
         llvm::zip_equal(op.getResults(), region.front().getTerminator()->getOperands()))
      if (isa<RankedTensorType>(result.getType()))
        alias(result, value);
  }
  return success();
}

LogicalResult HostBuffers::visitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(visitOp(op)))
      return failure();
  return success();
}

FailureOr<HostBuffers> HostBuffers::analyze(func::FuncOp function) {
  HostBuffers buffers;
  buffers.symbols = SymbolBounds(function);
  int64_t position = 0;
  std::function<void(Operation *)> number = [&](Operation *op) {
    buffers.positions[op] = position++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          number(&inner);
    buffers.ends[op] = position++;
  };
  number(function);
  for (BlockArgument argument : function.getArguments()) {
    unsigned id = buffers.create(Storage::Kind::Input, function, argument);
    buffers.storages[id].index = argument.getArgNumber();
  }
  if (failed(buffers.visitBlock(function.getBody().front())))
    return failure();
  buffers.pack();
  return buffers;
}

} // namespace onnxc
