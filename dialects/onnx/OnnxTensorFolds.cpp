//===- OnnxTensorFolds.cpp - Folds of data movement ------------------------===//
#include "dialects/onnx/OnnxFolds.h"
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;
using namespace onnxc::onnx;

//===----------------------------------------------------------------------===//
// Where elements come from
//===----------------------------------------------------------------------===//

/// Row-major order is kept: what views do.
static std::optional<ElementSources> getViewSources(Value result) {
  ElementSources sources;
  for (int64_t i = 0, e = cast<RankedTensorType>(result.getType()).getNumElements(); i < e; ++i)
    sources.push_back({0, i});
  return sources;
}

std::optional<ElementSources> ReshapeOp::getElementSources(unsigned) {
  return getViewSources(getReshaped());
}
std::optional<ElementSources> FlattenOp::getElementSources(unsigned) {
  return getViewSources(getOutput());
}
std::optional<ElementSources> SqueezeOp::getElementSources(unsigned) {
  return getViewSources(getSqueezed());
}
std::optional<ElementSources> UnsqueezeOp::getElementSources(unsigned) {
  return getViewSources(getExpanded());
}

std::optional<ElementSources> TransposeOp::getElementSources(unsigned) {
  auto shape = getStaticShape(getData());
  if (!shape)
    return std::nullopt;
  SmallVector<int64_t> perm = getPermutation(), from(perm.size());
  return makeElementSources(getType(), [&](ArrayRef<int64_t> index) -> ElementSource {
    for (auto [i, axis] : llvm::enumerate(perm))
      from[axis] = index[i];
    return {0, linearize(from, *shape)};
  });
}

std::optional<ElementSources> ConcatOp::getElementSources(unsigned) {
  int64_t rank = getType().getRank();
  int64_t axis = static_cast<int64_t>(getAxis()) < 0 ? getAxis() + rank : getAxis();
  SmallVector<ArrayRef<int64_t>> shapes;
  for (Value input : getInputs()) {
    auto shape = getStaticShape(input);
    if (!shape)
      return std::nullopt;
    shapes.push_back(*shape);
  }
  return makeElementSources(getType(), [&](ArrayRef<int64_t> index) -> ElementSource {
    SmallVector<int64_t> from(index);
    int operand = 0;
    for (; from[axis] >= shapes[operand][axis]; ++operand)
      from[axis] -= shapes[operand][axis];
    return {operand, linearize(from, shapes[operand])};
  });
}

std::optional<ElementSources> SplitOp::getElementSources(unsigned result) {
  auto shape = getStaticShape(getInput());
  if (!shape)
    return std::nullopt;
  int64_t axis = static_cast<int64_t>(getAxis());
  axis = axis < 0 ? axis + static_cast<int64_t>(shape->size()) : axis;
  int64_t offset = 0;
  for (Value piece : getOutputs().take_front(result)) {
    int64_t size = cast<RankedTensorType>(piece.getType()).getDimSize(axis);
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    offset += size;
  }
  return makeElementSources(getOutputs()[result].getType(),
                            [&](ArrayRef<int64_t> index) -> ElementSource {
                              SmallVector<int64_t> from(index);
                              from[axis] += offset;
                              return {0, linearize(from, *shape)};
                            });
}

std::optional<ElementSources> SliceOp::getElementSources(unsigned) {
  auto shape = getStaticShape(getData());
  std::optional<SmallVector<SlicedAxis>> sliced;
  if (!shape ||
      failed(getSlicedAxes(std::nullopt, getData().getType(), getStarts(), getEnds(), getAxes(),
                           getSteps(), sliced)) ||
      !sliced)
    return std::nullopt;
  for (SlicedAxis &slice : *sliced)
    if (!slice.first.isConstant())
      return std::nullopt;
  return makeElementSources(getType(), [&](ArrayRef<int64_t> index) -> ElementSource {
    SmallVector<int64_t> from(index);
    for (SlicedAxis &slice : *sliced)
      from[slice.axis] = from[slice.axis] * slice.step + *slice.first.getConstant();
    return {0, linearize(from, *shape)};
  });
}

