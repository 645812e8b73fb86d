//===- CheckOrder.cpp - Checks before what relies on them ------------------===//
#include "lowering/support/CheckOrder.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/support/Origins.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace onnxc {
namespace {

bool isCheck(Operation *op) {
  return isa<rt::CheckOp>(op) || (isa<rt::CallOp>(op) && op->getNumResults() == 0);
}

bool isComputation(Operation *op) {
  return isa<linalg::LinalgOp, rt::ConcatOp>(op) || (isa<rt::CallOp>(op) && !isCheck(op));
}

/// The ops of the block that `op` depends on, through operands and symbols.
llvm::DenseSet<Operation *> findDependencies(Operation *op,
                                             const llvm::StringMap<Operation *> &bindings) {
  llvm::DenseSet<Operation *> found;
  SmallVector<Operation *> next = {op};
  auto add = [&](Operation *source) {
    source = source ? op->getBlock()->findAncestorOpInBlock(*source) : nullptr;
    if (source && found.insert(source).second)
      next.push_back(source);
  };
  while (!next.empty())
    next.pop_back_val()->walk([&](Operation *inner) {
      if (auto symbol = dyn_cast<rt::SymbolOp>(inner))
        getDim(symbol.getContext(), symbol.getResult()).forEachSymbol([&](StringRef name) {
          add(bindings.lookup(name));
        });
      for (Value operand : inner->getOperands())
        add(operand.getDefiningOp());
    });
  return found;
}

bool canMove(Operation *op) { return isPure(op) && !isComputation(op); }

} // namespace

SmallVector<LateCheck> findLateChecks(Block &block) {
  llvm::DenseMap<int64_t, SmallVector<Operation *, 2>> computations;
  llvm::StringMap<Operation *> bindings;
  SmallVector<LateCheck> late;
  for (Operation &op : block) {
    if (auto bind = dyn_cast<rt::BindOp>(op))
      bindings[bind.getSymbol()] = &op;
    std::optional<int64_t> origin = getOrigin(op.getLoc());
    if (!origin)
      continue;
    if (isComputation(&op))
      computations[*origin].push_back(&op);
    auto before = computations.find(*origin);
    if (!isCheck(&op) || before == computations.end())
      continue;
    llvm::DenseSet<Operation *> dependencies = findDependencies(&op, bindings);
    auto fits = [&](Operation *place) {
      return !dependencies.contains(place) && llvm::all_of(dependencies, [&](Operation *source) {
        return source->isBeforeInBlock(place) || canMove(source);
      });
    };
    auto place = llvm::find_if(before->second, fits);
    if (place == before->second.end())
      continue;
    LateCheck found{&op, *place, {}};
    llvm::copy_if(dependencies, std::back_inserter(found.dependencies),
                  [&](Operation *source) { return (*place)->isBeforeInBlock(source); });
    llvm::sort(found.dependencies,
               [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    late.push_back(std::move(found));
  }
  return late;
}

} // namespace onnxc
