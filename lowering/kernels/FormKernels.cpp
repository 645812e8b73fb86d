//===- FormKernels.cpp - Group compute ops into kernels -------------------===//
//
// Every compute op ends in an `rt.group`. Ops on the same rows share one: the
// reductions and element-wise ops of a softmax or a normalisation then pass
// over each row while it is in the cache.
//
//===----------------------------------------------------------------------===//
#include "dialects/rt/RtAttention.h"
#include "lowering/Passes.h"
#include "lowering/kernels/GroupStrategy.h"
#include "lowering/support/BodyCost.h"
#include "lowering/support/ConstantOnly.h"
#include "lowering/support/GenericBodies.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_FORMKERNELS
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

struct Group {
  SmallVector<Operation *> ops;
  unsigned rows = 0; ///< shared leading loops; only for groups of generics
  /// The anchor's own strategy; null for loops and concatenations.
  rt::StrategyAttr strategy;
  bool isConstant = false;
  int64_t cost = 0; ///< of the ops' bodies
  /// Where it runs: the host for what depends on constants alone.
  rt::TargetAttr target;
};

/// The product of sizes, or -1 when one is known only at run time.
int64_t staticProduct(ArrayRef<onnx::DimExpr> sizes) {
  int64_t product = 1;
  for (onnx::DimExpr size : sizes) {
    std::optional<int64_t> constant = size.getConstant();
    if (!constant)
      return -1;
    product *= *constant;
  }
  return product;
}

/// How many leading results of the map are d0, d1, ... in order.
unsigned leadingIdentity(AffineMap map, unsigned limit) {
  unsigned count = 0;
  while (count < limit && count < map.getNumResults()) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(count));
    if (!dim || dim.getPosition() != count)
      break;
    ++count;
  }
  return count;
}

/// The leading parallel loops that index all outputs directly.
unsigned ownRows(linalg::GenericOp op) {
  unsigned rows = 0;
  for (utils::IteratorType type : op.getIteratorTypesArray()) {
    if (type != utils::IteratorType::parallel)
      break;
    ++rows;
  }
  for (OpOperand &init : op.getDpsInitsMutable())
    rows = leadingIdentity(op.getMatchingIndexingMap(&init), rows);
  return rows;
}

class KernelFormer {
public:
  KernelFormer(Block &block, rt::TargetAttr target, rt::TargetAttr host)
      : block(block), target(target), host(host) {}
  LogicalResult run();

private:
  std::optional<unsigned> sharedRows(linalg::GenericOp op, Group &group);
  bool canFinish(linalg::GenericOp op, Group &group);
  bool usedBetween(Group &group, Operation *op);
  void assign(Operation *op);
  LogicalResult materialize(Group &group);
  bool staysInside(Value value, Group &group);

  Block &block;
  rt::TargetAttr target, host;
  std::vector<std::unique_ptr<Group>> groups;
  DenseMap<Operation *, Group *> groupOf;
};