/// Numpy broadcasting and repetition: an index wraps around at the input's size.
static std::optional<ElementSources> getRepeatedSources(Value input, Type resultType) {
  auto shape = getStaticShape(input);
  if (!shape)
    return std::nullopt;
  return makeElementSources(resultType, [&](ArrayRef<int64_t> index) -> ElementSource {
    SmallVector<int64_t> from(index.take_back(shape->size()));
    for (auto [i, size] : llvm::zip_equal(from, *shape))
      i %= size;
    return {0, linearize(from, *shape)};
  });
}

std::optional<ElementSources> ExpandOp::getElementSources(unsigned) {
  return getRepeatedSources(getInput(), getType());
}
std::optional<ElementSources> TileOp::getElementSources(unsigned) {
  return getRepeatedSources(getInput(), getType());
}

/// The position in [0, size) that a position outside is filled from, or nothing
/// when it is the constant.
static std::optional<int64_t> wrapPadded(int64_t position, int64_t size, StringRef mode) {
  if (position >= 0 && position < size)
    return position;
  if (mode == "constant" || size == 0)
    return std::nullopt;
  if (mode == "edge")
    return std::clamp<int64_t>(position, 0, size - 1);
  if (mode == "wrap")
    return ((position % size) + size) % size;
  int64_t period = std::max<int64_t>(2 * (size - 1), 1);
  int64_t phase = ((position % period) + period) % period;
  return std::min(phase, period - phase) % size;
}

std::optional<ElementSources> PadOp::getElementSources(unsigned) {
  auto shape = getStaticShape(getData());
  std::optional<PadWidths> widths;
  if (!shape || failed(getPadWidths(std::nullopt, shape->size(), getPads(), getAxes(), widths)) ||
      !widths)
    return std::nullopt;
  int fill = getConstantValue() ? 2 : -1;
  for (auto [before, after] : llvm::zip_equal(widths->before, widths->after))
    if (!before.isConstant() || !after.isConstant())
      return std::nullopt;
  return makeElementSources(getType(), [&](ArrayRef<int64_t> index) -> ElementSource {
    SmallVector<int64_t> from(index);
    for (auto [i, position] : llvm::enumerate(from)) {
      // What negative pads cut off does not take part.
      int64_t before = *widths->before[i].getConstant(), after = *widths->after[i].getConstant();
      int64_t first = std::max<int64_t>(-before, 0);
      int64_t length = (*shape)[i] - first - std::max<int64_t>(-after, 0);
      auto inside = wrapPadded(position - std::max<int64_t>(before, 0), length, getMode());
      if (!inside)
        return {fill, 0};
      position = *inside + first;
    }
    return {0, linearize(from, *shape)};
  });
}

std::optional<ElementSources> CenterCropPadOp::getElementSources(unsigned) {
  auto shape = getStaticShape(getInputData());
  if (!shape)
    return std::nullopt;
  ArrayRef<int64_t> sizes = getType().getShape();
  return makeElementSources(getType(), [&](ArrayRef<int64_t> index) -> ElementSource {
    SmallVector<int64_t> from(index);
    for (auto [i, position] : llvm::enumerate(from)) {
      int64_t size = (*shape)[i], wanted = sizes[i];
      position += wanted < size ? (size - wanted) / 2 : -((wanted - size) / 2);
      if (position < 0 || position >= size)
        return {-1, 0};
    }
    return {0, linearize(from, *shape)};
  });
}

