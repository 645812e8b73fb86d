//===- SinkTransposes.cpp - Moving transposes towards the results ----------===//
#include "dialects/onnx/transforms/SinkTransposes.h"
#include "dialects/onnx/OnnxFolds.h"
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/transforms/ConstantExpression.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace onnxc::onnx {

SmallVector<int64_t> toChannelsLast(int64_t rank) {
  SmallVector<int64_t> perm = {0};
  for (int64_t i = 2; i < rank; ++i)
    perm.push_back(i);
  perm.push_back(1);
  return perm;
}

SmallVector<int64_t> toChannelsFirst(int64_t rank) {
  return invertPermutationVector(toChannelsLast(rank));
}

RankedTensorType transposedType(Type type, ArrayRef<int64_t> perm) {
  return makeTensorType(applyPermutation(ArrayRef(getDims(type)), perm),
                        getElementTypeOrSelf(type));
}

Value createTranspose(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> perm) {
  return TransposeOp::create(builder, loc, transposedType(value.getType(), perm), value,
                             builder.getDenseI64ArrayAttr(perm));
}

namespace {

/// The transpose that makes a value; null when there is none. Those of constants
/// have come about here and cost nothing: sinking them would never end.
TransposeOp transposeOf(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  return transpose && !isConstantExpression(transpose.getData()) ? transpose : TransposeOp();
}

/// Whether a transpose of these dims moves none of more than one element.
bool movesUnitDimsOnly(ArrayRef<DimExpr> dims, ArrayRef<int64_t> perm) {
  SmallVector<int64_t> moved =
      llvm::filter_to_vector(perm, [&](int64_t axis) { return dims[axis].getConstant() != 1; });
  return llvm::is_sorted(moved);
}

Value createReshape(OpBuilder &builder, Location loc, Value value, ArrayRef<DimExpr> dims) {
  Type type = makeTensorType(dims, getElementTypeOrSelf(value.getType()));
  if (type == value.getType())
    return value;
  Value shape = createShapeVector(builder, loc, dims);
  return ReshapeOp::create(builder, loc, type, value, shape, /*allowzero=*/1);
}

/// Replaces an op by a copy with other operands whose results are transposed by
/// `perm` to what they were: result types are permuted back, and transposes put
/// behind. `adapt` changes the copy's attributes.
void replaceWithTransposed(
    PatternRewriter &rewriter, Operation *op, ValueRange operands, ArrayRef<int64_t> perm,
    function_ref<void(Operation *)> adapt = [](Operation *) {}) {
  SmallVector<int64_t> inverse = invertPermutationVector(perm);
  Operation *copy = rewriter.clone(*op);
  rewriter.modifyOpInPlace(copy, [&] {
    copy->setOperands(operands);
    adapt(copy);
    for (Value result : copy->getResults())
      result.setType(transposedType(result.getType(), inverse));
  });
  SmallVector<Value> restored;
  for (Value result : copy->getResults())
    restored.push_back(createTranspose(rewriter, op->getLoc(), result, perm));
  rewriter.replaceOp(op, restored);
}

/// The dims in the rank of the result, ones in front.
SmallVector<DimExpr> fullRank(Value operand, size_t rank) {
  SmallVector<DimExpr> dims = getDims(operand.getType());
  DimExpr one = DimExpr::constant(operand.getContext(), 1);
  dims.insert(dims.begin(), rank - dims.size(), one);
  return dims;
}

/// Whether an operand of an op on transposed ones can be transposed back at no cost.
bool canTranspose(Value operand, ArrayRef<int64_t> perm, ArrayRef<int64_t> inverse) {
  if (TransposeOp transpose = transposeOf(operand);
      transpose && ArrayRef(transpose.getPermutation()) == perm)
    return true;
  return isConstantExpression(operand) ||
         movesUnitDimsOnly(fullRank(operand, perm.size()), inverse);
}

/// The operand transposed back.
Value transposeOperand(PatternRewriter &rewriter, Value operand, ArrayRef<int64_t> perm,
                       ArrayRef<int64_t> inverse) {
  if (TransposeOp transpose = transposeOf(operand);
      transpose && ArrayRef(transpose.getPermutation()) == perm)
    return transpose.getData();
  SmallVector<DimExpr> dims = fullRank(operand, perm.size());
  if (llvm::all_of(dims, [](DimExpr dim) { return dim.getConstant() == 1; }))
    return operand;
  if (movesUnitDimsOnly(dims, inverse))
    return createReshape(rewriter, operand.getLoc(), operand,
                         applyPermutation(ArrayRef(dims), inverse));
  return createTranspose(rewriter, operand.getLoc(),
                         createReshape(rewriter, operand.getLoc(), operand, dims), inverse);
}

/// Add(Transpose(x), y) -> Transpose(Add(x, y')), where y is transposed alike,
/// a constant, or of a shape that makes its transpose free
struct SinkThroughElementwise : OpInterfaceRewritePattern<ScalarBodyOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(ScalarBodyOpInterface op,
                                PatternRewriter &rewriter) const override {
    auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
    TransposeOp transpose;
    for (Value operand : op->getOperands())
      if (TransposeOp candidate = transposeOf(operand);
          candidate && candidate.getType().getRank() == resultType.getRank())
        transpose = transpose ? transpose : candidate;
    if (!transpose)
      return rewriter.notifyMatchFailure(op, "no transposed operand");
    SmallVector<int64_t> perm = transpose.getPermutation();
    SmallVector<int64_t> inverse = invertPermutationVector(perm);
    for (Value operand : op->getOperands())
      if (!canTranspose(operand, perm, inverse))
        return rewriter.notifyMatchFailure(op, "an operand whose transpose has a cost");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(transposeOperand(rewriter, operand, perm, inverse));
    replaceWithTransposed(rewriter, op, operands, perm);
    return success();
  }
};

/// Softmax(Transpose(x), axis) -> Transpose(Softmax(x, axis'))
/// Concat(Transpose(x), Transpose(y), axis) -> Transpose(Concat(x, y, axis')), where
/// operands may be transposed alike, constants, or of a shape that makes their
/// transpose free
struct SinkThroughAxisOp : OpInterfaceRewritePattern<AxisOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(AxisOpInterface op, PatternRewriter &rewriter) const override {
    SmallVector<unsigned> data = op.getDataOperands();
    std::optional<int64_t> axis = op.getAxisDim();
    TransposeOp first = findTranspose(op, data);
    if (!first || !axis)
      return rewriter.notifyMatchFailure(op, "no transposed operand, or dims that must stay");
    SmallVector<int64_t> perm = first.getPermutation();
    SmallVector<int64_t> inverse = invertPermutationVector(perm);
    for (unsigned i : data)
      if (!canTranspose(op->getOperand(i), perm, inverse))
        return rewriter.notifyMatchFailure(op, "an operand whose transpose has a cost");
    SmallVector<Value> operands(op->getOperands());
    for (unsigned i : data)
      operands[i] = transposeOperand(rewriter, operands[i], perm, inverse);
    replaceWithTransposed(rewriter, op, operands, perm, [&](Operation *copy) {
      cast<AxisOpInterface>(copy).setAxisDim(perm[*axis]);
    });
    return success();
  }

private:
  /// The transpose to sink. Of several operands it is one that costs something: moving
  /// free ones only would never end.
  static TransposeOp findTranspose(AxisOpInterface op, ArrayRef<unsigned> data) {
    for (unsigned i : data) {
      TransposeOp transpose = transposeOf(op->getOperand(i));
      if (transpose &&
          (data.size() == 1 ||
           !movesUnitDimsOnly(getDims(transpose.getData().getType()), transpose.getPermutation())))
        return transpose;
    }
    return {};
  }
};

