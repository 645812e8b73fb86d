//===- Views.cpp - Other shapes of the same elements to rt.reshape ---------===//
#include "dialects/onnx/OnnxMovement.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

/// The reshape itself, with a check where the number of elements may differ.
void replaceByView(ConversionPatternRewriter &rewriter, Operation *op, Value data) {
  Location loc = op->getLoc();
  SmallVector<DimExpr> from = onnx::getDims(op->getOperand(0).getType());
  SmallVector<DimExpr> to = onnx::getDims(op->getResult(0).getType());
  checkSameSize(rewriter, loc, onnx::numElements(rewriter.getContext(), from),
                onnx::numElements(rewriter.getContext(), to), "the number of elements differs");
  rewriter.replaceOp(op, reshapeTo(rewriter, loc, data, to));
}

/// onnx.Reshape -> rt.reshape; sizes that only the run knows are computed and bound
struct ReshapeLowering : OpConversionPattern<onnx::ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;

  /// The sizes with 0 and -1 resolved.
  SmallVector<Value> computeSizes(onnx::ReshapeOp op, Value shape, OpBuilder &builder) const {
    IndexMath math(builder, op.getLoc());
    SmallVector<Value> dims = math.materialize(onnx::getDims(op.getData().getType()));
    SmallVector<Value> sizes = math.readShape(op.getShape(), shape);
    Value zero = math.constant(0), one = math.constant(1), minusOne = math.constant(-1);
    Value known = one, count = zero;
    for (auto [i, size] : llvm::enumerate(sizes)) {
      if (op.getAllowzero() == 0 && i < dims.size())
        size = math.select(math.equal(size, zero), dims[i], size);
      Value inferred = math.equal(size, minusOne);
      known = math.mul(known, math.select(inferred, one, size));
      count = math.add(count, math.select(inferred, one, zero));
    }
    checkThat(builder, op.getLoc(), math.compare(arith::CmpIPredicate::sle, count, one),
              "a shape may hold -1 once", count, one, rt::Status::InvalidValue);
    Value rest = math.div(math.product(dims), math.max(known, one));
    for (Value &size : sizes)
      size = math.select(math.equal(size, minusOne), rest, size);
    return sizes;
  }

  LogicalResult matchAndRewrite(onnx::ReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    auto binds = [&](DimExpr dim) { return onnx::bindsSymbol(op, dim); };
    if (!onnx::getShapeValue(op.getShape()) || llvm::any_of(dims, binds))
      bindDims(rewriter, op, dims, computeSizes(op, adaptor.getShape(), rewriter));
    replaceByView(rewriter, op, adaptor.getData());
    return success();
  }
};

/// onnx.Flatten -> rt.reshape
struct FlattenLowering : OpConversionPattern<onnx::FlattenOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::FlattenOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    replaceByView(rewriter, op, adaptor.getInput());
    return success();
  }
};

/// Whether `axis` is among `axes`, at run time.
Value isAmong(IndexMath &math, int64_t axis, ArrayRef<Value> axes) {
  Value found = arith::ConstantIntOp::create(math.builder, math.loc, 0, 1);
  for (Value candidate : axes)
    found = math.either(found, math.equal(candidate, math.constant(axis)));
  return found;
}

/// Element `position` of `values`, or zero outside.
Value pick(IndexMath &math, Value position, ArrayRef<Value> values) {
  Value result = math.constant(0);
  for (auto [i, value] : llvm::enumerate(values))
    result = math.select(math.equal(position, math.constant(i)), value, result);
  return result;
}

/// onnx.Squeeze -> rt.reshape; with run-time axes the sizes are picked from the data's
struct SqueezeLowering : OpConversionPattern<onnx::SqueezeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::SqueezeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    if (op.getAxes() && !onnx::getConstantIntegers(op.getAxes())) {
      IndexMath math(rewriter, op.getLoc());
      SmallVector<Value> from = math.materialize(onnx::getDims(op.getData().getType()));
      SmallVector<Value> axes = math.readAxes(adaptor.getAxes(), from.size());
      SmallVector<Value> sizes(dims.size(), math.constant(0));
      Value next = math.constant(0), one = math.constant(1);
      for (auto [i, size] : llvm::enumerate(from)) {
        Value removed = isAmong(math, i, axes);
        Value kept =
            arith::XOrIOp::create(rewriter, op.getLoc(), removed,
                                  arith::ConstantIntOp::create(rewriter, op.getLoc(), 1, 1));
        checkThat(rewriter, op.getLoc(), math.either(kept, math.equal(size, one)),
                  "cannot squeeze axis " + std::to_string(i), size, one);
        for (auto [k, slot] : llvm::enumerate(sizes)) {
          Value here = math.equal(next, math.constant(k));
          slot = math.select(removed, slot, math.select(here, size, slot));
        }
        next = math.select(removed, next, math.add(next, one));
      }
      bindDims(rewriter, op, dims, sizes);
    }
    replaceByView(rewriter, op, adaptor.getData());
    return success();
  }
};

/// onnx.Unsqueeze -> rt.reshape
struct UnsqueezeLowering : OpConversionPattern<onnx::UnsqueezeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::UnsqueezeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    if (!onnx::getConstantIntegers(op.getAxes())) {
      IndexMath math(rewriter, op.getLoc());
      SmallVector<Value> from = math.materialize(onnx::getDims(op.getData().getType()));
      SmallVector<Value> axes = math.readAxes(adaptor.getAxes(), dims.size());
      SmallVector<Value> sizes;
      Value next = math.constant(0), one = math.constant(1);
      for (size_t i = 0; i < dims.size(); ++i) {
        Value added = isAmong(math, i, axes);
        sizes.push_back(math.select(added, one, pick(math, next, from)));
        next = math.select(added, next, math.add(next, one));
      }
      bindDims(rewriter, op, dims, sizes);
    }
    replaceByView(rewriter, op, adaptor.getData());
    return success();
  }
};

/// onnx.Refine -> rt.reshape, with a check of each dim that is written anew
struct RefineLowering : OpConversionPattern<onnx::RefineOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::RefineOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    for (auto [i, pair] : llvm::enumerate(
             llvm::zip_equal(onnx::getDims(op.getData().getType()), onnx::getDims(op.getType())))) {
      auto [found, expected] = pair;
      if (found == expected)
        continue;
      Value size = materializeIndex(rewriter, loc, found);
      Value wanted = materializeIndex(rewriter, loc, expected);
      Value fits = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, size, wanted);
      rt::CheckOp::create(
          rewriter, loc, fits,
          nodeName(loc) + ": dim " + std::to_string(i) + " is not " + expected.str(), size, wanted);
    }
    replaceByView(rewriter, op, adaptor.getData());
    return success();
  }
};

} // namespace

void onnxc::populateViewPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<FlattenLowering, RefineLowering, ReshapeLowering, SqueezeLowering, UnsqueezeLowering>(
          converter, patterns.getContext());
}
