//===- Indexing.cpp - Gather and the like to linalg.generic ----------------===//
#include "dialects/onnx/OnnxMovement.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/RuntimeCalls.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

int64_t normalize(uint64_t axis, int64_t rank) {
  int64_t value = static_cast<int64_t>(axis);
  return value < 0 ? value + rank : value;
}

/// Index tensors as bodies read them: wrapped to count from the front, known
/// elements without a look at memory.
class IndexReader {
public:
  IndexReader(Value original, Value lowered)
      : lowered(lowered), constants(onnx::getConstantIntegers(original)),
        isUnsigned(getElementTypeOrSelf(original.getType()).isUnsignedInteger()) {
    mayBeNegative =
        !isUnsigned &&
        (!constants || llvm::any_of(*constants, [](int64_t index) { return index < 0; }));
  }

  /// The index at `at` in an axis of `size` elements.
  Value read(IndexMath &math, ValueRange at, Value size) const {
    Value index = constants && constants->size() == 1
                      ? math.constant(constants->front())
                      : math.toIndex(tensor::ExtractOp::create(math.builder, math.loc, lowered, at),
                                     isUnsigned);
    return mayBeNegative ? math.wrapNegative(index, size) : index;
  }

private:
  Value lowered;
  std::optional<SmallVector<int64_t>> constants;
  bool isUnsigned;
  bool mayBeNegative;
};

/// onnx.Gather -> a generic that reads the data at an index from the indices
struct GatherLowering : OpConversionPattern<onnx::GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::GatherOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> from = onnx::getDims(op.getData().getType());
    int64_t axis = normalize(op.getAxis(), from.size());
    int64_t indexRank = cast<RankedTensorType>(op.getIndices().getType()).getRank();
    checkIndices(rewriter, loc, op.getIndices(), adaptor.getIndices(),
                 rangeOfAxis(rewriter, loc, from[axis]));
    Value size = materializeIndex(rewriter, loc, from[axis]);
    IndexReader reader(op.getIndices(), adaptor.getIndices());
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      IndexMath math(builder, loc);
      SmallVector<Value> at(indices.take_front(axis));
      at.push_back(reader.read(math, indices.slice(axis, indexRank), size));
      llvm::append_range(at, indices.drop_front(axis + indexRank));
      return tensor::ExtractOp::create(builder, loc, adaptor.getData(), at);
    };
    rewriter.replaceOp(op, buildFromIndices(rewriter, loc, onnx::getDims(op.getType()),
                                            elementTypeOf(op.getData()), build));
    return success();
  }
};

/// Where indices have the rank of the data, they may not be longer than it on
/// the other axes.
void checkIndexExtents(OpBuilder &builder, Location loc, ArrayRef<DimExpr> data,
                       ArrayRef<DimExpr> indices, int64_t axis) {
  IndexMath math(builder, loc);
  for (int64_t i = 0, rank = data.size(); i < rank; ++i) {
    if (i == axis || data[i] == indices[i])
      continue;
    Value length = materializeIndex(builder, loc, indices[i]);
    Value size = materializeIndex(builder, loc, data[i]);
    checkThat(builder, loc, math.compare(arith::CmpIPredicate::sle, length, size),
              "there are more indices than data along axis " + std::to_string(i), length, size);
  }
}

/// onnx.GatherElements -> a generic that replaces one index by another
struct GatherElementsLowering : OpConversionPattern<onnx::GatherElementsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::GatherElementsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> from = onnx::getDims(op.getData().getType());
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    int64_t axis = normalize(op.getAxis(), from.size());
    checkIndexExtents(rewriter, loc, from, dims, axis);
    checkIndices(rewriter, loc, op.getIndices(), adaptor.getIndices(),
                 rangeOfAxis(rewriter, loc, from[axis]));
    Value size = materializeIndex(rewriter, loc, from[axis]);
    IndexReader reader(op.getIndices(), adaptor.getIndices());
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      IndexMath math(builder, loc);
      SmallVector<Value> at(indices);
      at[axis] = reader.read(math, indices, size);
      return tensor::ExtractOp::create(builder, loc, adaptor.getData(), at);
    };
    rewriter.replaceOp(op,
                       buildFromIndices(rewriter, loc, dims, elementTypeOf(op.getData()), build));
    return success();
  }
};

/// onnx.GatherND -> a generic that reads several indices
struct GatherNDLowering : OpConversionPattern<onnx::GatherNDOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::GatherNDOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> from = onnx::getDims(op.getData().getType());
    SmallVector<DimExpr> indexDims = onnx::getDims(op.getIndices().getType());
    int64_t batch = static_cast<int64_t>(op.getBatchDims());
    int64_t depth = *indexDims.back().getConstant(), prefix = indexDims.size() - 1;
    SmallVector<IndexRange> ranges;
    SmallVector<Value> sizes;
    for (int64_t i = 0; i < depth; ++i) {
      ranges.push_back(rangeOfAxis(rewriter, loc, from[batch + i]));
      sizes.push_back(materializeIndex(rewriter, loc, from[batch + i]));
    }
    checkIndices(rewriter, loc, op.getIndices(), adaptor.getIndices(), ranges);
    IndexReader reader(op.getIndices(), adaptor.getIndices());
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      IndexMath math(builder, loc);
      SmallVector<Value> at(indices.take_front(batch));
      for (int64_t i = 0; i < depth; ++i) {
        SmallVector<Value> where(indices.take_front(prefix));
        where.push_back(math.constant(i));
        at.push_back(reader.read(math, where, sizes[i]));
      }
      llvm::append_range(at, indices.drop_front(prefix));
      return tensor::ExtractOp::create(builder, loc, adaptor.getData(), at);
    };
    rewriter.replaceOp(op, buildFromIndices(rewriter, loc, onnx::getDims(op.getType()),
                                            elementTypeOf(op.getData()), build));
    return success();
  }
};

