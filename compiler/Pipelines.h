//===- Pipelines.h - The stages of the compiler ---------------------*- C++ -*-===//
//
// One builder for each stage of docs/architecture.md that is made of passes, in
// order. A stage ends with the passes that check its contract.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_COMPILER_PIPELINES_H
#define ONNXC_COMPILER_PIPELINES_H

#include "codegen/TargetInfo.h"
#include "lowering/consteval/EvaluateConstants.h"
#include "mlir/Pass/PassManager.h"

namespace onnxc {

/// After it the IR has ranked onnx ops that all have a lowering.
void buildSimplifyPipeline(mlir::OpPassManager &passes);

/// After it convolutions and what is between them are channels-last, and no
/// transposition is left that another one undoes.
void buildLayoutPipeline(mlir::OpPassManager &passes);

/// After it the IR has linalg, tensor, arith, math, scf and rt ops; no onnx op,
/// no dim symbol in a type.
void buildLinalgPipeline(mlir::OpPassManager &passes);

/// After it every compute op is in an rt.group with a strategy, and packing is a
/// group of its own.
void buildKernelsPipeline(mlir::OpPassManager &passes);

/// After it no group depends on constants alone.
void buildConstEvalPipeline(mlir::OpPassManager &passes, ConstantEvaluator evaluator);

/// After it every group is an rt.kernel; the main function has launches, calls,
/// control flow, views and index arithmetic only.
void buildOutlinePipeline(mlir::OpPassManager &passes);

/// After it kernels are task functions on raw pointers and native-width vectors.
void buildCodegenPipeline(mlir::OpPassManager &passes);

/// After it no tensor is left: the main function is a plan and a body.
void buildMemoryPipeline(mlir::OpPassManager &passes);

/// After it the IR has the llvm dialect alone, without calls of libm.
void buildToLLVMPipeline(mlir::OpPassManager &passes, const TargetInfo &target);

/// Registers every stage with mlir-opt, as --onnxc-<stage>-pipeline; those that
/// make machine code make it for `target`.
void registerPipelines(const TargetInfo &target);

} // namespace onnxc

#endif // ONNXC_COMPILER_PIPELINES_H
