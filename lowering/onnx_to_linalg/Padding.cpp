//===- Padding.cpp - Pad and CenterCropPad to linalg.generic ---------------===//
#include "dialects/onnx/OnnxMovement.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

/// What becomes of an axis: negative pads cut it, the rest is put around.
struct AxisPads {
  Value first, length; ///< the part of the axis that is kept
  Value lead, trail;   ///< how much is put in front of it and behind it; null: nothing
};

AxisPads makeAxisPads(IndexMath &math, Value size, Value before, Value after) {
  Value zero = math.constant(0);
  Value first = math.max(math.sub(zero, before), zero);
  Value cut = math.add(first, math.max(math.sub(zero, after), zero));
  return {first, math.sub(size, cut), math.max(before, zero), math.max(after, zero)};
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

/// The elements of an axis cannot fill more than the mode allows: a reflection has
/// no second turn, and nothing grows from an empty axis.
void checkPads(OpBuilder &builder, Location loc, const AxisPads &pads, StringRef mode,
               size_t axis) {
  IndexMath math(builder, loc);
  Value zero = math.constant(0), one = math.constant(1);
  std::string where = " along axis " + std::to_string(axis);
  checkThat(builder, loc, math.compare(arith::CmpIPredicate::sge, pads.length, zero),
            "negative pads cut more than there is" + where, pads.length, zero);
  if (mode == "constant")
    return;
  Value largest = math.max(pads.lead, pads.trail);
  if (mode == "reflect") {
    Value limit = math.max(math.sub(pads.length, one), zero);
    checkThat(builder, loc, math.compare(arith::CmpIPredicate::sle, largest, limit),
              "a reflecting pad must be smaller than the size" + where, largest, limit);
    return;
  }
  Value fits = math.either(math.equal(largest, zero),
                           math.compare(arith::CmpIPredicate::sge, pads.length, one));
  checkThat(builder, loc, fits, "there is nothing to pad with" + where, pads.length, one);
}

/// A generic that reads `data` at its place, or what the mode puts there. Axes with
/// a null `lead` are not padded.
Value buildPadded(OpBuilder &builder, Location loc, Value data, ArrayRef<DimExpr> dims,
                  ArrayRef<AxisPads> pads, StringRef mode,
                  function_ref<Value(OpBuilder &, Location)> fill) {
  return buildFromIndices(builder, loc, dims, elementTypeOf(data),
                          [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
                            IndexMath math(builder, loc);
                            SmallVector<Value> at(indices);
                            Value inside;
                            for (size_t i = 0; i < at.size(); ++i) {
                              if (!pads[i].lead)
                                continue;
                              Position position = wrapPosition(math, math.sub(at[i], pads[i].lead),
                                                               pads[i].length, mode);
                              at[i] = math.add(position.index, pads[i].first);
                              if (position.inside)
                                inside =
                                    inside ? math.both(inside, position.inside) : position.inside;
                            }
                            Value value = tensor::ExtractOp::create(builder, loc, data, at);
                            return inside ? math.select(inside, value, fill(builder, loc)) : value;
                          });
}

/// The same, or only the constant where nothing is kept: the kernel reads each
/// element that it replaces, so it needs one.
Value buildPaddedOrFilled(OpBuilder &builder, Location loc, Value data, ArrayRef<DimExpr> dims,
                          ArrayRef<AxisPads> pads, StringRef mode,
                          function_ref<Value(OpBuilder &, Location)> fill) {
  IndexMath math(builder, loc);
  Value one = math.constant(1);
  Value isEmpty = arith::ConstantIntOp::create(builder, loc, 0, 1);
  for (const AxisPads &axis : pads)
    if (axis.lead && mode == "constant")
      isEmpty = math.either(isEmpty, math.less(axis.length, one));
  std::optional<int64_t> known = getConstantIntValue(isEmpty);
  if (known == 0)
    return buildPadded(builder, loc, data, dims, pads, mode, fill);
  if (known)
    return filledTensor(builder, loc, dims, fill(builder, loc));
  auto choice = scf::IfOp::create(
      builder, loc, isEmpty,
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, filledTensor(builder, loc, dims, fill(builder, loc)));
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, buildPadded(builder, loc, data, dims, pads, mode, fill));
      });
  return reshapeTo(builder, loc, choice.getResult(0), dims);
}

/// onnx.Pad -> a generic that reads at index - before
struct PadLowering : OpConversionPattern<onnx::PadOp> {
  using OpConversionPattern::OpConversionPattern;

  /// The pads of each axis, with the sizes bound, when only the run knows.
  static SmallVector<AxisPads> computePads(onnx::PadOp op, OpAdaptor adaptor, OpBuilder &builder,
                                           ArrayRef<DimExpr> from, ArrayRef<DimExpr> dims) {
    IndexMath math(builder, op.getLoc());
    int64_t rank = from.size();
    SmallVector<Value> pads = math.readShape(op.getPads(), adaptor.getPads()), axes;
    if (op.getAxes())
      axes = math.readShape(op.getAxes(), adaptor.getAxes());
    size_t count = pads.size() / 2;
    Value zero = math.constant(0);
    SmallVector<Value> before(rank, zero), after(rank, zero), sizes;
    SmallVector<AxisPads> result;
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
      result.push_back(makeAxisPads(math, size, before[i], after[i]));
    }
    bindDims(builder, op, dims, sizes);
    return result;
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
    SmallVector<AxisPads> pads(from.size());
    if (widths) {
      IndexMath math(rewriter, loc);
      for (size_t i = 0; i < from.size(); ++i)
        if (widths->before[i].getConstant() != 0 || widths->after[i].getConstant() != 0)
          pads[i] = makeAxisPads(math, materializeIndex(rewriter, loc, from[i]),
                                 materializeIndex(rewriter, loc, widths->before[i]),
                                 materializeIndex(rewriter, loc, widths->after[i]));
    } else {
      pads = computePads(op, adaptor, rewriter, from, dims);
    }
    for (auto [i, axis] : llvm::enumerate(pads))
      if (axis.lead)
        checkPads(rewriter, loc, axis, op.getMode(), i);
    auto fill = [&](OpBuilder &builder, Location loc) -> Value {
      if (!op.getConstantValue())
        return arith::ConstantOp::create(builder, loc, zero);
      return IndexMath(builder, loc).read(adaptor.getConstantValue());
    };
    rewriter.replaceOp(
        op, buildPaddedOrFilled(rewriter, loc, adaptor.getData(), dims, pads, op.getMode(), fill));
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
    SmallVector<Value> sizes(dims.size());
    SmallVector<AxisPads> pads(dims.size());
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
      Value before = math.sub(added, cut);
      pads[i] = makeAxisPads(math, own, before, math.sub(math.sub(size, own), before));
    }
    auto fill = [&](OpBuilder &builder, Location loc) -> Value {
      return arith::ConstantOp::create(builder, loc, zeroAttr);
    };
    rewriter.replaceOp(op, buildPaddedOrFilled(rewriter, loc, adaptor.getInputData(), dims, pads,
                                               "constant", fill));
    return success();
  }
};

} // namespace

void onnxc::populatePaddingPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<CenterCropPadLowering, PadLowering>(converter, patterns.getContext());
}
