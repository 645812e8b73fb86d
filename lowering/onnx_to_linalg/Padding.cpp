//===- Padding.cpp - Pad and CenterCropPad to linalg.generic ---------------===//
#include "dialects/onnx/OnnxMovement.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

Type elementTypeOf(Value tensor) {
  return lowerType(cast<RankedTensorType>(tensor.getType()).getElementType());
}

/// A place in an axis that may lie outside of it.
struct Position {
  Value index;  ///< always inside
  Value inside; ///< whether it was; null: always
};

/// The index that fills `position` in an axis of `size` elements.
Position wrapPosition(IndexMath &math, Value position, Value size, StringRef mode) {
  Value zero = math.constant(0), one = math.constant(1);
  Value last = math.sub(size, one);
  if (mode == "edge")
    return {math.clamp(position, zero, last), {}};
  if (mode == "wrap") {
    Value rest = math.rem(position, math.max(size, one));
    return {math.wrapNegative(rest, size), {}};
  }
  if (mode == "reflect") {
    Value period = math.max(math.mul(last, math.constant(2)), one);
    Value phase = math.wrapNegative(math.rem(position, period), period);
    // An axis of one element has period 1 and only phase 0.
    return {math.min(phase, math.max(math.sub(period, phase), zero)), {}};
  }
  // A negative position is a large unsigned one.
  Value inside = math.compare(arith::CmpIPredicate::ult, position, size);
  return {math.clamp(position, zero, last), inside};
}

/// A generic that reads `data` at `index - before`, or what the mode puts there.
/// Axes with a null `before` are not padded.
Value buildPadded(OpBuilder &builder, Location loc, Value data, ArrayRef<DimExpr> from,
                  ArrayRef<DimExpr> dims, ArrayRef<Value> before, StringRef mode,
                  function_ref<Value(OpBuilder &, Location)> fill) {
  IndexMath outer(builder, loc);
  SmallVector<Value> sizes = outer.materialize(from);
  return buildFromIndices(
      builder, loc, dims, elementTypeOf(data),
      [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
        IndexMath math(builder, loc);
        SmallVector<Value> at(indices);
        Value inside;
        for (size_t i = 0; i < at.size(); ++i) {
          if (!before[i])
            continue;
          Position position = wrapPosition(math, math.sub(at[i], before[i]), sizes[i], mode);
          at[i] = position.index;
          if (position.inside)
            inside = inside ? math.both(inside, position.inside) : position.inside;
        }
        Value value = tensor::ExtractOp::create(builder, loc, data, at);
        return inside ? math.select(inside, value, fill(builder, loc)) : value;
      });
}

/// onnx.Pad -> a generic that reads at index - before
struct PadLowering : OpConversionPattern<onnx::PadOp> {
  using OpConversionPattern::OpConversionPattern;

  /// What is put before each axis, with the sizes bound, when only the run knows.
  static SmallVector<Value> computeBefore(onnx::PadOp op, OpAdaptor adaptor, OpBuilder &builder,
                                          ArrayRef<DimExpr> from, ArrayRef<DimExpr> dims) {
    IndexMath math(builder, op.getLoc());
    int64_t rank = from.size();
    SmallVector<Value> pads = math.readShape(op.getPads(), adaptor.getPads()), axes;
    if (op.getAxes())
      axes = math.readShape(op.getAxes(), adaptor.getAxes());
    size_t count = pads.size() / 2;
    Value zero = math.constant(0);
    SmallVector<Value> before(rank, zero), after(rank, zero), sizes;
    for (int64_t i = 0; i < rank; ++i) {
      for (size_t k = 0; k < count; ++k) {
        if (!op.getAxes() && static_cast<int64_t>(k) != i)
          continue;
        Value here = arith::ConstantIntOp::create(builder, op.getLoc(), 1, 1);
        if (op.getAxes())
          here = math.equal(math.wrapNegative(axes[k], math.constant(rank)), math.constant(i));
        before[i] = math.select(here, pads[k], before[i]);
        after[i] = math.select(here, pads[count + k], after[i]);
      }
      Value size = materializeIndex(builder, op.getLoc(), from[i]);
      sizes.push_back(math.add(math.add(size, before[i]), after[i]));
    }
    bindDims(builder, op, dims, sizes);
    return before;
  }

  LogicalResult matchAndRewrite(onnx::PadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> from = onnx::getDims(op.getData().getType());
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    TypedAttr zero = rewriter.getZeroAttr(elementTypeOf(op.getData()));
    if (!zero)
      return rewriter.notifyMatchFailure(op, "the element type has no zero");
    std::optional<onnx::PadWidths> widths;
    if (failed(onnx::getPadWidths(loc, from.size(), op.getPads(), op.getAxes(), widths)))
      return failure();
    SmallVector<Value> before(from.size());
    if (widths) {
      for (size_t i = 0; i < from.size(); ++i)
        if (widths->before[i].getConstant() != 0 || widths->after[i].getConstant() != 0)
          before[i] = materializeIndex(rewriter, loc, widths->before[i]);
    } else {
      before = computeBefore(op, adaptor, rewriter, from, dims);
    }
    auto fill = [&](OpBuilder &builder, Location loc) -> Value {
      if (!op.getConstantValue())
        return arith::ConstantOp::create(builder, loc, zero);
      return IndexMath(builder, loc).read(adaptor.getConstantValue());
    };
    rewriter.replaceOp(op, buildPadded(rewriter, loc, adaptor.getData(), from, dims, before,
                                       op.getMode(), fill));
    return success();
  }
};

/// onnx.CenterCropPad -> a generic that reads at an offset, zero outside
struct CenterCropPadLowering : OpConversionPattern<onnx::CenterCropPadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::CenterCropPadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexMath math(rewriter, loc);
    SmallVector<DimExpr> from = onnx::getDims(op.getInputData().getType());
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    TypedAttr zeroAttr = rewriter.getZeroAttr(elementTypeOf(op.getInputData()));
    if (!zeroAttr)
      return rewriter.notifyMatchFailure(op, "the element type has no zero");
    SmallVector<Value> wanted = math.readShape(op.getShape(), adaptor.getShape());
    SmallVector<Value> sizes(dims.size()), before(dims.size());
    for (size_t k = 0; k < wanted.size(); ++k) {
      int64_t axis = op.getAxes() ? (*op.getAxes())[k] : static_cast<int64_t>(k);
      sizes[axis < 0 ? axis + static_cast<int64_t>(dims.size()) : axis] = wanted[k];
    }
    bindDims(rewriter, op, dims, sizes);
    Value zero = math.constant(0), two = math.constant(2);
    for (size_t i = 0; i < dims.size(); ++i) {
      if (from[i] == dims[i])
        continue;
      Value own = materializeIndex(rewriter, loc, from[i]);
      Value size = materializeIndex(rewriter, loc, dims[i]);
      // Half of what is cut or added goes in front, rounded down either way.
      Value added = math.div(math.max(math.sub(size, own), zero), two);
      Value cut = math.div(math.max(math.sub(own, size), zero), two);
      before[i] = math.sub(added, cut);
    }
    auto fill = [&](OpBuilder &builder, Location loc) -> Value {
      return arith::ConstantOp::create(builder, loc, zeroAttr);
    };
    rewriter.replaceOp(op, buildPadded(rewriter, loc, adaptor.getInputData(), from, dims, before,
                                       "constant", fill));
    return success();
  }
};

} // namespace

void onnxc::populatePaddingPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<CenterCropPadLowering, PadLowering>(converter, patterns.getContext());
}
