//===- VerifyStages.cpp - What holds after each stage -----------------------===//
//
// One pass for each contract in docs/architecture.md that MLIR's own verifiers do
// not check. They look at each op once, report all that is wrong, change nothing.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "dialects/onnx/transforms/SinkTransposes.h"
#include "dialects/rt/RtAttention.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/Passes.h"
#include "lowering/consteval/EvaluateConstants.h"
#include "lowering/support/CheckOrder.h"
#include "lowering/support/ConstantOnly.h"
#include "lowering/support/GenericBodies.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_VERIFYCONSTANTS
#define GEN_PASS_DEF_VERIFYGROUPS
#define GEN_PASS_DEF_VERIFYHOST
#define GEN_PASS_DEF_VERIFYKERNELCODE
#define GEN_PASS_DEF_VERIFYLAYOUT
#define GEN_PASS_DEF_VERIFYLINALG
#define GEN_PASS_DEF_VERIFYMEMORY
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

/// Emits an error at each op that `complain` finds something wrong with.
LogicalResult verifyOps(Operation *root, function_ref<std::string(Operation *)> complain) {
  bool holds = true;
  root->walk([&](Operation *op) {
    std::string complaint = complain(op);
    if (complaint.empty())
      return;
    op->emitOpError(complaint);
    holds = false;
  });
  return success(holds);
}

/// The first type of the op's operands, results and blocks that `isWrong`.
Type findType(Operation *op, function_ref<bool(Type)> isWrong) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  auto found = llvm::find_if(types, isWrong);
  return found == types.end() ? Type() : *found;
}

std::string quote(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "'" << type << "'";
  return text;
}

/// Whether an op is what the layout pass is for; without one it leaves all as it is.
bool isForChannelsLast(onnx::ImageOpInterface op) {
  return op.isChannelsLast() || (op.prefersChannelsLast() && op.allowsChannelsLast() &&
                                 cast<RankedTensorType>(op->getOperand(0).getType()).getRank() > 2);
}

struct VerifyLayout : onnxc::impl::VerifyLayoutBase<VerifyLayout> {
  void runOnOperation() override {
    bool hasWork =
        getOperation()
            ->walk([](onnx::ImageOpInterface op) {
              return isForChannelsLast(op) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    if (!hasWork)
      return;
    auto complain = [](Operation *op) -> std::string {
      if (auto transpose = dyn_cast<onnx::TransposeOp>(op))
        return transpose.getData().getDefiningOp<onnx::TransposeOp>()
                   ? "transposes what is transposed, expected one transpose"
                   : "";
      auto image = dyn_cast<onnx::ImageOpInterface>(op);
      if (!image || image.isChannelsLast() || !image.allowsChannelsLast())
        return "";
      int64_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
      if (image.prefersChannelsLast() && rank > 2)
        return "works on channels first, expected channels last";
      auto transpose = op->getOperand(0).getDefiningOp<onnx::TransposeOp>();
      return transpose && transpose.getPermutation() == onnx::toChannelsFirst(rank)
                 ? "reads channels last through a transpose, expected it to work on them"
                 : "";
    };
    if (failed(verifyOps(getOperation(), complain)))
      signalPassFailure();
  }
};

struct VerifyLinalg : onnxc::impl::VerifyLinalgBase<VerifyLinalg> {
  void runOnOperation() override {
    auto complain = [](Operation *op) -> std::string {
      if (op->getName().getDialectNamespace() == "onnx")
        return "is left behind the lowering to linalg";
      if (isa<rt::SymbolOp>(op) && isa<linalg::LinalgOp, rt::AttentionOp>(op->getParentOp()))
        return "is a size inside of a computation, expected it before";
      Type type = findType(op, [](Type type) {
        auto tensor = dyn_cast<RankedTensorType>(type);
        return tensor && tensor.getEncoding();
      });
      if (type)
        return "has the type " + quote(type) + ", expected dims without symbols";
      ValueRange sizes;
      if (auto empty = dyn_cast<tensor::EmptyOp>(op))
        sizes = empty.getDynamicSizes();
      else if (auto view = dyn_cast<rt::ReshapeOp>(op))
        sizes = view.getSizes();
      return llvm::all_of(sizes, [&](Value size) { return bool(getDim(op->getContext(), size)); })
                 ? ""
                 : "states a size that is neither an rt.symbol nor a constant";
    };
    if (failed(verifyOps(getOperation(), complain)))
      signalPassFailure();
    getOperation().walk([&](Block *block) {
      for (const LateCheck &late : findLateChecks(*block)) {
        late.check->emitOpError("stands behind a computation of the same node that it does not "
                                "look at, expected checks first");
        signalPassFailure();
      }
    });
  }
};

/// The op of an anchored group that is neither the anchor nor follows it tile by tile.
linalg::GenericOp findStranger(rt::GroupOp group) {
  if (isa<rt::LoopsAttr, rt::ConcatAttr>(group.getStrategy()))
    return nullptr;
  llvm::DenseSet<Value> members;
  for (Operation &op : group.getBody().front()) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic && !members.empty() &&
        !isEpilogue(generic, [&](Value value) { return members.contains(value); }))
      return generic;
    if (isa<linalg::GenericOp, rt::AttentionOp>(op))
      members.insert(op.getResult(0));
  }
  return nullptr;
}

