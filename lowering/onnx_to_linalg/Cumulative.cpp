//===- Cumulative.cpp - CumSum and CumProd to linalg.generic ---------------===//
//
// A running result in parallel: the axis is cut into blocks; each block's
// elements are combined, then the blocks before each block, then for each element
// the blocks before its own with the elements before it. With blocks of 64 that
// is some 64 operations for an element, all of them in independent loops.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/RowLoops.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::Scalar;

namespace {

constexpr int64_t blockSize = 64;

/// A scan along the middle dim of (outer, n, inner).
class Scan {
public:
  using Combine = function_ref<Scalar(Scalar, Scalar)>;

  Scan(OpBuilder &builder, Location loc, Value x, ArrayRef<DimExpr> dims, bool exclusive,
       bool reverse, Scalar neutral, Combine combine)
      : builder(builder), loc(loc), x(x), outer(dims[0]), length(dims[1]), inner(dims[2]),
        exclusive(exclusive), reverse(reverse), neutral(neutral), combine(combine) {
    MLIRContext *context = builder.getContext();
    block = DimExpr::constant(context, blockSize);
    blocks = length.ceilDiv(block);
    lengthValue = materializeIndex(builder, loc, length);
  }

  Value build(Type resultElement) {
    Value before = blocks.getConstant() == 1 ? Value() : combineBlocksBefore(combineBlocks());
    Value within = combineWithinBlock();
    SmallVector<DimExpr> dims = {outer, length, inner};
    return buildMap(builder, loc, dims, resultElement, {{within, identityMap(context(), 3)}},
                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                      if (!before)
                        return args[0];
                      IndexMath math(b, loc);
                      Value position = logical(math, linalg::IndexOp::create(b, loc, 1));
                      Value blockIndex = math.div(position, math.constant(blockSize));
                      Value others = tensor::ExtractOp::create(
                          b, loc, before,
                          ValueRange{linalg::IndexOp::create(b, loc, 0), blockIndex,
                                     linalg::IndexOp::create(b, loc, 2)});
                      return combine(scalar(b, loc, others), scalar(b, loc, args[0]));
                    });
  }

private:
  MLIRContext *context() const { return builder.getContext(); }
  Scalar scalar(OpBuilder &b, Location loc, Value value) const {
    return Scalar(b, loc, value, neutral.hasUnsignedType());
  }

  /// The position in the order of the scan, from the index; and the reverse.
  Value logical(IndexMath &math, Value index) const {
    if (!reverse)
      return index;
    return math.sub(math.sub(lengthValue, math.constant(1)), index);
  }

  /// The element at a position of the scan, or the neutral one beyond a limit.
  Scalar elementAt(IndexMath &math, Value position, Value isValid) const {
    OpBuilder &b = math.builder;
    Value safe = math.select(isValid, logical(math, position), math.constant(0));
    Value element =
        tensor::ExtractOp::create(b, math.loc, x,
                                  ValueRange{linalg::IndexOp::create(b, math.loc, 0), safe,
                                             linalg::IndexOp::create(b, math.loc, 2)});
    Scalar value =
        scalar(b, math.loc, convertFloat(b, math.loc, element, computeType(element.getType())));
    return select(Scalar(b, math.loc, isValid), value, scalar(b, math.loc, neutral));
  }

  /// A reduction over an innermost loop of `size` beside (outer, middle, inner).
  Value reduce(DimExpr middle, DimExpr size, ArrayRef<GenericInput> inputs,
               function_ref<Scalar(IndexMath &, ValueRange)> term) {
    SmallVector<DimExpr> loops = {outer, middle, inner, size};
    llvm::SmallBitVector inside(4);
    inside.set(3);
    // Gives the innermost loop its size; its elements are never read.
    SmallVector<GenericInput> all = {{emptyTensor(builder, loc, {size}, neutral.type()),
                                      AffineMap::get(4, 0, builder.getAffineDimExpr(3))}};
    llvm::append_range(all, inputs);
    return buildReduction(builder, loc, loops, inside, neutral, all,
                          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                            IndexMath math(b, loc);
                            return combine(scalar(b, loc, args.back()), term(math, args));
                          });
  }

  Value combineBlocks() {
    return reduce(blocks, block, {}, [&](IndexMath &math, ValueRange) {
      OpBuilder &b = math.builder;
      Value start = math.mul(linalg::IndexOp::create(b, math.loc, 1), math.constant(blockSize));
      Value position = math.add(start, linalg::IndexOp::create(b, math.loc, 3));
      return elementAt(math, position, math.less(position, lengthValue));
    });
  }

  Value combineBlocksBefore(Value combined) {
    AffineMap other = AffineMap::get(
        4, 0,
        {builder.getAffineDimExpr(0), builder.getAffineDimExpr(3), builder.getAffineDimExpr(2)},
        context());
    return reduce(blocks, blocks, {{combined, other}}, [&](IndexMath &math, ValueRange args) {
      OpBuilder &b = math.builder;
      Value isBefore = math.less(linalg::IndexOp::create(b, math.loc, 3),
                                 linalg::IndexOp::create(b, math.loc, 1));
      return select(Scalar(b, math.loc, isBefore), scalar(b, math.loc, args[1]),
                    scalar(b, math.loc, neutral));
    });
  }

  Value combineWithinBlock() {
    return reduce(length, block, {}, [&](IndexMath &math, ValueRange) {
      OpBuilder &b = math.builder;
      Value own = logical(math, linalg::IndexOp::create(b, math.loc, 1));
      Value start = math.sub(own, math.rem(own, math.constant(blockSize)));
      Value position = math.add(start, linalg::IndexOp::create(b, math.loc, 3));
      Value limit = exclusive ? own : math.add(own, math.constant(1));
      return elementAt(math, position, math.less(position, limit));
    });
  }

  OpBuilder &builder;
  Location loc;
  Value x;
  DimExpr outer, length, inner, block, blocks;
  Value lengthValue;
  bool exclusive, reverse;
  Scalar neutral;
  Combine combine;
};

