//===- GenericBodies.cpp - What the body of a linalg.generic does -----------===//
#include "lowering/support/GenericBodies.h"
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

} // namespace onnxc
