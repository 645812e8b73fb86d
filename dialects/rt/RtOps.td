// Operations of the rt dialect.
#ifndef ONNXC_DIALECTS_RT_RTOPS_TD
#define ONNXC_DIALECTS_RT_RTOPS_TD

include "dialects/rt/RtAttributes.td"
include "dialects/rt/RtBase.td"
include "dialects/rt/RtInterfaces.td"

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

def Rt_SymbolOp : Rt_Op<"symbol", [Pure]> {
  let summary = "The value of a dim symbol";
  let description = [{
    An input's symbol, or one that an `rt.bind` in a dominating place gives its
    value. `%n = rt.symbol "n"`.
  }];
  let arguments = (ins StrAttr:$symbol);
  let results = (outs Index:$value);
  let assemblyFormat = "$symbol attr-dict";
}

def Rt_BindOp : Rt_Op<"bind"> {
  let summary = "Gives a symbol its value from here on";
  let description = [{
    For sizes that are known only at run time: `rt.bind "?nonzero0", %count`. Each
    symbol is bound once; `rt.symbol` uses must be dominated by it.
  }];
  let arguments = (ins StrAttr:$symbol, Index:$value);
  let assemblyFormat = "$symbol `,` $value attr-dict";
}

def Rt_CheckOp : Rt_Op<"check", [AttrSizedOperandSegments]> {
  let summary = "Ends the call with a status and a message when the condition is false";
  let description = [{
    `message` names the ONNX node; `found` and `expected`, when given, are put
    into the message by the runtime.
  }];
  let arguments = (ins I1:$condition, StrAttr:$message, Optional<Index>:$found,
                       Optional<Index>:$expected,
                       DefaultValuedAttr<Rt_StatusAttr, "Status::ShapeMismatch">:$status);
  let assemblyFormat = [{
    $condition `,` $message (`found` $found^)? (`expected` $expected^)?
    (`status` $status^)? attr-dict
  }];
}

