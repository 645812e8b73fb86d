//===- Pipelines.cpp - The stages of the compiler --------------------------===//
#include "compiler/Pipelines.h"
#include "compiler/EvaluateModule.h"
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
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createVerifySupported());
}

void buildLayoutPipeline(OpPassManager &passes) {
  passes.addPass(createChannelsLast());
  // Transposes that met others, or that move nothing, go.
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createVerifyLayout());
}

void buildLinalgPipeline(OpPassManager &passes) {
  passes.addPass(createLowerOnnxToLinalg());
  // Lowerings read the same sizes and constants many times.
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createVerifyLinalg());
}

void buildKernelsPipeline(OpPassManager &passes) {
  passes.addPass(createFoldTrivial());
  passes.addPass(createFuseElementwise());
  passes.addPass(createSinkReshapes());
  passes.addPass(createCSEPass());
  passes.addPass(createSelectStrategies());
  passes.addPass(createFormKernels());
  passes.addPass(createVerifyGroups());
}

void buildConstEvalPipeline(OpPassManager &passes, ConstantEvaluator evaluator) {
  passes.addPass(createEvaluateConstants(std::move(evaluator)));
  passes.addPass(createVerifyConstants());
}

void buildOutlinePipeline(OpPassManager &passes) {
  passes.addPass(createOutlineKernels());
  passes.addPass(createVerifyHost());
}

void buildCodegenPipeline(OpPassManager &passes) {
  passes.addPass(createEmitKernels());
  passes.addPass(createVerifyKernelCode());
}

void buildMemoryPipeline(OpPassManager &passes) {
  passes.addPass(createLowerHost());
  passes.addPass(createLowerLaunches());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createVerifyMemory());
}

void buildToLLVMPipeline(OpPassManager &passes, const TargetInfo &target) {
  passes.addPass(createSCFToControlFlowPass());
  passes.addNestedPass<func::FuncOp>(createLowerExits());
  cpu::buildCpuToLLVMPipeline(passes, getCpuLoweringOptions(target));
}

void registerPipelines(const TargetInfo &target) {
  using Build = std::function<void(OpPassManager &)>;
  const std::tuple<StringRef, StringRef, Build> stages[] = {
      {"simplify", "Decompose, recompose and fold onnx ops", buildSimplifyPipeline},
      {"layout", "Make convolutions channels-last", buildLayoutPipeline},
      {"linalg", "Lower onnx ops to linalg", buildLinalgPipeline},
      {"kernels", "Group compute ops into kernels", buildKernelsPipeline},
      {"const-eval", "Compute what depends on constants alone",
       [target](OpPassManager &passes) {
         buildConstEvalPipeline(passes, makeConstantEvaluator(target));
       }},
      {"outline", "Turn groups into kernels and launches", buildOutlinePipeline},
      {"codegen", "Emit the code of kernels", buildCodegenPipeline},
      {"memory", "Turn tensors into memory", buildMemoryPipeline},
      {"to-llvm", "Lower everything to the llvm dialect",
       [target](OpPassManager &passes) { buildToLLVMPipeline(passes, target); }},
  };
  for (const auto &[name, summary, build] : stages)
    PassPipelineRegistration<>(("onnxc-" + name + "-pipeline").str(), summary, build);
}

} // namespace onnxc