/// onnx.ReverseSequence -> a generic that reads the first elements backwards
struct ReverseSequenceLowering : OpConversionPattern<onnx::ReverseSequenceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ReverseSequenceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    int64_t batch = static_cast<int64_t>(op.getBatchAxis());
    int64_t time = static_cast<int64_t>(op.getTimeAxis());
    IndexMath math(rewriter, loc);
    checkIndices(rewriter, loc, op.getSequenceLens(), adaptor.getSequenceLens(),
                 IndexRange{math.constant(0), materializeIndex(rewriter, loc, dims[time])});
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      IndexMath math(builder, loc);
      Value length = math.toIndex(
          tensor::ExtractOp::create(builder, loc, adaptor.getSequenceLens(), indices[batch]));
      Value last = math.sub(length, math.constant(1));
      SmallVector<Value> at(indices);
      at[time] = math.select(math.less(at[time], length), math.sub(last, at[time]), at[time]);
      return tensor::ExtractOp::create(builder, loc, adaptor.getInput(), at);
    };
    rewriter.replaceOp(op,
                       buildFromIndices(rewriter, loc, dims, elementTypeOf(op.getInput()), build));
    return success();
  }
};

/// onnx.OneHot -> a generic that compares the index with the place
struct OneHotLowering : OpConversionPattern<onnx::OneHotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::OneHotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexMath math(rewriter, loc);
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    int64_t axis = normalize(op.getAxis(), dims.size());
    if (onnx::bindsSymbol(op, dims[axis])) {
      SmallVector<Value> sizes(dims.size());
      sizes[axis] = math.toIndex(math.read(adaptor.getDepth()));
      bindDims(rewriter, op, dims, sizes);
    }
    Value depth = materializeIndex(rewriter, loc, dims[axis]);
    bool isUnsigned = getElementTypeOrSelf(op.getIndices().getType()).isUnsignedInteger();
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      IndexMath math(builder, loc);
      SmallVector<Value> where(indices.take_front(axis));
      llvm::append_range(where, indices.drop_front(axis + 1));
      Value index = math.toIndex(
          tensor::ExtractOp::create(builder, loc, adaptor.getIndices(), where), isUnsigned);
      // An index outside of [-depth, depth) equals no place.
      if (!isUnsigned)
        index = math.wrapNegative(index, depth);
      Value on = math.read(adaptor.getValues(), 1), off = math.read(adaptor.getValues(), 0);
      return math.select(math.equal(index, indices[axis]), on, off);
    };
    rewriter.replaceOp(op,
                       buildFromIndices(rewriter, loc, dims, elementTypeOf(op.getValues()), build));
    return success();
  }
};

/// onnx.TensorScatter -> a generic that takes each element from the update or from
/// the cache
struct TensorScatterLowering : OpConversionPattern<onnx::TensorScatterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::TensorScatterOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexMath math(rewriter, loc);
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    SmallVector<DimExpr> updateDims = onnx::getDims(op.getUpdate().getType());
    int64_t axis = normalize(op.getAxis(), dims.size());
    Value size = materializeIndex(rewriter, loc, dims[axis]);
    Value length = materializeIndex(rewriter, loc, updateDims[axis]);
    bool circular = op.getMode() == "circular";
    if (op.getWriteIndices()) {
      Value last = circular ? math.sub(size, math.constant(1)) : math.sub(size, length);
      checkIndices(rewriter, loc, op.getWriteIndices(), adaptor.getWriteIndices(),
                   IndexRange{math.constant(0), last});
    }
    auto build = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
      IndexMath math(builder, loc);
      Value zero = math.constant(0), position = indices[axis];
      if (op.getWriteIndices())
        position = math.sub(position, math.toIndex(tensor::ExtractOp::create(
                                          builder, loc, adaptor.getWriteIndices(), indices[0])));
      if (circular)
        position = math.wrapNegative(position, size);
      Value inside = math.compare(arith::CmpIPredicate::ult, position, length);
      SmallVector<Value> at(indices);
      at[axis] = math.clamp(position, zero, math.sub(length, math.constant(1)));
      Value fresh = tensor::ExtractOp::create(builder, loc, adaptor.getUpdate(), at);
      Value old = tensor::ExtractOp::create(builder, loc, adaptor.getPastCache(), indices);
      return math.select(inside, fresh, old);
    };
    rewriter.replaceOp(
        op, buildFromIndices(rewriter, loc, dims, elementTypeOf(op.getPastCache()), build));
    return success();
  }
};

} // namespace

void onnxc::populateIndexingPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<GatherElementsLowering, GatherLowering, GatherNDLowering, OneHotLowering,
               ReverseSequenceLowering, TensorScatterLowering>(converter, patterns.getContext());
}
