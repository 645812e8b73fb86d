//===- Concat.cpp - Copies of whole pieces ---------------------------------===//
#include "lowering/cpu/emit/KernelContext.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace onnxc::emit {

namespace {
/// The result as `outer` rows of `rowBytes` bytes; each row is the inputs'
/// rows one after the other.
struct Rows {
  OpFoldResult outer, rowBytes, perTask;
};
} // namespace

static Rows computeRows(KernelContext &context, rt::ConcatOp concat, int64_t bytesPerTask) {
  OpBuilder &builder = context.builder;
  Location loc = concat.getLoc();
  const Buffer &result = context.resultBuffer(0);
  ArrayRef<OpFoldResult> sizes(result.sizes);
  Rows rows;
  rows.outer = productIndex(builder, loc, sizes.take_front(concat.getAxis()));
  OpFoldResult inner = productIndex(builder, loc, sizes.drop_front(concat.getAxis()));
  rows.rowBytes =
      mulIndex(builder, loc, inner, getIndex(builder, rt::getStorageBytes(result.elementType)));
  rows.perTask = ceilDivIndex(builder, loc, getIndex(builder, bytesPerTask),
                              maxIndex(builder, loc, rows.rowBytes, getIndex(builder, 1)));
  return rows;
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
    Value target = offsetPointer(builder, loc, context.resultBuffer(0).pointer, builder.getI8Type(),
                                 mulIndex(builder, loc, row, rows.rowBytes));
    for (Value input : concat.getInputs()) {
      const Buffer &buffer = *context.lookup(input);
      OpFoldResult inner =
          productIndex(builder, loc, ArrayRef(buffer.sizes).drop_front(concat.getAxis()));
      OpFoldResult bytes =
          mulIndex(builder, loc, inner, getIndex(builder, rt::getStorageBytes(buffer.elementType)));
      Value source = offsetPointer(builder, loc, buffer.pointer, builder.getI8Type(),
                                   mulIndex(builder, loc, row, bytes));
      Value length = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                                asValue(builder, loc, bytes));
      LLVM::MemcpyOp::create(builder, loc, target, source, length, /*isVolatile=*/false);
      target = offsetPointer(builder, loc, target, builder.getI8Type(), bytes);
    }
  }
  context.closeTask();
  return success();
}

} // namespace onnxc::emit