/// Pad(Transpose(x), pads) -> Transpose(Pad(x, pads'))
struct SinkThroughPad : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &rewriter) const override {
    TransposeOp transpose = transposeOf(op.getData());
    std::optional<PadWidths> widths;
    if (!transpose ||
        failed(getPadWidths(std::nullopt, op.getType().getRank(), op.getPads(), op.getAxes(),
                            widths)) ||
        !widths)
      return rewriter.notifyMatchFailure(op, "no transposed operand, or pads known at run time");
    SmallVector<int64_t> perm = transpose.getPermutation();
    SmallVector<int64_t> inverse = invertPermutationVector(perm);
    SmallVector<DimExpr> pads = applyPermutation(ArrayRef(widths->before), inverse);
    llvm::append_range(pads, applyPermutation(ArrayRef(widths->after), inverse));
    Value padded =
        PadOp::create(rewriter, op.getLoc(), transposedType(op.getType(), inverse),
                      transpose.getData(), createShapeVector(rewriter, op.getLoc(), pads),
                      op.getConstantValue(), Value(), op.getModeAttr());
    rewriter.replaceOp(op, createTranspose(rewriter, op.getLoc(), padded, perm));
    return success();
  }
};

/// Slice(Transpose(x), axes) -> Transpose(Slice(x, axes'))
struct SinkThroughSlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    TransposeOp transpose = transposeOf(op.getData());
    if (!transpose)
      return rewriter.notifyMatchFailure(op, "no transposed operand");
    SmallVector<int64_t> perm = transpose.getPermutation();
    std::optional<SmallVector<int64_t>> axes;
    if (op.getAxes()) {
      axes = getConstantIntegers(op.getAxes());
    } else if (auto starts = cast<RankedTensorType>(op.getStarts().getType());
               starts.hasStaticShape()) {
      axes = llvm::to_vector(llvm::seq<int64_t>(0, starts.getNumElements()));
    }
    if (!axes)
      return rewriter.notifyMatchFailure(op, "axes known at run time");
    ShapeValue mapped;
    for (int64_t axis : *axes) {
      axis = axis < 0 ? axis + static_cast<int64_t>(perm.size()) : axis;
      mapped.push_back(DimExpr::constant(getContext(), perm[axis]));
    }
    // Starts and axes have one integer type.
    auto type = RankedTensorType::get(static_cast<int64_t>(mapped.size()),
                                      getElementTypeOrSelf(op.getStarts().getType()));
    Value axesValue = createShapeValue(rewriter, op.getLoc(), type, mapped);
    Value sliced = SliceOp::create(
        rewriter, op.getLoc(), transposedType(op.getType(), invertPermutationVector(perm)),
        transpose.getData(), op.getStarts(), op.getEnds(), axesValue, op.getSteps());
    rewriter.replaceOp(op, createTranspose(rewriter, op.getLoc(), sliced, perm));
    return success();
  }
};