def Rt_ExitOp : Rt_Op<"exit"> {
  let summary = "Returns the status from the enclosing function when it is not 0";
  let description = [{
    Stands anywhere in nested control flow until that has become branches; then
    `onnxc-lower-exits` makes it one.
  }];
  let arguments = (ins I32:$status);
  let assemblyFormat = "$status attr-dict";
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

def Rt_ReshapeOp : Rt_Op<"reshape", [Pure]> {
  let summary = "Another shape of the same elements: a free view";
  let description = [{
    Tensors are dense and row-major, so any reshape is a view. `sizes` holds the
    dynamic dims of the result. A reshape of a reshape folds to one.
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$sizes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `[` $sizes `]` attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Rt_PackedOp : Rt_Op<"packed", [Pure]> {
  let summary = "A matrix or filter whose elements stand in packed panels";
  let description = [{
    `source` is [leading..., ceil(N / nr), depth..., nr], with zeros behind the last
    column; with a `step` above 1 [leading..., ceil(N / nr), depth..., ceil(K / step), nr,
    step], where the last of the depth, K, may be several dims of the result as one, and
    zeros stand behind its end. The result is the logical tensor. Only emitters that
    read panels may use it: it is never unpacked.
  }];
  let arguments = (ins AnyRankedTensor:$source, I64Attr:$nr,
                       DefaultValuedAttr<I64Attr, "1">:$step);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `nr` $nr (`step` $step^)? attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Rt_ConcatOp : Rt_Op<"concat", [Pure]> {
  let summary = "Concatenation along one axis, written into `init`";
  let arguments = (ins I64Attr:$axis, Variadic<AnyRankedTensor>:$inputs, AnyRankedTensor:$init);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    `axis` $axis `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $init `:` type($init) `)` attr-dict
    `->` type($result)
  }];
  let hasVerifier = 1;
}

def Rt_AppendOp : Rt_Op<"append", [Pure, AllTypesMatch<["dest", "result"]>]> {
  let summary = "A tensor with one more row behind its first `index` rows";
  let description = [{
    `dest` is carried by a loop that nothing bounds, and used nowhere else; `row`
    has its dims without the first. The memory grows in place, by doubling, so
    that n rows cost O(n).

    ```mlir
    %1 = rt.append %row to %rows[%i] : tensor<3xf32> to tensor<?x3xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$row, AnyRankedTensor:$dest, Index:$index);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $row `to` $dest `[` $index `]` attr-dict `:` type($row) `to` type($dest)
  }];
  let hasVerifier = 1;
}

def Rt_CallOp : Rt_Op<"call", [AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let summary = "Calls a C function of the runtime on tensors";
  let description = [{
    `callee` is a function `i32 callee(ptr context, ptr inputs, i64 n, ptr outputs,
    i64 n, ptr attributes)` of the runtime. The first outputs are written into
    `inits`, one each; outputs beyond those are allocated by the function through
    the context's hook, and all their dims come back as `dims`, in order.
    The attribute array holds `parameters`, then `dynamicParameters`. A status
    other than ok ends the call; `message` names the node.
  }];
  let arguments = (ins StrAttr:$callee, StrAttr:$message,
                       Variadic<AnyRankedTensor>:$inputs, Variadic<AnyRankedTensor>:$inits,
                       DenseI64ArrayAttr:$parameters, Variadic<Index>:$dynamicParameters);
  let results = (outs Variadic<AnyRankedTensor>:$outputs, Variadic<Index>:$dims);
  let assemblyFormat = [{
    $callee `message` $message `ins` `(` $inputs (`:` type($inputs)^)? `)` `outs` `(` $inits (`:` type($inits)^)? `)`
    `parameters` $parameters `[` $dynamicParameters `]` attr-dict
    (`->` `(` type($outputs)^ `)`)? (`dims` `(` type($dims)^ `)`)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def Rt_GroupOp : Rt_Op<"group", [SingleBlockImplicitTerminator<"YieldOp">,
                                 RecursiveMemoryEffects]> {
  let summary = "Ops that one kernel computes";
  let description = [{
    Holds an anchor with its prologue and epilogue, on tensors. `inits` (made by
    `tensor.empty`) are what the results are written into; the block has one
    argument for each. `target` is the device that runs the kernel: the
    host where constants are evaluated, for what depends on constants alone, else
    what the model is compiled for. `strategy`, which it chose, says how it emits the
    kernel. Values from outside are captured freely.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inits, Rt_StrategyAttr:$strategy,
                       Rt_TargetAttr:$target);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasRegionVerifier = 1;
}

def Rt_YieldOp : Rt_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["GroupOp", "KernelOp"]>]> {
  let summary = "Ends a group or a kernel with its results";
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{ }]>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Rt_KernelOp : Rt_Op<"kernel", [IsolatedFromAbove, Symbol, SingleBlock]> {
  let summary = "An outlined group";
  let description = [{
    The block's arguments are the launch's inputs, then its inits. `node` names the
    ONNX nodes it computes, for profiles and messages.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Rt_StrategyAttr:$strategy, Rt_TargetAttr:$target,
                       StrAttr:$node);
  let regions = (region SizedRegion<1>:$body);
  let hasRegionVerifier = 1;
}

def Rt_LaunchOp : Rt_Op<"launch", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "Runs a kernel";
  let description = [{
    `inputs` are tensors and index values in the order of the kernel's block
    arguments, `inits` what the results are written into. Once tensors have
    become memory (`onnxc-lower-host`) they are pointers, there are no results,
    and `callContext` is the call's.

    ```mlir
    %1 = rt.launch @k ins(%0, %n : tensor<?xf32>, index) outs(%init : tensor<?xf32>) -> tensor<?xf32>
    rt.launch @k ins(%p, %n : !llvm.ptr, index) outs(%q : !llvm.ptr) context %c : !llvm.ptr
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyType>:$inputs,
                       Variadic<AnyType>:$inits, Optional<AnyType>:$callContext);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::FlatSymbolRefAttr":$kernel,
                                 "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$inits), [{
    build($_builder, $_state, results, kernel, inputs, inits, /*callContext=*/::mlir::Value());
  }]>];
  let assemblyFormat = [{
    $kernel `ins` `(` $inputs (`:` type($inputs)^)? `)` `outs` `(` $inits (`:` type($inits)^)? `)`
    (`context` $callContext^ `:` type($callContext))? attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
}

#endif // ONNXC_DIALECTS_RT_RTOPS_TD
