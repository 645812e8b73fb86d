//===- Passes.td - From kernels to the llvm dialect --------*- tablegen -*-===//
#ifndef ONNXC_LOWERING_CPU_PASSES
#define ONNXC_LOWERING_CPU_PASSES

include "mlir/Pass/PassBase.td"

def ExpandMath : Pass<"onnxc-expand-math", "mlir::ModuleOp"> {
  let summary = "Expands functions of the math dialect into arithmetic";
  let description = [{
    After this pass the math dialect has only ops that are one instruction or a
    short inline sequence on the target: no op becomes a call of libm. Functions
    on f32 become vector code of at most two units in the last place of error
    (exp, log, tanh, erf, pow, sin, cos and their like); f16 and bf16 are
    computed in f32. Functions on f64 and a few rare cases become one call of
    `onnxc_rt_<name>_f64` per lane.

    ```mlir
    %1 = math.rsqrt %0 : f32
    ```
    becomes
    ```mlir
    %2 = math.sqrt %0 : f32
    %1 = arith.divf %one, %2 : f32
    ```
  }];
  let options = [
    Option<"hasFma", "has-fma", "bool", "false",
           "a fused multiply-add is one instruction">,
    Option<"hasRounding", "has-rounding", "bool", "false",
           "floor, ceil, trunc and roundeven are one instruction each">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def LowerToLLVM : Pass<"onnxc-lower-to-llvm", "mlir::ModuleOp"> {
  let summary = "Converts func, cf, arith, math, index and 1-D vector ops to the llvm dialect";
  let description = [{
    Index is 64 bits wide. Every function becomes nounwind. Ops without a
    conversion stay; `onnxc-verify-llvm-ready` reports them.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::vector::VectorDialect"];
}

def VerifyLLVMReady : Pass<"onnxc-verify-llvm-ready", "mlir::ModuleOp"> {
  let summary = "Checks what code generation relies on";
  let description = [{
    Reports, all at once: ops of other dialects than llvm; intrinsics that
    become library calls; calls of functions that neither the module nor the
    runtime has; integers over 64 bits; vectors whose number of elements is no
    power of two or that are many registers wide (LLVM then spills).
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512",
           "the width of the widest vector registers">,
  ];
}

#endif // ONNXC_LOWERING_CPU_PASSES
