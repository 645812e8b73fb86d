//===- KernelJit.cpp - compile emitted kernels and call them --------------===//
#include "test/support/KernelJit.h"
#include "codegen/Target.h"
#include "compiler/LoweringTarget.h"
#include "lowering/cpu/CpuTarget.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace onnxc::test {

std::vector<std::string> getRunnableTargets() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> targets;
  if (features.lookup("avx512f") && features.lookup("avx512vl"))
    targets.push_back("avx512");
  if (features.lookup("avx2") && features.lookup("fma"))
    targets.push_back("avx2");
  if (targets.empty())
    targets.push_back(features.lookup("neon") ? "neon" : "sse");
  return targets;
}

TargetInfo getTarget(const std::string &name) {
  if (name == "neon")
    return llvm::cantFail(resolveTarget("aarch64-linux-gnu", "neoverse-n1", ""));
  StringRef cpu = name == "avx512" ? "x86-64-v4" : name == "avx2" ? "x86-64-v3" : "x86-64";
  return llvm::cantFail(resolveTarget("x86_64-linux-gnu", cpu, ""));
}

rt::CpuAttr getKernelTarget(const TargetInfo &target) {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    cpu::registerCpuTarget(registry);
    return new MLIRContext(registry);
  }();
  return cast<rt::CpuAttr>(onnxc::getKernelTarget(context, target));
}

static OwningOpRef<ModuleOp> buildModule(MLIRContext &context, const std::vector<bool> &isPointer,
                                         const Kernel::EmitCount &emitCount,
                                         const Kernel::EmitTask &emitTask) {
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  Type pointer = LLVM::LLVMPointerType::get(&context);
  Type i64 = builder.getI64Type();
  auto makeFunction = [&](StringRef name, ArrayRef<Type> inputs, ArrayRef<Type> results) {
    builder.setInsertionPointToEnd(module->getBody());
    auto function =
        func::FuncOp::create(builder, loc, name, builder.getFunctionType(inputs, results));
    builder.setInsertionPointToStart(function.addEntryBlock());
    return function;
  };
  auto loadSlots = [&](Value slots) {
    SmallVector<Value> values;
    for (auto [i, isPointer] : llvm::enumerate(isPointer)) {
      Value place = LLVM::GEPOp::create(builder, loc, pointer, i64, slots,
                                        ArrayRef<LLVM::GEPArg>{int32_t(i)});
      Type type = isPointer ? pointer : i64;
      Value value = LLVM::LoadOp::create(builder, loc, type, place);
      if (!isPointer)
        value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
      values.push_back(value);
    }
    return values;
  };
  auto task = makeFunction("k", {pointer, i64}, {});
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), task.getArgument(1));
  emitTask(builder, loc, loadSlots(task.getArgument(0)), number);
  func::ReturnOp::create(builder, loc);

  auto tasks = makeFunction("k.tasks", {pointer}, {i64});
  OpFoldResult count = emitCount(builder, loc, loadSlots(tasks.getArgument(0)));
  Value result;
  if (auto constant = dyn_cast<Attribute>(count))
    result = arith::ConstantIntOp::create(builder, loc, cast<IntegerAttr>(constant).getInt(), 64);
  else
    result = arith::IndexCastOp::create(builder, loc, i64, cast<Value>(count));
  func::ReturnOp::create(builder, loc, result);
  return module;
}

static LogicalResult lowerToLLVM(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  return passes.run(module);
}

