//===- Split.cpp - Several modules from one, to be compiled in parallel ----===//
//
// The kernels of a model (the functions whose address the host function hands to
// the runtime) do not call each other, so that nothing is lost when they are
// optimised apart. A part is made from the bitcode of the whole: a lazy reader
// never parses the bodies that a part does not keep.
//
//===----------------------------------------------------------------------===//
#include "codegen/LLVMIR.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace onnxc {

/// Which part each function goes to, and which symbols other parts refer to. A
/// function that is in no part is copied to all that use it.
struct Partition {
  StringMap<unsigned> part;
  StringSet<> shared;
};

/// All symbols that a function's body refers to, through constants too.
static void collectReferences(const Function &function,
                              SmallPtrSetImpl<const GlobalValue *> &found) {
  SmallVector<const Constant *> worklist;
  SmallPtrSet<const Constant *, 16> seen;
  for (const Instruction &instruction : instructions(function))
    for (const Value *operand : instruction.operands())
      if (auto *constant = dyn_cast<Constant>(operand))
        worklist.push_back(constant);
  while (!worklist.empty()) {
    const Constant *constant = worklist.pop_back_val();
    if (!seen.insert(constant).second)
      continue;
    if (auto *global = dyn_cast<GlobalValue>(constant))
      found.insert(global);
    if (isa<Function>(constant))
      continue;
    for (const Value *operand : constant->operands())
      if (auto *inner = dyn_cast<Constant>(operand))
        worklist.push_back(inner);
  }
}

static bool isKernel(const Function &function) {
  return function.getFnAttribute("onnxc-role").getValueAsString() == "kernel";
}

/// Helpers and the runtime's functions are wanted inline and have no state: they
/// are copied.
static bool isCopied(const Function &function, ArrayRef<std::string> publicNames) {
  return !isKernel(function) && !is_contained(publicNames, function.getName());
}

/// Largest kernel first, each to the part with the least work so far. The model's
/// host function and its entry points stay in part 0.
static Partition planPartition(const Module &module, unsigned count,
                               ArrayRef<std::string> publicNames) {
  Partition result;
  std::vector<uint64_t> load(count, 0);
  SmallVector<std::pair<uint64_t, const Function *>> kernels;
  for (const Function &function : module) {
    if (function.isDeclaration() || isCopied(function, publicNames))
      continue;
    if (function.hasFnAttribute("onnxc-role")) {
      kernels.push_back({function.getInstructionCount(), &function});
      continue;
    }
    result.part[function.getName()] = 0;
    load[0] += function.getInstructionCount();
  }
  llvm::sort(kernels, [](const auto &a, const auto &b) {
    return std::make_pair(b.first, a.second->getName()) <
           std::make_pair(a.first, b.second->getName());
  });
  for (auto &[size, function] : kernels) {
    unsigned best = llvm::min_element(load) - load.begin();
    result.part[function->getName()] = best;
    load[best] += size;
  }
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    auto own = result.part.find(function.getName());
    SmallPtrSet<const GlobalValue *, 16> references;
    collectReferences(function, references);
    for (const GlobalValue *global : references)
      if (auto it = result.part.find(global->getName());
          it != result.part.end() && (own == result.part.end() || it->second != own->second))
        result.shared.insert(global->getName());
  }
  return result;
}

/// Reads the functions of one part and leaves the rest as declarations.
static Expected<IRModule> readPart(MemoryBufferRef bitcode, unsigned part,
                                   const Partition &partition, ArrayRef<std::string> publicNames) {
  IRModule result;
  result.context = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> module = getLazyBitcodeModule(bitcode, *result.context);
  if (!module)
    return module.takeError();
  result.module = std::move(*module);
  for (Function &function : *result.module) {
    auto it = partition.part.find(function.getName());
    if (it != partition.part.end() && it->second != part)
      function.deleteBody();
  }
  if (Error bad = result.module->materializeAll())
    return std::move(bad);
  // Variables: the private constants are copied to where they are used, the
  // public ones are defined in part 0.
  if (part != 0) {
    for (GlobalAlias &alias : make_early_inc_range(result.module->aliases()))
      alias.eraseFromParent(); // the descriptor's, which only the linker uses
    for (GlobalVariable &global : result.module->globals())
      if (!global.hasLocalLinkage() && !global.isDeclaration())
        global.setInitializer(nullptr);
  }
  std::vector<std::string> keep(publicNames.begin(), publicNames.end());
  for (const auto &entry : partition.shared)
    keep.push_back(entry.getKey().str());
  internalize(*result.module, keep);
  return std::move(result);
}

Expected<std::vector<IRModule>> splitModule(IRModule whole, unsigned count,
                                            ArrayRef<std::string> publicNames) {
  std::vector<IRModule> parts;
  if (count <= 1) {
    internalize(*whole.module, publicNames);
    parts.push_back(std::move(whole));
    return std::move(parts);
  }
  for (Function &function : *whole.module) {
    if (function.isDeclaration())
      continue;
    function.setLinkage(GlobalValue::ExternalLinkage);
    if (!is_contained(publicNames, function.getName()))
      function.setVisibility(GlobalValue::HiddenVisibility);
  }
  Partition plan = planPartition(*whole.module, count, publicNames);
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  WriteBitcodeToFile(*whole.module, stream);
  whole.module.reset();
  MemoryBufferRef bitcode(StringRef(buffer.data(), buffer.size()), "model");
  for (unsigned part = 0; part < count; ++part) {
    Expected<IRModule> module = readPart(bitcode, part, plan, publicNames);
    if (!module)
      return module.takeError();
    parts.push_back(std::move(*module));
  }
  return std::move(parts);
}

} // namespace onnxc
