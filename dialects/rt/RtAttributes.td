// What the kernels stage decides: how a group is emitted, and for which target.
// A decision is made once, written into the IR, and obeyed by the emitters.
#ifndef ONNXC_DIALECTS_RT_RTATTRIBUTES_TD
#define ONNXC_DIALECTS_RT_RTATTRIBUTES_TD

include "dialects/rt/RtAttributeBase.td"

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

def Rt_CpuAttr : Rt_Attr<"Cpu", "cpu"> {
  let summary = "A core of a CPU: what decisions about kernels depend on";
  let description = [{
    A target (`Rt_TargetAttr`); `lowering/cpu/` attaches what it decides. The defaults are
    those of a plain one. `vectorBits` and `vectorRegisters`: the vectors that kernels
    use. `l1Bytes`: the first-level data cache of a core. `facts`: what else holds, of
    `target/cpu_facts.def`.

    ```mlir
    #rt.cpu<vectorBits = 256, facts = [fma, memoryOperands]>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"unsigned", "128">:$vectorBits,
                        DefaultValuedParameter<"unsigned", "16">:$vectorRegisters,
                        DefaultValuedParameter<"int64_t", "32 * 1024">:$l1Bytes,
                        OptionalParameter<"::onnxc::CpuFacts">:$facts);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// One with the defaults alone.
    static CpuAttr getPlain(::mlir::MLIRContext *context);
    bool has(CpuFact fact) const { return getFacts().has(fact); }
    /// Lanes of a full vector of elements with this many bits; at least one.
    unsigned lanes(unsigned elementBits) const {
      return std::max(1u, getVectorBits() / elementBits);
    }
  }];
}

//===----------------------------------------------------------------------===//
// Strategies
//===----------------------------------------------------------------------===//

def Rt_NestAttr : Rt_Attr<"Nest", "nest"> {
  let summary = "How the loops of one op are walked";
  let description = [{
    `loops` has for each loop of the op the number of the loop of the nest that it
    is part of: 0 is the outermost one, and neighbours with the same number are
    walked as one. Along `vector`, a loop of the nest, `lanes` points are computed
    at once.
  }];
  let parameters = (ins OptionalArrayRefParameter<"unsigned">:$loops,
                        OptionalParameter<"std::optional<unsigned>">:$vector, "unsigned":$lanes);
  let assemblyFormat = [{
    `<` (`loops` `=` `[` $loops^ `]` `,` ` `)? (`vector` `=` $vector^ `,` ` `)? `lanes` `=` $lanes `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// How many loops the nest has.
    unsigned getNumLoops() const;
  }];
}

def Rt_LoopsAttr : Rt_Strategy<"Loops", "loops"> {
  let summary = "Vectorised loop nests, one for each op of the kernel";
  let description = [{
    The nests share their first `rows` loops; what the ops pass on along a row stays
    in registers or on the stack. A task is some rows or, with `splitVector`, a part
    of the vectorised loop of the only nest: enough for `elementsPerTask` elements.
  }];
  let parameters = (ins "unsigned":$rows, "bool":$splitVector, "int64_t":$elementsPerTask,
                        ArrayRefParameter<"NestAttr">:$nests);
  let assemblyFormat = [{
    `<` struct($rows, $splitVector, $elementsPerTask) `,` `nests` `=` `[` $nests `]` `>`
  }];
  let genVerifyDecl = 1;
}

