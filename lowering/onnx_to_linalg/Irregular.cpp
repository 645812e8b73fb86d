//===- Irregular.cpp - Ops that C functions of the runtime compute ---------===//
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxMovement.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/RuntimeCalls.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

/// The number of the ONNX element type: lowered types have no sign.
int64_t dataTypeOf(Value tensor) {
  return onnx::dataTypeOf(getElementTypeOrSelf(tensor.getType()));
}

int64_t normalize(int64_t axis, int64_t rank) { return axis < 0 ? axis + rank : axis; }

/// A call whose results after `inits` are allocated by the callee. Their sizes
/// come back with it and are bound to the symbols of the onnx results, which
/// `results` lists in the order of the callee's outputs.
SmallVector<Value> callAllocating(OpBuilder &builder, Operation *op, StringRef callee,
                                  ArrayRef<Value> inputs, ArrayRef<Value> inits,
                                  ArrayRef<OpResult> allocated, ArrayRef<int64_t> parameters) {
  Location loc = op->getLoc();
  SmallVector<Type> types, dimTypes;
  for (Value init : inits)
    types.push_back(init.getType());
  SmallVector<DimExpr> dims;
  for (OpResult result : allocated) {
    auto onnxType = cast<RankedTensorType>(result.getType());
    SmallVector<int64_t> unknown(onnxType.getRank(), ShapedType::kDynamic);
    types.push_back(RankedTensorType::get(unknown, lowerType(onnxType.getElementType())));
    dimTypes.append(onnxType.getRank(), builder.getIndexType());
    llvm::append_range(dims, onnx::getDims(onnxType));
  }
  auto call = rt::CallOp::create(builder, loc, types, dimTypes, builder.getStringAttr(callee),
                                 builder.getStringAttr(nodeName(loc)), inputs, inits,
                                 builder.getDenseI64ArrayAttr(parameters), ValueRange());
  // Only sizes that the call decides: others follow from the inputs.
  SmallVector<Value> sizes;
  SmallVector<DimExpr> bound;
  for (auto [dim, size] : llvm::zip_equal(dims, call.getDims())) {
    bool decided = onnx::bindsSymbol(op, dim) && !llvm::is_contained(bound, dim);
    if (decided)
      bound.push_back(dim);
    sizes.push_back(decided ? size : Value());
  }
  for (auto [dim, size] : llvm::zip_equal(dims, sizes))
    if (size)
      rt::BindOp::create(builder, loc, builder.getStringAttr(dim.symbolName()), size);
  SmallVector<Value> values(call.getOutputs().take_front(inits.size()));
  for (auto [result, value] :
       llvm::zip_equal(allocated, call.getOutputs().drop_front(inits.size())))
    values.push_back(reshapeTo(builder, loc, value, onnx::getDims(result.getType())));
  return values;
}

/// onnx.NonZero -> onnxc_rt_nonzero
struct NonZeroLowering : OpConversionPattern<onnx::NonZeroOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::NonZeroOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, callAllocating(rewriter, op, "onnxc_rt_nonzero", adaptor.getX(), {},
                                          op->getResult(0), dataTypeOf(op.getX())));
    return success();
  }
};

/// onnx.Compress -> onnxc_rt_compress; axis -1 means the flattened input
struct CompressLowering : OpConversionPattern<onnx::CompressOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::CompressOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    int64_t rank = cast<RankedTensorType>(op.getInput().getType()).getRank();
    int64_t axis = op.getAxisAttr() ? normalize(op.getAxisAttr().getInt(), rank) : -1;
    rewriter.replaceOp(op, callAllocating(rewriter, op, "onnxc_rt_compress",
                                          {adaptor.getInput(), adaptor.getCondition()}, {},
                                          op->getResult(0), {dataTypeOf(op.getInput()), axis}));
    return success();
  }
};

/// onnx.Unique -> onnxc_rt_unique
struct UniqueLowering : OpConversionPattern<onnx::UniqueOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::UniqueOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    int64_t rank = cast<RankedTensorType>(op.getX().getType()).getRank();
    int64_t axis = op.getAxisAttr() ? normalize(op.getAxisAttr().getInt(), rank) : -1;
    Value inverse = emptyTensor(rewriter, op.getLoc(), op.getInverseIndices().getType());
    SmallVector<Value> values =
        callAllocating(rewriter, op, "onnxc_rt_unique", adaptor.getX(), inverse,
                       {op->getResult(0), op->getResult(1), op->getResult(3)},
                       {dataTypeOf(op.getX()), axis, static_cast<int64_t>(op.getSorted())});
    rewriter.replaceOp(op, {values[1], values[2], values[0], values[3]});
    return success();
  }
};

