//===- FoldTrivial.cpp - Fold tensor ops that compute nothing --------------===//
#include "lowering/Passes.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_FOLDTRIVIAL
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

/// Whether a loop of the op is known to have no turn.
bool hasNoTurn(linalg::LinalgOp op) {
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      return false;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    return llvm::any_of(llvm::zip_equal(type.getShape(), map.getResults()), [](auto pair) {
      return std::get<0>(pair) == 0 && isa<AffineDimExpr>(std::get<1>(pair));
    });
  });
}

/// Whether a slice of these sizes, which lies inside of the tensor, is all of it.
bool coversAll(ArrayRef<OpFoldResult> slice, Value tensor) {
  FailureOr<SmallVector<onnx::DimExpr>> dims = getTensorDims(tensor);
  return succeeded(dims) && llvm::all_of(llvm::zip_equal(slice, *dims), [&](auto pair) {
           return getDim(tensor.getContext(), std::get<0>(pair)) == std::get<1>(pair);
         });
}

struct FoldTrivial : onnxc::impl::FoldTrivialBase<FoldTrivial> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](Operation *op) {
      rewriter.setInsertionPoint(op);
      if (auto loops = dyn_cast<linalg::LinalgOp>(op)) {
        if (hasNoTurn(loops))
          replaceByInits(op, loops.getDpsInits(), rewriter);
      } else if (auto concat = dyn_cast<rt::ConcatOp>(op)) {
        if (llvm::is_contained(concat.getResult().getType().getShape(), 0))
          replaceByInits(op, concat.getInit(), rewriter);
      } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
        if (coversAll(slice.getMixedSizes(), slice.getSource()))
          rewriter.replaceOpWithNewOp<rt::ReshapeOp>(op, slice.getType(), slice.getSource(),
                                                     slice.getSizes());
      } else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
        if (coversAll(slice.getMixedSizes(), slice.getDest()))
          replaceInsert(slice, rewriter);
      }
    });
  }

  /// An init without contents becomes a constant, which has a place in memory as
  /// whatever reads it expects; where sizes are not all known the op stays.
  static void replaceByInits(Operation *op, ValueRange inits, IRRewriter &rewriter) {
    SmallVector<Value> values;
    for (Value init : inits) {
      auto type = cast<RankedTensorType>(init.getType());
      if (init.getDefiningOp<tensor::EmptyOp>()) {
        if (!type.hasStaticShape() || type.getNumElements() > 0)
          return;
        auto empty = DenseElementsAttr::get(type, ArrayRef<Attribute>());
        init = arith::ConstantOp::create(rewriter, op->getLoc(), empty);
      }
      values.push_back(init);
    }
    rewriter.replaceOp(op, values);
  }

  static void replaceInsert(tensor::InsertSliceOp op, IRRewriter &rewriter) {
    RankedTensorType type = op.getType();
    SmallVector<Value> sizes;
    for (auto [dim, size] : llvm::zip_equal(type.getShape(), op.getMixedSizes()))
      if (ShapedType::isDynamic(dim))
        sizes.push_back(getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
    rewriter.replaceOpWithNewOp<rt::ReshapeOp>(op, type, op.getSource(), sizes);
  }
};

} // namespace
