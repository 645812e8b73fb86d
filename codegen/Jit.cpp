//===- Jit.cpp - Compile a module and call it in this process --------------===//
#include "codegen/Jit.h"
#include "codegen/LLVMIR.h"
#include "codegen/Object.h"
#include "codegen/RuntimeFiles.h"
#include "codegen/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace llvm;

namespace onnxc {

namespace {
class OrcModule : public JitModule {
public:
  explicit OrcModule(std::unique_ptr<orc::LLJIT> linker) : jit(std::move(linker)) {
    // The session reports the cause and lookup only that there was one.
    jit->getExecutionSession().setErrorReporter(
        [this](Error error) { causes += toString(std::move(error)); });
  }
  Expected<void *> lookup(StringRef name) override {
    Expected<orc::ExecutorAddr> address = jit->lookup(name);
    if (address)
      return address->toPtr<void *>();
    return createStringError("cannot link '%s': %s: %s", name.str().c_str(),
                             toString(address.takeError()).c_str(), causes.c_str());
  }

private:
  std::string causes;
  std::unique_ptr<orc::LLJIT> jit;
};
} // namespace

Expected<TargetInfo> getEvaluationTarget(const TargetInfo &target) {
  Expected<TargetInfo> host = resolveTarget("", "native", "");
  if (!host)
    return host;
  // A host without the instructions computes `llvm.fma` in software, and masks by
  // branches.
  for (CpuFact fact : {CpuFact::fma, CpuFact::maskedVectors})
    host->facts.set(fact, target.has(fact));
  // Vectors decide the order of additions, masks that of a tail: those of the target,
  // so that a model is the same wherever it was compiled. Wider vectors are split.
  host->vectorBits = target.vectorBits;
  return host;
}

/// A JIT that sees the runtime and nothing of this process: a call that a model
/// would leave undefined is an error here too.
static Expected<std::unique_ptr<orc::LLJIT>> makeJit(const RuntimeFiles &runtime) {
  Expected<std::unique_ptr<orc::LLJIT>> jit = orc::LLJITBuilder()
                                                  .setLinkProcessSymbolsByDefault(false)
                                                  .setPlatformSetUp(orc::setUpInactivePlatform)
                                                  .create();
  if (!jit)
    return jit;
  Expected<std::unique_ptr<orc::StaticLibraryDefinitionGenerator>> archive =
      orc::StaticLibraryDefinitionGenerator::Create(
          (*jit)->getObjLinkingLayer(),
          MemoryBuffer::getMemBuffer(runtime.archive, /*RequiresNullTerminator=*/false));
  if (!archive)
    return archive.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*archive));
  return jit;
}

/// Constants are read from where they lie in a mapped file, at any byte.
static void allowUnalignedLoads(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        load->setAlignment(Align(1));
      else if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
               call && call->getIntrinsicID() == Intrinsic::masked_load)
        call->removeParamAttr(0, Attribute::Alignment);
    }
}

static std::vector<std::string> externalFunctions(const Module &module) {
  std::vector<std::string> names;
  for (const Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      names.push_back(function.getName().str());
  return names;
}

Expected<std::unique_ptr<JitModule>> compileInProcess(mlir::ModuleOp module, const TargetInfo &host,
                                                      bool anyAddress) {
  Expected<IRModule> whole = translateToLLVM(module, host);
  if (!whole)
    return whole.takeError();
  if (anyAddress)
    allowUnalignedLoads(*whole->module);
  std::vector<std::string> publicNames = externalFunctions(*whole->module);
  if (Error bad = linkRuntime(*whole->module, host))
    return std::move(bad);
  setTargetAttributes(*whole->module, host);
  Expected<std::vector<Bytes>> objects = compileObjects(std::move(*whole), host, publicNames);
  if (!objects)
    return objects.takeError();
  Expected<std::unique_ptr<orc::LLJIT>> jit = makeJit(getRuntimeFiles(host));
  if (!jit)
    return jit.takeError();
  for (Bytes &object : *objects) {
    auto buffer = std::make_unique<SmallVectorMemoryBuffer>(std::move(object), "kernels",
                                                            /*RequiresNullTerminator=*/false);
    if (Error bad = (*jit)->addObjectFile(std::move(buffer)))
      return std::move(bad);
  }
  return std::make_unique<OrcModule>(std::move(*jit));
}

Expected<std::string> compileToAssembly(mlir::ModuleOp module, const TargetInfo &target) {
  Expected<IRModule> whole = translateToLLVM(module, target);
  if (!whole)
    return whole.takeError();
  std::vector<std::string> publicNames = externalFunctions(*whole->module);
  if (Error bad = linkRuntime(*whole->module, target))
    return std::move(bad);
  setTargetAttributes(*whole->module, target);
  Expected<Bytes> text = compileToText(std::move(*whole), target, publicNames, /*asAssembly=*/true);
  if (!text)
    return text.takeError();
  return std::string(text->begin(), text->end());
}

} // namespace onnxc
