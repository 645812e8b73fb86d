//===- Concat.cpp - Copies of whole pieces ---------------------------------===//
#include "lowering/cpu/emit/KernelContext.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace onnxc::emit {

namespace {
/// The result as `outer` rows of `rowElements` elements; each row is the inputs'
/// rows one after the other.
struct Rows {
  OpFoldResult outer, rowElements, perTask;
};
} // namespace

/// The elements of a row of a buffer.
static OpFoldResult countRow(OpBuilder &builder, Location loc, const Buffer &buffer,
                             unsigned axis) {
  return productIndex(builder, loc, ArrayRef(buffer.sizes).drop_front(axis));
}

static Rows computeRows(KernelContext &context, rt::ConcatOp concat, int64_t bytesPerTask) {
  OpBuilder &builder = context.builder;
  Location loc = concat.getLoc();
  const Buffer &result = context.resultBuffer(0);
  Rows rows;
  rows.outer = productIndex(builder, loc, ArrayRef(result.sizes).take_front(concat.getAxis()));
  rows.rowElements = countRow(builder, loc, result, concat.getAxis());
  OpFoldResult rowBytes = bytesOfElements(builder, loc, rows.rowElements, result.elementType);
  rows.perTask = ceilDivIndex(builder, loc, getIndex(builder, bytesPerTask),
                              maxIndex(builder, loc, rowBytes, getIndex(builder, 1)));
  rows.perTask = roundToBytes(builder, loc, rows.perTask, result.elementType);
  return rows;
}

/// Whether every piece begins and ends with a byte.
static bool hasWholeBytes(KernelContext &context, rt::ConcatOp concat) {
  Type elementType = context.resultBuffer(0).elementType;
  if (!rt::sharesBytes(elementType))
    return true;
  return llvm::all_of(concat.getInputs(), [&](Value input) {
    OpFoldResult count =
        countRow(context.builder, concat.getLoc(), *context.lookup(input), concat.getAxis());
    return getConstant(count) && *getConstant(count) * rt::getStorageBits(elementType) % 8 == 0;
  });
}

/// Copies `count` elements, which are whole bytes, between two places, given in elements.
static void copyBytes(OpBuilder &builder, Location loc, const Buffer &target, OpFoldResult to,
                      const Buffer &source, OpFoldResult from, OpFoldResult count) {
  auto bytesOf = [&](OpFoldResult elements) {
    return bytesOfElements(builder, loc, elements, target.elementType);
  };
  Type i8 = builder.getI8Type();
  Value length = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                            asValue(builder, loc, bytesOf(count)));
  LLVM::MemcpyOp::create(builder, loc, offsetPointer(builder, loc, target.pointer, i8, bytesOf(to)),
                         offsetPointer(builder, loc, source.pointer, i8, bytesOf(from)), length,
                         /*isVolatile=*/false);
}

/// Copies `count` elements one by one.
static void copyElements(OpBuilder &builder, Location loc, const Buffer &target, OpFoldResult to,
                         const Buffer &source, OpFoldResult from, OpFoldResult count) {
  auto loop = scf::ForOp::create(builder, loc, arith::ConstantIndexOp::create(builder, loc, 0),
                                 asValue(builder, loc, count),
                                 arith::ConstantIndexOp::create(builder, loc, 1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  OpFoldResult i = OpFoldResult(loop.getInductionVar());
  auto at = [&](const Buffer &buffer, OpFoldResult start) {
    return offsetPointer(builder, loc, buffer.pointer, buffer.elementType,
                         addIndex(builder, loc, start, i));
  };
  Value element = loadFrom(builder, loc, at(source, from), source.elementType);
  storeTo(builder, loc, element, at(target, to));
}

LogicalResult emitConcat(KernelContext &context, rt::ConcatAttr strategy) {
  OpBuilder &builder = context.builder;
  auto concats = context.body().getOps<rt::ConcatOp>();
  if (concats.empty())
    return context.expected("an rt.concat");
  rt::ConcatOp concat = *concats.begin();
  Location loc = concat.getLoc();
  context.openTaskCount();
  Rows rows = computeRows(context, concat, strategy.getBytesPerTask());
  context.closeTaskCount(ceilDivIndex(builder, loc, rows.outer, rows.perTask));

  context.openTask();
  rows = computeRows(context, concat, strategy.getBytesPerTask());
  bool wholeBytes = hasWholeBytes(context, concat);
  OpFoldResult lower = mulIndex(builder, loc, context.task, rows.perTask);
  OpFoldResult upper =
      minIndex(builder, loc, addIndex(builder, loc, lower, rows.perTask), rows.outer);
  auto loop =
      scf::ForOp::create(builder, loc, asValue(builder, loc, lower), asValue(builder, loc, upper),
                         arith::ConstantIndexOp::create(builder, loc, 1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    OpFoldResult row = OpFoldResult(loop.getInductionVar());
    const Buffer &result = context.resultBuffer(0);
    OpFoldResult to = mulIndex(builder, loc, row, rows.rowElements);
    for (Value input : concat.getInputs()) {
      const Buffer &buffer = *context.lookup(input);
      OpFoldResult count = countRow(builder, loc, buffer, concat.getAxis());
      OpFoldResult from = mulIndex(builder, loc, row, count);
      auto copy = wholeBytes ? copyBytes : copyElements;
      copy(builder, loc, result, to, buffer, from, count);
      to = addIndex(builder, loc, to, count);
    }
  }
  context.closeTask();
  return success();
}

} // namespace onnxc::emit
