//===- TensorSizes.cpp - The sizes of a tensor as index values ------------===//
#include "lowering/support/TensorSizes.h"
#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace onnxc {

/// Constants where the type is static, the next of `dynamic` elsewhere.
static SmallVector<OpFoldResult> mixSizes(RankedTensorType type, ValueRange dynamic) {
  Builder builder(type.getContext());
  SmallVector<OpFoldResult> sizes;
  unsigned next = 0;
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size))
      sizes.push_back(dynamic[next++]);
    else
      sizes.push_back(builder.getIndexAttr(size));
  }
  return sizes;
}

/// What a loop's argument or result starts from; null for other values.
static Value getInitialValue(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return loop.getTiedLoopInit(argument)->get();
    auto loop = dyn_cast<scf::WhileOp>(parent);
    if (!loop)
      return Value();
    unsigned number = argument.getArgNumber();
    if (argument.getOwner() == loop.getBeforeBody())
      return loop.getInits()[number];
    return loop.getConditionOp().getArgs()[number];
  }
  auto result = cast<OpResult>(value);
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return loop.getInitArgs()[result.getResultNumber()];
  if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner())) {
    // Known outside only when it is carried unchanged.
    Value forwarded = loop.getConditionOp().getArgs()[result.getResultNumber()];
    auto argument = dyn_cast<BlockArgument>(forwarded);
    if (argument && argument.getOwner() == loop.getBeforeBody())
      return loop.getInits()[argument.getArgNumber()];
  }
  return Value();
}

FailureOr<SmallVector<OpFoldResult>> getTensorSizes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.hasStaticShape())
    return mixSizes(type, {});
  // Loop-carried tensors keep the sizes that they start with.
  if (Value initial = getInitialValue(tensor))
    return getTensorSizes(initial);
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return failure();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return mixSizes(type, empty.getDynamicSizes());
  if (auto reshape = dyn_cast<rt::ReshapeOp>(op))
    return mixSizes(type, reshape.getSizes());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return mixSizes(type, slice.getSizes());
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    // The result may say more; the source knows the rest.
    FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(cast.getSource());
    Builder builder(type.getContext());
    if (succeeded(sizes))
      for (auto [size, known] : llvm::zip_equal(*sizes, type.getShape()))
        if (!ShapedType::isDynamic(known))
          size = builder.getIndexAttr(known);
    return sizes;
  }
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return getTensorSizes(slice.getDest());
  if (auto concat = dyn_cast<rt::ConcatOp>(op))
    return getTensorSizes(concat.getInit());
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  if (auto launch = dyn_cast<rt::LaunchOp>(op))
    return getTensorSizes(launch.getInits()[number]);
  if (auto group = dyn_cast<rt::GroupOp>(op))
    return getTensorSizes(group.getInits()[number]);
  if (auto call = dyn_cast<rt::CallOp>(op); call && number < call.getInits().size())
    return getTensorSizes(call.getInits()[number]);
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return getTensorSizes(destination.getDpsInits()[number]);
  return failure();
}

FailureOr<SmallVector<OpFoldResult>> getLoopSizes(linalg::LinalgOp op) {
  SmallVector<OpFoldResult> sizes(op.getNumLoops());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    FailureOr<SmallVector<OpFoldResult>> operandSizes = getTensorSizes(operand.get());
    // A packed operand states only what its type does; the others have the rest.
    if (failed(operandSizes) && operand.get().getDefiningOp<rt::PackedOp>())
      operandSizes = mixSizes(type, SmallVector<Value>(type.getNumDynamicDims()));
    if (failed(operandSizes))
      return failure();
    for (auto [i, expr] : llvm::enumerate(maps[operand.getOperandNumber()].getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      // A constant beats an index value: both are the same number.
      if (dim && (*operandSizes)[i] &&
          (!sizes[dim.getPosition()] || isa<Attribute>((*operandSizes)[i])))
        sizes[dim.getPosition()] = (*operandSizes)[i];
    }
  }
  if (!llvm::all_of(sizes, [](OpFoldResult size) { return static_cast<bool>(size); }))
    return failure();
  return sizes;
}

onnx::DimExpr getDim(MLIRContext *context, OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return onnx::DimExpr::constant(context, *constant);
  auto value = dyn_cast_if_present<Value>(size);
  auto op = value ? value.getDefiningOp<rt::SymbolOp>() : rt::SymbolOp();
  return op ? onnx::DimExpr::parse(context, op.getSymbol()).value_or(onnx::DimExpr())
            : onnx::DimExpr();
}

static FailureOr<SmallVector<onnx::DimExpr>> toDims(MLIRContext *context,
                                                    FailureOr<SmallVector<OpFoldResult>> sizes) {
  if (failed(sizes))
    return failure();
  SmallVector<onnx::DimExpr> dims;
  for (OpFoldResult size : *sizes) {
    dims.push_back(getDim(context, size));
    if (!dims.back())
      return failure();
  }
  return dims;
}

FailureOr<SmallVector<onnx::DimExpr>> getTensorDims(Value tensor) {
  return toDims(tensor.getContext(), getTensorSizes(tensor));
}

FailureOr<SmallVector<onnx::DimExpr>> getLoopDims(linalg::LinalgOp op) {
  return toDims(op.getContext(), getLoopSizes(op));
}

} // namespace onnxc
