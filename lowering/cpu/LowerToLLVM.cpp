//===- LowerToLLVM.cpp - The pipeline to the llvm dialect -----------------===//
#include "lowering/cpu/LowerToLLVM.h"
#include "lowering/Passes.h"
#include "lowering/cpu/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace onnxc::cpu {

#define GEN_PASS_DEF_LOWERTOLLVM
#include "lowering/cpu/Passes.h.inc"

namespace {

struct LowerToLLVM : impl::LowerToLLVMBase<LowerToLLVM> {
  using LowerToLLVMBase::LowerToLLVMBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter converter(context, options);

    RewritePatternSet patterns(context);
    SymbolTableCollection symbols;
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    vector::populateVectorBitCastLoweringPatterns(patterns);
    vector::populateVectorBroadcastLoweringPatterns(patterns);
    vector::populateVectorInterleaveToShufflePatterns(patterns);
    vector::populateVectorMaskMaterializationPatterns(patterns,
                                                      /*force32BitVectorIndices=*/false);

    // What stays is reported, all at once, by the verifier that follows.
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    // Nothing throws; without unwind tables armv7 needs no personality routine.
    getOperation()->walk([](LLVM::LLVMFuncOp function) { function.setNoUnwind(true); });
  }
};

} // namespace

void buildCpuToLLVMPipeline(OpPassManager &passes, const CpuLoweringOptions &options) {
  // Expansions compute small floats in f32, and take minima and remainders in it.
  passes.addPass(createExpandMath({options.hasFma, options.hasRounding}));
  passes.addPass(createLegalizeSmallFloats({options.hasF16Conversion}));
  passes.addPass(createLegalizeArith({options.hasNanMinMax}));
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  // Expansions make scf too; exits become branches where it was.
  passes.addPass(createSCFToControlFlowPass());
  passes.addNestedPass<func::FuncOp>(createLowerExits());
  passes.addPass(createLowerToLLVM());
  // Casts between index and i64 that met in the middle.
  passes.addPass(createReconcileUnrealizedCastsPass());
  passes.addPass(createVerifyLLVMReady({options.vectorBits}));
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  static constexpr CpuLoweringOptions plain{};
  Option<bool> hasFma{*this, "has-fma", llvm::cl::init(plain.hasFma)};
  Option<bool> hasRounding{*this, "has-rounding", llvm::cl::init(plain.hasRounding)};
  Option<bool> hasF16Conversion{*this, "has-f16-conversion",
                                llvm::cl::init(plain.hasF16Conversion)};
  Option<bool> hasNanMinMax{*this, "has-nan-min-max", llvm::cl::init(plain.hasNanMinMax)};
  Option<unsigned> vectorBits{*this, "vector-bits", llvm::cl::init(plain.vectorBits)};
};
} // namespace

void registerCpuToLLVMPipeline() {
  PassPipelineRegistration<PipelineOptions>(
      "onnxc-cpu-to-llvm", "from kernels and host functions to the llvm dialect",
      [](OpPassManager &passes, const PipelineOptions &options) {
        buildCpuToLLVMPipeline(passes,
                               {options.hasFma, options.hasRounding, options.hasF16Conversion,
                                options.hasNanMinMax, options.vectorBits});
      });
}

} // namespace onnxc::cpu
