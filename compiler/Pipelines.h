//===- Pipelines.h - The stages of the compiler -------------------*- C++
//-*-===//
#ifndef ONNXC_COMPILER_PIPELINES_H
#define ONNXC_COMPILER_PIPELINES_H

#include "codegen/TargetInfo.h"
#include "lowering/consteval/EvaluateConstants.h"
#include "mlir/Pass/PassManager.h"

namespace onnxc {

/// After it the IR has ranked onnx ops that all have a lowering.
void buildSimplifyPipeline(mlir::OpPassManager &passes);

/// After it the IR has linalg, tensor, arith, math, scf and rt ops; no onnx op,
/// no dim symbol in a type.
void buildLinalgPipeline(mlir::OpPassManager &passes);

/// After it every compute op is in an rt.kernel with a strategy; the main
/// function has launches, calls, control flow and index arithmetic only. With an
/// evaluator, what depends on constants alone has been computed.
void buildKernelsPipeline(mlir::OpPassManager &passes, ConstantEvaluator evaluator = nullptr);

/// After it kernels are task functions on raw pointers and native-width
/// vectors.
void buildCodegenPipeline(mlir::OpPassManager &passes);

/// After it the IR has the llvm dialect alone, without calls of libm.
void buildToLLVMPipeline(mlir::OpPassManager &passes, const TargetInfo &target);

/// Registers every stage with mlir-opt, as --onnxc-<stage>-pipeline.
void registerPipelines();

} // namespace onnxc

#endif // ONNXC_COMPILER_PIPELINES_H
