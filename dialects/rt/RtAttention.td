// Attention: an op that stays whole, its strategy, and what a target is asked about it.
#ifndef ONNXC_DIALECTS_RT_RTATTENTION_TD
#define ONNXC_DIALECTS_RT_RTATTENTION_TD

include "dialects/rt/RtAttributeBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def Rt_AttentionAttr : Rt_Strategy<"Attention", "attention"> {
  let summary = "An attention, block of queries by block of keys";
  let description = [{
    A block of queries is a panel of `nv` vectors: queries are lanes, so that maxima
    and sums of their scores need no reduction across lanes, and scores are the packed
    operand of the second product as they come. Both products use register tiles of
    `mr` keys (then elements of a value) x `nv` vectors. `keyBlock` keys are scored at
    once, in a buffer on the stack; with more of them, results so far are scaled
    whenever a maximum grows (online softmax). Further inputs are read along M by whole
    vectors. `workPerTask`: the multiply-adds that are worth a task.
  }];
  let parameters = (ins "int64_t":$mr, "int64_t":$nv, "int64_t":$lanes, "int64_t":$keyBlock,
                        "int64_t":$workPerTask);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Queries of a block.
    int64_t getNr() const { return getNv() * getLanes(); }
  }];
}

/// What a row of an attention gives whose softmax has no value.
def Rt_EmptyRows : I32EnumAttr<
    "EmptyRows", "The result of a row without a softmax", [
      // What the formula gives: a row of scores that are all -inf is NaN.
      I32EnumAttrCase<"Formula", 0, "formula">,
      // Zero where all scores are -inf, or there are none.
      I32EnumAttrCase<"Zero", 1, "zero">,
      // Zero wherever the softmax is NaN: also with a score that is NaN or +inf.
      I32EnumAttrCase<"ZeroForNaN", 2, "zero_for_nan">]> {
  let cppNamespace = "::onnxc::rt";
  let genSpecializedAttr = 0;
}
def Rt_EmptyRowsAttr : EnumAttr<Rt_Dialect, Rt_EmptyRows, "empty_rows">;

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

def Rt_AttentionOp : Rt_Op<"attention", [Pure, SingleBlock, DestinationStyleOpInterface]> {
  let summary = "softmax(region(scale * query x key^T)) x value";
  let description = [{
    An op that stays whole, in linalg's style. Its loops are batch..., M (queries), K1
    (elements of a query and of a key), K2 (keys) and N (elements of a value), and
    `indexing_maps` say how each operand is read:

    - query: batch loops, M and K1; key: batch loops, K2 and K1; value: batch loops, K2
      and N; init: all batch loops, M and N, in any order each. A batch loop that key and
      value lack is shared by the heads of a group (GQA, MQA).
    - `inputs` (masks, biases): any of the batch loops, M and K2; a constant 0 for a
      dim of size 1. Along M they may be longer, so that vectors of queries may be read.

    The region gets a score, multiplied by the scale, and the elements of `inputs` at
    its point, and yields the score that the softmax takes; `rt.index` is the number of
    a batch entry, query or key. It runs once or more for each score. Causal masks, soft
    caps and slopes are bodies of the region. The score's type is that of all sums.

    ```mlir
    %0 = rt.attention scale 1.250000e-01
           ins(%q, %k, %v, %mask : tensor<2x9x64xf32>, tensor<2x7x64xf32>, tensor<2x7x64xf32>,
               tensor<7xf32>)
           outs(%init : tensor<2x9x64xf32>) maps [...] {
         ^bb0(%score: f32, %bias: f32):
           %sum = arith.addf %score, %bias : f32
           rt.score %sum : f32
         } -> tensor<2x9x64xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$query, AnyRankedTensor:$key, AnyRankedTensor:$value,
                       Variadic<AnyRankedTensor>:$inputs, AnyRankedTensor:$init,
                       AffineMapArrayAttr:$indexing_maps, F64Attr:$scale,
                       DefaultValuedAttr<Rt_EmptyRowsAttr, "EmptyRows::Formula">:$empty_rows);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `scale` $scale `ins` `(` $query `,` $key `,` $value (`,` $inputs^)? `:` type($query) `,`
    type($key) `,` type($value) (`,` type($inputs)^)? `)` `outs` `(` $init `:` type($init) `)`
    `maps` $indexing_maps (`empty_rows` $empty_rows^)? $body attr-dict `->` type($result)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
    ::llvm::SmallVector<::mlir::AffineMap> getMaps() {
      return ::llvm::to_vector(getIndexingMaps().getAsValueRange<::mlir::AffineMapAttr>());
    }
    /// The numbers of the loops; those before M are batch loops.
    unsigned getNumLoops() { return getMaps().front().getNumDims(); }
    unsigned getNumBatchLoops() { return getNumLoops() - 4; }
    unsigned getM() { return getNumLoops() - 4; }
    unsigned getK1() { return getNumLoops() - 3; }
    unsigned getK2() { return getNumLoops() - 2; }
    unsigned getN() { return getNumLoops() - 1; }
    /// The type of scores and sums.
    ::mlir::Type getScoreType() { return getBody().front().getArgument(0).getType(); }
  }];
}

def Rt_IndexOp : Rt_Op<"index", [Pure, HasParent<"AttentionOp">]> {
  let summary = "The number of a score's batch entry, query or key";
  let description = "`dim` is the number of the loop of the `rt.attention` around it.";
  let arguments = (ins I64Attr:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$dim attr-dict";
  let hasVerifier = 1;
}

def Rt_ScoreOp : Rt_Op<"score", [Pure, Terminator, ReturnLike, HasParent<"AttentionOp">]> {
  let summary = "Ends the region of an attention with the score";
  let arguments = (ins AnyFloat:$score);
  let assemblyFormat = "$score attr-dict `:` type($score)";
}

#endif // ONNXC_DIALECTS_RT_RTATTENTION_TD
