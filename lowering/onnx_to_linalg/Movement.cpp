//===- Movement.cpp - Transpose, Concat, Slice, Expand, Tile ... -----------===//
#include "dialects/onnx/DimAnalysis.h"
#include "dialects/onnx/OnnxMovement.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

/// onnx.Transpose -> a generic with a permuted map
struct TransposeLowering : OpConversionPattern<onnx::TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::TransposeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<int64_t> perm = op.getPermutation();
    SmallVector<AffineExpr> exprs(perm.size());
    for (auto [i, axis] : llvm::enumerate(perm))
      exprs[axis] = rewriter.getAffineDimExpr(i);
    AffineMap map = AffineMap::get(perm.size(), 0, exprs, getContext());
    rewriter.replaceOp(
        op, buildCopy(rewriter, op.getLoc(), onnx::getDims(op.getType()), adaptor.getData(), map));
    return success();
  }
};

/// onnx.Concat -> rt.concat
struct ConcatLowering : OpConversionPattern<onnx::ConcatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ConcatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    int64_t rank = dims.size(), axis = static_cast<int64_t>(op.getAxis());
    axis = axis < 0 ? axis + rank : axis;
    for (Value input : op.getInputs())
      for (auto [i, dim] : llvm::enumerate(onnx::getDims(input.getType())))
        if (static_cast<int64_t>(i) != axis)
          checkSameSize(rewriter, op.getLoc(), dim, dims[i],
                        "the sizes of axis " + std::to_string(i) + " differ");
    SmallVector<SizedTensor> pieces;
    for (auto [lowered, original] : llvm::zip_equal(adaptor.getInputs(), op.getInputs()))
      pieces.push_back(sized(lowered, original));
    while (pieces.size() > mostInputs)
      pieces = concatenateRuns(rewriter, op.getLoc(), pieces, dims, axis);
    Value init = emptyTensor(rewriter, op.getLoc(), op.getType());
    SmallVector<Value> inputs =
        llvm::map_to_vector(pieces, [](const SizedTensor &piece) { return piece.tensor; });
    rewriter.replaceOpWithNewOp<rt::ConcatOp>(op, init.getType(), axis, inputs, init);
    return success();
  }

private:
  /// A kernel has straight code for each of its inputs. More of them are concatenated in
  /// runs first, which costs a copy.
  static constexpr size_t mostInputs = 128;

  static SmallVector<SizedTensor> concatenateRuns(OpBuilder &builder, Location loc,
                                                  ArrayRef<SizedTensor> pieces,
                                                  ArrayRef<DimExpr> dims, int64_t axis) {
    SmallVector<SizedTensor> result;
    for (; !pieces.empty(); pieces = pieces.drop_front(std::min(mostInputs, pieces.size()))) {
      ArrayRef<SizedTensor> run = pieces.take_front(mostInputs);
      SmallVector<DimExpr> own(dims);
      own[axis] = onnx::sumOf(
          llvm::map_to_vector(run, [&](const SizedTensor &piece) { return piece.dims[axis]; }));
      SmallVector<Value> inputs =
          llvm::map_to_vector(run, [](const SizedTensor &piece) { return piece.tensor; });
      Value init = emptyTensor(builder, loc, own, elementTypeOf(inputs.front()));
      Value whole = rt::ConcatOp::create(builder, loc, init.getType(), axis, inputs, init);
      result.push_back({whole, own});
    }
    return result;
  }
};

/// The elements of one axis that a slice takes, as values.
struct AxisRange {
  Value first, step;
};

/// A generic that reads `data` at `first + i * step` along each axis.
Value buildSlice(OpBuilder &builder, Location loc, Value data, ArrayRef<DimExpr> dims,
                 ArrayRef<AxisRange> ranges) {
  return buildFromIndices(builder, loc, dims, elementTypeOf(data),
                          [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
                            IndexMath math(builder, loc);
                            SmallVector<Value> from(indices);
                            for (auto [index, range] : llvm::zip_equal(from, ranges))
                              if (range.first)
                                index = math.add(range.step ? math.mul(index, range.step) : index,
                                                 range.first);
                            return tensor::ExtractOp::create(builder, loc, data, from);
                          });
}

/// onnx.Slice -> a generic that reads at first + i * step
struct SliceLowering : OpConversionPattern<onnx::SliceOp> {
  using OpConversionPattern::OpConversionPattern;