std::optional<ElementSources> TriluOp::getElementSources(unsigned) {
  ArrayRef<int64_t> shape = getType().getShape();
  std::optional<SmallVector<int64_t>> k = SmallVector<int64_t>{0};
  if (getK())
    k = getConstantIntegers(getK());
  if (!k || k->size() != 1)
    return std::nullopt;
  bool upper = getUpper() != 0;
  return makeElementSources(getType(), [&](ArrayRef<int64_t> index) -> ElementSource {
    int64_t row = index[index.size() - 2], column = index.back();
    int64_t diagonal = std::clamp<int64_t>(k->front(), -(int64_t(1) << 48), int64_t(1) << 48);
    bool kept = upper ? column - row >= diagonal : column - row <= diagonal;
    return kept ? ElementSource{0, linearize(index, shape)} : ElementSource{-1, 0};
  });
}

// Both become Reshape and Transpose, which fold.
std::optional<ElementSources> DepthToSpaceOp::getElementSources(unsigned) { return std::nullopt; }
std::optional<ElementSources> SpaceToDepthOp::getElementSources(unsigned) { return std::nullopt; }

//===----------------------------------------------------------------------===//
// Results equal to an operand. The caller checks that the types are equal.
//===----------------------------------------------------------------------===//

Value ReshapeOp::getUnchanged() { return getData(); }
Value FlattenOp::getUnchanged() { return getInput(); }
Value SqueezeOp::getUnchanged() { return getData(); }
Value UnsqueezeOp::getUnchanged() { return getData(); }
Value ExpandOp::getUnchanged() { return getInput(); }
Value TileOp::getUnchanged() { return getInput(); }
Value CenterCropPadOp::getUnchanged() { return getInputData(); }
Value DepthToSpaceOp::getUnchanged() { return getBlocksize() == 1 ? getInput() : Value(); }
Value SpaceToDepthOp::getUnchanged() { return getBlocksize() == 1 ? getInput() : Value(); }
Value ConcatOp::getUnchanged() { return getInputs().size() == 1 ? getInputs().front() : Value(); }

Value TransposeOp::getUnchanged() {
  SmallVector<int64_t> perm = getPermutation();
  return llvm::is_sorted(perm) ? getData() : Value();
}

Value SliceOp::getUnchanged() {
  std::optional<SmallVector<SlicedAxis>> sliced;
  if (failed(getSlicedAxes(std::nullopt, getData().getType(), getStarts(), getEnds(), getAxes(),
                           getSteps(), sliced)) ||
      !sliced)
    return {};
  bool forward = llvm::all_of(*sliced, [](SlicedAxis &slice) { return slice.step > 0; });
  return forward ? getData() : Value();
}

Value PadOp::getUnchanged() {
  std::optional<PadWidths> widths;
  if (failed(getPadWidths(std::nullopt, getType().getRank(), getPads(), getAxes(), widths)) ||
      !widths)
    return {};
  auto isZero = [](DimExpr dim) { return dim.getConstant() == 0; };
  return llvm::all_of(widths->before, isZero) && llvm::all_of(widths->after, isZero) ? getData()
                                                                                     : Value();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

OpFoldResult RangeOp::fold(FoldAdaptor adaptor) {
  constexpr int64_t maxElements = 128;
  auto type = cast<RankedTensorType>(getType());
  auto start = dyn_cast_or_null<DenseElementsAttr>(adaptor.getStart());
  auto delta = dyn_cast_or_null<DenseElementsAttr>(adaptor.getDelta());
  // Small floats are computed in f32, double and integers as they are.
  if (!type.hasStaticShape() || type.getNumElements() > maxElements || !start || !delta ||
      !(type.getElementType().isF32() || type.getElementType().isF64()))
    return {};
  SmallVector<Attribute> elements;
  APFloat from = *start.value_begin<APFloat>(), by = *delta.value_begin<APFloat>();
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    // As the specification's loop and the lowering: start + i * delta.
    APFloat element(static_cast<double>(i));
    bool lossy;
    element.convert(from.getSemantics(), APFloat::rmNearestTiesToEven, &lossy);
    element.multiply(by, APFloat::rmNearestTiesToEven);
    element.add(from, APFloat::rmNearestTiesToEven);
    elements.push_back(FloatAttr::get(type.getElementType(), element));
  }
  return DenseElementsAttr::get(type, elements);
}

