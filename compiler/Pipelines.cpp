//===- Pipelines.cpp - The stages of the compiler --------------------------===//
#include "compiler/Pipelines.h"
#include "compiler/EvaluateModule.h"
#include "compiler/LoweringTarget.h"
#include "dialects/onnx/transforms/Passes.h"
#include "lowering/Passes.h"
#include "lowering/cpu/LowerToLLVM.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace onnxc {
namespace {

/// After it the IR has ranked onnx ops that all have a lowering.
void buildSimplify(OpPassManager &passes) {
  // The import only folds: here Ifs and Loops that are decided go, and reshapes and
  // transposes in a row, so that exporters' chains are seen as a whole.
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createRecompose());
  passes.addPass(createRecomposeAttention());
  passes.addPass(createDecompose());
  // Decompositions repeat constants, and whole chains where a model has the op twice
  // (one activation, quantised for each product).
  passes.addPass(createCSEPass());
  passes.addPass(createFoldBatchNorm());
  // Scales and offsets in weights leave reshapes of constants.
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createVerifySupported());
}

/// After it convolutions and what is between them are channels-last, and no
/// transposition is left that another one undoes.
void buildLayout(OpPassManager &passes) {
  passes.addPass(createChannelsLast());
  // Transposes that met others, or that move nothing, go; none is done twice.
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createVerifyLayout());
}

/// After it the IR has linalg, tensor, arith, math, scf and rt ops; no onnx op,
/// no dim symbol in a type.
void buildLinalg(OpPassManager &passes) {
  passes.addPass(createLowerOnnxToLinalg());
  // Lowerings read the same sizes and constants many times.
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createVerifyLinalg());
}

/// After it every compute op is in an rt.group with a strategy, and packing is a
/// group of its own.
void buildKernels(OpPassManager &passes) {
  passes.addPass(createFoldTrivial());
  // What zero points contribute is element-wise, to be fused with what follows.
  passes.addPass(createSplitZeroPoints());
  passes.addPass(createDecomposeAttention());
  passes.addPass(createFuseElementwise());
  passes.addPass(createSinkReshapes());
  passes.addPass(createFusePrologues());
  passes.addPass(createSelectStrategies());
  // Fusion copies what several operands of an op share (x in x * clip(x + 3)) into its
  // body once for each; a weight of several products is packed for each.
  passes.addPass(createCSEPass());
  passes.addPass(createFormKernels());
  passes.addPass(createVerifyGroups());
}

/// After it no group depends on constants alone.
void buildConstEval(OpPassManager &passes, const ConstantEvaluator &evaluator) {
  passes.addPass(createEvaluateConstants(evaluator));
  passes.addPass(createVerifyConstants());
}

/// After it every group is an rt.kernel; the main function has launches, calls,
/// control flow, views and index arithmetic only.
void buildOutline(OpPassManager &passes) {
  passes.addPass(createOutlineKernels());
  passes.addPass(createVerifyHost());
}

/// After it kernels are task functions on raw pointers and native-width vectors.
void buildCodegen(OpPassManager &passes) {
  passes.addPass(createEmitKernels());
  passes.addPass(createVerifyKernelCode());
}

/// After it no tensor is left: the main function is a plan and a body.
void buildMemory(OpPassManager &passes) {
  passes.addPass(createLowerHost());
  passes.addPass(createLowerLaunches());
  // Each op's lowering computes sizes and addresses for itself.
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createSplitHost());
  passes.addPass(createVerifyMemory());
}

/// After it the IR has the llvm dialect alone, without calls of libm.
void buildToLLVM(OpPassManager &passes, const TargetInfo &target) {
  cpu::buildCpuToLLVMPipeline(passes, getCpuLoweringOptions(target));
}

constexpr StringLiteral constEval = "const-eval";

} // namespace

std::vector<Stage> getStages(const TargetInfo &target, ConstantEvaluator evaluator) {
  auto evaluate = [evaluator](OpPassManager &passes) { buildConstEval(passes, evaluator); };
  auto toLLVM = [target](OpPassManager &passes) { buildToLLVM(passes, target); };
  return {
      {"simplify", "Recompose, decompose and fold onnx ops", buildSimplify, {}, true},
      {"layout", "Make convolutions channels-last", buildLayout, Emit::onnx, true},
      {"linalg", "Lower onnx ops to linalg", buildLinalg, Emit::linalg, true},
      {"kernels", "Group compute ops into kernels", buildKernels, {}},
      {constEval, "Compute what depends on constants alone", evaluate, {}, true},
      {"outline", "Turn groups into kernels and launches", buildOutline, Emit::kernels},
      {"codegen", "Emit the code of kernels", buildCodegen, {}},
      {"memory", "Turn tensors into memory", buildMemory, {}},
      {"to-llvm", "Lower everything to the llvm dialect", toLLVM, {}},
  };
}

void buildFromOutline(OpPassManager &passes, const TargetInfo &target) {
  std::vector<Stage> stages = getStages(target, nullptr);
  auto before = llvm::find_if(stages, [](const Stage &stage) { return stage.name == constEval; });
  for (const Stage &stage : llvm::make_range(std::next(before), stages.end()))
    stage.build(passes);
}

void registerPipelines(const TargetInfo &target) {
  for (const Stage &stage : getStages(target, makeConstantEvaluator(target)))
    PassPipelineRegistration<>(("onnxc-" + stage.name + "-pipeline").str(), stage.summary,
                               stage.build);
}

} // namespace onnxc
