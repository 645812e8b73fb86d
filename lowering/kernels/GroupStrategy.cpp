//===- GroupStrategy.cpp - Strategies of groups without an anchor -----------===//
#include "lowering/kernels/GroupStrategy.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace onnxc {

FailureOr<rt::StrategyAttr> chooseStrategy(rt::TargetAttr target, ArrayRef<Operation *> ops,
                                           unsigned rows, function_ref<bool(Value)> isStored) {
  if (isa<rt::ConcatOp>(ops.front()))
    return target.chooseConcat(ops.front());
  SmallVector<linalg::GenericOp> generics;
  for (Operation *op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic)
      return op->emitError("a kernel of loops is made of linalg.generic ops, found '")
             << op->getName() << "'";
    if (failed(getLoopDims(generic)))
      return op->emitError("the sizes of its loops are not known");
    generics.push_back(generic);
  }
  return target.chooseLoops(generics, rows, isStored);
}

LogicalResult retarget(rt::GroupOp group, rt::TargetAttr target) {
  Block &body = group.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body)
    if (isa<linalg::GenericOp, rt::ConcatOp>(op))
      ops.push_back(&op);
  auto loops = dyn_cast<rt::LoopsAttr>(group.getStrategy());
  if (ops.empty() || (!loops && !isa<rt::ConcatAttr>(group.getStrategy())))
    return group.emitOpError("has the anchor of another target, expected loops or a "
                             "concatenation, found ")
           << group.getStrategy();
  FailureOr<rt::StrategyAttr> strategy =
      chooseStrategy(target, ops, loops ? loops.getRows() : 0, [&](Value result) {
        return llvm::is_contained(body.getTerminator()->getOperands(), result);
      });
  if (failed(strategy))
    return failure();
  group.setStrategyAttr(*strategy);
  group.setTargetAttr(target);
  return success();
}

} // namespace onnxc
