//===- KernelContext.cpp - A kernel while it is emitted --------------------===//
#include "lowering/cpu/emit/KernelContext.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace onnxc::emit {

FailureOr<SmallVector<linalg::GenericOp>> KernelContext::generics() {
  SmallVector<linalg::GenericOp> ops(body().getOps<linalg::GenericOp>());
  for (linalg::GenericOp op : ops)
    if (failed(getLoopSizes(op)))
      return op.emitError("the sizes of its loops are not known");
  return ops;
}

LogicalResult KernelContext::expected(const Twine &what) {
  return kernel.emitError("expected ") << what << " for the strategy " << kernel.getStrategyAttr();
}

void KernelContext::open(StringRef name, TypeRange extraArguments, TypeRange results) {
  Location loc = kernel.getLoc();
  builder.setInsertionPoint(kernel);
  SmallVector<Type> arguments{LLVM::LLVMPointerType::get(builder.getContext())};
  llvm::append_range(arguments, extraArguments);
  function = func::FuncOp::create(builder, loc, name, builder.getFunctionType(arguments, results));
  function.setPrivate();
  builder.setInsertionPointToStart(function.addEntryBlock());
  buffers.clear();
  resultBuffers.clear();
  scalars = IRMapping();
  head = nullptr;
  loadArguments(function.getArgument(0));
}

void KernelContext::loadArguments(Value slots) {
  Location loc = kernel.getLoc();
  Type i64 = builder.getI64Type();
  for (BlockArgument argument : body().getArguments()) {
    Value slot =
        offsetPointer(builder, loc, slots, i64, getIndex(builder, argument.getArgNumber()));
    Type type = argument.getType();
    if (isa<RankedTensorType>(type)) {
      Value pointer = LLVM::LoadOp::create(builder, loc,
                                           LLVM::LLVMPointerType::get(builder.getContext()), slot);
      scalars.map(argument, pointer);
      continue;
    }
    scalars.map(argument, loadFrom(builder, loc, slot, type));
  }
  if (!function.getBody().front().empty())
    head = &function.getBody().front().back();
  // Sizes first become known by the reshapes at the head of the body.
  auto bind = [&](Value tensor, Value pointer) {
    FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(tensor);
    if (succeeded(sizes))
      buffers[tensor] =
          makeDenseBuffer(builder, loc, pointer,
                          cast<RankedTensorType>(tensor.getType()).getElementType(), map(*sizes));
  };
  for (BlockArgument argument : body().getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()))
      continue;
    bind(argument, scalars.lookup(argument));
    for (Operation *user : argument.getUsers())
      if (auto reshape = dyn_cast<rt::ReshapeOp>(user))
        bind(reshape.getResult(), scalars.lookup(argument));
  }
  // The kernel's last arguments are its inits, one for each result.
  unsigned numResults = results().size();
  unsigned firstInit = body().getNumArguments() - numResults;
  for (auto [i, result] : llvm::enumerate(results())) {
    FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(result);
    SmallVector<OpFoldResult> mapped;
    if (succeeded(sizes))
      mapped = map(*sizes);
    resultBuffers.push_back(
        makeDenseBuffer(builder, loc, scalars.lookup(body().getArgument(firstInit + i)),
                        cast<RankedTensorType>(result.getType()).getElementType(), mapped));
  }
}

void KernelContext::openTaskCount() {
  open((kernel.getSymName() + ".tasks").str(), {}, builder.getI64Type());
}

void KernelContext::closeTaskCount(OpFoldResult count) {
  Location loc = kernel.getLoc();
  Value value =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), asValue(builder, loc, count));
  func::ReturnOp::create(builder, loc, value);
}

void KernelContext::openTask() {
  open((kernel.getSymName() + ".task").str(), builder.getI64Type(), {});
  task = arith::IndexCastOp::create(builder, kernel.getLoc(), builder.getIndexType(),
                                    function.getArgument(1));
}

void KernelContext::closeTask() { func::ReturnOp::create(builder, kernel.getLoc()); }

const Buffer *KernelContext::lookup(Value tensor) const {
  auto it = buffers.find(tensor);
  return it == buffers.end() ? nullptr : &it->second;
}

Value KernelContext::mapScalar(Value scalar) {
  if (Value mapped = scalars.lookupOrNull(scalar))
    return mapped;
  Operation *op = scalar.getDefiningOp();
  if (!op || op->getParentOp() != kernel)
    return scalar;
  for (Value operand : op->getOperands())
    mapScalar(operand);
  // At the head of the function, where it dominates every later use.
  OpBuilder::InsertionGuard guard(builder);
  if (head)
    builder.setInsertionPointAfter(head);
  else
    builder.setInsertionPointToStart(&function.getBody().front());
  head = builder.clone(*op, scalars);
  return scalars.lookup(scalar);
}

OpFoldResult KernelContext::map(OpFoldResult size) {
  // A constant of the kernel's body is no value of the function.
  if (std::optional<int64_t> constant = getConstant(size))
    return getIndex(builder, *constant);
  return mapScalar(cast<Value>(size));
}

SmallVector<OpFoldResult> KernelContext::map(ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) { return map(size); });
}

} // namespace onnxc::emit
