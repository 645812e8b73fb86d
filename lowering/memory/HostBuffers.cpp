//===- HostBuffers.cpp - Which memory each tensor of the host uses ---------===//
//
// Lifetimes are intervals of positions in program order; a storage that is used
// inside a loop but created before it lives until the loop's end. Storages of
// known size are packed by decreasing size, each at the lowest offset where it
// meets none that lives at the same time (Pisarchyk and Lee, "Efficient Memory
// Management for Deep Neural Net Inference", 2020, greedy by size). So are those
// that are constant multiples of one product of symbols, such as the batch. Where
// sizes are too different for that, storages share slots; a slot is as large as the
// largest of its tenants.
//
//===----------------------------------------------------------------------===//
#include "lowering/memory/HostBuffers.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/kernels/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace onnxc {

static constexpr int64_t alignment = 64;
/// What a symbol is taken for where sizes are compared at compile time.
static constexpr int64_t nominalSymbol = 64;

ArrayRef<unsigned> HostBuffers::storagesOf(Value tensor) const {
  auto it = valueStorages.find(tensor);
  return it == valueStorages.end() ? ArrayRef<unsigned>() : ArrayRef<unsigned>(it->second);
}

bool HostBuffers::isPlanned(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto symbol = dyn_cast<rt::SymbolOp>(op))
    return inputSymbols.contains(symbol.getSymbol());
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) { return isPlanned(operand); });
}

/// The value of index arithmetic with every symbol at its nominal value.
static int64_t estimate(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant;
  Operation *op = cast<Value>(size).getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return nominalSymbol;
  int64_t a = estimate(op->getOperand(0)), b = estimate(op->getOperand(1));
  if (isa<arith::AddIOp>(op))
    return a + b;
  if (isa<arith::SubIOp>(op))
    return a - b;
  if (isa<arith::MulIOp>(op))
    return a * b;
  if (isa<arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp>(op))
    return b ? a / b : a;
  if (isa<arith::MaxSIOp>(op))
    return std::max(a, b);
  if (isa<arith::MinSIOp>(op))
    return std::min(a, b);
  return nominalSymbol;
}

