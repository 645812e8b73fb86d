// If, Loop and their terminator. Scan is imported as a Loop.
#ifndef ONNXC_DIALECTS_ONNX_ONNXCONTROLFLOWOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXCONTROLFLOWOPS_TD

include "dialects/onnx/OnnxBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

/// An op with subgraphs as regions, which use values from around them freely.
class Onnx_ControlFlowOp<string mnemonic, list<Trait> traits = []>
    : Onnx_Op<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<InferTypeOpInterface>, RecursiveMemoryEffects,
           DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)> {
  let results = (outs Variadic<Onnx_Value>:$outputs);
  let hasCanonicalizer = 1;
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::onnxc::onnx::getSymbolEffects(*this, effects);
    }
  }];
}

def Onnx_IfOp : Onnx_ControlFlowOp<"If", [NoRegionArguments]>,
    Onnx_Limits<"both branches give tensors of the same ranks, or the condition must hold">,
    Onnx_Since<[1, 11, 13, 16, 19, 21, 23, 24, 25]> {
  let summary = "One of two subgraphs";
  let description = [{
    A result dim in which the branches differ is a fresh symbol.
  }];
  let arguments = (ins Onnx_BoolTensor:$cond);
  let regions = (region SizedRegion<1>:$then_branch, SizedRegion<1>:$else_branch);
  let assemblyFormat = [{
    `(` $cond `)` $then_branch `else` $else_branch attr-dict `:` functional-type($cond, $outputs)
  }];
}

def Onnx_LoopOp : Onnx_ControlFlowOp<"Loop", [AttrSizedOperandSegments]>,
    Onnx_Limits<"carried values are tensors, each of one rank">,
    Onnx_Since<[1, 11, 13, 16, 19, 21, 23, 24, 25]> {
  let summary = "A subgraph that is run a number of times, or while a condition holds";
  let description = [{
    The body takes the iteration number, the condition and the carried values; it
    yields the condition, the carried values and one row per scan output. A dim of a
    carried value that changes is a fresh symbol of the block's argument, bound anew
    in each iteration. `M` and `cond` are there or not as in ONNX.
  }];
  let arguments = (ins Optional<Onnx_I64Tensor>:$M, Optional<Onnx_BoolTensor>:$cond,
                       Variadic<Onnx_Value>:$v_initial);
  let regions = (region SizedRegion<1>:$body);
  let moreClassDeclaration = [{
    /// Whether the condition is true from the start and stays so.
    bool isCounted();
    unsigned getNumCarried() { return getVInitial().size(); }
    /// The carried values' arguments of the body.
    ::mlir::ValueRange getCarriedArgs();
    ::mlir::ValueRange getYieldedCarried();
    ::mlir::ValueRange getYieldedRows();
    ::mlir::Value getYieldedCond();
  }];
  let assemblyFormat = [{
    `(` operands `)` $body attr-dict `:` functional-type(operands, $outputs)
  }];
}

def Onnx_YieldOp : Op<Onnx_Dialect, "Yield", [Pure, Terminator, ReturnLike,
                                              ParentOneOf<["IfOp", "LoopOp"]>]> {
  let summary = "Ends a subgraph with its outputs";
  let arguments = (ins Variadic<Onnx_Value>:$values);
  let assemblyFormat = "`(` $values `)` attr-dict (`:` `(` type($values)^ `)`)?";
}

def Onnx_RequireOp : Op<Onnx_Dialect, "Require"> {
  let summary = "Ends the call with an error when the condition is false";
  let description = [{
    Stands where the importer took one branch of an `If` whose branches give tensors
    of different ranks: types are ranked here. Not an ONNX operator.
  }];
  let arguments = (ins Onnx_BoolTensor:$cond, StrAttr:$message);
  let assemblyFormat = "`(` $cond `)` $message attr-dict `:` type($cond)";
}

#endif // ONNXC_DIALECTS_ONNX_ONNXCONTROLFLOWOPS_TD