struct VerifyGroups : onnxc::impl::VerifyGroupsBase<VerifyGroups> {
  void runOnOperation() override {
    rt::TargetAttr target = rt::getTarget(getOperation());
    rt::TargetAttr host = rt::getHostTarget(getOperation());
    auto complain = [&](Operation *op) -> std::string {
      if (op->hasAttr(rt::attributes::strategy))
        return "has the strategy that its group should have";
      if (auto group = dyn_cast<rt::GroupOp>(op); group && group.getNumResults() > 0) {
        bool isConstant = llvm::all_of(group.getResults(), isConstantOnly);
        if (group.getTarget() != (isConstant ? host : target))
          return isConstant ? "depends on constants alone, expected the target where they are "
                              "evaluated"
                            : "expected the target that the module is compiled for";
        if (findStranger(group))
          return "has an op that does not follow its anchor tile by tile, expected element-wise "
                 "ops on results of the group, in their order";
      }
      if (isa<linalg::LinalgOp, rt::AttentionOp, rt::ConcatOp>(op) &&
          !op->getParentOfType<rt::GroupOp>())
        return "computes outside of a group";
      return "";
    };
    if (failed(verifyOps(getOperation(), complain)))
      signalPassFailure();
  }
};

struct VerifyConstants : onnxc::impl::VerifyConstantsBase<VerifyConstants> {
  void runOnOperation() override {
    rt::TargetAttr target = rt::getTarget(getOperation());
    auto complain = [&](Operation *op) -> std::string {
      auto group = dyn_cast<rt::GroupOp>(op);
      if (!group)
        return "";
      // What the constants were before the evaluation is not known any more.
      if (isEvaluable(group, /*growth=*/0))
        return "depends on constants alone, and is left to run time";
      return group.getTarget() == target
                 ? ""
                 : "is left to run time, expected the target that the module is compiled for";
    };
    if (failed(verifyOps(getOperation(), complain)))
      signalPassFailure();
  }
};

/// Ops that the host lowering knows.
bool isHostOp(Operation *op) {
  if (isa<rt::RtDialect>(op->getDialect()))
    return !isa<rt::AttentionOp, rt::ConcatOp, rt::GroupOp, rt::PackedOp>(op);
  return isa<func::FuncDialect, scf::SCFDialect, arith::ArithDialect, math::MathDialect,
             tensor::TensorDialect>(op->getDialect());
}

/// Whether a slice is one piece of memory as far as its form says: only the
/// leading dim is cut.
bool isContiguous(OffsetSizeAndStrideOpInterface slice, RankedTensorType whole) {
  if (!llvm::all_of(slice.getMixedStrides(), isOneInteger))
    return false;
  for (int64_t i = 1; i < whole.getRank(); ++i) {
    int64_t size = slice.getStaticSizes()[i], all = whole.getDimSize(i);
    bool cut = size != all && !ShapedType::isDynamic(size) && !ShapedType::isDynamic(all);
    if (!isZeroInteger(slice.getMixedOffsets()[i]) || cut)
      return false;
  }
  return true;
}

struct VerifyHost : onnxc::impl::VerifyHostBase<VerifyHost> {
  void runOnOperation() override {
    auto complain = [](Operation *op) -> std::string {
      auto extract = dyn_cast<tensor::ExtractSliceOp>(op);
      auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      if ((extract && !isContiguous(extract, extract.getSourceType())) ||
          (insert && !isContiguous(insert, insert.getDestType())))
        return "cuts more than the leading dim, which takes a kernel";
      // What stands inside of an op that is wrong itself needs no error.
      if (!op->getParentOfType<func::FuncOp>() || isHostOp(op) || !isHostOp(op->getParentOp()))
        return "";
      return "has no place in a host function, which has launches, calls, control flow, views and "
             "index arithmetic only";
    };
    if (failed(verifyOps(getOperation(), complain)))
      signalPassFailure();
  }
};

struct VerifyKernelCode : onnxc::impl::VerifyKernelCodeBase<VerifyKernelCode> {
  void runOnOperation() override {
    auto complain = [](Operation *op) -> std::string {
      if (isa<rt::KernelOp>(op))
        return "has not been emitted";
      auto function = op->getParentOfType<func::FuncOp>();
      if (!function || !function.isPrivate())
        return "";
      Type type = findType(op, [](Type type) {
        auto vector = dyn_cast<VectorType>(type);
        return isa<TensorType>(type) || (vector && vector.getRank() != 1);
      });
      return type ? "has the type " + quote(type) + ", expected pointers, scalars and 1-D vectors"
                  : "";
    };
    if (failed(verifyOps(getOperation(), complain)))
      signalPassFailure();
  }
};

struct VerifyMemory : onnxc::impl::VerifyMemoryBase<VerifyMemory> {
  void runOnOperation() override {
    auto complain = [](Operation *op) -> std::string {
      if (isa<rt::RtDialect>(op->getDialect()) && !isa<rt::ExitOp>(op))
        return "is left behind the memory stage";
      Type type = findType(op, [](Type type) { return isa<TensorType>(type); });
      return type ? "has the type " + quote(type) + ", expected a pointer" : "";
    };
    if (failed(verifyOps(getOperation(), complain)))
      signalPassFailure();
  }
};

} // namespace
