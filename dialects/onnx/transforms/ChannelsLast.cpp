//===- ChannelsLast.cpp - The layout of image ops --------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "dialects/onnx/transforms/Passes.h"
#include "dialects/onnx/transforms/SinkTransposes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace onnxc::onnx;

namespace onnxc {
#define GEN_PASS_DEF_CHANNELSLAST
#include "dialects/onnx/transforms/Passes.h.inc"
} // namespace onnxc

namespace {

/// Switches an op to channels last on `image`, its transposed operand 0, and
/// transposes its results back.
void switchLayout(RewriterBase &rewriter, ImageOpInterface op, Value image) {
  int64_t rank = cast<RankedTensorType>(image.getType()).getRank();
  SmallVector<int64_t> there = toChannelsLast(rank), back = toChannelsFirst(rank);
  rewriter.modifyOpInPlace(op, [&] {
    op->setOperand(0, image);
    op.switchToChannelsLast();
    for (Value result : op->getResults())
      result.setType(transposedType(result.getType(), there));
  });
  rewriter.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value restored = createTranspose(rewriter, op->getLoc(), result, back);
    rewriter.replaceAllUsesExcept(result, restored, restored.getDefiningOp());
  }
}

/// Pool(Transpose(x)) -> Transpose(Pool(x)) when the transpose is the one from
/// channels last to channels first
struct SinkThroughImageOp : OpInterfaceRewritePattern<ImageOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(ImageOpInterface op, PatternRewriter &rewriter) const override {
    auto transpose = op->getOperand(0).getDefiningOp<TransposeOp>();
    if (!transpose || op.isChannelsLast() || !op.allowsChannelsLast())
      return rewriter.notifyMatchFailure(op, "no transpose to sink");
    if (transpose.getPermutation() != toChannelsFirst(transpose.getType().getRank()))
      return rewriter.notifyMatchFailure(op, "another transpose");
    switchLayout(rewriter, op, transpose.getData());
    return success();
  }
};

struct ChannelsLast : onnxc::impl::ChannelsLastBase<ChannelsLast> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<ImageOpInterface> convolutions;
    getOperation()->walk([&](ImageOpInterface op) {
      if (op.prefersChannelsLast() && op.allowsChannelsLast() && !op.isChannelsLast() &&
          cast<RankedTensorType>(op->getOperand(0).getType()).getRank() > 2)
        convolutions.push_back(op);
    });
    if (convolutions.empty())
      return;
    IRRewriter rewriter(&getContext());
    for (ImageOpInterface op : convolutions) {
      rewriter.setInsertionPoint(op);
      Value image = op->getOperand(0);
      int64_t rank = cast<RankedTensorType>(image.getType()).getRank();
      Value transposed = createTranspose(rewriter, op->getLoc(), image, toChannelsLast(rank));
      switchLayout(rewriter, op, transposed);
      ++convolutionCount;
    }
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkThroughImageOp>(&getContext());
    populateSinkTransposePatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    getOperation()->walk([&](TransposeOp) { ++transposeCount; });
  }
};

} // namespace