OpFoldResult ConstantOfShapeOp::fold(FoldAdaptor) {
  constexpr int64_t maxElements = 128;
  auto type = cast<RankedTensorType>(getType());
  if (!type.hasStaticShape() || type.getNumElements() > maxElements)
    return {};
  Builder builder(getContext());
  Attribute element = builder.getZeroAttr(type.getElementType());
  if (auto value = getValueAttr()) {
    auto dense = dyn_cast<DenseElementsAttr>(value);
    element = dense ? *dense.value_begin<Attribute>() : Attribute();
  }
  return element ? OpFoldResult(DenseElementsAttr::get(type, ArrayRef(element))) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Whether each dim of a type is an expression that may stand in an onnx.Dims in
/// front of the op that has this result: none is a symbol that the op binds.
static bool hasComputableDims(Operation *op) {
  return llvm::none_of(getDims(op->getResult(0).getType()),
                       [&](DimExpr dim) { return bindsSymbol(op, dim); });
}

/// Another shape for `data`, with all sizes written out.
static Value reshapeToType(PatternRewriter &rewriter, Location loc, Value data, Type type) {
  Value shape = createShapeVector(rewriter, loc, getDims(type));
  return ReshapeOp::create(rewriter, loc, type, data, shape, /*allowzero=*/1);
}

namespace {

/// Flatten, Squeeze, Unsqueeze -> Reshape to the sizes of the result
template <typename Op> struct ViewToReshape : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!hasComputableDims(op))
      return rewriter.notifyMatchFailure(op, "sizes are known at run time only");
    rewriter.replaceOp(
        op, reshapeToType(rewriter, op.getLoc(), op->getOperand(0), op->getResult(0).getType()));
    return success();
  }
};

/// Reshape(Reshape(x)) -> Reshape(x)
struct MergeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getData().getDefiningOp<ReshapeOp>();
    if (!inner || !hasComputableDims(op))
      return rewriter.notifyMatchFailure(op, "no reshape below, or sizes known at run time only");
    // The inner sizes may not divide; only then they have to be checked.
    if (numElements(getContext(), getDims(inner.getType())) !=
        numElements(getContext(), getDims(inner.getData().getType())))
      return rewriter.notifyMatchFailure(op, "the inner reshape needs a check");
    rewriter.replaceOp(op, reshapeToType(rewriter, op.getLoc(), inner.getData(), op.getType()));
    return success();
  }
};

/// Transpose(Transpose(x, p), q) -> Transpose(x, p * q)
struct MergeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getData().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "no transpose below");
    SmallVector<int64_t> first = inner.getPermutation(), merged;
    for (int64_t axis : op.getPermutation())
      merged.push_back(first[axis]);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getData(),
                                             rewriter.getDenseI64ArrayAttr(merged));
    return success();
  }
};

/// Transpose that moves only dims of size 1 -> Reshape
struct TransposeToReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    SmallVector<DimExpr> dims = getDims(op.getData().getType());
    SmallVector<int64_t> moved = llvm::filter_to_vector(
        op.getPermutation(), [&](int64_t axis) { return dims[axis].getConstant() != 1; });
    if (!llvm::is_sorted(moved))
      return rewriter.notifyMatchFailure(op, "elements move");
    rewriter.replaceOp(op, reshapeToType(rewriter, op.getLoc(), op.getData(), op.getType()));
    return success();
  }
};

