//===- PackBuffers.cpp - Where storages lie in the workspace ---------------===//
//
// Storages of known size are packed by decreasing size, each at the lowest offset
// where it meets none that lives at the same time (Pisarchyk and Lee, "Efficient
// Memory Management for Deep Neural Net Inference", 2020, greedy by size). So are
// those that are constant multiples of one product of symbols, such as the batch.
// Where sizes are too different for that, storages share slots; a slot is as large
// as the largest of its tenants.
//
//===----------------------------------------------------------------------===//
#include "lowering/memory/HostBuffers.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <map>

using namespace mlir;

namespace onnxc {

/// What a symbol is taken for where sizes are compared at compile time.
static constexpr int64_t nominalSymbol = 64;

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
  int64_t count = 1;
  for (OpFoldResult size : storage.sizes)
    count *= std::max<int64_t>(estimate(size), 1);
  return rt::getStorageBytes(storage.elementType, count);
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
  return llvm::alignTo(std::max<int64_t>(storage.staticBytes, 1), HostBuffers::alignment);
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
/// The bytes of a storage, or a few more, as a constant times index values, rt.symbol ops
/// or whatever computes them, in a canonical order.
struct Monomial {
  int64_t bytes;
  SmallVector<Value> factors;

  explicit Monomial(const Storage &storage) {
    for (OpFoldResult size : storage.sizes)
      multiply(size);
    bytes = rt::getStorageBytes(storage.elementType, count);
    llvm::stable_sort(factors, [](Value a, Value b) { return name(a) < name(b); });
  }

  bool hasFactors(ArrayRef<Value> others) const {
    return llvm::equal(factors, others, [](Value a, Value b) { return isSameSize(a, b); });
  }

private:
  int64_t count = 1; ///< the constant part of the number of elements
  void multiply(OpFoldResult size) {
    if (std::optional<int64_t> constant = getConstantIntValue(size)) {
      count *= *constant;
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

void HostBuffers::pack() {
  packStatic();
  packSlots();
  measureLiveSet();
}

} // namespace onnxc