  /// The range of one axis and its length, from values.
  static std::pair<AxisRange, Value> computeRange(IndexMath &math, Value size, Value start,
                                                  Value end, Value step) {
    constexpr int64_t largest = int64_t(1) << 48;
    Value zero = math.constant(0), one = math.constant(1), minusOne = math.constant(-1);
    checkThat(math.builder, math.loc, math.compare(arith::CmpIPredicate::ne, step, zero),
              "a step of 0 is not allowed", step, one, rt::Status::InvalidValue);
    step = math.clamp(step, math.constant(-largest), math.constant(largest));
    Value forward = math.less(zero, step);
    Value high = math.select(forward, size, math.sub(size, one));
    // Backwards, the end may lie before element 0, the start only in an empty axis.
    Value first = math.min(math.max(math.wrapNegative(start, size), zero), high);
    Value last =
        math.clamp(math.wrapNegative(end, size), math.select(forward, zero, minusOne), high);
    Value distance = math.select(forward, math.sub(last, first), math.sub(first, last));
    // A step of 0 has ended the call; it may not divide.
    Value stride = math.max(math.select(forward, step, math.sub(zero, step)), one);
    Value rounded = math.add(distance, math.sub(stride, one));
    return {{first, step}, math.max(math.div(rounded, stride), zero)};
  }

  /// The elements of starts, ends, axes or steps, the first `most` of them when
  /// only the run knows how many there are; beyond the end 0.
  static SmallVector<Value> readList(IndexMath &math, Value original, Value lowered, int64_t most) {
    DimExpr length = onnx::getDims(original.getType())[0];
    if (length.isConstant())
      return math.readShape(original, lowered);
    Value count = materializeIndex(math.builder, math.loc, length);
    SmallVector<Value> result;
    for (int64_t k = 0; k < most; ++k) {
      auto element = scf::IfOp::create(
          math.builder, math.loc, math.less(math.constant(k), count),
          [&](OpBuilder &builder, Location loc) {
            IndexMath inner(builder, loc);
            scf::YieldOp::create(builder, loc, inner.toIndex(inner.read(lowered, k)));
          },
          [&](OpBuilder &builder, Location loc) {
            scf::YieldOp::create(builder, loc, IndexMath(builder, loc).constant(0));
          });
      result.push_back(element.getResult(0));
    }
    return result;
  }

  /// How many axes are sliced: the length of all lists, at most the rank.
  static Value checkCount(onnx::SliceOp op, IndexMath &math, int64_t rank) {
    DimExpr count = onnx::getDims(op.getStarts().getType())[0];
    for (Value list : {Value(op.getEnds()), Value(op.getAxes()), Value(op.getSteps())})
      if (list)
        checkSameSize(math.builder, math.loc, onnx::getDims(list.getType())[0], count,
                      "starts, ends, axes and steps must have one length");
    Value number = materializeIndex(math.builder, math.loc, count), most = math.constant(rank);
    checkThat(math.builder, math.loc, math.compare(arith::CmpIPredicate::sle, number, most),
              "more slices than axes", number, most);
    return number;
  }

  /// Ranges and lengths of all axes when only the run knows an operand.
  static void computeRanges(onnx::SliceOp op, OpAdaptor adaptor, IndexMath &math,
                            SmallVectorImpl<AxisRange> &ranges, SmallVectorImpl<Value> &lengths) {
    SmallVector<DimExpr> from = onnx::getDims(op.getData().getType());
    int64_t rank = from.size();
    Value count = checkCount(op, math, rank);
    SmallVector<Value> starts = readList(math, op.getStarts(), adaptor.getStarts(), rank);
    SmallVector<Value> ends = readList(math, op.getEnds(), adaptor.getEnds(), rank), steps, axes;
    if (op.getSteps())
      steps = readList(math, op.getSteps(), adaptor.getSteps(), rank);
    if (op.getAxes())
      axes = readList(math, op.getAxes(), adaptor.getAxes(), rank);
    // The lists have one length, which one of them may state: the call checks it.
    size_t most = std::min(starts.size(), ends.size());
    if (op.getSteps())
      most = std::min(most, steps.size());
    if (op.getAxes())
      most = std::min(most, axes.size());
    Value one = math.constant(1);
    for (Value &axis : axes)
      axis = math.checkAxis(axis, rank);
    for (int64_t i = 0; i < rank; ++i) {
      Value size = materializeIndex(math.builder, math.loc, from[i]);
      Value start = math.constant(0), end = size, step = one;
      for (size_t k = 0; k < most; ++k) {
        if (!op.getAxes() && static_cast<int64_t>(k) != i)
          continue;
        Value here = math.less(math.constant(k), count);
        if (op.getAxes())
          here = math.both(here, math.equal(axes[k], math.constant(i)));
        start = math.select(here, starts[k], start);
        end = math.select(here, ends[k], end);
        step = math.select(here, op.getSteps() ? steps[k] : one, step);
      }
      auto [range, length] = computeRange(math, size, start, end, step);
      ranges.push_back(range);
      lengths.push_back(length);
    }
  }