def Rt_ConcatAttr : Rt_Strategy<"Concat", "concat"> {
  let summary = "Copies of whole pieces into the parts of one result";
  let description = "A task copies some `bytesPerTask` bytes.";
  let parameters = (ins "int64_t":$bytesPerTask);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

/// What the caller gets from a check that fails: statuses of onnxc_runtime.h, by
/// their numbers there.
def Rt_Status : I32EnumAttr<"Status", "Why a call ends", [
    I32EnumAttrCase<"ShapeMismatch", 3, "shape_mismatch">,
    I32EnumAttrCase<"OutOfRange", 6, "out_of_range">,
    I32EnumAttrCase<"InvalidValue", 7, "invalid_value">]> {
  let cppNamespace = "::onnxc::rt";
  let genSpecializedAttr = 0;
}
def Rt_StatusAttr : EnumAttr<Rt_Dialect, Rt_Status, "status">;

def Rt_PanelSource : I32EnumAttr<
    "PanelSource", "Where a contraction finds its right operand B", [
      // Packed before the kernel: [batch..., ceil(N / nr), K, nr], zeros behind
      // column N.
      I32EnumAttrCase<"Packed", 0, "packed">,
      // Rows of B are contiguous and read where they stand, a vector that is cut off
      // by the end of N under a mask.
      I32EnumAttrCase<"InPlace", 1, "in_place">,
      // Packed by each task into a buffer on the stack.
      I32EnumAttrCase<"PerTask", 2, "per_task">,
      // Columns of B and rows of A are contiguous; each row of A visits all
      // columns.
      I32EnumAttrCase<"Columns", 3, "columns">,
      // Full panels as for InPlace. Each task packs the one that is cut off: for
      // targets without masks.
      I32EnumAttrCase<"FullInPlace", 4, "full_in_place">]> {
  let cppNamespace = "::onnxc::rt";
  let genSpecializedAttr = 0;
}

def Rt_Product : I32EnumAttr<
    "Product", "What one instruction adds to each accumulator", [
      // A product; factors are widened to the type of the sum. One step of the depth.
      I32EnumAttrCase<"MultiplyAdd", 0, "multiply_add">,
      // Two products of bytes of any sign, which are widened to 16 bits.
      I32EnumAttrCase<"PairDots", 1, "pair_dots">,
      // Four products of unsigned bytes and signed ones.
      I32EnumAttrCase<"MixedDots", 2, "mixed_dots">,
      // Four products of bytes of the same sign.
      I32EnumAttrCase<"AlikeDots", 3, "alike_dots">]> {
  let cppNamespace = "::onnxc::rt";
  let genSpecializedAttr = 0;
}
def Rt_ProductParameter : EnumParameter<Rt_Product> {
  let defaultValue = "::onnxc::rt::Product::MultiplyAdd";
}

def Rt_GemmAttr : Rt_Strategy<"Gemm", "gemm", ["getPanelLayout"]> {
  let summary = "C[M, N] = A[M, K] x B[K, N] by register tiles";
  let description = [{
    - `mr`, `nv`, `lanes`: rows of the register tile, vectors in a row of it, lanes
      of a vector of accumulators.
    - `kc`: depth of a block of K; accumulators rest in a scratch buffer between two
      blocks. Zero: K is not blocked. It decides the order of additions.
    - `tilesPerTask`, `workPerTask`: row tiles of a task when K or N are large, and
      the multiply-adds that are worth a task of their own. Neither changes a result.
    - `readRows`: a panel of B costs a task at least as much as products with this
      many rows, as it has to come from memory.
    - `packRows`: each task copies its rows of A, a depth block at a time, so that
      they lie close together: for an A that is contiguous along M.
    - `product`: what one instruction takes of K. With several steps at once, panels
      and packed rows hold them next to each other.
    - `chains`: sums that are in flight at least: tiles with fewer accumulators sum
      several steps in a row apart, and add them up at the end.
  }];
  let parameters = (ins "int64_t":$mr, "int64_t":$nv, "int64_t":$lanes, "int64_t":$kc,
                        "int64_t":$tilesPerTask, "int64_t":$workPerTask,
                        "int64_t":$readRows, EnumParameter<Rt_PanelSource>:$panels,
                        "bool":$packRows, Rt_ProductParameter:$product,
                        DefaultValuedParameter<"int64_t", "1">:$chains);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Columns of a panel.
    int64_t getNr() const { return getNv() * getLanes(); }
  }];
}

def Rt_ConvAttr : Rt_Strategy<"Conv", "conv", ["getPanelLayout"]> {
  let summary = "A convolution of a padded channels-last input by register tiles";
  let description = [{
    A tile is `tileRows` x `tileColumns` output pixels of the last two spatial
    dimensions times `nv` vectors of channels. Weights are packed
    [groups, ceil(OC / nr), taps..., IC, nr]. Taps along the last dimension and the
    channels lie in one piece in the input with `joinTaps` and are walked as one depth.
    `product` takes one or several steps of the depth, see `#rt.gemm`.
  }];
  let parameters = (ins "int64_t":$tileRows, "int64_t":$tileColumns, "int64_t":$nv,
                        "int64_t":$lanes, "int64_t":$workPerTask,
                        DefaultValuedParameter<"bool", "false">:$joinTaps,
                        Rt_ProductParameter:$product);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Output channels of a panel.
    int64_t getNr() const { return getNv() * getLanes(); }
  }];
}

def Rt_DepthwiseAttr : Rt_Strategy<"Depthwise", "depthwise"> {
  let summary = "A depthwise convolution of a padded channels-last input";
  let description = [{
    A tile is `tileRows` x `tileColumns` output pixels times a vector of channels.
    Weights are [taps..., C]. With `loopOverTapRows` the rows of taps are a loop
    instead of straight code. `channelBlock` channels pass over a part of the image
    together, so that the rows they read stay in the first-level cache; zero: all
    of them.
  }];
  let parameters = (ins "int64_t":$tileRows, "int64_t":$tileColumns, "int64_t":$lanes,
                        "bool":$loopOverTapRows, "int64_t":$channelBlock,
                        "int64_t":$workPerTask);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // ONNXC_DIALECTS_RT_RTATTRIBUTES_TD
