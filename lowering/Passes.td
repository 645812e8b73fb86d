// The passes from the onnx dialect down to the llvm dialect, alphabetical.
#ifndef ONNXC_LOWERING_PASSES_TD
#define ONNXC_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeAttention : Pass<"onnxc-decompose-attention", "::mlir::ModuleOp"> {
  let summary = "Take attentions apart that the target has no strategy for";
  let description = [{
    An `rt.attention` becomes two contractions, the region as an element-wise op and a
    softmax, in the score's type, where `chooseAttention` returns null: for a CPU that
    is one query, or a length that only the run knows. It stands before the fusion
    passes, which treat what it leaves like any other ops. Refuses nothing.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def EmitKernels : Pass<"onnxc-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Emit each rt.kernel as a task function and a task-count function";
  let description = [{
    Expects kernels that `onnxc-outline-kernels` made; a kernel's target emits it, as
    its strategy says. Each `rt.kernel @k` becomes `void @k.task(ptr slots, i64 task)` and
    `i64 @k.tasks(ptr slots)`: loops on raw pointers and native vectors that allocate
    nothing but short rows on the stack. Launches stay as they are.

    Refuses a kernel without a strategy, one whose body is not what its strategy is
    for (a `#rt.gemm` without a contraction), and one with sizes that neither its
    types nor its arguments tell.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect",
                           "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::func::FuncDialect"];
}

def FoldTrivial : Pass<"onnxc-fold-trivial", "::mlir::ModuleOp"> {
  let summary = "Fold tensor ops that compute nothing";
  let description = [{
    An op with a loop that is known to have no turn is replaced by its inits: a result
    without elements needs no kernel, a sum over nothing is where it starts from. A
    slice that is all of its tensor (the only turn of a loop, inlined) becomes an
    `rt.reshape`, whether read or written.

    Refuses nothing.
  }];
  let dependentDialects = ["::onnxc::rt::RtDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def FormKernels : Pass<"onnxc-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Group compute ops into rt.group ops, each with a strategy";
  let description = [{
    Expects linalg.generic, linalg.fill and rt.concat ops on tensors whose sizes are
    index values (`getTensorSizes`), anchors with the attribute `rt.strategy`. Leaves
    each of them in an `rt.group`: an anchor with one element-wise op behind it, ops
    that share their leading loops (the reductions and maps of a softmax), or an op
    alone. Fills and packed views are repeated inside the groups that read them. What
    depends on constants alone is never in a group with what does not.

    Refuses a result that is written into a tensor of unknown size.
  }];
  let dependentDialects = ["::onnxc::rt::RtDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : Pass<"onnxc-fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "Fuse element-wise producers into their consumers";
  let description = [{
    Generalises the named linalg ops first, but for fills. An element-wise op then
    moves into its consumer when that is its only one and reads each element once,
    or when it costs no more than a load (two cheap ops on one operand). Reductions
    take producers too; contractions and convolutions do not, as their operands are
    packed or read many times. Ops on constants alone stay apart from others, and
    nothing moves into another block. Refuses nothing.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::onnxc::rt::RtDialect"];
}

def LowerExits : Pass<"onnxc-lower-exits", "::mlir::func::FuncOp"> {
  let summary = "Turn rt.exit into a branch to a returning block";
  let description = [{
    Expects a function that returns one i32, with branches where scf was. Each
    `rt.exit` ends its block: a status other than 0 goes to the one block that
    returns it, 0 to what followed.

    Refuses an exit inside of another op's region, and one in a function that
    returns no status.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect"];
}

def LowerHost : Pass<"onnxc-lower-host", "::mlir::ModuleOp"> {
  let summary = "Turn the host function into onnxc_plan and onnxc_body";
  let description = [{
    Expects `@main` with launches, calls, views, control flow and index arithmetic
    on tensors, each with sizes that are constants or index values. Plans the
    workspace and replaces tensors by pointers; `rt.launch` ops then work on
    pointers, for `onnxc-lower-launches`. `@onnxc_plan` computes sizes from symbols,
    `@onnxc_body` runs the model. Afterwards the module's attributes `rt.weights`,
    `rt.weight_offsets` and `rt.weights_bytes` say what the weights are. When every
    size is known, `rt.workspace_bytes` is the workspace and `rt.live_bytes` the
    largest set of intermediates alive at once. A module without `@main` is left as
    it is.

    Refuses other ops in `@main`, tensors of unknown size, symbols that are used
    before they are bound, and rows written into a tensor that something else uses.
  }];
  let dependentDialects = ["::onnxc::rt::RtDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

def LowerLaunches : Pass<"onnxc-lower-launches", "::mlir::ModuleOp"> {
  let summary = "Turn rt.launch on pointers into calls of kernels on the host's threads";
  let description = [{
    Expects what `onnxc-lower-host` and `onnxc-emit-kernels` leave. A launch fills
    an array of slots, calls `@k.tasks` for the number of tasks, and hands `@k.task`
    to `onnxc_rt_launch` with the names that a profiler shows. Launches of a kernel
    that has not been emitted are an error.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect",
                           "::mlir::arith::ArithDialect"];
}

def LowerOnnxToLinalg : Pass<"onnxc-lower-onnx-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower onnx ops to linalg, tensor, arith, scf and rt";
  let description = [{
    Expects what `onnxc-verify-supported` accepts. Leaves no onnx op: types lose
    their symbolic encoding (and unsigned integers their sign), symbols become
    `rt.symbol` values, irregular ops `rt.call`. f16 and bf16 are computed in f32.

    Refuses ops without a lowering and forms of ops that need more at compile time
    than the model says, each with an error at the node.

    The locations of what an op becomes say that it comes from there (`getOrigin`).
    What it relies on is checked before its first computation.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::onnxc::rt::RtDialect"];
}

def OutlineKernels : Pass<"onnxc-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Outline rt.group ops into rt.kernel and rt.launch";
  let description = [{
    Expects what `onnxc-form-kernels` leaves. A group becomes a launch of a kernel
    that is isolated from above: its arguments are the tensors that it reads, then
    scalars and sizes, then the tensors that it writes. Constants and empty tensors
    are repeated inside; reshapes at its head say which sizes a tensor has. Groups
    with the same body and strategy share one kernel, named after the nodes of the
    first of them.

    Refuses a group that reads or writes a tensor of unknown size.
  }];
  let dependentDialects = ["::onnxc::rt::RtDialect"];
}

def SelectStrategies : Pass<"onnxc-select-strategies", "::mlir::ModuleOp"> {
  let summary = "Give contractions and convolutions a strategy and pack their operands";
  let description = [{
    Expects generics; looks at those whose body is a sum of products that starts
    from zero, without zero points. A contraction or convolution gets the attribute `rt.strategy`,
    chosen from its sizes and the module's target. Where the strategy reads panels,
    a generic that packs the operand is put in front, and the operand becomes an
    `rt.packed` view of it; constant evaluation runs it when the operand is a weight.

    What matches neither form, has sizes that a strategy must know at compile time,
    or depends on constants alone stays a plain loop nest. Refuses nothing.
  }];
  let dependentDialects = ["::onnxc::rt::RtDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def SplitZeroPoints : Pass<"onnxc-split-zero-points", "::mlir::ModuleOp"> {
  let summary = "Split zero points off products of quantised factors";
  let description = [{
    Expects generics whose body is out + (a - za) * (b - zb) on integers, in which each
    factor has all loops that are summed over, and a zero point none of them. Leaves
    the product of a and b, sums of a and b along the depth, and an element-wise op
    that adds what the zero points contribute: exact, as integers wrap around. What
    depends on constants alone is an op of its own, a zero point of 0 vanishes. Where
    the target has dot products of bytes of certain signs, the factor that is packed is
    moved by 128 if it has another one. Refuses nothing.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect", "::onnxc::rt::RtDialect"];
}

def FusePrologues : Pass<"onnxc-fuse-prologues", "::mlir::ModuleOp"> {
  let summary = "Compute dequantised weights in the products that read them";
  let description = [{
    Where constant evaluation would make a weight larger than `maxConstantGrowth` times
    what it is computed from, the product's body computes the factor; views that add or drop
    dims of 1 and transpositions in between are done to the stored elements:

    ```mlir
    %w = linalg.generic ... ins(%q, %scale : tensor<64x32xi8>, tensor<32xf32>)
    %0 = linalg.generic ... ins(%x, %w : tensor<8x64xf32>, tensor<64x32xf32>)
    ```
    becomes
    ```mlir
    %0 = linalg.generic ... ins(%x, %q, %scale : tensor<8x64xf32>, tensor<64x32xi8>, tensor<32xf32>) {
    ^bb0(%a: f32, %b: i8, %s: f32, %sum: f32):
      %1 = arith.sitofp %b : i8 to f32
      %2 = arith.mulf %1, %s : f32
      %3 = arith.mulf %a, %2 : f32
      %4 = arith.addf %sum, %3 : f32
      linalg.yield %4 : f32
    }
    ```
    A convolution takes only what stands still along taps and input channels.
  }];
}

def SinkReshapes : Pass<"onnxc-sink-reshapes", "::mlir::ModuleOp"> {
  let summary = "Move reshapes of contractions behind the element-wise ops that follow";
  let description = [{
    An element-wise op on a reshaped contraction is done in the contraction's shape,
    where `onnxc-form-kernels` can make it the epilogue; its other operands must have
    all dims (they are reshaped) or only dims that both shapes end with (a bias):

    ```mlir
    %1 = rt.reshape %product [] : tensor<6x20xf32> -> tensor<2x3x20xf32>
    %2 = linalg.generic ... ins(%1, %bias : tensor<2x3x20xf32>, tensor<20xf32>)
    ```
    becomes
    ```mlir
    %1 = linalg.generic ... ins(%product, %bias : tensor<6x20xf32>, tensor<20xf32>)
    %2 = rt.reshape %1 [] : tensor<6x20xf32> -> tensor<2x3x20xf32>
    ```
    Where the contraction or the reshape has another user, nothing changes. Refuses
    nothing.
  }];
  let dependentDialects = ["::onnxc::rt::RtDialect", "::mlir::tensor::TensorDialect"];
}

def SplitHost : Pass<"onnxc-split-host", "::mlir::ModuleOp"> {
  let summary = "Cut a long host function into pieces";
  let description = [{
    Expects what `onnxc-lower-launches` leaves. A private function that returns a status
    and is longer than `piece-size` ops becomes calls of functions of about that length:
    a backend's time grows faster than the length of a function. Values from in front of
    a piece are arguments, constants and addresses are made again, and what is used
    behind it goes through an array on the caller's stack.
  }];
  let options = [Option<"pieceSize", "piece-size", "int64_t", "4000",
                        "Ops of a piece, with the ops in them">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect",
                           "::mlir::arith::ArithDialect"];
}

def VerifyConstants : Pass<"onnxc-verify-constants", "::mlir::ModuleOp"> {
  let summary = "After const-eval: no group depends on constants alone";
  let description = [{
    Refuses those that do, except where a result is much larger than what it comes
    from: those are what `onnxc-evaluate-constants` leaves, for the module's target.
  }];
  let dependentDialects = ["::onnxc::rt::RtDialect"];
}

def VerifyGroups : Pass<"onnxc-verify-groups", "::mlir::ModuleOp"> {
  let summary = "After kernels: every compute op is in a group";
  let description = [{
    That groups have strategies and results is checked with the op. Refuses linalg
    ops and concatenations outside of groups, strategies on ops, and groups of another
    target than the module's: the host's for what depends on constants alone.
  }];
  let dependentDialects = ["::onnxc::rt::RtDialect"];
}

def VerifyHost : Pass<"onnxc-verify-host", "::mlir::ModuleOp"> {
  let summary = "After outline: host functions only launch, call and compute sizes";
  let description = [{
    Refuses, in functions, ops other than those of the func, scf, arith, math, tensor
    and rt dialects, and of the last one those that belong in kernels. Slices cut the leading
    dim only: they are views.
  }];
}

def VerifyKernelCode : Pass<"onnxc-verify-kernel-code", "::mlir::ModuleOp"> {
  let summary = "After codegen: kernels are functions on pointers, scalars and 1-D vectors";
  let description = [{
    Refuses `rt.kernel`, and tensors or other vectors in private functions. How wide
    vectors may be is checked at the end, by `onnxc-verify-llvm-ready`.
  }];
}

def VerifyLayout : Pass<"onnxc-verify-layout", "::mlir::ModuleOp"> {
  let summary = "After layout: convolutions on channels last, no transpose between them";
  let description = [{
    Refuses convolutions on channels first, image ops that read channels last through
    a transpose though they could work on them, and transposes of transposes.
  }];
}

def VerifyLinalg : Pass<"onnxc-verify-linalg", "::mlir::ModuleOp"> {
  let summary = "After linalg: no onnx op, no symbol in a type, checks come first";
  let description = [{
    Refuses onnx ops, tensors whose type carries dims as its encoding, and dynamic sizes
    of tensors that are no `rt.symbol`.

    What an onnx op relies on is checked before it reads: of what one op became, no
    check (`rt.check`, or an `rt.call` without results) stands behind a computation,
    unless it looks at something that is not known before.
  }];
  let dependentDialects = ["::onnxc::rt::RtDialect"];
}

def VerifyMemory : Pass<"onnxc-verify-memory", "::mlir::ModuleOp"> {
  let summary = "After memory: no tensor";
  let description = [{
    Refuses tensors, and rt ops other than `rt.exit`.
  }];
}

def VerifySupported : Pass<"onnxc-verify-supported", "::mlir::ModuleOp"> {
  let summary = "Report every onnx op that nothing lowers";
  let description = [{
    Expects onnx ops and changes nothing. What is lowered follows from the patterns
    of `onnxc-lower-onnx-to-linalg`: by op or by interface. One error for each node,
    all in one run.

    Refuses ops without a pattern, ops on other types than ranked tensors of bool
    or of 2-, 4- or 8- to 64-bit numbers, and functions with such inputs or outputs.
  }];
}

#endif // ONNXC_LOWERING_PASSES_TD
