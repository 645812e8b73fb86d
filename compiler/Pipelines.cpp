//===- Pipelines.cpp - The stages of the compiler
//--------------------------===//
#include "compiler/Pipelines.h"
#include "compiler/LoweringTarget.h"
#include "dialects/onnx/transforms/Passes.h"
#include "lowering/Passes.h"
#include "lowering/cpu/LowerToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace onnxc {

void buildSimplifyPipeline(OpPassManager &passes) {
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createRecompose());
  passes.addPass(createDecompose());
  passes.addPass(createCSEPass());
  passes.addPass(createFoldBatchNorm());
  passes.addPass(createChannelsLast());
  // Transposes that met others, or that move nothing, go.
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createVerifySupported());
}

void buildLinalgPipeline(OpPassManager &passes) {
  passes.addPass(createLowerOnnxToLinalg());
  // Lowerings read the same sizes and constants many times.
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

void buildKernelsPipeline(OpPassManager &passes, ConstantEvaluator evaluator) {
  passes.addPass(createFuseElementwise());
  passes.addPass(createSinkReshapes());
  passes.addPass(createCSEPass());
  passes.addPass(createSelectStrategies());
  passes.addPass(createFormKernels());
  if (evaluator)
    passes.addPass(createEvaluateConstants(std::move(evaluator)));
  passes.addPass(createOutlineKernels());
}

void buildCodegenPipeline(OpPassManager &passes) {
  passes.addPass(createEmitKernels());
  passes.addPass(createLowerHost());
  passes.addPass(createLowerLaunches());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

void buildToLLVMPipeline(OpPassManager &passes, const TargetInfo &target) {
  passes.addPass(createSCFToControlFlowPass());
  passes.addNestedPass<func::FuncOp>(createLowerExits());
  cpu::buildCpuToLLVMPipeline(passes, getCpuLoweringOptions(target));
}

void registerPipelines() {
  PassPipelineRegistration<>("onnxc-simplify-pipeline",
                             "Simplify the onnx graph", buildSimplifyPipeline);
  PassPipelineRegistration<>("onnxc-linalg-pipeline",
                             "Lower the onnx graph to linalg",
                             buildLinalgPipeline);
  PassPipelineRegistration<>("onnxc-kernels-pipeline",
                             "Form kernels and outline them",
                             [](OpPassManager &passes) { buildKernelsPipeline(passes); });
  PassPipelineRegistration<>("onnxc-codegen-pipeline",
                             "Emit the code of kernels", buildCodegenPipeline);
}

} // namespace onnxc
