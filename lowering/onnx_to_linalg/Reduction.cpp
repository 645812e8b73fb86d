//===- Reduction.cpp - Reductions over dims to linalg.generic --------------===//
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/RowLoops.h"
#include "lowering/onnx_to_linalg/RuntimeRows.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::Scalar;

namespace {

/// What is the same for every element of a reduced tensor.
struct ElementTypes {
  explicit ElementTypes(Value onnxValue)
      : storage(getElementTypeOrSelf(onnxValue.getType())),
        compute(computeType(lowerType(storage))), isUnsigned(storage.isUnsignedInteger()) {}
  Scalar scalar(OpBuilder &builder, Location loc, Value value) const {
    return Scalar(builder, loc, value, isUnsigned);
  }
  Type storage, compute;
  bool isUnsigned;
};

/// Whether the finishing formula does anything to the combined terms.
bool hasFinish(onnx::ReductionOpInterface op, OpBuilder &builder, const ElementTypes &types) {
  Block scratch;
  Value argument = scratch.addArgument(types.compute, op.getLoc());
  OpBuilder inner(builder.getContext());
  inner.setInsertionPointToStart(&scratch);
  Scalar x = types.scalar(inner, op.getLoc(), argument);
  return Value(op.buildFinish(x, [&] { return x.integer(1); })) != argument;
}

/// The row tensor of a plain reduction, in the result's element type. `Rows` is
/// RowLoops, or RuntimeRows when only the run knows the dims.
template <typename Rows>
Value reduceRows(onnx::ReductionOpInterface op, const Rows &rows, Value data, OpBuilder &builder) {
  Location loc = op.getLoc();
  ElementTypes types(op->getOperand(0));
  Scalar zero = zeroScalar(builder, loc, types.compute, types.isUnsigned);
  Value result = rows.reduce(op.buildNeutral(zero), data, {},
                             [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                               Scalar term = op.buildTerm(types.scalar(b, loc, args[0]));
                               return op.buildCombine(types.scalar(b, loc, args.back()), term);
                             });
  if (!hasFinish(op, builder, types) && types.compute == lowerType(types.storage))
    return result;
  return rows.mapRows(types.storage, result,
                      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                        return op.buildFinish(types.scalar(b, loc, args[0]),
                                              [&] { return rows.rowSize(b, loc, types.compute); });
                      });
}

/// log(sum(exp(x - max))) + max, with 0 for an infinite maximum.
template <typename Rows>
Value reduceLogSumExp(onnx::ReduceLogSumExpOp op, const Rows &rows, Value data,
                      OpBuilder &builder) {
  Location loc = op.getLoc();
  ElementTypes types(op.getData());
  Type type = isa<FloatType>(types.compute) ? types.compute : Type(builder.getF64Type());
  Scalar zero = zeroScalar(builder, loc, type);
  auto number = [&](OpBuilder &b, Location loc, Value value) {
    return convert(types.scalar(b, loc, value), type, false);
  };
  Value maxima = rows.reduce(zero.lowest(), data, {},
                             [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                               return max(Scalar(b, loc, args[1]), number(b, loc, args[0]));
                             });
  maxima = rows.mapRows(type, maxima, [](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Scalar x(b, loc, args[0]);
    return select(isInfinite(x), 0.0, x);
  });
  Value sums =
      rows.reduce(zero, data, maxima, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Scalar term = exp(number(b, loc, args[0]) - Scalar(b, loc, args[1]));
        return Scalar(b, loc, args[2]) + term;
      });
  return rows.mapRows(types.storage, {sums, maxima},
                      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                        Scalar result = log(Scalar(b, loc, args[0])) + Scalar(b, loc, args[1]);
                        return convert(result, types.compute, types.isUnsigned);
                      });
}

/// Reduces with the rows that compile time or else the run knows.
template <typename Op, typename Reduce>
LogicalResult lowerReduction(Op op, ValueRange operands, bool keepsDims,
                             const std::optional<llvm::SmallBitVector> &reduced,
                             ConversionPatternRewriter &rewriter, Reduce reduce) {
  Location loc = op->getLoc();
  Value data = op->getOperand(0);
  Type resultType = op->getResult(0).getType();
  SmallVector<DimExpr> dims = onnx::getDims(data.getType());
  if (reduced) {
    // As many axes as there are: all, if they differ.
    if (operands.size() > 1 && !onnx::getConstantIntegers(op->getOperand(1)))
      IndexMath(rewriter, loc).readAxes(operands[1], dims.size());
    RowLoops rows(rewriter, loc, dims, *reduced);
    Value result = reduce(rows);
    rewriter.replaceOp(op, reshapeTo(rewriter, loc, result, onnx::getDims(resultType)));
    return success();
  }
  RuntimeRows rows(rewriter, loc, dims, operands[1]);
  Value result = reduce(rows);
  bindDims(rewriter, op, onnx::getDims(resultType), rows.resultSizes(keepsDims));
  rewriter.replaceOp(op, reshapeTo(rewriter, loc, result, onnx::getDims(resultType)));
  return success();
}

