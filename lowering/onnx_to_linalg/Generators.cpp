//===- Generators.cpp - Values made from sizes: Range, EyeLike, Shape ... --===//
#include "dialects/onnx/OnnxMovement.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

/// Ops on shapes whose elements are known -> onnx.Constant or onnx.Dims. Shape and
/// Size have no other lowering.
template <typename Op> struct ShapeValueLowering : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> replacements;
    if (!onnx::foldShapeArithmetic(rewriter, op, replacements))
      return rewriter.notifyMatchFailure(op, "the elements are no dim expressions");
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

/// onnx.Range -> a generic of start + i * delta
struct RangeLowering : OpConversionPattern<onnx::RangeOp> {
  using OpConversionPattern::OpConversionPattern;

  /// max(0, ceil((limit - start) / delta)), in the computation type.
  static Value countElements(OpBuilder &builder, Location loc, Value start, Value limit,
                             Value delta) {
    IndexMath math(builder, loc);
    Value zero = math.constant(0), one = math.constant(1);
    if (isa<IntegerType>(start.getType())) {
      Value step = math.toIndex(delta);
      checkThat(builder, loc, math.compare(arith::CmpIPredicate::ne, step, zero),
                "a delta of 0 is not allowed", step, one, rt::Status::InvalidValue);
      // Distances reach 2^64 - 1 and are unsigned. A count beyond 2^63 is a negative size.
      Value from = math.toIndex(start), to = math.toIndex(limit);
      Value forward = math.less(zero, step);
      Value low = math.select(forward, from, to), high = math.select(forward, to, from);
      Value stride = math.select(forward, step, math.sub(zero, step));
      stride = math.select(math.equal(step, zero), one, stride);
      Value behind =
          builder.createOrFold<arith::DivUIOp>(loc, math.sub(math.sub(high, low), one), stride);
      return math.select(math.less(low, high), math.add(behind, one), zero);
    }
    Type f64 = builder.getF64Type();
    auto widen = [&](Value value) { return convertFloat(builder, loc, value, f64); };
    Value moves =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, widen(delta),
                              arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(0)));
    checkThat(builder, loc, moves, "a delta of 0 is not allowed", {}, {}, rt::Status::InvalidValue);
    Value distance = arith::SubFOp::create(builder, loc, widen(limit), widen(start));
    Value quotient = arith::DivFOp::create(builder, loc, distance, widen(delta));
    Value none = arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(0));
    Value most = arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(1e15));
    Value finite = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, quotient, most);
    checkThat(builder, loc, finite, "the range has no end", {}, {}, rt::Status::InvalidValue);
    Value positive = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, quotient, none);
    quotient = arith::SelectOp::create(builder, loc, positive, quotient, none);
    Value whole = arith::FPToSIOp::create(builder, loc, builder.getI64Type(), quotient);
    Value back = arith::SIToFPOp::create(builder, loc, f64, whole);
    Value rest = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, back, quotient);
    Value count = math.toIndex(whole);
    return math.add(count, math.select(rest, one, zero));
  }

  LogicalResult matchAndRewrite(onnx::RangeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    Type storage = lowerType(getElementTypeOrSelf(op.getType()));
    Type compute = computeType(storage);
    if (onnx::bindsSymbol(op, dims[0])) {
      IndexMath math(rewriter, loc);
      Value count = countElements(rewriter, loc, math.read(adaptor.getStart()),
                                  math.read(adaptor.getLimit()), math.read(adaptor.getDelta()));
      bindDims(rewriter, op, dims, count);
    }
    // Known as sizes: plain index arithmetic, no memory is read.
    auto start = onnx::getShapeValue(op.getStart()), delta = onnx::getShapeValue(op.getDelta());
    if (start && delta) {
      Value first = materializeIndex(rewriter, loc, start->front());
      Value step = materializeIndex(rewriter, loc, delta->front());
      auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
        IndexMath math(builder, loc);
        Value value = math.add(math.mul(indices[0], step), first);
        return arith::IndexCastOp::create(builder, loc, storage, value);
      };
      rewriter.replaceOp(op, buildFromIndices(rewriter, loc, dims, storage, build));
      return success();
    }
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      IndexMath math(builder, loc);
      Value start = convertFloat(builder, loc, math.read(adaptor.getStart()), compute);
      Value delta = convertFloat(builder, loc, math.read(adaptor.getDelta()), compute);
      Value i = arith::IndexCastOp::create(
          builder, loc, isa<FloatType>(compute) ? builder.getI64Type() : compute, indices[0]);
      if (!isa<FloatType>(compute))
        return arith::AddIOp::create(builder, loc, start,
                                     arith::MulIOp::create(builder, loc, i, delta));
      Value factor = arith::SIToFPOp::create(builder, loc, compute, i);
      Value offset = arith::MulFOp::create(builder, loc, factor, delta);
      Value sum = arith::AddFOp::create(builder, loc, start, offset);
      return convertFloat(builder, loc, sum, storage);
    };
    rewriter.replaceOp(op, buildFromIndices(rewriter, loc, dims, storage, build));
    return success();
  }
};

