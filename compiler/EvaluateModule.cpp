//===- EvaluateModule.cpp - Compile a module and run it here ---------------===//
#include "compiler/EvaluateModule.h"
#include "codegen/Jit.h"
#include "compiler/LoweringTarget.h"
#include "compiler/ModelWeights.h"
#include "compiler/Pipelines.h"
#include "dialects/onnx/ElementTypes.h"
#include "lowering/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/internal.h"
#include "llvm/Support/Parallel.h"

using namespace mlir;

namespace onnxc {
namespace {

/// Results up to this size are plain attributes, which later folds may read.
constexpr size_t smallBytes = 1024;

LogicalResult fail(ModuleOp module, llvm::Error error) {
  return module.emitError("cannot evaluate constants: ") << llvm::toString(std::move(error));
}

/// Runs a kernel's tasks on all cores. Most constants are read by one kernel, so
/// what it has read may leave memory.
void runTasks(void *release, int64_t count, onnxc_task_fn task, void *args) {
  llvm::parallelFor(0, count, [&](size_t i) { task(args, i); });
  (*static_cast<const std::function<void()> *>(release))();
}

/// An attribute over the bytes of a result.
Attribute makeElements(RankedTensorType type, AsmResourceBlob blob) {
  ArrayRef<char> data = blob.getData();
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> bools(data.begin(), data.end());
    return DenseElementsAttr::get(type, bools);
  }
  if (data.size() <= smallBytes && type.getNumElements() > 0 &&
      rt::sharesBytes(type.getElementType()))
    return DenseElementsAttr::getFromRawBuffer(
        type, onnx::unpackElements(data, type.getNumElements(),
                                   rt::getStorageBits(type.getElementType())));
  if (data.size() <= smallBytes && type.getNumElements() > 0)
    return DenseElementsAttr::getFromRawBuffer(type, data);
  auto &manager = DenseResourceElementsHandle::getManagerInterface(type.getContext());
  return DenseResourceElementsAttr::get(type, manager.insert("constant", std::move(blob)));
}

class Evaluation {
public:
  Evaluation(ModuleOp module, const TargetInfo &host, const std::function<void()> &releasePages)
      : module(module), host(host), releasePages(releasePages) {}

  LogicalResult compile() {
    main = module.lookupSymbol<func::FuncOp>("main");
    for (Type type : main.getResultTypes())
      resultTypes.push_back(cast<RankedTensorType>(type));
    PassManager passes(module.getContext(), ModuleOp::getOperationName());
    buildFromOutline(passes, host);
    if (failed(passes.run(module)))
      return failure();
    llvm::Expected<std::unique_ptr<JitModule>> jit =
        compileInProcess(module, host, /*anyAddress=*/true);
    if (!jit)
      return fail(module, jit.takeError());
    code = std::move(*jit);
    return success();
  }

  FailureOr<SmallVector<Attribute>> run(ArrayRef<Attribute> constants) {
    llvm::Expected<void *> plan = code->lookup("onnxc_plan");
    if (!plan)
      return fail(module, plan.takeError());
    llvm::Expected<void *> body = code->lookup("onnxc_body");
    if (!body)
      return fail(module, body.takeError());
    // An empty tensor has memory all the same, which kernels may read.
    alignas(ONNXC_ALIGNMENT) char empty[ONNXC_ALIGNMENT] = {};
    std::deque<std::string> owned;
    SmallVector<void *> inputs;
    for (Attribute constant : constants) {
      ArrayRef<char> bytes = getConstantBytes(constant, owned);
      inputs.push_back(bytes.empty() ? empty : const_cast<char *>(bytes.data()));
    }
    SmallVector<AsmResourceBlob> blobs;
    SmallVector<void *> outputs;
    int64_t numDims = 1;
    for (RankedTensorType type : resultTypes) {
      int64_t bytes = rt::getStorageBytes(type.getElementType(), type.getNumElements());
      blobs.push_back(HeapAsmResourceBlob::allocate(bytes, ONNXC_ALIGNMENT));
      outputs.push_back(bytes == 0 ? empty : blobs.back().getMutableData().data());
      numDims += type.getRank();
    }
    ModelWeights weights = collectWeights(module);
    AsmResourceBlob weightBytes =
        HeapAsmResourceBlob::allocate(weights.layout.bytes + ONNXC_ALIGNMENT, ONNXC_ALIGNMENT);
    for (const WeightsLayout::Chunk &chunk : weights.layout.chunks)
      llvm::copy(chunk.bytes, weightBytes.getMutableData().data() + chunk.offset);
    SmallVector<int64_t> dims(numDims);
    int64_t workspaceBytes = 0;
    onnxc_call call = {};
    call.abi_version = ONNXC_ABI_VERSION;
    onnxc_threads threads = {};
    threads.context = const_cast<std::function<void()> *>(&releasePages);
    threads.parallel_for = runTasks;
    call.threads = &threads;
    onnxc_rt_context context{&call};
    if (reinterpret_cast<decltype(&onnxc_plan)>(*plan)(nullptr, dims.data(), &workspaceBytes,
                                                       &context) != ONNXC_OK)
      return module.emitError("cannot evaluate constants: planning failed"), failure();
    AsmResourceBlob workspace = HeapAsmResourceBlob::allocate(workspaceBytes + 1, ONNXC_ALIGNMENT);
    int32_t status = reinterpret_cast<decltype(&onnxc_body)>(*body)(
        nullptr, inputs.data(), outputs.data(), dims.data(), workspace.getMutableData().data(),
        weightBytes.getData().data(), &context);
    if (status != ONNXC_OK)
      return module.emitError("cannot evaluate constants: status ") << status, failure();
    SmallVector<Attribute> results;
    for (auto [type, blob] : llvm::zip_equal(resultTypes, blobs))
      results.push_back(makeElements(type, std::move(blob)));
    return results;
  }

private:
  ModuleOp module;
  const TargetInfo &host;
  const std::function<void()> &releasePages;
  func::FuncOp main;
  SmallVector<RankedTensorType> resultTypes;
  std::unique_ptr<JitModule> code;
};

} // namespace

ConstantEvaluator makeConstantEvaluator(const TargetInfo &target,
                                        std::function<void()> releasePages) {
  return [target, releasePages = std::move(releasePages)](
             ModuleOp module, ArrayRef<Attribute> inputs) -> FailureOr<SmallVector<Attribute>> {
    llvm::Expected<TargetInfo> host = getEvaluationTarget(target);
    if (!host)
      return fail(module, host.takeError());
    Evaluation evaluation(module, *host, releasePages);
    if (failed(evaluation.compile()))
      return failure();
    FailureOr<SmallVector<Attribute>> results = evaluation.run(inputs);
    releasePages();
    return results;
  };
}

} // namespace onnxc