/// The rows that `op` shares with the group, or nothing when it cannot join.
std::optional<unsigned> KernelFormer::sharedRows(linalg::GenericOp op, Group &group) {
  unsigned rows = std::min(ownRows(op), group.rows);
  rt::GroupLimits limits = group.target.getGroupLimits();
  FailureOr<SmallVector<onnx::DimExpr>> sizes = getLoopDims(op);
  FailureOr<SmallVector<onnx::DimExpr>> groupSizes =
      getLoopDims(cast<linalg::LinalgOp>(group.ops.front()));
  if (failed(sizes) || failed(groupSizes))
    return std::nullopt;
  unsigned equal = 0;
  while (equal < rows && (*sizes)[equal] == (*groupSizes)[equal])
    ++equal;
  rows = equal;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (producer && groupOf.lookup(producer) == &group)
      rows = leadingIdentity(op.getMatchingIndexingMap(&operand), rows);
  }
  // Reads in the body go anywhere: the whole tensor must exist before.
  WalkResult captured = op.getRegion().walk([&](Operation *body) {
    for (Value operand : body->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && groupOf.lookup(producer) == &group)
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (captured.wasInterrupted())
    return std::nullopt;
  // Leave a part to vectorise.
  auto innerOf = [&](ArrayRef<onnx::DimExpr> all) { return staticProduct(all.drop_front(rows)); };
  while (rows > 0) {
    int64_t inner = innerOf(*sizes), groupInner = innerOf(*groupSizes);
    if ((inner < 0 || inner >= limits.minInner) ||
        (groupInner < 0 || groupInner >= limits.minInner))
      break;
    --rows;
  }
  if (rows == 0)
    return std::nullopt;
  int64_t rowCount = staticProduct(ArrayRef(*sizes).take_front(rows));
  int64_t elements = staticProduct(*groupSizes);
  if (rowCount >= 0 && rowCount < limits.minRows &&
      (elements < 0 || elements > limits.smallElements))
    return std::nullopt;
  return rows;
}

/// Whether an op outside the group uses one of its results before `op`: the
/// group, which is placed at its last op, would come too late for it.
bool KernelFormer::usedBetween(Group &group, Operation *op) {
  for (Operation *member : group.ops) {
    for (Operation *user : member->getUsers()) {
      Operation *ancestor = block.findAncestorOpInBlock(*user);
      if (!ancestor || groupOf.lookup(ancestor) == &group || ancestor == op)
        continue;
      if (ancestor->isBeforeInBlock(op))
        return true;
    }
  }
  return false;
}

/// Whether `op` can be an epilogue of the group's anchor.
bool KernelFormer::canFinish(linalg::GenericOp op, Group &group) {
  return !isa<rt::AttentionOp>(group.ops.front()) && isEpilogue(op, [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && groupOf.lookup(producer) == &group;
  });
}

void KernelFormer::assign(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  auto strategy = op->getAttrOfType<rt::StrategyAttr>(rt::attributes::strategy);
  bool isConstant = isConstantOnly(op->getResult(0));
  int64_t cost = generic ? getBodyCost(generic) : 0;
  if (generic && !strategy) {
    for (Value input : generic.getDpsInputs()) {
      Operation *producer = input.getDefiningOp();
      Group *group = producer ? groupOf.lookup(producer) : nullptr;
      if (!group || group->isConstant != isConstant || usedBetween(*group, op))
        continue;
      if (group->cost + cost > group->target.getGroupLimits().maxCost)
        continue;
      if (group->strategy) {
        if (!canFinish(generic, *group))
          continue;
      } else {
        std::optional<unsigned> rows =
            group->rows == 0 ? std::nullopt : sharedRows(generic, *group);
        if (!rows)
          continue;
        group->rows = *rows;
      }
      group->cost += cost;
      group->ops.push_back(op);
      groupOf[op] = group;
      return;
    }
  }
  groups.push_back(std::make_unique<Group>());
  Group &group = *groups.back();
  group.ops.push_back(op);
  group.cost = cost;
  group.rows = generic && !strategy ? ownRows(generic) : 0;
  group.strategy = strategy;
  group.isConstant = isConstant;
  group.target = isConstant ? host : target;
  groupOf[op] = &group;
  op->removeAttr(rt::attributes::strategy);
}

/// Whether an intermediate needs no memory of its own: in a kernel of loops one element
/// per row, or a short row on the stack; behind an anchor it stays in registers.
bool KernelFormer::staysInside(Value value, Group &group) {
  for (Operation *user : value.getUsers())
    if (groupOf.lookup(block.findAncestorOpInBlock(*user)) != &group)
      return false;
  if (group.strategy)
    return true;
  FailureOr<SmallVector<onnx::DimExpr>> sizes = getTensorDims(value);
  if (failed(sizes))
    return false;
  int64_t inner =
      staticProduct(ArrayRef(*sizes).drop_front(std::min<size_t>(group.rows, sizes->size())));
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  return inner >= 0 &&
         rt::getStorageBytes(element, inner) <= group.target.getGroupLimits().maxRowBytes;
}

/// The `tensor.empty` that a result is written into.
static Value rootInit(Operation *op, unsigned result) {
  Value init = isa<rt::ConcatOp>(op) ? cast<rt::ConcatOp>(op).getInit()
                                     : cast<DestinationStyleOpInterface>(op).getDpsInits()[result];
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return fill.getOutputs()[0];
  return init;
}

LogicalResult KernelFormer::materialize(Group &group) {
  Operation *last = group.ops.back();
  OpBuilder builder(last);
  SmallVector<Value> results, inits;
  for (Operation *op : group.ops) {
    for (OpResult result : op->getResults()) {
      if (result.use_empty() || (group.ops.size() > 1 && staysInside(result, group)))
        continue;
      results.push_back(result);
      Value init = rootInit(op, result.getResultNumber());
      // Written in place only when the init's old content is not needed.
      if (!init.getDefiningOp<tensor::EmptyOp>()) {
        FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(init);
        if (failed(sizes))
          return op->emitError("the sizes of its result are not known");
        init = tensor::EmptyOp::create(builder, op->getLoc(), *sizes,
                                       cast<RankedTensorType>(init.getType()).getElementType());
      }
      inits.push_back(init);
    }
  }
  SmallVector<Location> locations =
      llvm::map_to_vector(group.ops, [](Operation *op) { return op->getLoc(); });
  Location loc = builder.getFusedLoc(locations);
  FailureOr<rt::StrategyAttr> strategy = group.strategy;
  if (!group.strategy)
    strategy = chooseStrategy(group.target, group.ops, group.rows,
                              [&](Value result) { return llvm::is_contained(results, result); });
  if (failed(strategy))
    return failure();
  auto groupOp = rt::GroupOp::create(builder, loc, ValueRange(results).getTypes(), inits, *strategy,
                                     group.target);
  Block *body = builder.createBlock(&groupOp.getBody());
  for (Value init : inits)
    body->addArgument(init.getType(), loc);
  for (auto [result, outside] : llvm::zip_equal(results, groupOp.getResults()))
    result.replaceUsesWithIf(outside, [&](OpOperand &use) {
      return groupOf.lookup(block.findAncestorOpInBlock(*use.getOwner())) != &group;
    });
  DenseMap<Operation *, Operation *> copies;
  for (Operation *op : group.ops) {
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *source = operand.get().getDefiningOp();
      if (!source || !isa<linalg::FillOp, rt::PackedOp>(source) || groupOf.lookup(source) == &group)
        continue;
      Operation *&copy = copies[source];
      if (!copy) {
        builder.setInsertionPointToEnd(body);
        copy = builder.clone(*source);
      }
      operand.set(copy->getResult(0));
    }
    op->moveBefore(body, body->end());
  }
  builder.setInsertionPointToEnd(body);
  rt::YieldOp::create(builder, loc, results);
  return success();
}

