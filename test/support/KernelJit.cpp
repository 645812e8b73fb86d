//===- KernelJit.cpp - compile emitted kernels and call them --------------===//
#include "test/support/KernelJit.h"
#include "codegen/Jit.h"
#include "codegen/Target.h"
#include "compiler/LoweringTarget.h"
#include "lowering/cpu/CpuTarget.h"
#include "lowering/cpu/LowerToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

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

bool isRunnable(const TargetInfo &target) {
  return llvm::Triple(target.triple).getArch() ==
         llvm::Triple(llvm::sys::getDefaultTargetTriple()).getArch();
}

TargetInfo getTarget(const std::string &name) {
  if (name == "native")
    return llvm::cantFail(resolveTarget("", "native", ""));
  if (name == "neon")
    return llvm::cantFail(resolveTarget("aarch64-linux-gnu", "neoverse-n1", ""));
  StringRef cpu = name == "avx512" ? "x86-64-v4" : name == "avx2" ? "x86-64-v3" : "x86-64";
  return llvm::cantFail(resolveTarget("x86_64-linux-gnu", cpu, ""));
}

rt::CpuAttr getKernelTarget(const TargetInfo &target) {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    cpu::registerCpuTarget(registry);
    auto *created = new MLIRContext(registry);
    created->loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                         LLVM::LLVMDialect, math::MathDialect, rt::RtDialect, scf::SCFDialect,
                         tensor::TensorDialect, vector::VectorDialect>();
    return created;
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

Kernel::Kernel(const TargetInfo &target, const std::vector<bool> &isPointer, EmitCount emitCount,
               EmitTask emitTask) {
  MLIRContext *context = getKernelTarget(target).getContext();
  OwningOpRef<ModuleOp> module = buildModule(*context, isPointer, emitCount, emitTask);
  PassManager passes(context, ModuleOp::getOperationName());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  cpu::buildCpuToLLVMPipeline(passes, getCpuLoweringOptions(target));
  if (failed(module->verify()) || failed(passes.run(*module))) {
    message = "the emitted kernel cannot be lowered";
    return;
  }
  if (!isRunnable(target))
    return;
  llvm::Expected<std::unique_ptr<JitModule>> compiled =
      compileInProcess(*module, target, /*anyAddress=*/false);
  if (!compiled) {
    message = llvm::toString(compiled.takeError());
    return;
  }
  code = std::move(*compiled);
  llvm::Expected<void *> taskAddress = code->lookup("k"), countAddress = code->lookup("k.tasks");
  if (!taskAddress || !countAddress) {
    message = llvm::toString(llvm::joinErrors(taskAddress.takeError(), countAddress.takeError()));
    return;
  }
  task = reinterpret_cast<void (*)(const Slot *, int64_t)>(*taskAddress);
  tasks = reinterpret_cast<int64_t (*)(const Slot *)>(*countAddress);
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