  LogicalResult matchAndRewrite(onnx::SliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    SmallVector<AxisRange> ranges(dims.size());
    std::optional<SmallVector<onnx::SlicedAxis>> sliced;
    if (failed(onnx::getSlicedAxes(loc, op.getData().getType(), op.getStarts(), op.getEnds(),
                                   op.getAxes(), op.getSteps(), sliced)))
      return failure();
    IndexMath math(rewriter, loc);
    if (sliced) {
      SmallVector<Value> lengths(dims.size());
      for (onnx::SlicedAxis &slice : *sliced) {
        ranges[slice.axis] = {materializeIndex(rewriter, loc, slice.first),
                              slice.step == 1 ? Value() : math.constant(slice.step)};
        if (slice.length != dims[slice.axis])
          lengths[slice.axis] = materializeIndex(rewriter, loc, slice.length);
      }
      bindDims(rewriter, op, dims, lengths);
    } else {
      SmallVector<Value> lengths;
      ranges.clear();
      computeRanges(op, adaptor, math, ranges, lengths);
      bindDims(rewriter, op, dims, lengths);
    }
    rewriter.replaceOp(op, buildSlice(rewriter, loc, adaptor.getData(), dims, ranges));
    return success();
  }
};

/// onnx.Split with sizes that only the run knows -> slices
struct SplitLowering : OpConversionPattern<onnx::SplitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::SplitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexMath math(rewriter, loc);
    SmallVector<DimExpr> from = onnx::getDims(op.getInput().getType());
    int64_t rank = from.size(), axis = static_cast<int64_t>(op.getAxis());
    axis = axis < 0 ? axis + rank : axis;
    SmallVector<Value> sizes;
    if (op.getSplit())
      sizes = math.readShape(op.getSplit(), adaptor.getSplit());
    Value size = materializeIndex(rewriter, loc, from[axis]);
    SmallVector<Value> starts = {math.constant(0)};
    for (auto [i, piece] : llvm::enumerate(op.getOutputs())) {
      SmallVector<DimExpr> dims = onnx::getDims(piece.getType());
      SmallVector<Value> lengths(rank);
      if (op.getSplit())
        lengths[axis] = sizes[i];
      bindDims(rewriter, op, dims, lengths);
      Value length = materializeIndex(rewriter, loc, dims[axis]);
      // Each by itself, so that the sum does not wrap around.
      if (op.getSplit() && !onnx::getShapeValue(op.getSplit()))
        checkThat(rewriter, loc, math.compare(arith::CmpIPredicate::sle, length, size),
                  "a piece is longer than the axis", length, size);
      starts.push_back(math.add(starts.back(), length));
    }
    checkThat(rewriter, loc, math.equal(starts.back(), size),
              "the split sizes do not sum up to the axis", starts.back(), size);
    SmallVector<Value> pieces;
    for (auto [i, piece] : llvm::enumerate(op.getOutputs())) {
      SmallVector<AxisRange> ranges(rank);
      ranges[axis].first = starts[i];
      pieces.push_back(
          buildSlice(rewriter, loc, adaptor.getInput(), onnx::getDims(piece.getType()), ranges));
    }
    rewriter.replaceOp(op, pieces);
    return success();
  }
};

/// onnx.Expand -> a generic that reads with numpy broadcasting
struct ExpandLowering : OpConversionPattern<onnx::ExpandOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Checks the shape operand against the input, and binds the result's sizes.
  static void checkShape(onnx::ExpandOp op, Value shape, ArrayRef<DimExpr> dims,
                         OpBuilder &builder) {
    IndexMath math(builder, op.getLoc());
    SmallVector<DimExpr> from = onnx::getDims(op.getInput().getType());
    SmallVector<Value> wanted = math.readShape(op.getShape(), shape);
    auto known = onnx::getShapeValue(op.getShape());
    SmallVector<Value> sizes(dims.size());
    Value one = math.constant(1);
    for (size_t i = 0; i < dims.size(); ++i) {
      int64_t inWanted =
          static_cast<int64_t>(i + wanted.size()) - static_cast<int64_t>(dims.size());
      int64_t inFrom = static_cast<int64_t>(i + from.size()) - static_cast<int64_t>(dims.size());
      if (inWanted < 0)
        continue;
      if (known && ((*known)[inWanted] == dims[i] || (*known)[inWanted].getConstant() == 1))
        continue;
      Value size = wanted[inWanted];
      if (inFrom >= 0) {
        Value own = materializeIndex(builder, op.getLoc(), from[inFrom]);
        Value stretched = math.equal(own, one), kept = math.equal(size, one);
        checkThat(builder, op.getLoc(),
                  math.either(math.either(stretched, kept), math.equal(own, size)),
                  "cannot broadcast dim " + std::to_string(inFrom), own, size);
        size = math.select(stretched, size, own);
      }
      sizes[i] = size;
    }
    bindDims(builder, op, dims, sizes);
  }

  LogicalResult matchAndRewrite(onnx::ExpandOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    checkShape(op, adaptor.getShape(), dims, rewriter);
    SizedTensor input{adaptor.getInput(), onnx::getDims(op.getInput().getType())};
    rewriter.replaceOp(
        op,
        buildElementwise(rewriter, op.getLoc(), input, dims, getElementTypeOrSelf(op.getType()),
                         [](OpBuilder &, Location, ValueRange args) -> Value { return args[0]; }));
    return success();
  }
};

