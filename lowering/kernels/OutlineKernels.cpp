//===- OutlineKernels.cpp - Groups become kernels and launches ------------===//
#include "lowering/Passes.h"
#include "lowering/support/NodeNames.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

bool isScalarConstant(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  return constant && !isa<ShapedType>(constant.getType());
}

/// What a group uses from outside.
struct Captured {
  SetVector<Value> values;
  /// The launch's inputs: tensors, then scalars and sizes, each once.
  SmallVector<Value> tensors;
  SetVector<Value> scalars;

  SmallVector<Value> inputs() const {
    SmallVector<Value> all(tensors);
    llvm::append_range(all, scalars);
    return all;
  }
};

/// Whether the kernel has a copy of what defines the value.
bool isCloned(Value value) {
  return isScalarConstant(value) || value.getDefiningOp<tensor::EmptyOp>();
}

/// On failure an error has been emitted.
FailureOr<Captured> collectCaptured(rt::GroupOp group) {
  Captured captured;
  getUsedValuesDefinedAbove(group.getBody(), captured.values);
  for (Value value : captured.values) {
    if (isCloned(value))
      continue;
    if (isa<RankedTensorType>(value.getType()))
      captured.tensors.push_back(value);
    else
      captured.scalars.insert(value);
  }
  SmallVector<Value> sized(captured.tensors);
  llvm::append_range(sized, group.getInits());
  llvm::append_range(sized, llvm::make_filter_range(captured.values, [](Value value) {
                       return static_cast<bool>(value.getDefiningOp<tensor::EmptyOp>());
                     }));
  for (Value tensor : sized) {
    FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(tensor);
    if (failed(sizes))
      return group.emitError("the sizes of a ")
             << tensor.getType() << " that it uses are not known";
    for (OpFoldResult size : *sizes)
      if (auto value = dyn_cast<Value>(size); value && !isScalarConstant(value))
        captured.scalars.insert(value);
  }
  return captured;
}

/// The kernel's values for the sizes of `tensor` that are no part of its type. Its maker may
/// know one as a constant nevertheless.
SmallVector<Value> mapSizes(OpBuilder &builder, IRMapping &mapping, Value tensor) {
  SmallVector<Value> dynamic;
  // The range must outlive the loop.
  SmallVector<OpFoldResult> sizes = *getTensorSizes(tensor);
  auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [dim, size] : llvm::zip_equal(type.getShape(), sizes)) {
    if (!ShapedType::isDynamic(dim))
      continue;
    auto value = dyn_cast<Value>(size);
    if (value && isScalarConstant(value) && !mapping.contains(value))
      mapping.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
    dynamic.push_back(value ? mapping.lookup(value)
                            : getValueOrCreateConstantIndexOp(builder, tensor.getLoc(), size));
  }
  return dynamic;
}

/// Copies the group's body into a kernel whose arguments are the inputs and the
/// inits.
void buildBody(rt::KernelOp kernel, rt::GroupOp group, const Captured &captured) {
  OpBuilder builder(kernel.getContext());
  Location loc = group.getLoc();
  Block *body = builder.createBlock(&kernel.getBody());
  IRMapping mapping;
  for (Value input : captured.inputs())
    mapping.map(input, body->addArgument(input.getType(), loc));
  // Sizes stated at the head, so that the kernel's tensors know them.
  for (Value tensor : captured.tensors) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (type.hasStaticShape())
      continue;
    SmallVector<Value> sizes = mapSizes(builder, mapping, tensor);
    Value view = rt::ReshapeOp::create(builder, loc, type, mapping.lookup(tensor), sizes);
    mapping.map(tensor, view);
  }
  for (Value value : captured.values) {
    if (mapping.contains(value) || !isCloned(value))
      continue;
    if (value.getDefiningOp<tensor::EmptyOp>())
      (void)mapSizes(builder, mapping, value);
    mapping.map(value, builder.clone(*value.getDefiningOp(), mapping)->getResult(0));
  }
  Block &source = group.getBody().front();
  for (auto [argument, init] : llvm::zip_equal(source.getArguments(), group.getInits()))
    mapping.map(argument, body->addArgument(init.getType(), loc));
  for (Operation &op : source)
    builder.clone(op, mapping);
}

struct OutlineKernels : onnxc::impl::OutlineKernelsBase<OutlineKernels> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<rt::GroupOp> groups;
    getOperation().walk([&](rt::GroupOp group) { groups.push_back(group); });
    for (rt::GroupOp group : groups)
      if (failed(outline(group)))
        return signalPassFailure();
  }

  LogicalResult outline(rt::GroupOp group);
  StringAttr share(rt::KernelOp kernel);

  /// Kernels by the text of their body and strategy.
  llvm::StringMap<StringAttr> known;
  unsigned counter = 0;
};

LogicalResult OutlineKernels::outline(rt::GroupOp group) {
  FailureOr<Captured> captured = collectCaptured(group);
  if (failed(captured))
    return failure();
  Location loc = group.getLoc();
  OpBuilder builder(getOperation().getContext());
  builder.setInsertionPointToEnd(getOperation().getBody());
  auto kernel = rt::KernelOp::create(builder, loc, "kernel", group.getStrategyAttr(),
                                     group.getTargetAttr(), llvm::join(nodeNames(loc), ","));
  buildBody(kernel, group, *captured);
  StringAttr name = share(kernel);
  builder.setInsertionPoint(group);
  auto launch =
      rt::LaunchOp::create(builder, loc, group.getResultTypes(), FlatSymbolRefAttr::get(name),
                           captured->inputs(), group.getInits());
  group.replaceAllUsesWith(launch.getResults());
  group.erase();
  return success();
}

/// Keeps the kernel under a name of its own, or drops it for an equal one.
StringAttr OutlineKernels::share(rt::KernelOp kernel) {
  StringAttr node = kernel.getNodeAttr();
  Builder builder(kernel.getContext());
  kernel.setNode("");
  std::string text;
  llvm::raw_string_ostream os(text);
  kernel->print(os, OpPrintingFlags().printGenericOpForm().useLocalScope());
  auto [it, isNew] = known.try_emplace(text);
  if (!isNew) {
    kernel.erase();
    return it->second;
  }
  kernel.setNodeAttr(node);
  it->second = builder.getStringAttr("kernel_" + Twine(counter++));
  kernel.setSymNameAttr(it->second);
  return it->second;
}

} // namespace