/// Split -> one Slice for each piece
struct SplitToSlices : OpRewritePattern<SplitOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SplitOp op, PatternRewriter &rewriter) const override {
    SmallVector<DimExpr> dims = getDims(op.getInput().getType());
    int64_t axis = static_cast<int64_t>(op.getAxis());
    axis = axis < 0 ? axis + static_cast<int64_t>(dims.size()) : axis;
    DimExpr start = DimExpr::constant(getContext(), 0), sum = start;
    for (Value piece : op.getOutputs()) {
      DimExpr size = getDims(piece.getType())[axis];
      if (bindsSymbol(op, size))
        return rewriter.notifyMatchFailure(op, "sizes are known at run time only");
      sum = sum + size;
    }
    if (sum != dims[axis] && op.getSplit())
      return rewriter.notifyMatchFailure(op, "that the sizes fit needs a check");
    Value axes = createShapeVector(rewriter, op.getLoc(), DimExpr::constant(getContext(), axis));
    SmallVector<Value> pieces;
    for (Value piece : op.getOutputs()) {
      DimExpr end = start + getDims(piece.getType())[axis];
      Value starts = createShapeVector(rewriter, op.getLoc(), start);
      Value ends = createShapeVector(rewriter, op.getLoc(), end);
      pieces.push_back(SliceOp::create(rewriter, op.getLoc(), piece.getType(), op.getInput(),
                                       starts, ends, axes, Value()));
      start = end;
    }
    rewriter.replaceOp(op, pieces);
    return success();
  }
};

/// DepthToSpace, SpaceToDepth -> Reshape, Transpose, Reshape. Space to depth is the
/// inverse of depth to space.
template <typename Op, bool toSpace> struct BlocksToTranspose : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    SmallVector<DimExpr> in = getDims(op.getInput().getType());
    SmallVector<DimExpr> out = getDims(op.getType());
    DimExpr block = DimExpr::constant(op.getContext(), op.getBlocksize());
    bool depthFirst = op.getMode() == "DCR";
    SmallVector<DimExpr> split;
    SmallVector<int64_t> perm;
    if (toSpace && depthFirst) {
      split = {in[0], block, block, out[1], in[2], in[3]};
      perm = {0, 3, 4, 1, 5, 2};
    } else if (toSpace) {
      split = {in[0], out[1], block, block, in[2], in[3]};
      perm = {0, 1, 4, 2, 5, 3};
    } else {
      split = {in[0], in[1], out[2], block, out[3], block};
      perm = depthFirst ? SmallVector<int64_t>{0, 3, 5, 1, 2, 4}
                        : SmallVector<int64_t>{0, 1, 3, 5, 2, 4};
    }
    Type element = getElementTypeOrSelf(op.getType());
    Value blocks =
        reshapeToType(rewriter, op.getLoc(), op.getInput(), makeTensorType(split, element));
    SmallVector<DimExpr> moved =
        llvm::map_to_vector(perm, [&](int64_t axis) { return split[axis]; });
    Value transposed = TransposeOp::create(rewriter, op.getLoc(), makeTensorType(moved, element),
                                           blocks, rewriter.getDenseI64ArrayAttr(perm));
    rewriter.replaceOp(op, reshapeToType(rewriter, op.getLoc(), transposed, op.getType()));
    return success();
  }
};

} // namespace

void FlattenOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ViewToReshape<FlattenOp>>(context);
}
void SqueezeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ViewToReshape<SqueezeOp>>(context);
}
void UnsqueezeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ViewToReshape<UnsqueezeOp>>(context);
}
void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeReshapes>(context);
}
void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  populateMergeTransposesPatterns(patterns);
  patterns.add<TransposeToReshape>(context);
}
void onnxc::onnx::populateMergeTransposesPatterns(RewritePatternSet &patterns) {
  patterns.add<MergeTransposes>(patterns.getContext());
}
void SplitOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SplitToSlices>(context);
}
void DepthToSpaceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<BlocksToTranspose<DepthToSpaceOp, true>>(context);
}
void SpaceToDepthOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<BlocksToTranspose<SpaceToDepthOp, false>>(context);
}