/// The dims before the axis, along it and behind it, as one dim each.
SmallVector<DimExpr> splitAt(ArrayRef<DimExpr> dims, int64_t axis) {
  MLIRContext *context = dims[axis].getContext();
  return {onnx::numElements(context, dims.take_front(axis)), dims[axis],
          onnx::numElements(context, dims.drop_front(axis + 1))};
}

/// The same for an axis that only the run knows, with symbols that are bound here.
SmallVector<DimExpr> splitAtRuntime(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims,
                                    Value axisTensor) {
  IndexMath math(builder, loc);
  Value rank = math.constant(dims.size());
  Value axis = math.wrapNegative(math.toIndex(math.read(axisTensor)), rank);
  Value inRange = math.both(math.compare(arith::CmpIPredicate::sge, axis, math.constant(0)),
                            math.less(axis, rank));
  checkThat(builder, loc, inRange, "the axis is out of range", axis, rank, rt::Status::OutOfRange);
  if (dims.size() == 1)
    return splitAt(dims, 0);
  Value sizes[3] = {math.constant(1), math.constant(1), math.constant(1)};
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value size = materializeIndex(builder, loc, dim), one = math.constant(1);
    Value own = math.constant(i);
    sizes[0] = math.mul(sizes[0], math.select(math.less(own, axis), size, one));
    sizes[1] = math.mul(sizes[1], math.select(math.equal(own, axis), size, one));
    sizes[2] = math.mul(sizes[2], math.select(math.less(axis, own), size, one));
  }
  SmallVector<DimExpr> result;
  for (Value size : sizes) {
    result.push_back(onnx::freshSymbol(builder.getContext(), "scan"));
    rt::BindOp::create(builder, loc, result.back().symbolName(), size);
  }
  return result;
}

template <typename Op> struct CumulativeLowering : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr bool isSum = std::is_same_v<Op, onnx::CumSumOp>;
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getX().getType());
    std::optional<onnx::ShapeValue> axis = onnx::getShapeValue(op.getAxis());
    if (dims.empty())
      return rewriter.notifyMatchFailure(op, "the input has no axis");
    SmallVector<DimExpr> split;
    if (axis && axis->size() == 1 && axis->front().isConstant()) {
      int64_t number = *axis->front().getConstant();
      split = splitAt(dims, number < 0 ? number + dims.size() : number);
    } else {
      split = splitAtRuntime(rewriter, loc, dims, adaptor.getAxis());
    }

    Type element = getElementTypeOrSelf(op.getType());
    Scalar zero =
        zeroScalar(rewriter, loc, computeType(lowerType(element)), element.isUnsignedInteger());
    Value x = reshapeTo(rewriter, loc, adaptor.getX(), split);
    auto combine = [](Scalar a, Scalar b) { return isSum ? a + b : a * b; };
    Scan scan(rewriter, loc, x, split, op.getExclusive() != 0, op.getReverse() != 0,
              isSum ? zero : zero.constant(1), combine);
    rewriter.replaceOp(op, reshapeTo(rewriter, loc, scan.build(element), dims));
    return success();
  }
};

} // namespace

void onnxc::populateCumulativePatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<CumulativeLowering<onnx::CumProdOp>, CumulativeLowering<onnx::CumSumOp>>(
      converter, patterns.getContext());
}