/// ReduceSum(Transpose(x), axes) -> Transpose(ReduceSum(x, axes'))
struct SinkThroughReduction : OpInterfaceRewritePattern<ReductionOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(ReductionOpInterface op, PatternRewriter &rewriter) const override {
    TransposeOp transpose = transposeOf(op->getOperand(0));
    std::optional<llvm::SmallBitVector> reduced = op.getReducedDims();
    if (!transpose || !reduced || reduced->none())
      return rewriter.notifyMatchFailure(op, "no transposed operand, or axes known at run time");
    SmallVector<int64_t> perm = transpose.getPermutation();
    llvm::SmallBitVector reducedBelow(perm.size());
    for (unsigned dim : reduced->set_bits())
      reducedBelow.set(perm[dim]);
    // What the transpose does to the dims that the result has.
    SmallVector<int64_t> resultPerm;
    if (op.keepsDims())
      resultPerm = perm;
    else
      for (unsigned dim = 0; dim < perm.size(); ++dim)
        if (!reduced->test(dim)) {
          llvm::SmallBitVector before = reducedBelow;
          before.resize(perm[dim]);
          resultPerm.push_back(perm[dim] - static_cast<int64_t>(before.count()));
        }
    SmallVector<DimExpr> axes;
    for (unsigned dim : reducedBelow.set_bits())
      axes.push_back(DimExpr::constant(getContext(), dim));
    SmallVector<Value> operands = {transpose.getData(),
                                   createShapeVector(rewriter, op.getLoc(), axes)};
    replaceWithTransposed(rewriter, op, operands, resultPerm);
    return success();
  }
};

