//===- CompiledFunction.cpp - Kernels as the compiler makes them -----------===//
#include "bench/kernels/CompiledFunction.h"
#include "compiler/EvaluateModule.h"
#include "compiler/LoweringTarget.h"
#include "compiler/ModelWeights.h"
#include "compiler/Pipelines.h"
#include "dialects/onnx/OnnxDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/internal.h"
#include "test/support/KernelJit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace onnxc::bench {

/// The first byte of so many that stands at a cache line, as tensors do.
static char *aligned(std::vector<char> &memory, size_t bytes) {
  memory.resize(std::max(memory.size(), bytes + ONNXC_ALIGNMENT));
  auto address = reinterpret_cast<uintptr_t>(memory.data());
  return memory.data() + (llvm::alignTo(address, ONNXC_ALIGNMENT) - address);
}

/// Of a strategy's register tile; 0 for one without.
static int64_t countAccumulators(rt::StrategyAttr strategy) {
  return llvm::TypeSwitch<Attribute, int64_t>(strategy)
      .Case([](rt::GemmAttr gemm) { return gemm.getMr() * gemm.getNv(); })
      .Case([](rt::ConvAttr conv) {
        return conv.getTileRows() * conv.getTileColumns() * conv.getNv();
      })
      .Case([](rt::DepthwiseAttr conv) { return conv.getTileRows() * conv.getTileColumns(); })
      .Default([](Attribute) { return 0; });
}

/// The functions of kernels in the assembly of a module.
static std::string selectKernels(const std::string &assembly) {
  std::string selected;
  bool inside = false;
  for (StringRef line : llvm::split(assembly, '\n')) {
    if (line.starts_with("kernel_"))
      inside = true;
    if (line.starts_with(".Lfunc_end"))
      inside = false;
    if (inside)
      selected += (line + "\n").str();
  }
  return selected;
}

/// Makes a constant of the function's last argument. Not of one number, which would become
/// part of the products' bodies.
static void bindWeight(func::FuncOp main) {
  BlockArgument argument = main.getArguments().back();
  auto type = cast<RankedTensorType>(argument.getType());
  auto blob = HeapAsmResourceBlob::allocate(type.getNumElements() * sizeof(float), ONNXC_ALIGNMENT);
  auto *numbers = reinterpret_cast<float *>(blob.getMutableData().data());
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    numbers[i] = float(i % 17) / 17 - 0.5f;
  auto &manager = DenseResourceElementsHandle::getManagerInterface(main.getContext());
  auto elements = DenseResourceElementsAttr::get(type, manager.insert("weight", std::move(blob)));
  OpBuilder builder = OpBuilder::atBlockBegin(&main.getBody().front());
  argument.replaceAllUsesWith(
      arith::ConstantOp::create(builder, main.getLoc(), type, elements).getResult());
  (void)main.eraseArgument(argument.getArgNumber());
}

CompiledFunction::CompiledFunction(const TargetInfo &target, const std::string &text,
                                   bool hasWeight) {
  message = llvm::toString(compile(target, text, hasWeight));
}

llvm::Error CompiledFunction::compile(const TargetInfo &target, const std::string &text,
                                      bool hasWeight) {
  MLIRContext *context = test::getKernelTarget(target).getContext();
  context->loadDialect<onnx::OnnxDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
  if (!module)
    return llvm::createStringError("the function cannot be parsed");
  if (hasWeight)
    bindWeight(module->lookupSymbol<func::FuncOp>("main"));
  llvm::Expected<TargetInfo> host = getEvaluationTarget(target);
  if (!host)
    return host.takeError();
  rt::setTargets(*module, getKernelTarget(context, target), getKernelTarget(context, *host));
  std::vector<Stage> stages = getStages(target, makeConstantEvaluator(target));
  auto first = llvm::find_if(stages, [](const Stage &stage) { return stage.name == "kernels"; });
  for (const Stage &stage : llvm::make_range(first, stages.end())) {
    PassManager passes(context, ModuleOp::getOperationName());
    stage.build(passes);
    if (failed(passes.run(*module)))
      return llvm::createStringError(("the stage '" + stage.name + "' failed").str());
    // Kernels are still ops: what was chosen can be read.
    if (stage.name == "outline")
      module->walk([&](rt::KernelOp kernel) {
        if (int64_t count = countAccumulators(kernel.getStrategyAttr())) {
          tileAccumulators = count;
          llvm::raw_string_ostream(strategyText) << kernel.getStrategyAttr();
        }
      });
  }
  llvm::Expected<std::string> assembly = compileToAssembly(*module, target);
  if (!assembly)
    return assembly.takeError();
  kernelText = selectKernels(*assembly);
  if (!test::isRunnable(target))
    return llvm::Error::success();
  ModelWeights constants = collectWeights(*module);
  char *bytes = aligned(weights, constants.layout.bytes);
  for (const WeightsLayout::Chunk &chunk : constants.layout.chunks)
    llvm::copy(chunk.bytes, bytes + chunk.offset);
  llvm::Expected<std::unique_ptr<JitModule>> compiled =
      compileInProcess(*module, target, /*anyAddress=*/false);
  if (!compiled)
    return compiled.takeError();
  code = std::move(*compiled);
  llvm::Expected<void *> plan = code->lookup("onnxc_plan"), run = code->lookup("onnxc_body");
  if (!plan || !run)
    return llvm::joinErrors(plan.takeError(), run.takeError());
  planFunction = reinterpret_cast<PlanFunction>(*plan);
  body = reinterpret_cast<BodyFunction>(*run);
  return llvm::Error::success();
}

/// Runs the tasks of a launch one after the other, as a call without threads does.
static void runTasks(void *counter, int64_t count, onnxc_task_fn task, void *args) {
  *static_cast<int64_t *>(counter) += count;
  for (int64_t i = 0; i < count; ++i)
    task(args, i);
}

void CompiledFunction::run(const std::vector<void *> &inputs, const std::vector<int64_t> &symbols) {
  onnxc_call call = {};
  call.abi_version = ONNXC_ABI_VERSION;
  onnxc_threads threads = {};
  tasks = 0;
  threads.context = &tasks;
  threads.parallel_for = runTasks;
  call.threads = &threads;
  onnxc_rt_context context{&call};
  constexpr unsigned mostDims = 8;
  if (!planned || symbols != plannedSymbols) {
    dims.assign(mostDims, 1);
    int64_t workspaceBytes = 0;
    if (planFunction(symbols.data(), dims.data(), &workspaceBytes, &context) != ONNXC_OK)
      return;
    int64_t elements = 1;
    for (int64_t dim : dims)
      elements *= dim;
    aligned(output, elements * sizeof(float));
    aligned(workspace, workspaceBytes);
    plannedSymbols = symbols;
    planned = true;
  }
  void *outputs[] = {aligned(output, 0)};
  body(symbols.data(), inputs.data(), outputs, dims.data(), aligned(workspace, 0),
       aligned(weights, 0), &context);
}

} // namespace onnxc::bench
