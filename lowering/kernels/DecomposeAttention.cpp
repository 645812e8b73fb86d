//===- DecomposeAttention.cpp - Attention as products and a softmax --------===//
#include "lowering/Passes.h"
#include "lowering/support/AttentionParts.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_DECOMPOSEATTENTION
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

struct DecomposeAttention : onnxc::impl::DecomposeAttentionBase<DecomposeAttention> {
  using Base::Base;

  void runOnOperation() override {
    rt::TargetAttr target = rt::getTarget(getOperation());
    SmallVector<rt::AttentionOp> attentions;
    getOperation().walk([&](rt::AttentionOp op) { attentions.push_back(op); });
    for (rt::AttentionOp op : attentions) {
      FailureOr<SmallVector<OpFoldResult>> sizes = getLoopSizes(op);
      if (failed(sizes) || chooseAttention(target, op))
        continue;
      OpBuilder builder(op);
      op.replaceAllUsesWith(buildAttentionParts(builder, op, *sizes).result);
      op.erase();
    }
  }
};

} // namespace
