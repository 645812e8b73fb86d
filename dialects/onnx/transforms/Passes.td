// The passes on the onnx dialect, alphabetical.
#ifndef ONNXC_DIALECTS_ONNX_TRANSFORMS_PASSES_TD
#define ONNXC_DIALECTS_ONNX_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChannelsLast : Pass<"onnxc-channels-last", "::mlir::ModuleOp"> {
  let summary = "Give convolutions and what surrounds them the layout [N, spatial..., C]";
  let description = [{
    Every convolution gets transposes around it; those sink through the ops that do
    not care about the order of dims (element-wise, Concat, Pad, pools, reductions
    ...) until they meet the next convolution's and cancel.

    ```
    %1 = onnx.Conv(%0, %w)
    %2:2 = onnx.MaxPool(%1) {...}
    // becomes
    %1 = onnx.Transpose(%0) {perm = [0, 2, 3, 1]}
    %2 = onnx.Conv(%1, %w) {channels_last}
    %3:2 = onnx.MaxPool(%2) {..., channels_last}
    %4 = onnx.Transpose(%3#0) {perm = [0, 3, 1, 2]}
    ```
  }];
  let statistics = [
    Statistic<"convolutionCount", "convolutions", "Convolutions with channels last">,
    Statistic<"transposeCount", "transposes", "Transposes that are left">
  ];
}

def Decompose : Pass<"onnxc-decompose", "::mlir::ModuleOp"> {
  let summary = "Rewrite ops that have no lowering of their own to simpler ones";
  let description = [{
    ```
    %y = onnx.CastLike(%x, %like)   ->   %y = onnx.Cast(%x) {to = ...}
    ```
  }];
}

def FoldBatchNorm : Pass<"onnxc-fold-batch-norm", "::mlir::ModuleOp"> {
  let summary = "Fold per-channel scales and offsets into the weights before them";
  let description = [{
    BatchNormalization, and Mul or Add with a constant per channel, behind a
    convolution or Gemm with constant weights become part of its weights and bias.
    The arithmetic on the weights is onnx ops on constants.

    ```
    %1 = onnx.Conv(%0, %w, %b)
    %2 = onnx.Mul(%1, %scale)
    // becomes
    %1 = onnx.Mul(%w, %scale')
    %2 = onnx.Mul(%b, %scale'')
    %3 = onnx.Conv(%0, %1, %2)
    ```
  }];
  let statistics = [Statistic<"foldCount", "folds", "Scales and offsets folded into weights">];
}

def Recompose : Pass<"onnxc-recompose", "::mlir::ModuleOp"> {
  let summary = "Find the operators that exporters took apart";
  let description = [{
    LayerNormalization, RMSNormalization and Gelu from the chains of simple ops that
    stand for them in models of older opsets. They are one row loop each then.
    ```
    %h = onnx.Mul(%x, %half); %e = onnx.Add(onnx.Erf(onnx.Div(%x, %sqrt2)), %one)
    %y = onnx.Mul(%h, %e)   ->   %y = onnx.Gelu(%x)
    ```
  }];
}

def RecomposeAttention : Pass<"onnxc-recompose-attention", "::mlir::ModuleOp"> {
  let summary = "Find the attention that exporters took apart";
  let description = [{
    Two products with a softmax between them become one `onnx.FusedAttention`. In between
    scores may be multiplied or divided by a number, added to or replaced under a mask,
    and seen through a view that splits their first dim; the probabilities may be
    guarded against NaN. Numbers by which queries and keys are multiplied, and transposes
    of the operands, become part of the op.

    Nothing is fused where scores or probabilities have other users, are results, or where
    batch dims broadcast.
    ```
    %s = onnx.MatMul(%q, %kt); %m = onnx.Add(%s, %mask); %p = onnx.Softmax(%m)
    %y = onnx.MatMul(%p, %v)   ->   %y = onnx.FusedAttention(%q, %k, %v, %mask)
    ```
  }];
}

#endif // ONNXC_DIALECTS_ONNX_TRANSFORMS_PASSES_TD
