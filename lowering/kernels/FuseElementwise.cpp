//===- FuseElementwise.cpp - Element-wise producers into their consumers --===//
#include "dialects/rt/RtDialect.h"
#include "lowering/Passes.h"
#include "lowering/support/BodyCost.h"
#include "lowering/support/ConstantOnly.h"
#include "lowering/support/Contractions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "lowering/Passes.h.inc"
} // namespace onnxc

namespace {

/// Whether an element-wise op can be an epilogue of a product, or be fused with one. Only
/// so many ops are looked at.
bool followsProduct(linalg::GenericOp op, unsigned depth = 4) {
  return llvm::any_of(op.getDpsInputs(), [&](Value input) {
    while (auto view = input.getDefiningOp<onnxc::rt::ReshapeOp>())
      input = view.getSource();
    auto producer = input.getDefiningOp<linalg::GenericOp>();
    return producer && (onnxc::isSumOfProducts(producer) ||
                        (depth > 0 && producer.getNumReductionLoops() == 0 &&
                         followsProduct(producer, depth - 1)));
  });
}

/// Fuses where nothing is computed twice for it, and never into a contraction
/// or convolution: their operands are packed or read many times.
bool shouldFuse(OpOperand *fused, int64_t maxCost) {
  auto producer = fused->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(fused->getOwner());
  if (!producer || !consumer || producer->getBlock() != consumer->getBlock())
    return false;
  if (onnxc::isSumOfProducts(consumer) || producer.getNumReductionLoops() > 0)
    return false;
  // What depends on constants alone is computed at compile time.
  if (onnxc::isConstantOnly(producer.getResult(0)) && !onnxc::isConstantOnly(consumer.getResult(0)))
    return false;
  if (onnxc::getBodyCost(producer) + onnxc::getBodyCost(consumer) > maxCost)
    return false;
  bool once = consumer.getMatchingIndexingMap(fused).isPermutation();
  if (!fused->get().hasOneUse() || !once) {
    // As the epilogue of a product it costs nothing, once.
    if (followsProduct(producer))
      return false;
    // Recomputing a plain copy or a constant costs less than storing it.
    constexpr int64_t maxRecomputedOps = 2;
    int64_t ops = 0;
    for (Operation &body : producer.getBody()->without_terminator()) {
      if (onnxc::isExpensive(body))
        return false;
      ++ops;
    }
    return ops <= maxRecomputedOps && producer.getNumDpsInputs() <= 1;
  }
  return true;
}

struct FuseElementwise : onnxc::impl::FuseElementwiseBase<FuseElementwise> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> named;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      [[maybe_unused]] FailureOr<linalg::GenericOp> generic =
          linalg::generalizeNamedOp(rewriter, op);
      assert(succeeded(generic) && "every named op has a body");
    }
    RewritePatternSet patterns(&getContext());
    int64_t maxCost = onnxc::rt::getTarget(getOperation()).getGroupLimits().maxCost;
    linalg::populateElementwiseOpsFusionPatterns(
        patterns, [maxCost](OpOperand *fused) { return shouldFuse(fused, maxCost); });
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    // Where it gives up early, less is fused.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
