//===- LowerLaunches.cpp - rt.launch on pointers becomes calls --------------===//
//
// The other side of what EmitKernels makes: fills the slots of a kernel, asks it
// for its number of tasks, and gives them to the host's threads.
//
//===----------------------------------------------------------------------===//
#include "lowering/Passes.h"
#include "lowering/host/RuntimeBuilder.h"
#include "lowering/support/Buffer.h"
#include "lowering/support/NodeNames.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_LOWERLAUNCHES
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;
using namespace onnxc::emit;

namespace {

constexpr int64_t slotBytes = 8;

class LaunchLowering : public RuntimeBuilder {
public:
  explicit LaunchLowering(ModuleOp module) : RuntimeBuilder(module), symbols(module) {}

  /// Lowers the launches of one function; they share its slots.
  LogicalResult lower(func::FuncOp function) {
    SmallVector<rt::LaunchOp> launches;
    size_t maxSlots = 0;
    function.walk([&](rt::LaunchOp launch) {
      launches.push_back(launch);
      maxSlots = std::max(maxSlots, launch.getInputs().size() + launch.getInits().size());
    });
    if (launches.empty())
      return success();
    loc = function.getLoc();
    Value slots = stackBytes(function, slotBytes * maxSlots);
    for (rt::LaunchOp launch : launches)
      if (failed(lower(launch, slots)))
        return failure();
    return success();
  }

private:
  LogicalResult lower(rt::LaunchOp launch, Value slots) {
    loc = launch.getLoc();
    builder.setInsertionPoint(launch);
    StringRef kernel = launch.getKernel();
    auto tasks = symbols.lookup<func::FuncOp>((kernel + ".tasks").str());
    auto task = symbols.lookup<func::FuncOp>((kernel + ".task").str());
    if (!tasks || !task)
      return launch.emitError("kernel '") << kernel << "' has not been emitted";
    if (!launch.getCallContext())
      return launch.emitError("expected pointers and a context, found tensors: run "
                              "onnxc-lower-host first");
    int64_t next = 0;
    for (ValueRange values : {launch.getInputs(), launch.getInits()})
      for (Value value : values) {
        Value slot = field(slots, slotBytes * next++);
        if (value.getType() == pointerType)
          LLVM::StoreOp::create(builder, loc, value, slot);
        else
          storeTo(builder, loc, value, slot);
      }
    Value count = func::CallOp::create(builder, loc, tasks, ValueRange{slots}).getResult(0);
    Value function =
        func::ConstantOp::create(builder, loc, task.getFunctionType(), task.getSymName());
    Value address =
        UnrealizedConversionCastOp::create(builder, loc, pointerType, function).getResult(0);
    Value context = launch.getCallContext();
    Value nodes = text(llvm::join(nodeNames(loc), ","));
    callRuntime("onnxc_rt_launch", Type(), {context, text(kernel), nodes, count, address, slots});
    launch.erase();
    return success();
  }

  /// Of the kernels' functions.
  SymbolTable symbols;
};

struct LowerLaunches : onnxc::impl::LowerLaunchesBase<LowerLaunches> {
  using Base::Base;
  void runOnOperation() override {
    LaunchLowering lowering(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(lowering.lower(function)))
        return signalPassFailure();
  }
};

} // namespace