/// onnx.TopK -> onnxc_rt_topk
struct TopKLowering : OpConversionPattern<onnx::TopKOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::TopKOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexMath math(rewriter, loc);
    SmallVector<DimExpr> from = onnx::getDims(op.getX().getType());
    SmallVector<DimExpr> dims = onnx::getDims(op.getValues().getType());
    int64_t axis = normalize(static_cast<int64_t>(op.getAxis()), dims.size());
    SmallVector<Value> sizes(dims.size());
    if (onnx::bindsSymbol(op, dims[axis]))
      sizes[axis] = math.readShape(op.getK(), adaptor.getK()).front();
    bindDims(rewriter, op, dims, sizes);
    Value count = materializeIndex(rewriter, loc, dims[axis]);
    Value size = materializeIndex(rewriter, loc, from[axis]);
    checkThat(rewriter, loc, math.compare(arith::CmpIPredicate::sle, count, size),
              "more elements are wanted than there are", count, size, rt::Status::InvalidValue);
    Value values = emptyTensor(rewriter, loc, op.getValues().getType());
    Value indices = emptyTensor(rewriter, loc, op.getIndices().getType());
    rewriter.replaceOp(
        op, callRuntime(rewriter, loc, "onnxc_rt_topk", adaptor.getX(), {values, indices},
                        {dataTypeOf(op.getX()), axis, static_cast<int64_t>(op.getLargest())}));
    return success();
  }
};

/// onnx.NonMaxSuppression -> onnxc_rt_nonmaxsuppression; the mask says which optional
/// inputs there are
struct NonMaxSuppressionLowering : OpConversionPattern<onnx::NonMaxSuppressionOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::NonMaxSuppressionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getBoxes().getType()).isF32())
      return rewriter.notifyMatchFailure(op, "boxes are no f32");
    SmallVector<DimExpr> boxes = onnx::getDims(op.getBoxes().getType());
    SmallVector<DimExpr> scores = onnx::getDims(op.getScores().getType());
    checkSameSize(rewriter, op.getLoc(), scores[0], boxes[0], "boxes and scores differ in batch");
    checkSameSize(rewriter, op.getLoc(), scores[2], boxes[1], "boxes and scores differ in number");
    checkSameSize(rewriter, op.getLoc(), boxes[2], DimExpr::constant(getContext(), 4),
                  "a box has four numbers");
    SmallVector<Value> inputs{adaptor.getBoxes(), adaptor.getScores()};
    int64_t mask = 0;
    Value options[] = {adaptor.getMaxOutputBoxesPerClass(), adaptor.getIouThreshold(),
                       adaptor.getScoreThreshold()};
    for (auto [i, value] : llvm::enumerate(options)) {
      if (!value)
        continue;
      inputs.push_back(value);
      mask |= int64_t(1) << i;
    }
    rewriter.replaceOp(op, callAllocating(rewriter, op, "onnxc_rt_nonmaxsuppression", inputs, {},
                                          op->getResult(0),
                                          {mask, static_cast<int64_t>(op.getCenterPointBox())}));
    return success();
  }
};

/// onnx.ScatterElements -> onnxc_rt_scatter_elements
struct ScatterElementsLowering : OpConversionPattern<onnx::ScatterElementsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ScatterElementsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    SmallVector<DimExpr> indexDims = onnx::getDims(op.getIndices().getType());
    SmallVector<DimExpr> updateDims = onnx::getDims(op.getUpdates().getType());
    int64_t axis = normalize(static_cast<int64_t>(op.getAxis()), dims.size());
    for (auto [index, update] : llvm::zip_equal(indexDims, updateDims))
      checkSameSize(rewriter, loc, update, index, "indices and updates differ in shape");
    Value init = emptyTensor(rewriter, loc, op.getType());
    rewriter.replaceOp(
        op, callRuntime(rewriter, loc, "onnxc_rt_scatter_elements",
                        {adaptor.getData(), adaptor.getIndices(), adaptor.getUpdates()}, init,
                        {dataTypeOf(op.getData()), axis, reductionCode(op.getReduction())}));
    return success();
  }
};

/// onnx.ScatterND -> onnxc_rt_scatter_nd
struct ScatterNDLowering : OpConversionPattern<onnx::ScatterNDOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ScatterNDOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    SmallVector<DimExpr> indexDims = onnx::getDims(op.getIndices().getType());
    SmallVector<DimExpr> updateDims = onnx::getDims(op.getUpdates().getType());
    SmallVector<DimExpr> wanted(indexDims.begin(), indexDims.end() - 1);
    int64_t depth = onnx::getScatterDepth(op.getData().getType(), op.getIndices().getType(),
                                          op.getUpdates().getType());
    checkSameSize(rewriter, loc, indexDims.back(), DimExpr::constant(getContext(), depth),
                  "the last dim of the indices does not fit the updates");
    wanted.append(dims.begin() + depth, dims.end());
    for (auto [update, dim] : llvm::zip_equal(updateDims, wanted))
      checkSameSize(rewriter, loc, update, dim,
                    "the updates have another shape than the indices say");
    Value init = emptyTensor(rewriter, loc, op.getType());
    rewriter.replaceOp(
        op, callRuntime(rewriter, loc, "onnxc_rt_scatter_nd",
                        {adaptor.getData(), adaptor.getIndices(), adaptor.getUpdates()}, init,
                        {dataTypeOf(op.getData()), reductionCode(op.getReduction())}));
    return success();
  }
};

} // namespace

void onnxc::populateIrregularPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<CompressLowering, NonMaxSuppressionLowering, NonZeroLowering,
               ScatterElementsLowering, ScatterNDLowering, TopKLowering, UniqueLowering>(
      converter, patterns.getContext());
}