static std::unique_ptr<llvm::TargetMachine> createMachine(const TargetInfo &target) {
  std::string error;
  llvm::Triple triple(target.triple);
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  llvm::TargetOptions options;
  return std::unique_ptr<llvm::TargetMachine>(
      found->createTargetMachine(triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
                                 std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PassBuilder passes(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graphs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graphs, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

static std::string toAssembly(const llvm::Module &module, llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
  passes.run(*copy);
  return text.str().str();
}

Kernel::Kernel(const TargetInfo &target, const std::vector<bool> &isPointer, EmitCount emitCount,
               EmitTask emitTask) {
  static bool initialized = [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    return true;
  }();
  (void)initialized;
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllToLLVMIRTranslations(registry);
    auto *created = new MLIRContext(registry);
    created->loadAllAvailableDialects();
    return created;
  }();
  OwningOpRef<ModuleOp> module = buildModule(*context, isPointer, emitCount, emitTask);
  if (failed(module->verify()) || failed(lowerToLLVM(*module))) {
    message = "the emitted kernel cannot be lowered";
    return;
  }
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(*module, *llvmContext);
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  code->setDataLayout(machine->createDataLayout());
  code->setTargetTriple(machine->getTargetTriple());
  for (llvm::Function &function : *code) {
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("target-features", target.features);
    // As LowerToLLVM marks kernels: explicit vectors are kept whole.
    function.addFnAttr("prefer-vector-width", std::to_string(target.vectorBits));
  }
  optimize(*code, *machine);
  text = toAssembly(*code, *machine);

  llvm::Triple hostTriple(llvm::sys::getDefaultTargetTriple());
  if (machine->getTargetTriple().getArch() != hostTriple.getArch())
    return;
  llvm::orc::JITTargetMachineBuilder host(machine->getTargetTriple());
  host.setCPU(target.cpu);
  host.setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  auto created = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(host).create();
  if (!created) {
    message = llvm::toString(created.takeError());
    return;
  }
  jit = std::move(*created);
  llvm::orc::ThreadSafeModule shared(std::move(code), std::move(llvmContext));
  if (llvm::Error failure = jit->addIRModule(std::move(shared))) {
    message = llvm::toString(std::move(failure));
    return;
  }
  auto taskAddress = jit->lookup("k");
  auto countAddress = jit->lookup("k.tasks");
  if (!taskAddress || !countAddress) {
    message = llvm::toString(llvm::joinErrors(taskAddress.takeError(), countAddress.takeError()));
    return;
  }
  task = taskAddress->toPtr<void (*)(const Slot *, int64_t)>();
  tasks = countAddress->toPtr<int64_t (*)(const Slot *)>();
}

Kernel::~Kernel() = default;

int64_t Kernel::countTasks(const std::vector<Slot> &slots) const { return tasks(slots.data()); }

void Kernel::run(const std::vector<Slot> &slots) const {
  int64_t count = countTasks(slots);
  for (int64_t i = 0; i < count; ++i)
    task(slots.data(), i);
}

/// Counts one line of a block.
static void countInstruction(llvm::StringRef line, InnerLoop &block) {
  auto [mnemonic, operands] = line.trim().split('\t');
  bool vector = line.contains("%zmm") || line.contains("%ymm") || line.contains("%xmm") ||
                operands.starts_with("q") || operands.starts_with("v");
  if (!vector)
    return;
  bool stack = line.contains("(%rsp)") || line.contains("[sp");
  bool move = mnemonic.starts_with("vmova") || mnemonic == "mov";
  block.multiplyAdds += mnemonic.starts_with("vfmadd") || mnemonic.starts_with("fmla");
  block.spills += stack;
  block.moves += move && !line.contains("(") && !line.contains("[");
}

std::vector<InnerLoop> findInnerLoops(const std::string &assembly) {
  // A label, straight code, a jump back to the label.
  std::vector<InnerLoop> loops;
  InnerLoop block;
  llvm::StringRef label;
  for (llvm::StringRef line : llvm::split(assembly, '\n')) {
    if (line.starts_with(".L")) {
      label = line.split(':').first;
      block = InnerLoop();
      continue;
    }
    countInstruction(line, block);
    auto [mnemonic, operand] = line.trim().split('\t');
    bool jump =
        mnemonic.starts_with("j") || mnemonic.starts_with("b.") || mnemonic.starts_with("cbnz");
    if (jump && !label.empty() && operand.trim().ends_with(label))
      loops.push_back(block);
  }
  return loops;
}

} // namespace onnxc::test
