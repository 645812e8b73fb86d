//===- EvaluateConstants.cpp - Run at compile time what can be -------------===//
#include "lowering/consteval/EvaluateConstants.h"
#include "lowering/kernels/GroupStrategy.h"
#include "lowering/support/ConstantOnly.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace onnxc {
namespace {

/// Results up to this size are worth storing, or `maxConstantGrowth` times their inputs.
constexpr uint64_t smallBytes = 64 * 1024;
/// The same of a packed weight: a panel of a single column is padded to a whole vector.
constexpr uint64_t smallPackedBytes = 1024 * 1024;
/// A tensor on the way may have this size, whatever the constants are.
constexpr uint64_t affordableBytes = 64 * 1024 * 1024;

/// Saturates: a model may ask for any sizes.
uint64_t bytesOf(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  uint64_t bits = rt::getStorageBits(type.getElementType());
  for (int64_t size : type.getShape())
    bits = llvm::SaturatingMultiply<uint64_t>(bits, size);
  return bits / 8 + (bits % 8 != 0);
}

bool isTensorConstant(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  return constant && isa<RankedTensorType>(constant.getType());
}

/// What a group computes from, all the way up to constants.
struct Origins {
  /// Each constant counts once.
  uint64_t constantBytes = 0;
  /// The largest tensor that a group computes, of the group itself too.
  uint64_t largestBytes = 0;
};

Origins findOrigins(rt::GroupOp group) {
  Origins origins;
  SetVector<Operation *> seen;
  seen.insert(group);
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *op = seen[i];
    if (isa<rt::GroupOp>(op))
      for (Value result : op->getResults())
        origins.largestBytes = std::max(origins.largestBytes, bytesOf(result));
    else if (op->getNumResults() == 1 && isTensorConstant(op->getResult(0)))
      origins.constantBytes = llvm::SaturatingAdd(origins.constantBytes, bytesOf(op->getResult(0)));
    SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used)
      if (Operation *producer = value.getDefiningOp())
        seen.insert(producer);
  }
  return origins;
}

} // namespace

bool isEvaluable(rt::GroupOp group, uint64_t growth) {
  if (!llvm::all_of(group.getResults(), [](Value result) {
        return cast<RankedTensorType>(result.getType()).hasStaticShape() && isConstantOnly(result);
      }))
    return false;
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(group.getBody(), captured);
  uint64_t inputBytes = 0, outputBytes = 0;
  for (Value value : captured)
    if (isa<RankedTensorType>(value.getType()) && !value.getDefiningOp<tensor::EmptyOp>())
      inputBytes = llvm::SaturatingAdd(inputBytes, bytesOf(value));
  bool packed = false;
  for (Value result : group.getResults()) {
    outputBytes = llvm::SaturatingAdd(outputBytes, bytesOf(result));
    packed |=
        llvm::any_of(result.getUsers(), [](Operation *user) { return isa<rt::PackedOp>(user); });
  }
  if (outputBytes > std::max(packed ? smallPackedBytes : smallBytes,
                             llvm::SaturatingMultiply(inputBytes, maxConstantGrowth)))
    return false;
  Origins origins = findOrigins(group);
  return origins.largestBytes <=
         std::max(affordableBytes, llvm::SaturatingMultiply(origins.constantBytes, growth));
}

namespace {

class EvaluateConstants : public PassWrapper<EvaluateConstants, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EvaluateConstants)
  explicit EvaluateConstants(ConstantEvaluator evaluator) : evaluator(std::move(evaluator)) {}

  StringRef getArgument() const override { return "onnxc-evaluate-constants"; }
  StringRef getDescription() const override {
    return "Replace groups that depend on constants alone by their results";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<func::FuncDialect, arith::ArithDialect>();
  }

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    SetVector<Operation *> groups;
    main.walk([&](rt::GroupOp group) {
      if (isEvaluable(group))
        groups.insert(group);
    });
    // Wanted: what something outside the evaluated groups uses.
    SmallVector<Value> wanted;
    for (Operation *group : groups)
      for (Value result : group->getResults())
        if (isWanted(result, groups))
          wanted.push_back(result);
    if (!wanted.empty() && failed(evaluate(main, wanted)))
      return signalPassFailure();
    // Users come before what they use.
    main.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
    // What is left to the run belongs to the device.
    rt::TargetAttr target = rt::getTarget(getOperation());
    WalkResult left = main.walk([&](rt::GroupOp group) {
      return group.getTarget() == target ? WalkResult::advance()
                                         : WalkResult(retarget(group, target));
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }

private:
  static bool isWanted(Value result, const SetVector<Operation *> &groups) {
    return llvm::any_of(result.getUsers(), [&](Operation *user) {
      for (Operation *parent = user; parent; parent = parent->getParentOp())
        if (groups.contains(parent))
          return false;
      if (auto reshape = dyn_cast<rt::ReshapeOp>(user))
        return isWanted(reshape.getResult(), groups);
      return true;
    });
  }

  /// Clones what `value` needs into `builder`'s function; constants become its
  /// arguments.
  void cloneSlice(OpBuilder &builder, Value value, IRMapping &mapping, Block &entry,
                  SmallVector<Attribute> &inputs) {
    if (mapping.contains(value))
      return;
    if (isTensorConstant(value)) {
      inputs.push_back(value.getDefiningOp<arith::ConstantOp>().getValue());
      mapping.map(value, entry.addArgument(value.getType(), value.getLoc()));
      return;
    }
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      cloneSlice(builder, operand, mapping, entry, inputs);
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value inner : captured)
      cloneSlice(builder, inner, mapping, entry, inputs);
    builder.clone(*op, mapping);
  }

  LogicalResult evaluate(func::FuncOp main, MutableArrayRef<Value> wanted) {
    Location loc = main.getLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    auto function = func::FuncOp::create(builder, loc, "main", builder.getFunctionType({}, {}));
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToEnd(entry);
    IRMapping mapping;
    SmallVector<Attribute> inputs;
    SmallVector<Value> returned;
    for (Value value : wanted) {
      cloneSlice(builder, value, mapping, *entry, inputs);
      returned.push_back(mapping.lookup(value));
    }
    func::ReturnOp::create(builder, loc, returned);
    function.setFunctionType(
        builder.getFunctionType(entry->getArgumentTypes(), ValueRange(returned).getTypes()));
    FailureOr<SmallVector<Attribute>> results = evaluator(*module, inputs);
    if (failed(results))
      return failure();
    for (auto [value, result] : llvm::zip_equal(wanted, *results)) {
      builder.setInsertionPoint(value.getDefiningOp());
      Value constant = arith::ConstantOp::create(builder, value.getLoc(), cast<TypedAttr>(result));
      value.replaceAllUsesWith(constant);
    }
    return success();
  }

  ConstantEvaluator evaluator;
};

} // namespace

std::unique_ptr<Pass> createEvaluateConstants(ConstantEvaluator evaluator) {
  return std::make_unique<EvaluateConstants>(std::move(evaluator));
}

} // namespace onnxc
