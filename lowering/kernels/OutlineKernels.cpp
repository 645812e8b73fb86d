//===- OutlineKernels.cpp - Groups become kernels and launches ------------===//
#include "lowering/Passes.h"
#include "lowering/kernels/TensorSizes.h"
#include "lowering/support/NodeNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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
  Location loc = group.getLoc();
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(group.getBody(), captured);

  // The launch's inputs: tensors, then scalars and sizes, each once.
  SmallVector<Value> tensors;
  SetVector<Value> scalars;
  for (Value value : captured) {
    if (isScalarConstant(value) || value.getDefiningOp<tensor::EmptyOp>())
      continue;
    if (isa<RankedTensorType>(value.getType()))
      tensors.push_back(value);
    else
      scalars.insert(value);
  }
  auto addSizes = [&](Value tensor) {
    FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(tensor);
    if (failed(sizes))
      return failure();
    for (OpFoldResult size : *sizes)
      if (auto value = dyn_cast<Value>(size); value && !isScalarConstant(value))
        scalars.insert(value);
    return success();
  };
  SmallVector<Value> sized(tensors);
  llvm::append_range(sized, group.getInits());
  llvm::append_range(sized, llvm::make_filter_range(captured, [](Value value) {
                       return static_cast<bool>(value.getDefiningOp<tensor::EmptyOp>());
                     }));
  for (Value tensor : sized)
    if (failed(addSizes(tensor)))
      return group.emitError("the sizes of a ")
             << tensor.getType() << " that it uses are not known";

  OpBuilder builder(getOperation().getContext());
  builder.setInsertionPointToEnd(getOperation().getBody());
  auto kernel = rt::KernelOp::create(builder, loc, "kernel", group.getStrategyAttr(),
                                     llvm::join(nodeNames(loc), ","));
  Block *body = builder.createBlock(&kernel.getBody());
  IRMapping mapping;
  SmallVector<Value> inputs(tensors);
  llvm::append_range(inputs, scalars);
  for (Value input : inputs)
    mapping.map(input, body->addArgument(input.getType(), loc));
  // Sizes stated at the head, so that the kernel's tensors know them.
  auto mapSizes = [&](Value tensor) {
    SmallVector<Value> dynamic;
    // The range must outlive the loop.
    SmallVector<OpFoldResult> sizes = *getTensorSizes(tensor);
    for (OpFoldResult size : sizes)
      if (auto value = dyn_cast<Value>(size)) {
        if (isScalarConstant(value) && !mapping.contains(value))
          mapping.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
        dynamic.push_back(mapping.lookup(value));
      }
    return dynamic;
  };
  for (Value tensor : tensors) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.hasStaticShape())
      mapping.map(tensor, rt::ReshapeOp::create(builder, loc, type, mapping.lookup(tensor),
                                                mapSizes(tensor))
                              .getResult());
  }
  for (Value value : captured)
    if (!mapping.contains(value))
      if (isScalarConstant(value) || value.getDefiningOp<tensor::EmptyOp>()) {
        if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
          (void)mapSizes(empty.getResult());
        mapping.map(value, builder.clone(*value.getDefiningOp(), mapping)->getResult(0));
      }
  for (auto [argument, init] :
       llvm::zip_equal(group.getBody().front().getArguments(), group.getInits()))
    mapping.map(argument, body->addArgument(init.getType(), loc));
  for (Operation &op : group.getBody().front())
    builder.clone(op, mapping);

  StringAttr name = share(kernel);
  builder.setInsertionPoint(group);
  auto launch = rt::LaunchOp::create(builder, loc, group.getResultTypes(),
                                     FlatSymbolRefAttr::get(name), inputs, group.getInits());
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
