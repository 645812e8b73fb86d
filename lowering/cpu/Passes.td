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

def LegalizeArith : Pass<"onnxc-legalize-arith", "mlir::ModuleOp"> {
  let summary = "Makes arithmetic safe and cheap on every target";
  let description = [{
    Integer division by zero, and of the smallest number by minus one, does not
    trap. Conversions of floats that do not fit give some integer instead of
    undefined behaviour. Remainders of floats become exact arithmetic or
    `onnxc_rt_fmod_f64`. Minima and maxima become compare and select: one
    instruction when an operand is a constant, three otherwise; the sign of a
    zero is that of either operand.

    ```mlir
    %1 = arith.maximumf %0, %zero : vector<8xf32>
    ```
    becomes
    ```mlir
    %c = arith.cmpf ogt, %zero, %0 : vector<8xf32>
    %1 = arith.select %c, %zero, %0 : vector<8xi1>, vector<8xf32>
    ```
  }];
  let options = [
    Option<"hasNanMinMax", "has-nan-min-max", "bool", "false",
           "minimum and maximum with NaN are one instruction each">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect",
                           "mlir::LLVM::LLVMDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::vector::VectorDialect"];
}

def LegalizeSmallFloats : Pass<"onnxc-legalize-small-floats", "mlir::ModuleOp"> {
  let summary = "Replaces arithmetic on small floats by f32 and integer arithmetic";
  let description = [{
    Floats of sixteen bits and less are only moved, bit-cast and selected
    afterwards. Conversions from and to f16, bf16 and the kinds of f8 and f4
    become integer arithmetic on vectors, except f16 where the target converts
    it. They round to nearest even, and only once, also from f64. A
    number too large becomes infinity, else NaN, else the largest number,
    whichever the format has first.

    ```mlir
    %1 = arith.extf %0 : bf16 to f32
    ```
    becomes
    ```mlir
    %2 = arith.bitcast %0 : bf16 to i16
    %3 = arith.extui %2 : i16 to i32
    %4 = arith.shli %3, %c16 : i32
    %1 = arith.bitcast %4 : i32 to f32
    ```
  }];
  let options = [
    Option<"hasF16Conversion", "has-f16-conversion", "bool", "false",
           "conversions between f16 and f32 are instructions">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect"];
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
    Option<"vectorBits", "vector-bits", "unsigned", "128",
           "the width of the widest vector registers">,
  ];
}

#endif // ONNXC_LOWERING_CPU_PASSES
