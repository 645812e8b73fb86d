//===- Object.cpp - Machine code -------------------------------------------===//
#include "codegen/Object.h"
#include "codegen/Target.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Pass.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace llvm;

namespace onnxc {

namespace {
/// Collects a backend's errors, which would otherwise end the process.
struct ErrorCollector : DiagnosticHandler {
  explicit ErrorCollector(std::string &text) : text(text) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }
  std::string &text;
};

/// Stands behind the backend's passes, which run function by function.
struct FunctionCounter : FunctionPass {
  static char ID;
  explicit FunctionCounter(std::function<void()> onFunction)
      : FunctionPass(ID), onFunction(std::move(onFunction)) {}
  bool runOnFunction(Function &) override {
    onFunction();
    return false;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.setPreservesAll(); }
  std::function<void()> onFunction;
};
char FunctionCounter::ID = 0;
} // namespace

/// An object file or assembly text of an optimised module. `onFunction` is called after
/// each function.
static Expected<Bytes> generateCode(Module &module, const TargetInfo &target, CodeGenFileType type,
                                    std::function<void()> onFunction = nullptr) {
  std::unique_ptr<TargetMachine> machine = createTargetMachine(target);
  std::string errors;
  module.getContext().setDiagnosticHandler(std::make_unique<ErrorCollector>(errors));
  Bytes result;
  raw_svector_ostream stream(result);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
    return createStringError("target '%s' cannot emit this kind of file", target.triple.c_str());
  if (onFunction)
    passes.add(new FunctionCounter(std::move(onFunction)));
  passes.run(module);
  if (!errors.empty())
    return createStringError("code generation failed: %s", errors.c_str());
  return std::move(result);
}

/// Below this many instructions a part is not worth a thread.
static constexpr unsigned instructionsPerPart = 4000;

static unsigned chooseParts(const Module &module, unsigned threads) {
  unsigned size = module.getInstructionCount();
  return std::clamp(size / instructionsPerPart, 1u, std::max(threads, 1u));
}

Expected<std::vector<Bytes>> compileObjects(IRModule whole, const TargetInfo &target,
                                            ArrayRef<std::string> publicNames,
                                            const PhaseProgress &progress) {
  ThreadPoolStrategy strategy = hardware_concurrency();
  unsigned count = chooseParts(*whole.module, strategy.compute_thread_count());
  Expected<std::vector<IRModule>> parts = splitModule(std::move(whole), count, publicNames);
  if (!parts)
    return parts.takeError();
  std::vector<Bytes> objects(parts->size());
  Error errors = Error::success();
  std::mutex errorsMutex;
  size_t total = 0;
  for (const IRModule &part : *parts)
    total += count_if(*part.module, [](const Function &f) { return !f.isDeclaration(); });
  size_t done = 0;
  std::mutex progressMutex;
  std::function<void()> onFunction;
  if (progress) {
    progress(compilePhase, 0, total);
    onFunction = [&] {
      std::lock_guard<std::mutex> lock(progressMutex);
      // Optimisation may leave fewer or, by splitting, more of them.
      total = std::max(total, ++done);
      progress(compilePhase, done, total);
    };
  }
  auto compile = [&](size_t i) {
    Module &part = *(*parts)[i].module;
    Error bad = optimize(part, target);
    if (!bad) {
      Expected<Bytes> object = generateCode(part, target, CodeGenFileType::ObjectFile, onFunction);
      if (object)
        objects[i] = std::move(*object);
      else
        bad = object.takeError();
    }
    std::lock_guard<std::mutex> lock(errorsMutex);
    errors = joinErrors(std::move(errors), std::move(bad));
  };
  if (parts->size() == 1) {
    compile(0);
  } else {
    DefaultThreadPool pool(strategy);
    for (size_t i = 0; i < parts->size(); ++i)
      pool.async(compile, i);
    pool.wait();
  }
  if (errors)
    return std::move(errors);
  return std::move(objects);
}

Expected<Bytes> compileToText(IRModule whole, const TargetInfo &target,
                              ArrayRef<std::string> publicNames, bool asAssembly) {
  internalize(*whole.module, publicNames);
  if (Error bad = optimize(*whole.module, target))
    return std::move(bad);
  if (asAssembly)
    return generateCode(*whole.module, target, CodeGenFileType::AssemblyFile);
  Bytes text;
  raw_svector_ostream stream(text);
  whole.module->print(stream, nullptr);
  return std::move(text);
}

} // namespace onnxc