/// Dims of a reshape's operand and result that hold the same elements.
struct ReshapeGroup {
  SmallVector<int64_t> in, out;
};

/// The finest grouping; nothing when sizes do not tell it.
std::optional<SmallVector<ReshapeGroup>> groupReshape(ArrayRef<DimExpr> in, ArrayRef<DimExpr> out) {
  SmallVector<ReshapeGroup> groups;
  size_t i = 0, j = 0;
  auto isUnit = [](ArrayRef<DimExpr> dims, size_t at) {
    return at < dims.size() && dims[at].getConstant() == 1;
  };
  while (i < in.size() || j < out.size()) {
    ReshapeGroup group;
    if (isUnit(out, j) && !isUnit(in, i)) {
      group.out.push_back(j++);
    } else if (isUnit(in, i) && !isUnit(out, j)) {
      group.in.push_back(i++);
    } else {
      if (i == in.size() || j == out.size())
        return std::nullopt;
      DimExpr a = in[i], b = out[j];
      group.in.push_back(i++);
      group.out.push_back(j++);
      while (a != b) {
        bool growIn = b.exactDiv(a).has_value();
        if (!growIn && !a.exactDiv(b) && a.getConstant() && b.getConstant())
          growIn = *a.getConstant() < *b.getConstant();
        else if (!growIn && !a.exactDiv(b))
          return std::nullopt;
        if (growIn ? i == in.size() : j == out.size())
          return std::nullopt;
        if (growIn) {
          a = a * in[i];
          group.in.push_back(i++);
        } else {
          b = b * out[j];
          group.out.push_back(j++);
        }
      }
    }
    groups.push_back(group);
  }
  return groups;
}

/// Reshape(Transpose(x)) -> Transpose(Reshape(x)) when the dims that the reshape
/// splits or merges are neighbours in x too
struct SinkThroughReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    TransposeOp transpose = transposeOf(op.getData());
    if (!transpose)
      return rewriter.notifyMatchFailure(op, "no transposed operand");
    SmallVector<DimExpr> out = getDims(op.getType());
    if (llvm::any_of(out, [&](DimExpr dim) { return bindsSymbol(op, dim); }))
      return rewriter.notifyMatchFailure(op, "sizes known at run time only");
    SmallVector<int64_t> perm = transpose.getPermutation();
    auto groups = groupReshape(getDims(transpose.getType()), out);
    if (!groups)
      return rewriter.notifyMatchFailure(op, "no groups of dims");
    // The groups in the order of x; one that has no dim of x stays behind the
    // group before it.
    SmallVector<std::pair<int64_t, const ReshapeGroup *>> order;
    int64_t key = -1;
    for (const ReshapeGroup &group : *groups) {
      for (size_t k = 1; k < group.in.size(); ++k)
        if (perm[group.in[k]] != perm[group.in[k - 1]] + 1)
          return rewriter.notifyMatchFailure(op, "merged dims are no neighbours");
      if (!group.in.empty())
        key = perm[group.in.front()];
      order.push_back({key, &group});
    }
    llvm::stable_sort(order, [](auto &a, auto &b) { return a.first < b.first; });
    SmallVector<DimExpr> dims;
    SmallVector<int64_t> back(out.size());
    for (auto &[position, group] : order) {
      for (int64_t j : group->out) {
        back[j] = static_cast<int64_t>(dims.size());
        dims.push_back(out[j]);
      }
    }
    Value reshaped = createReshape(rewriter, op.getLoc(), transpose.getData(), dims);
    rewriter.replaceOp(op, isIdentityPermutation(back)
                               ? reshaped
                               : createTranspose(rewriter, op.getLoc(), reshaped, back));
    return success();
  }
};

} // namespace

void populateSinkTransposePatterns(RewritePatternSet &patterns) {
  populateMergeTransposesPatterns(patterns);
  patterns.add<SinkThroughAxisOp, SinkThroughElementwise, SinkThroughPad, SinkThroughReduction,
               SinkThroughReshape, SinkThroughSlice>(patterns.getContext());
}

} // namespace onnxc::onnx
