//===- CpuTarget.cpp - A CPU as a target ------------------------------------===//
//
// What the kernels stage asks of a target, answered for the cores of a CPU:
// strategies come from `strategies/`, code from `emit/`.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/CpuTarget.h"
#include "lowering/cpu/emit/KernelContext.h"
#include "lowering/cpu/strategies/AttentionTable.h"
#include "lowering/cpu/strategies/LoopNests.h"
#include "lowering/cpu/strategies/TileTable.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace onnxc::cpu {
namespace {

/// Fewer rows than this leave threads idle; below so many elements it does not
/// matter. A shorter inner part is not worth a vector loop of its own. Rows up to
/// this size are on the kernel's stack.
constexpr rt::GroupLimits limits{/*minRows=*/8, /*smallElements=*/32768, /*minInner=*/16,
                                 /*maxRowBytes=*/16384, /*maxCost=*/1024};

/// Bytes that one task of a concatenation should copy at least.
constexpr int64_t concatBytesPerTask = 1 << 16;

struct CpuTarget : rt::TargetAttr::ExternalModel<CpuTarget, rt::CpuAttr> {
  rt::StrategyAttr chooseGemm(Attribute target, const rt::GemmShape &shape) const {
    return cpu::chooseGemm(cast<rt::CpuAttr>(target), shape);
  }
  rt::StrategyAttr chooseConv(Attribute target, const rt::ConvShape &shape) const {
    return cpu::chooseConv(cast<rt::CpuAttr>(target), shape);
  }
  rt::StrategyAttr chooseDepthwise(Attribute target, const rt::DepthwiseShape &shape) const {
    return cpu::chooseDepthwise(cast<rt::CpuAttr>(target), shape);
  }
  std::optional<bool> choosePackedSign(Attribute target, bool otherUnsigned) const {
    return cpu::choosePackedSign(cast<rt::CpuAttr>(target), otherUnsigned);
  }
  rt::StrategyAttr chooseConcat(Attribute target, Operation *) const {
    return rt::ConcatAttr::get(target.getContext(), concatBytesPerTask);
  }
  rt::StrategyAttr chooseLoops(Attribute target, ArrayRef<linalg::GenericOp> ops, unsigned rows,
                               function_ref<bool(Value)> isStored) const {
    return cpu::chooseLoops(cast<rt::CpuAttr>(target), ops, rows, isStored);
  }
  rt::GroupLimits getGroupLimits(Attribute) const { return limits; }
  LogicalResult emitKernel(Attribute target, Operation *kernel) const {
    emit::KernelContext context(cast<rt::KernelOp>(kernel), cast<rt::CpuAttr>(target));
    return emit::emitKernel(context);
  }
};

struct CpuAttentionTarget
    : rt::AttentionTargetAttr::ExternalModel<CpuAttentionTarget, rt::CpuAttr> {
  rt::StrategyAttr chooseAttention(Attribute target, const rt::AttentionShape &shape) const {
    return cpu::chooseAttention(cast<rt::CpuAttr>(target), shape);
  }
  int64_t getScoreLanes(Attribute, rt::StrategyAttr strategy) const {
    return cast<rt::AttentionAttr>(strategy).getLanes();
  }
};

} // namespace

void registerCpuTarget(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, rt::RtDialect *) {
    rt::CpuAttr::attachInterface<CpuTarget, CpuAttentionTarget>(*context);
  });
}

} // namespace onnxc::cpu
