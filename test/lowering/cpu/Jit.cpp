//===- Jit.cpp - Compiles MLIR text and runs it in this process -----------===//
#include "Jit.h"
#include "RuntimeSymbols.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/Passes.h"
#include "lowering/cpu/CpuTarget.h"
#include "lowering/cpu/LowerToLLVM.h"
#include "lowering/cpu/Passes.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;

namespace onnxc::test {

static void initializeOnce() {
  static bool isDone = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    registerCanonicalizer();
    registerCSE();
    registerEmitKernels();
    cpu::registerOnnxcCpuPasses();
    cpu::registerCpuToLLVMPipeline();
    return true;
  }();
  (void)isDone;
}

Jit::Jit(const std::string &source, const std::string &pipeline) {
  initializeOnce();
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<rt::RtDialect>();
  cpu::registerCpuTarget(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context = std::make_unique<MLIRContext>(registry);
  ScopedDiagnosticHandler handler(
      context.get(), [&](Diagnostic &diagnostic) { error += diagnostic.str() + "\n"; });

  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, context.get());
  PassManager passes(context.get());
  llvm::raw_string_ostream errorStream(error);
  if (!module || failed(parsePassPipeline(pipeline, passes, errorStream)) ||
      failed(passes.run(*module)))
    return;

  auto machineBuilder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machineBuilder) {
    error = llvm::toString(machineBuilder.takeError());
    return;
  }
  auto machine = machineBuilder->createTargetMachine();
  if (!machine) {
    error = llvm::toString(machine.takeError());
    return;
  }
  ExecutionEngineOptions options;
  auto transformer = makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0, machine->get());
  options.transformer = transformer;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Default;
  auto created = ExecutionEngine::create(*module, options, std::move(*machine));
  if (!created) {
    error = llvm::toString(created.takeError());
    return;
  }
  engine = std::move(*created);
  engine->registerSymbols([](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap symbols;
    for (auto [name, address] : getRuntimeSymbols())
      symbols[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                               llvm::JITSymbolFlags::Exported};
    return symbols;
  });
}

bool Jit::hostHas(llvm::StringRef feature) {
  return llvm::sys::getHostCPUFeatures().lookup(feature);
}

} // namespace onnxc::test
