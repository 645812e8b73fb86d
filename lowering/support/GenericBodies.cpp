//===- GenericBodies.cpp - What the body of a linalg.generic does -----------===//
#include "lowering/support/GenericBodies.h"
#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace onnxc {

Operation *findCombiner(linalg::GenericOp op, unsigned i) {
  Value accumulator = op.getRegionOutputArgs()[i];
  Value yielded = op.getBody()->getTerminator()->getOperand(i);
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || !accumulator.hasOneUse() ||
      *accumulator.getUsers().begin() != combiner || !arith::getNeutralElement(combiner))
    return nullptr;
  return combiner;
}

bool usesLoopIndex(linalg::GenericOp op) {
  return llvm::any_of(op.getBody()->getOperations(), [](Operation &body) {
    return isa<linalg::IndexOp, tensor::ExtractOp>(body);
  });
}

bool isEpilogue(linalg::GenericOp op, function_ref<bool(Value)> isMember) {
  if (op.getNumReductionLoops() > 0 || op.getNumLoops() == 0 || op.getNumDpsInits() != 1 ||
      !op.getRegionOutputArgs()[0].use_empty() || usesLoopIndex(op) ||
      rt::sharesBytes(getElementTypeOrSelf(op.getResult(0))) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return false;
  unsigned last = op.getNumLoops() - 1;
  bool follows = false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (isMember(operand->get())) {
      if (!map.isIdentity())
        return false;
      follows = true;
      continue;
    }
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return false;
    if (!map.isFunctionOfDim(last))
      continue;
    auto lastDim = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!lastDim || lastDim.getPosition() != last)
      return false;
  }
  return follows;
}

SmallVector<Operation *> findSlice(Value value, Block &body) {
  llvm::DenseSet<Operation *> needed;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (op && op->getBlock() == &body && needed.insert(op).second)
      llvm::append_range(pending, op->getOperands());
  }
  SmallVector<Operation *> slice;
  for (Operation &op : body)
    if (needed.contains(&op))
      slice.push_back(&op);
  return slice;
}

} // namespace onnxc