static int64_t estimateBytes(const Storage &storage) {
  int64_t bytes = rt::getStorageBytes(storage.elementType);
  for (OpFoldResult size : storage.sizes)
    bytes *= std::max<int64_t>(estimate(size), 1);
  return bytes;
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

/// Workspace where the sizes follow from the input symbols, else heap.
unsigned HostBuffers::createPlanned(Operation *op, Value result, ArrayRef<OpFoldResult> sizes) {
  bool planned = llvm::all_of(sizes, [&](OpFoldResult size) {
    return getConstantIntValue(size) || isPlanned(cast<Value>(size));
  });
  unsigned id = create(planned ? Storage::Kind::Arena : Storage::Kind::Heap, op, result);
  Storage &storage = storages[id];
  storage.sizes = llvm::to_vector(sizes);
  storage.elementType = cast<RankedTensorType>(result.getType()).getElementType();
  if (!planned)
    storage.index = numHeapSlots++;
  int64_t bytes = rt::getStorageBytes(storage.elementType);
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    bytes = constant && bytes >= 0 ? bytes * *constant : -1;
  }
  storage.staticBytes = bytes;
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

/// Whether two sizes are the same computation.
static bool isSameSize(OpFoldResult a, OpFoldResult b, unsigned depth = 0) {
  constexpr unsigned maxDepth = 16;
  if (isEqualConstantIntOrValue(a, b))
    return true;
  auto valueA = dyn_cast<Value>(a), valueB = dyn_cast<Value>(b);
  Operation *opA = valueA ? valueA.getDefiningOp() : nullptr;
  Operation *opB = valueB ? valueB.getDefiningOp() : nullptr;
  if (!opA || !opB || depth > maxDepth || opA->getName() != opB->getName() ||
      opA->getNumOperands() != opB->getNumOperands() || opA->getNumResults() != 1 ||
      opA->getNumRegions() != 0 || opA->getAttrDictionary() != opB->getAttrDictionary() ||
      !isPure(opA) || (opA->getNumOperands() == 0 && !isa<rt::SymbolOp, arith::ConstantOp>(opA)))
    return false;
  return llvm::all_of(llvm::zip_equal(opA->getOperands(), opB->getOperands()), [&](auto pair) {
    return isSameSize(std::get<0>(pair), std::get<1>(pair), depth + 1);
  });
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
    FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(init);
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
    FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(value);
    if (failed(sizes))
      return yield.getParentOp()->emitError("the sizes of carried value ")
             << i << " at the end of a turn are not known";
    SmallVector<OpFoldResult> expected(storages[carried[i]].sizes);
    bool fits = llvm::all_of(llvm::zip_equal(*sizes, expected), [](auto pair) {
      return isSameSize(std::get<0>(pair), std::get<1>(pair));
    });
    if (!fits) {
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

LogicalResult HostBuffers::visitFor(scf::ForOp loop) {
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
LogicalResult HostBuffers::visitWhile(scf::WhileOp loop) {
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

LogicalResult HostBuffers::visitReturn(func::ReturnOp op) {
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

LogicalResult HostBuffers::visit(Operation &op) {
  for (Value operand : op.getOperands())
    use(operand, &op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (!isa<RankedTensorType>(constant.getType()) || constant->use_empty())
      return success();
    auto [it, isNew] = constants.try_emplace(constant.getValue(), storages.size());
    if (!isNew) {
      valueStorages[constant] = {it->second};
      return success();
    }
    Storage &storage = storages[create(Storage::Kind::Weight, &op, constant)];
    storage.constant = constant.getValue();
    auto type = cast<RankedTensorType>(constant.getType());
    storage.offset = weightsBytes;
    weightsBytes += llvm::alignTo(
        type.getNumElements() * rt::getStorageBytes(type.getElementType()), alignment);
    return success();
  }
  if (auto reshape = dyn_cast<rt::ReshapeOp>(op))
    return alias(reshape.getResult(), reshape.getSource()), success();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return alias(slice.getResult(), slice.getSource()), success();
  if (auto select = dyn_cast<arith::SelectOp>(op); select && isa<TensorType>(select.getType())) {
    // An If with nothing to compute: one of two places.
    alias(select.getResult(), select.getTrueValue());
    alias(select.getResult(), select.getFalseValue());
    return success();
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return alias(cast.getResult(), cast.getSource()), success();
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (!slice.getDest().hasOneUse())
      return op.emitError("inserts into a tensor that is used elsewhere");
    return alias(slice.getResult(), slice.getDest()), success();
  }
  if (auto append = dyn_cast<rt::AppendOp>(op)) {
    if (!append.getDest().hasOneUse())
      return op.emitError("appends to a tensor that is used elsewhere");
    return alias(append.getResult(), append.getDest()), success();
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    // Only an init of launches needs no memory of its own.
    if (llvm::all_of(op.getUsers(),
                     [](Operation *user) { return isa<rt::LaunchOp, rt::CallOp>(user); }))
      return success();
    createPlanned(&op, empty, *getTensorSizes(empty));
    return success();
  }
  if (isa<rt::LaunchOp, rt::CallOp, tensor::FromElementsOp>(op)) {
    for (OpResult result : op.getResults()) {
      if (!isa<RankedTensorType>(result.getType()))
        continue;
      FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(result);
      if (succeeded(sizes)) {
        createPlanned(&op, result, *sizes);
        continue;
      }
      // Allocated by the callee.
      unsigned id = create(Storage::Kind::Heap, &op, result);
      storages[id].index = numHeapSlots++;
    }
    return success();
  }
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : ifOp->getRegions()) {
      if (region.empty())
        continue;
      if (failed(visitBlock(region.front())))
        return failure();
      for (auto [result, value] :
           llvm::zip_equal(ifOp.getResults(), region.front().getTerminator()->getOperands()))
        if (isa<RankedTensorType>(result.getType()))
          alias(result, value);
    }
    return success();
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  if (auto ret = dyn_cast<func::ReturnOp>(op))
    return visitReturn(ret);
  return success();
}

LogicalResult HostBuffers::visitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(visit(op)))
      return failure();
  return success();
}

FailureOr<HostBuffers> HostBuffers::analyze(func::FuncOp function) {
  HostBuffers buffers;
  if (auto symbols = function->getAttrOfType<ArrayAttr>("rt.symbols"))
    for (Attribute symbol : symbols)
      buffers.inputSymbols.insert(cast<StringAttr>(symbol).getValue());
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
  buffers.packStatic();
  buffers.packSlots();
  buffers.measureLiveSet();
  return buffers;
}

static bool overlap(const Storage &a, const Storage &b) {
  return a.first <= b.last && b.first <= a.last;
}

/// Puts each storage at the lowest offset where it meets none that lives at the
/// same time, in the given order; returns where the last one ends.
int64_t HostBuffers::packGreedily(ArrayRef<unsigned> order,
                                  function_ref<int64_t(const Storage &)> size) {
  int64_t total = 0;
  SmallVector<Storage *> placed; // by offset
  for (unsigned id : order) {
    Storage &storage = storages[id];
    int64_t offset = 0;
    for (Storage *other : placed) {
      if (!overlap(storage, *other))
        continue;
      if (offset + size(storage) <= other->offset)
        break;
      offset = std::max(offset, other->offset + size(*other));
    }
    storage.offset = offset;
    total = std::max(total, offset + size(storage));
    auto *at = llvm::upper_bound(
        placed, offset, [](int64_t value, Storage *other) { return value < other->offset; });
    placed.insert(at, &storage);
  }
  return total;
}

/// Whole lines, so that offsets stay aligned.
static int64_t staticLines(const Storage &storage) {
  return llvm::alignTo(std::max<int64_t>(storage.staticBytes, 1), alignment);
}

/// The workspace's storages with a size (not negative), the largest first.
SmallVector<unsigned> HostBuffers::arenaBySize(function_ref<int64_t(const Storage &)> size) {
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < storages.size(); ++i)
    if (storages[i].kind == Storage::Kind::Arena && size(storages[i]) >= 0)
      order.push_back(i);
  llvm::stable_sort(order,
                    [&](unsigned a, unsigned b) { return size(storages[a]) > size(storages[b]); });
  return order;
}

void HostBuffers::packStatic() {
  SmallVector<unsigned> order =
      arenaBySize([](const Storage &storage) { return storage.staticBytes; });
  staticBytes = packGreedily(order, staticLines);
}

namespace {
/// The bytes of a storage as a constant times index values, rt.symbol ops or
/// whatever computes them, in a canonical order.
struct Monomial {
  int64_t bytes;
  SmallVector<Value> factors;

  explicit Monomial(const Storage &storage) : bytes(rt::getStorageBytes(storage.elementType)) {
    for (OpFoldResult size : storage.sizes)
      multiply(size);
    llvm::stable_sort(factors, [](Value a, Value b) { return name(a) < name(b); });
  }

  bool hasFactors(ArrayRef<Value> others) const {
    return llvm::equal(factors, others, [](Value a, Value b) { return isSameSize(a, b); });
  }

private:
  void multiply(OpFoldResult size) {
    if (std::optional<int64_t> constant = getConstantIntValue(size)) {
      bytes *= *constant;
      return;
    }
    auto product = cast<Value>(size).getDefiningOp<arith::MulIOp>();
    if (!product)
      return factors.push_back(cast<Value>(size));
    multiply(product.getLhs());
    multiply(product.getRhs());
  }

  /// Of a symbol; other factors keep their order behind the symbols.
  static StringRef name(Value value) {
    auto symbol = value.getDefiningOp<rt::SymbolOp>();
    return symbol ? symbol.getSymbol() : StringRef("\xff");
  }
};
} // namespace

/// One tenant at a time: each storage goes into the first slot that is free.
SmallVector<Slot> HostBuffers::shareSlots(ArrayRef<unsigned> order) const {
  SmallVector<Slot> plan;
  for (unsigned id : order) {
    auto *slot = llvm::find_if(plan, [&](const Slot &slot) {
      return llvm::none_of(slot.tenants,
                           [&](unsigned other) { return overlap(storages[id], storages[other]); });
    });
    if (slot == plan.end()) {
      plan.emplace_back();
      slot = &plan.back();
    }
    slot->tenants.push_back(id);
  }
  return plan;
}

/// A slot for each product of symbols, its multiples packed like static sizes.
SmallVector<Slot> HostBuffers::packUnits(ArrayRef<unsigned> order) {
  SmallVector<Slot> plan;
  for (unsigned id : order) {
    Monomial size(storages[id]);
    auto *slot = llvm::find_if(plan, [&](const Slot &slot) { return size.hasFactors(slot.unit); });
    if (slot == plan.end()) {
      plan.emplace_back();
      slot = &plan.back();
      slot->unit = size.factors;
    }
    slot->tenants.push_back(id);
  }
  for (Slot &slot : plan)
    slot.numUnits = packGreedily(slot.tenants, [](const Storage &storage) -> int64_t {
      return llvm::alignTo(Monomial(storage).bytes, alignment);
    });
  return plan;
}

/// Bytes of a plan with every symbol at its nominal value.
int64_t HostBuffers::estimateTotal(ArrayRef<Slot> plan) const {
  int64_t total = 0;
  for (const Slot &slot : plan) {
    int64_t bytes = slot.numUnits;
    for (Value factor : slot.unit)
      bytes *= std::max<int64_t>(estimate(factor), 1);
    for (unsigned id : slot.unit.empty() ? ArrayRef(slot.tenants) : ArrayRef<unsigned>())
      bytes = std::max(bytes, estimateBytes(storages[id]));
    total += bytes;
  }
  return total;
}

/// Plans the storages of symbolic size both ways and takes the smaller plan.
void HostBuffers::packSlots() {
  SmallVector<unsigned> order = arenaBySize(
      [](const Storage &storage) { return storage.staticBytes < 0 ? estimateBytes(storage) : -1; });
  SmallVector<Slot> shared = shareSlots(order), units = packUnits(order);
  slots = estimateTotal(units) <= estimateTotal(shared) ? units : shared;
  for (auto [i, slot] : llvm::enumerate(slots))
    for (unsigned id : slot.tenants) {
      storages[id].slot = i;
      if (slot.unit.empty())
        storages[id].offset = 0;
    }
}

/// What is alive at once is what the sum of sizes over the starts and ends of
/// lifetimes comes to.
void HostBuffers::measureLiveSet() {
  std::map<int64_t, int64_t> changes;
  for (Storage &storage : storages) {
    if (storage.kind != Storage::Kind::Arena || storage.staticBytes < 0)
      continue;
    changes[storage.first] += storage.staticBytes;
    changes[storage.last + 1] -= storage.staticBytes;
  }
  int64_t live = 0;
  for (auto [position, change] : changes)
    liveBytes = std::max(liveBytes, live += change);
}

} // namespace onnxc
