//===- SinkReshapes.cpp - Reshapes move behind element-wise ops ------------===//
#include "lowering/Passes.h"
#include "lowering/support/Contractions.h"
#include "lowering/support/DimValues.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_SINKRESHAPES
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

/// How many trailing sizes two shapes share.
unsigned commonSuffix(ArrayRef<onnx::DimExpr> a, ArrayRef<onnx::DimExpr> b) {
  unsigned count = 0;
  while (count < a.size() && count < b.size() && a[a.size() - 1 - count] == b[b.size() - 1 - count])
    ++count;
  return count;
}

Value reshape(OpBuilder &builder, Location loc, Value tensor, ArrayRef<onnx::DimExpr> dims) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (onnx::DimExpr dim : dims) {
    shape.push_back(dim.getConstant().value_or(ShapedType::kDynamic));
    if (!dim.isConstant())
      dynamic.push_back(materializeIndex(builder, loc, dim));
  }
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  return rt::ReshapeOp::create(builder, loc, RankedTensorType::get(shape, element), tensor,
                               dynamic);
}

/// elementwise(reshape(contraction), x)
///   ->  reshape(elementwise(contraction, reshape(x)))
/// so that the element-wise op can become the contraction's epilogue.
struct SinkReshape : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (op.getNumReductionLoops() > 0 || op.getNumDpsInits() != 1 || op.hasIndexSemantics())
      return rewriter.notifyMatchFailure(op, "no plain element-wise op");
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (!out.isIdentity() || !op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>() ||
        !op.getRegionOutputArgs()[0].use_empty())
      return rewriter.notifyMatchFailure(op, "writes no fresh tensor");
    // Once it stands right behind a product it is that one's epilogue. Two products that
    // are added would otherwise take turns.
    if (llvm::any_of(op.getDpsInputs(), [](Value input) {
          auto producer = input.getDefiningOp<linalg::GenericOp>();
          return producer && input.hasOneUse() && isSumOfProducts(producer);
        }))
      return rewriter.notifyMatchFailure(op, "behind a contraction already");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto view = operand->get().getDefiningOp<rt::ReshapeOp>();
      if (!view || !view->hasOneUse() || !op.getMatchingIndexingMap(operand).isIdentity())
        continue;
      auto producer = view.getSource().getDefiningOp<linalg::GenericOp>();
      if (producer && view.getSource().hasOneUse() &&
          (isSumOfProducts(producer) || finishesProduct(producer)))
        return sink(op, view, rewriter);
    }
    return rewriter.notifyMatchFailure(op, "no reshaped contraction");
  }

  /// Whether an op is element-wise on a contraction of integers that has no other user:
  /// what a zero point contributes. Floats have none, and two such ops on both sides of a
  /// sum would take turns to sink.
  static bool finishesProduct(linalg::GenericOp op) {
    return op.getNumReductionLoops() == 0 &&
           llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
             auto product = operand->get().getDefiningOp<linalg::GenericOp>();
             return product && isSumOfProducts(product) &&
                    isa<IntegerType>(getElementTypeOrSelf(product.getResult(0))) &&
                    operand->get().hasOneUse() && op.getMatchingIndexingMap(operand).isIdentity();
           });
  }

  static LogicalResult sink(linalg::GenericOp op, rt::ReshapeOp view, PatternRewriter &rewriter) {
    FailureOr<SmallVector<onnx::DimExpr>> from = getTensorDims(view.getSource());
    FailureOr<SmallVector<onnx::DimExpr>> to = getTensorDims(view.getResult());
    if (failed(from) || failed(to))
      return rewriter.notifyMatchFailure(op, "sizes not known");
    unsigned suffix = commonSuffix(*from, *to);
    unsigned toLead = to->size() - suffix, fromLead = from->size() - suffix;
    // Each operand either has all dims, or only dims of the common suffix.
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    MLIRContext *context = op.getContext();
    Location loc = op.getLoc();
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (map.isIdentity()) {
        maps.push_back(rewriter.getMultiDimIdentityMap(from->size()));
        continue;
      }
      SmallVector<AffineExpr> exprs;
      for (AffineExpr expr : map.getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (isa<AffineConstantExpr>(expr)) {
          exprs.push_back(expr);
          continue;
        }
        if (!dim || dim.getPosition() < toLead)
          return rewriter.notifyMatchFailure(op, "an operand has some of the reshaped dims");
        exprs.push_back(getAffineDimExpr(dim.getPosition() - toLead + fromLead, context));
      }
      maps.push_back(AffineMap::get(from->size(), 0, exprs, context));
    }
    for (auto [operand, map] : llvm::zip(op.getDpsInputOperands(), maps)) {
      bool full = op.getMatchingIndexingMap(operand).isIdentity();
      if (operand->get() == view.getResult())
        inputs.push_back(view.getSource());
      else
        inputs.push_back(full ? reshape(rewriter, loc, operand->get(), *from) : operand->get());
    }
    maps.push_back(rewriter.getMultiDimIdentityMap(from->size()));
    Type element = cast<RankedTensorType>(op.getResult(0).getType()).getElementType();
    Value init = tensor::EmptyOp::create(
        rewriter, loc,
        llvm::map_to_vector(*from,
                            [&](onnx::DimExpr dim) { return materialize(rewriter, loc, dim); }),
        element);
    SmallVector<utils::IteratorType> iterators(from->size(), utils::IteratorType::parallel);
    auto created =
        linalg::GenericOp::create(rewriter, loc, init.getType(), inputs, init, maps, iterators);
    rewriter.cloneRegionBefore(op.getRegion(), created.getRegion(), created.getRegion().end());
    rewriter.replaceOp(op, reshape(rewriter, loc, created.getResult(0), *to));
    // One op is the epilogue.
    rewriter.eraseOp(view);
    for (OpOperand *operand : created.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!producer || !finishesProduct(producer) || !linalg::areElementwiseOpsFusable(operand))
        continue;
      rewriter.setInsertionPoint(created);
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, operand);
      if (failed(fused))
        continue;
      rewriter.replaceOp(created, fused->fusedOp->getResults().take_back(1));
      rewriter.eraseOp(producer);
      break;
    }
    return success();
  }
};

struct SinkReshapes : onnxc::impl::SinkReshapesBase<SinkReshapes> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkReshape>(&getContext());
    // Where it gives up early, fewer reshapes have moved.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