/// onnx.ConstantOfShape -> linalg.fill
struct ConstantOfShapeLowering : OpConversionPattern<onnx::ConstantOfShapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ConstantOfShapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    Type element = lowerType(getElementTypeOrSelf(op.getType()));
    TypedAttr value = rewriter.getZeroAttr(element);
    if (op.getValueAttr()) {
      auto dense = dyn_cast<DenseElementsAttr>(op.getValueAttr());
      if (!dense)
        return rewriter.notifyMatchFailure(op, "the value is no small constant");
      Attribute scalar = *dense.value_begin<Attribute>();
      if (auto integer = dyn_cast<IntegerAttr>(scalar))
        value = IntegerAttr::get(element, integer.getValue());
      else
        value = dyn_cast<TypedAttr>(scalar);
    }
    if (!value)
      return rewriter.notifyMatchFailure(op, "the element type has no scalar constants");
    if (!onnx::getShapeValue(op.getInput())) {
      IndexMath math(rewriter, loc);
      bindDims(rewriter, op, dims, math.readShape(op.getInput(), adaptor.getInput()));
    }
    Value scalar = arith::ConstantOp::create(rewriter, loc, value);
    rewriter.replaceOp(op, filledTensor(rewriter, loc, dims, scalar));
    return success();
  }
};

/// onnx.EyeLike -> a generic of one on the k-th diagonal
struct EyeLikeLowering : OpConversionPattern<onnx::EyeLikeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::EyeLikeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = lowerType(getElementTypeOrSelf(op.getType()));
    TypedAttr zeroAttr = rewriter.getZeroAttr(element), oneAttr;
    if (isa<FloatType>(element))
      oneAttr = rewriter.getFloatAttr(element, 1.0);
    else if (isa<IntegerType>(element))
      oneAttr = rewriter.getIntegerAttr(element, 1);
    else
      return rewriter.notifyMatchFailure(op, "the element type has no one");
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      IndexMath math(builder, loc);
      Value diagonal = math.add(indices[0], math.constant(static_cast<int64_t>(op.getK())));
      Value one = arith::ConstantOp::create(builder, loc, oneAttr);
      Value zero = arith::ConstantOp::create(builder, loc, zeroAttr);
      return math.select(math.equal(indices[1], diagonal), one, zero);
    };
    rewriter.replaceOp(
        op, buildFromIndices(rewriter, op.getLoc(), onnx::getDims(op.getType()), element, build));
    return success();
  }
};

} // namespace

void onnxc::populateGeneratorPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConstantOfShapeLowering, EyeLikeLowering, RangeLowering,
               ShapeValueLowering<onnx::ShapeOp>, ShapeValueLowering<onnx::SizeOp>>(
      converter, patterns.getContext());
}