struct ReductionLowering : OpInterfaceConversionPattern<onnx::ReductionOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult matchAndRewrite(onnx::ReductionOpInterface op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    return lowerReduction(
        op, operands, op.keepsDims(), op.getReducedDims(), rewriter,
        [&](const auto &rows) { return reduceRows(op, rows, operands[0], rewriter); });
  }
};

struct ReduceLogSumExpLowering : OpConversionPattern<onnx::ReduceLogSumExpOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::ReduceLogSumExpOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return lowerReduction(
        op, adaptor.getOperands(), op.getKeepdims() != 0, op.getReducedDims(), rewriter,
        [&](const auto &rows) { return reduceLogSumExp(op, rows, adaptor.getData(), rewriter); });
  }
};

//===----------------------------------------------------------------------===//
// ArgMax, ArgMin, Hardmax
//===----------------------------------------------------------------------===//

/// The index of the first or last largest (or smallest) element of each row:
/// the extreme itself, then the least (greatest) index that holds it. A NaN
/// counts as the extreme.
Value extremeIndices(const RowLoops &rows, OpBuilder &builder, Location loc, Value onnxData,
                     Value data, int64_t axis, bool largest, bool last) {
  ElementTypes types(onnxData);
  Scalar zero = zeroScalar(builder, loc, types.compute, types.isUnsigned);
  Value extremes = rows.reduce(largest ? zero.lowest() : zero.highest(), data, {},
                               [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                 Scalar x = types.scalar(b, loc, args[0]),
                                        y = types.scalar(b, loc, args[1]);
                                 return largest ? max(y, x) : min(y, x);
                               });
  Scalar none = zeroScalar(builder, loc, builder.getI64Type());
  none = last ? none.integer(-1) : none.highest();
  return rows.reduce(
      none, data, extremes, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Scalar x = types.scalar(b, loc, args[0]);
        Scalar found = x == types.scalar(b, loc, args[1]);
        if (x.isFloat())
          found = found | isNaN(x);
        Value index = linalg::IndexOp::create(b, loc, axis);
        Scalar position(b, loc, arith::IndexCastOp::create(b, loc, b.getI64Type(), index));
        Scalar unset(b, loc, none);
        Scalar candidate = select(found, position, unset);
        Scalar soFar(b, loc, args.back());
        return last ? max(soFar, candidate) : min(soFar, candidate);
      });
}

int64_t fromFront(int64_t axis, int64_t rank) { return axis < 0 ? axis + rank : axis; }

RowLoops rowsAlongAxis(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims, int64_t axis) {
  llvm::SmallBitVector inside(dims.size());
  inside.set(axis);
  return RowLoops(builder, loc, dims, inside);
}

template <typename Op> struct ArgReductionLowering : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getData().getType());
    int64_t axis = fromFront(op.getAxis(), dims.size());
    checkNotEmpty(rewriter, loc, dims[axis], axis, onnx::getDims(op.getType()),
                  "there is no element to choose");
    Value indices = extremeIndices(
        rowsAlongAxis(rewriter, loc, dims, axis), rewriter, loc, op.getData(), adaptor.getData(),
        axis, std::is_same_v<Op, onnx::ArgMaxOp>, op.getSelectLastIndex() != 0);
    rewriter.replaceOp(op, reshapeTo(rewriter, loc, indices, onnx::getDims(op.getType())));
    return success();
  }
};

/// 1 at the first largest element of a row, 0 elsewhere.
struct HardmaxLowering : OpConversionPattern<onnx::HardmaxOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::HardmaxOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getInput().getType());
    int64_t axis = fromFront(op.getAxis(), dims.size());
    RowLoops rows = rowsAlongAxis(rewriter, loc, dims, axis);
    Value indices = extremeIndices(rows, rewriter, loc, op.getInput(), adaptor.getInput(), axis,
                                   /*largest=*/true, /*last=*/false);
    ElementTypes types(op.getInput());
    rewriter.replaceOp(
        op, rows.map(types.storage, {}, indices, {},
                     [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                       Value index = linalg::IndexOp::create(b, loc, axis);
                       Scalar position(b, loc,
                                       arith::IndexCastOp::create(b, loc, b.getI64Type(), index));
                       Scalar isHere = position == Scalar(b, loc, args[0]);
                       return convert(isHere, types.compute, false);
                     }));
    return success();
  }
};

} // namespace

void onnxc::populateReductionPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ArgReductionLowering<onnx::ArgMaxOp>, ArgReductionLowering<onnx::ArgMinOp>,
               HardmaxLowering, ReduceLogSumExpLowering, ReductionLowering>(converter,
                                                                            patterns.getContext());
}
