//===- LLVMIR.cpp - Translation and optimisation ---------------------------===//
#include "codegen/LLVMIR.h"
#include "codegen/RuntimeFiles.h"
#include "codegen/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace onnxc {

static Error verify(const Module &module, const char *when) {
  std::string text;
  raw_string_ostream stream(text);
  if (verifyModule(module, &stream))
    return createStringError("invalid LLVM IR %s: %s", when, text.c_str());
  return Error::success();
}

/// What `splitModule` goes by: a kernel is a function that is handed to the
/// runtime, a helper is one that is only called.
static void markRoles(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.getName() == "onnxc_plan" ||
        function.getName() == "onnxc_body")
      continue;
    function.addFnAttr("onnxc-role", function.hasAddressTaken() ? "kernel" : "helper");
  }
}

Expected<IRModule> translateToLLVM(mlir::ModuleOp module, const TargetInfo &target) {
  mlir::DialectRegistry registry;
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);

  IRModule result;
  result.context = std::make_unique<LLVMContext>();
  result.module = mlir::translateModuleToLLVMIR(module, *result.context, "model");
  if (!result.module)
    return createStringError("the module cannot be translated to LLVM IR");
  result.module->setTargetTriple(Triple(target.triple));
  result.module->setDataLayout(getDataLayoutString(target));
  for (const GlobalVariable &global : result.module->globals())
    if (!global.isConstant() && !global.isDeclaration())
      return createStringError("mutable global '%s' in a model, expected none",
                               global.getName().str().c_str());
  if (Error bad = verify(*result.module, "after translation"))
    return std::move(bad);
  markRoles(*result.module);
  return std::move(result);
}

Error linkRuntime(Module &module, const TargetInfo &target) {
  Expected<std::unique_ptr<Module>> runtime =
      getLazyBitcodeModule(getRuntimeFiles(target).bitcode, module.getContext());
  if (!runtime)
    return runtime.takeError();
  // The rows differ from the user's triple in vendor and environment only.
  (*runtime)->setTargetTriple(module.getTargetTriple());
  (*runtime)->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(*runtime), Linker::LinkOnlyNeeded))
    return createStringError("the runtime cannot be linked into the model");
  return Error::success();
}

/// `fmuladd` leaves the rounding to the backend. Here it is decided, so that
/// constant evaluation and run time agree.
static void resolveMulAdd(Function &function, bool hasFma) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != Intrinsic::fmuladd)
      continue;
    IRBuilder<> builder(call);
    builder.setFastMathFlags(call->getFastMathFlags());
    Value *a = call->getArgOperand(0), *b = call->getArgOperand(1), *c = call->getArgOperand(2);
    Value *value = hasFma ? builder.CreateIntrinsic(Intrinsic::fma, {call->getType()}, {a, b, c})
                          : builder.CreateFAdd(builder.CreateFMul(a, b), c);
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

void setTargetAttributes(Module &module, const TargetInfo &target) {
  for (Function &function : module) {
    if (function.isIntrinsic())
      continue;
    function.setDoesNotThrow();
    if (function.isDeclaration())
      continue;
    // Differing strings, and "no-builtins" on one side only, block inlining.
    for (const char *name : {"no-builtins", "tune-cpu", "min-legal-vector-width",
                             "stack-protector-buffer-size", "no-trapping-math"})
      function.removeFnAttr(name);
    function.removeFnAttr(Attribute::UWTable);
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("target-features", target.features);
    resolveMulAdd(function, target.has(CpuFact::fma));
  }
}

void internalize(Module &module, ArrayRef<std::string> publicNames) {
  internalizeModule(
      module, [&](const GlobalValue &value) { return is_contained(publicNames, value.getName()); });
}

/// What the optimiser may introduce calls of: only what runtime/helpers has.
static TargetLibraryInfoImpl getLibrary(const Triple &triple) {
  TargetLibraryInfoImpl library(triple);
  library.disableAllFunctions();
  for (LibFunc function :
       {LibFunc_memcpy, LibFunc_memmove, LibFunc_memset, LibFunc_memcmp, LibFunc_bcmp})
    library.setAvailable(function);
  return library;
}

Error optimize(Module &module, const TargetInfo &target) {
  std::unique_ptr<TargetMachine> machine = createTargetMachine(target);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  PassBuilder builder(machine.get(), tuning);
  TargetLibraryInfoImpl library = getLibrary(module.getTargetTriple());
  functions.registerPass([&] { return TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass());
  passes.addPass(builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
  passes.run(module, modules);
  return verify(module, "after optimisation");
}

} // namespace onnxc
