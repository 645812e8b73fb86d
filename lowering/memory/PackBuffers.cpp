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
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;

namespace onnxc {

/// What a symbol without an upper bound is taken for where plans are compared at compile
/// time: batches and lengths that calls have. Beyond it the smaller plan may be the other
/// one; no plan is wrong.
static constexpr double usualSymbol = 256;

/// A size with each symbol at its upper bound, or at a usual value.
double HostBuffers::estimate(onnx::DimExpr size) const {
  using Kind = onnx::DimExpr::Kind;
  auto leaf = [&](onnx::DimExpr expr) -> double {
    if (expr.isConstant())
      return static_cast<double>(*expr.getConstant());
    int64_t max = symbols.of(expr.symbolName()).max;
    return max == onnx::DimBounds::unlimited ? usualSymbol : static_cast<double>(max);
  };
  auto combine = [](Kind kind, double a, double b) {
    switch (kind) {
    case Kind::Add: return a + b;
    case Kind::Mul: return a * b;
    case Kind::FloorDiv: return a / std::max(b, 1.0);
    case Kind::Mod:
    case Kind::Min: return std::min(a, b);
    default: return std::max(a, b);
    }
  };
  return std::max(onnx::evaluate(size, leaf, combine), 1.0);
}

double HostBuffers::estimate(const Storage &storage) const {
  double bytes = static_cast<double>(rt::getStorageBits(storage.elementType)) / 8;
  for (onnx::DimExpr size : storage.sizes)
    bytes *= estimate(size);
  return bytes;
}

/// The product of `bytes` and the largest values of sizes; nothing when there is no end.
static std::optional<int64_t> largestProduct(int64_t bytes, ArrayRef<onnx::DimExpr> sizes,
                                             const SymbolBounds &symbols) {
  for (onnx::DimExpr size : sizes) {
    int64_t max = symbols.of(size).max;
    if (max == onnx::DimBounds::unlimited ||
        llvm::MulOverflow(bytes, std::max<int64_t>(max, 0), bytes))
      return std::nullopt;
  }
  return bytes;
}

std::optional<int64_t> HostBuffers::largestBytes(const Storage &storage) const {
  std::optional<int64_t> count = largestProduct(1, storage.sizes, symbols);
  if (!count || *count > onnx::DimBounds::unlimited / rt::getStorageBits(storage.elementType))
    return std::nullopt;
  return rt::getStorageBytes(storage.elementType, *count);
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
SmallVector<unsigned> HostBuffers::arenaBySize(function_ref<double(const Storage &)> size) {
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
      arenaBySize([](const Storage &storage) { return static_cast<double>(storage.staticBytes); });
  staticBytes = packGreedily(order, staticLines);
}

namespace {
/// The bytes of a storage, or a few more, as a constant times sizes, in a canonical order.
struct SizeProduct {
  int64_t bytes;
  SmallVector<onnx::DimExpr> factors;

  explicit SizeProduct(const Storage &storage) {
    int64_t count = 1;
    for (onnx::DimExpr size : storage.sizes) {
      auto [constant, others] = onnx::factorsOf(size);
      count *= constant;
      llvm::append_range(factors, others);
    }
    bytes = rt::getStorageBytes(storage.elementType, count);
    llvm::sort(factors, [](onnx::DimExpr a, onnx::DimExpr b) { return a.str() < b.str(); });
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
    SizeProduct size(storages[id]);
    auto *slot = llvm::find_if(plan, [&](const Slot &slot) { return size.factors == slot.unit; });
    if (slot == plan.end()) {
      plan.emplace_back();
      slot = &plan.back();
      slot->unit = size.factors;
    }
    slot->tenants.push_back(id);
  }
  for (Slot &slot : plan)
    slot.numUnits = packGreedily(slot.tenants, [](const Storage &storage) -> int64_t {
      return llvm::alignTo(SizeProduct(storage).bytes, alignment);
    });
  return plan;
}

/// Bytes of a plan, likewise.
double HostBuffers::estimate(ArrayRef<Slot> plan) const {
  double total = 0;
  for (const Slot &slot : plan) {
    double bytes = static_cast<double>(slot.numUnits);
    for (onnx::DimExpr factor : slot.unit)
      bytes *= estimate(factor);
    for (unsigned id : slot.unit.empty() ? ArrayRef(slot.tenants) : ArrayRef<unsigned>())
      bytes = std::max(bytes, estimate(storages[id]));
    total += bytes;
  }
  return total;
}

/// Plans the storages of symbolic size both ways and takes the smaller plan.
void HostBuffers::packSlots() {
  SmallVector<unsigned> order = arenaBySize(
      [&](const Storage &storage) { return storage.staticBytes < 0 ? estimate(storage) : -1; });
  SmallVector<Slot> shared = shareSlots(order), units = packUnits(order);
  slots = estimate(units) <= estimate(shared) ? units : shared;
  for (auto [i, slot] : llvm::enumerate(slots))
    for (unsigned id : slot.tenants) {
      storages[id].slot = i;
      if (slot.unit.empty())
        storages[id].offset = 0;
    }
}

/// What the plan function computes, with each size at its largest.
std::optional<int64_t> HostBuffers::measureWorkspace() const {
  int64_t total = staticBytes;
  for (const Slot &slot : slots) {
    std::optional<int64_t> bytes = largestProduct(slot.numUnits, slot.unit, symbols);
    for (unsigned id : slot.unit.empty() ? ArrayRef(slot.tenants) : ArrayRef<unsigned>())
      if (std::optional<int64_t> own = largestBytes(storages[id]); own && bytes)
        bytes = std::max(*bytes, *own);
      else
        bytes = std::nullopt;
    if (!bytes || *bytes > onnx::DimBounds::unlimited - alignment ||
        llvm::AddOverflow<int64_t>(total, llvm::alignTo(*bytes, alignment), total))
      return std::nullopt;
  }
  return slots.empty() ? total : total + alignment;
}

/// What is alive at once is what the sum of sizes over the starts and ends of
/// lifetimes comes to.
std::optional<int64_t> HostBuffers::measureLiveSet() const {
  std::map<int64_t, int64_t> changes;
  for (const Storage &storage : storages) {
    if (storage.kind != Storage::Kind::Arena)
      continue;
    std::optional<int64_t> bytes = largestBytes(storage);
    if (!bytes)
      return std::nullopt;
    changes[storage.first] += *bytes;
    changes[storage.last + 1] -= *bytes;
  }
  int64_t live = 0, most = 0;
  for (auto [position, change] : changes)
    most = std::max(most, live += change);
  return most;
}

void HostBuffers::pack() {
  packStatic();
  packSlots();
  largestWorkspace = measureWorkspace();
  largestLiveSet = measureLiveSet();
}

} // namespace onnxc