/// A fill that is a tensor of its own, not only the start of a reduction.
static bool isPlainFill(linalg::FillOp fill) {
  return llvm::any_of(fill->getUses(), [](OpOperand &use) {
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    return !user || !user.isDpsInit(&use);
  });
}

LogicalResult KernelFormer::run() {
  for (Operation &op : block) {
    if (auto fill = dyn_cast<linalg::FillOp>(op); fill && !isPlainFill(fill))
      continue;
    if (isa<linalg::LinalgOp, rt::AttentionOp, rt::ConcatOp>(op))
      assign(&op);
  }
  for (auto &group : groups)
    if (failed(materialize(*group)))
      return failure();
  return success();
}

struct FormKernels : onnxc::impl::FormKernelsBase<FormKernels> {
  using Base::Base;

  /// Gives every reduction a fill of its own: one that is also a tensor in its
  /// own right (an initial state of zeros) becomes a kernel.
  void separateFills() {
    SmallVector<linalg::FillOp> mixed;
    getOperation().walk([&](linalg::FillOp fill) {
      if (isPlainFill(fill))
        mixed.push_back(fill);
    });
    for (linalg::FillOp fill : mixed) {
      SmallVector<OpOperand *> uses =
          llvm::map_to_vector(fill->getUses(), [](OpOperand &use) { return &use; });
      for (OpOperand *use : uses) {
        auto user = dyn_cast<linalg::GenericOp>(use->getOwner());
        if (!user || !user.isDpsInit(use))
          continue;
        OpBuilder builder(user);
        use->set(builder.clone(*fill)->getResult(0));
      }
    }
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // A fill that stands alone is emitted like any other element-wise op.
    separateFills();
    SmallVector<linalg::FillOp> fills;
    getOperation().walk([&](linalg::FillOp fill) {
      if (isPlainFill(fill))
        fills.push_back(fill);
    });
    for (linalg::FillOp fill : fills) {
      rewriter.setInsertionPoint(fill);
      [[maybe_unused]] FailureOr<linalg::GenericOp> generic =
          linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(fill.getOperation()));
      assert(succeeded(generic) && "a fill has a body");
    }
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!isa<linalg::LinalgOp, ModuleOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    rt::TargetAttr target = rt::getTarget(getOperation());
    rt::TargetAttr host = rt::getHostTarget(getOperation());
    for (Block *block : blocks)
      if (failed(KernelFormer(*block, target, host).run()))
        return signalPassFailure();
    // Fills and empties that every user has copied.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }
};

} // namespace