/// onnx.Tile -> a generic over [repeat, size] pairs that reads only by size, then a
/// view. No division is needed.
struct TileLowering : OpConversionPattern<onnx::TileOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::TileOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexMath math(rewriter, loc);
    SmallVector<DimExpr> from = onnx::getDims(op.getInput().getType());
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    auto repeats = onnx::getShapeValue(op.getRepeats());
    if (!repeats) {
      SmallVector<Value> counts = math.readShape(op.getRepeats(), adaptor.getRepeats()), sizes;
      repeats.emplace();
      for (auto [i, count] : llvm::enumerate(counts)) {
        sizes.push_back(math.mul(count, materializeIndex(rewriter, loc, from[i])));
        DimExpr repeat = onnx::freshSymbol(getContext(), "repeat");
        checkThat(rewriter, loc, math.compare(arith::CmpIPredicate::sge, count, math.constant(0)),
                  "a repeat is negative", count, math.constant(0), rt::Status::InvalidValue);
        rt::BindOp::create(rewriter, loc, rewriter.getStringAttr(repeat.symbolName()), count);
        repeats->push_back(repeat);
      }
      bindDims(rewriter, op, dims, sizes);
    }
    SmallVector<DimExpr> pairs;
    SmallVector<AffineExpr> exprs;
    for (auto [repeat, size] : llvm::zip_equal(*repeats, from)) {
      if (repeat.getConstant() != 1)
        pairs.push_back(repeat);
      exprs.push_back(rewriter.getAffineDimExpr(pairs.size()));
      pairs.push_back(size);
    }
    AffineMap map = AffineMap::get(pairs.size(), 0, exprs, getContext());
    Value tiled = buildCopy(rewriter, loc, pairs, adaptor.getInput(), map);
    rewriter.replaceOp(op, reshapeTo(rewriter, loc, tiled, dims));
    return success();
  }
};

/// onnx.Trilu -> a generic that keeps an element or writes zero
struct TriluLowering : OpConversionPattern<onnx::TriluOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::TriluOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = elementTypeOf(op.getInput());
    TypedAttr zeroAttr = rewriter.getZeroAttr(element);
    if (!zeroAttr)
      return rewriter.notifyMatchFailure(op, "the element type has no zero");
    IndexMath math(rewriter, loc);
    Value k = math.constant(0);
    if (op.getK()) {
      for (DimExpr dim : onnx::getDims(op.getK().getType()))
        checkSameSize(rewriter, loc, dim, DimExpr::constant(getContext(), 1),
                      "expected one element in 'k'");
      auto known = onnx::getShapeValue(op.getK());
      k = known ? math.materialize(*known).front() : math.toIndex(math.read(adaptor.getK()));
    }
    // Beyond every size; sums with positions do not wrap around.
    constexpr int64_t farthest = int64_t(1) << 48;
    k = math.clamp(k, math.constant(-farthest), math.constant(farthest));
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      IndexMath math(builder, loc);
      Value value = tensor::ExtractOp::create(builder, loc, adaptor.getInput(), indices);
      Value zero = arith::ConstantOp::create(builder, loc, zeroAttr);
      Value diagonal = math.add(indices[indices.size() - 2], k);
      auto predicate = op.getUpper() != 0 ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle;
      return math.select(math.compare(predicate, indices.back(), diagonal), value, zero);
    };
    rewriter.replaceOp(
        op, buildFromIndices(rewriter, loc, onnx::getDims(op.getType()), element, build));
    return success();
  }
};

} // namespace

void onnxc::populateMovementPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ConcatLowering, ExpandLowering, SliceLowering, SplitLowering, TileLowering,
               TransposeLowering, TriluLowering>(converter, context);
  // These have no lowering of their own: they become reshapes and transposes.
  onnx::DepthToSpaceOp::getCanonicalizationPatterns(patterns, context);
  onnx::SpaceToDepthOp::getCanonicalizationPatterns(patterns, context);
}
