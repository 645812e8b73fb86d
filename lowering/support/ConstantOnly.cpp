//===- ConstantOnly.cpp - What follows from constants alone ----------------===//
#include "lowering/support/ConstantOnly.h"
#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace onnxc {

bool isConstantOnly(Value value) {
  // Stops at the first value that is not constant; behind an activation that comes early.
  SmallVector<Value> pending{value};
  llvm::DenseSet<Operation *> seen;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op)
      return false;
    if (isa<arith::ConstantOp>(op) || !seen.insert(op).second)
      continue;
    // Sizes of the run are operands: of a tensor that is empty, or reshaped.
    if (!isa<linalg::LinalgOp, tensor::EmptyOp, rt::ReshapeOp, rt::ConcatOp, rt::GroupOp>(op))
      return false;
    llvm::append_range(pending, op->getOperands());
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (!region.isAncestor(operand.getParentRegion()))
            pending.push_back(operand);
      });
  }
  return true;
}

} // namespace onnxc
