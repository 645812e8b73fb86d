//===- Attention.cpp - Attention to rt.attention ---------------------------===//
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxAttention.h"
#include "lowering/onnx_to_linalg/AttentionPatterns.h"
#include "lowering/onnx_to_linalg/Generics.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/support/AttentionParts.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

/// What an rt.attention is built from.
struct AttentionProblem {
  unsigned numBatchLoops;
  GenericInput query, key, value, result; ///< `result`: the init
  SmallVector<GenericInput> inputs;
  double scale;
  rt::EmptyRows emptyRows = rt::EmptyRows::Formula;
  Type scoreType;

  unsigned m() const { return numBatchLoops; }
  unsigned k1() const { return numBatchLoops + 1; }
  unsigned k2() const { return numBatchLoops + 2; }
  unsigned n() const { return numBatchLoops + 3; }
  /// The map to these loops; -1 is the constant 0.
  AffineMap mapTo(MLIRContext *context, ArrayRef<int> loops) const {
    SmallVector<AffineExpr> exprs;
    for (int loop : loops)
      exprs.push_back(loop < 0 ? getAffineConstantExpr(0, context)
                               : getAffineDimExpr(loop, context));
    return AffineMap::get(numBatchLoops + 4, 0, exprs, context);
  }
};

/// `changeScore` gets the score, then the elements of the inputs.
rt::AttentionOp buildAttention(OpBuilder &builder, Location loc, const AttentionProblem &problem,
                               ScalarBodyBuilder changeScore) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps = {problem.query.map, problem.key.map, problem.value.map};
  SmallVector<Type> types = {problem.scoreType};
  for (const GenericInput &input : problem.inputs) {
    inputs.push_back(input.tensor);
    maps.push_back(input.map);
    types.push_back(getElementTypeOrSelf(input.tensor.getType()));
  }
  maps.push_back(problem.result.map);
  auto op = rt::AttentionOp::create(
      builder, loc, problem.result.tensor.getType(), problem.query.tensor, problem.key.tensor,
      problem.value.tensor, inputs, problem.result.tensor, builder.getAffineMapArrayAttr(maps),
      builder.getF64FloatAttr(problem.scale),
      rt::EmptyRowsAttr::get(builder.getContext(), problem.emptyRows));
  OpBuilder::InsertionGuard guard(builder);
  Block *body =
      builder.createBlock(&op.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
  Value score = changeScore(builder, loc, body->getArguments());
  rt::ScoreOp::create(builder, loc, score);
  return op;
}

Value floatConstant(OpBuilder &builder, Location loc, Type type, double value) {
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
}

/// A mask or bias that broadcasts to `dims`, read along `loops`: a list of loops for each
/// dim, whose sizes are in `loopSizes`.
GenericInput broadcastScoreInput(OpBuilder &builder, Location loc, const AttentionProblem &problem,
                                 SizedTensor input, ArrayRef<DimExpr> dims,
                                 ArrayRef<SmallVector<int>> loops,
                                 ArrayRef<SmallVector<DimExpr>> loopSizes) {
  unsigned offset = dims.size() - input.dims.size();
  SmallVector<DimExpr> fitted, split;
  SmallVector<int> read;
  for (auto [i, dim] : llvm::enumerate(input.dims)) {
    // One that may be 1 or not is stretched by a copy.
    bool isOne = dim.getConstant() == 1;
    fitted.push_back(isOne ? dim : dims[offset + i]);
    if (isOne) {
      split.push_back(dim);
      read.push_back(-1);
      continue;
    }
    llvm::append_range(split, loopSizes[offset + i]);
    llvm::append_range(read, loops[offset + i]);
  }
  Value tensor = input.tensor;
  if (fitted != input.dims)
    tensor = buildElementwise(builder, loc, input, fitted, elementTypeOf(tensor),
                              [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  tensor = reshapeTo(builder, loc, tensor, split);
  return {tensor, problem.mapTo(builder.getContext(), read)};
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// onnx.Attention  ->  rt.attention; its parts where the products are asked for
struct AttentionLowering : OpConversionPattern<onnx::AttentionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::AttentionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    onnx::AttentionOp::Adaptor original(op->getOperands(), op->getAttrDictionary(),
                                        op.getProperties(), op->getRegions());
    FailureOr<onnx::AttentionDims> dims = onnx::readAttention(std::nullopt, original);
    if (failed(dims))
      return rewriter.notifyMatchFailure(op, "operands do not fit each other");
    return Lowering{op, adaptor, rewriter, *dims}.lower();
  }

private:
  struct Lowering {
    onnx::AttentionOp op;
    OpAdaptor adaptor;
    ConversionPatternRewriter &rewriter;
    onnx::AttentionDims dims;
    AttentionProblem problem{};
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    Value pastLength{}, queryCount{}; ///< sizes that the region needs
    bool hasMask = false, hasLengths = false;

    LogicalResult lower() {
      std::optional<int64_t> headSize = dims.headSize.getConstant();
      if (!op.getScale() && !headSize)
        return op.emitError("expected the attribute scale, as the size of a head is known only at "
                            "run time");
      checkSizes();
      bool isGrouped = dims.group > 1;
      problem.numBatchLoops = isGrouped ? 3 : 2;
      problem.scale = op.getScale() ? op.getScale()->convertToDouble() : 1 / std::sqrt(*headSize);
      problem.emptyRows = rt::EmptyRows::Zero;
      problem.scoreType = scoreType();
      DimExpr group = DimExpr::constant(context, dims.group);
      int m = problem.m(), k1 = problem.k1(), k2 = problem.k2(), n = problem.n();
      SmallVector<DimExpr> headSizes = {dims.heads};
      SmallVector<int> headLoops = {1};
      if (isGrouped) {
        headSizes.push_back(group);
        headLoops.push_back(2);
      }
      problem.query =
          splitHeads(adaptor.getQ(), headSizes, headLoops, dims.queries, m, dims.headSize, k1);
      Value key, value;
      problem.key = keysOrValues(adaptor.getK(), adaptor.getPastKey(), dims.headSize, k1,
                                 op.getPresentKey(), key);
      problem.value = keysOrValues(adaptor.getV(), adaptor.getPastValue(), dims.valueSize, n,
                                   op.getPresentValue(), value);
      problem.result =
          splitHeads(Value(), headSizes, headLoops, dims.queries, m, dims.valueSize, n);
      addMask(headSizes, headLoops);
      if (op.getNonpadKvSeqlen()) {
        hasLengths = true;
        problem.inputs.push_back(
            {adaptor.getNonpadKvSeqlen(), problem.mapTo(context, ArrayRef<int>{0})});
      }
      pastLength = materializeIndex(rewriter, loc, dims.pastKeys);
      queryCount = materializeIndex(rewriter, loc, dims.queries);
      rt::AttentionOp attention = buildAttention(
          rewriter, loc, problem, [&](OpBuilder &builder, Location, ValueRange args) {
            return changeScore(builder, args);
          });
      Value result = attention.getResult(), products;
      if (!op.getQkMatmulOutput().use_empty())
        takeApart(attention, k2, result, products);
      rewriter.replaceOp(op, {reshapeTo(rewriter, loc, result, onnx::getDims(op.getY().getType())),
                              key, value, products});
      return success();
    }

    /// Sizes that the types do not tell are the same.
    void checkSizes() {
      auto check = [&](Value operand, ArrayRef<DimExpr> expected) {
        if (operand)
          for (auto [found, size] : llvm::zip(onnx::getDims(operand.getType()), expected))
            checkSameSize(rewriter, loc, found, size, "the sizes of its operands do not fit");
      };
      if (!dims.headsInside) {
        check(op.getK(), {dims.batch, dims.heads, dims.newKeys, dims.headSize});
        check(op.getV(), {dims.batch, dims.heads, dims.newKeys, dims.valueSize});
      } else {
        check(op.getK(), {dims.batch, dims.newKeys, dims.heads * dims.headSize});
        check(op.getV(), {dims.batch, dims.newKeys, dims.heads * dims.valueSize});
      }
      check(op.getPastKey(), {dims.batch, dims.heads, dims.pastKeys, dims.headSize});
      check(op.getPastValue(), {dims.batch, dims.heads, dims.pastKeys, dims.valueSize});
      check(op.getNonpadKvSeqlen(), {dims.batch});
    }

    Type scoreType() {
      Type type = computeType(elementTypeOf(adaptor.getQ()));
      Type f64 = rewriter.getF64Type();
      bool isDouble = op.getSoftmaxPrecision() == onnx::dataTypeOf(f64);
      return isDouble ? f64 : type;
    }

    /// Q, or without a tensor the init for Y, with the heads as dims of their own.
    GenericInput splitHeads(Value tensor, ArrayRef<DimExpr> headSizes, ArrayRef<int> headLoops,
                            DimExpr length, int lengthLoop, DimExpr size, int sizeLoop) {
      SmallVector<DimExpr> shape = {dims.batch};
      SmallVector<int> loops = {0};
      auto addLength = [&] {
        shape.push_back(length);
        loops.push_back(lengthLoop);
      };
      if (dims.headsInside)
        addLength();
      llvm::append_range(shape, headSizes);
      llvm::append_range(loops, headLoops);
      if (!dims.headsInside)
        addLength();
      shape.push_back(size);
      loops.push_back(sizeLoop);
      AffineMap map = problem.mapTo(context, loops);
      if (!tensor)
        return {emptyTensor(rewriter, loc, shape, elementTypeOf(adaptor.getQ())), map};
      return {reshapeTo(rewriter, loc, tensor, shape), map};
    }

    /// K or V behind what is in the cache. `present` becomes what the cache is afterwards,
    /// where that is asked for.
    GenericInput keysOrValues(Value tensor, Value past, DimExpr size, int sizeLoop,
                              Value presentResult, Value &present) {
      int k2 = problem.k2();
      AffineMap map = problem.mapTo(context, {0, 1, k2, sizeLoop});
      SmallVector<DimExpr> shape = {dims.batch, dims.heads, dims.newKeys, size};
      bool needsHeads = dims.headsInside && (past || !presentResult.use_empty());
      if (dims.headsInside) {
        std::swap(shape[1], shape[2]);
        map = problem.mapTo(context, {0, k2, 1, sizeLoop});
      }
      tensor = reshapeTo(rewriter, loc, tensor, shape);
      if (needsHeads) {
        std::swap(shape[1], shape[2]);
        map = problem.mapTo(context, {0, 1, k2, sizeLoop});
        AffineMap swap = AffineMap::getPermutationMap(ArrayRef<unsigned>{0, 2, 1, 3}, context);
        tensor = buildCopy(rewriter, loc, shape, tensor, swap);
      }
      if (past) {
        SmallVector<DimExpr> pastShape = shape;
        pastShape[2] = dims.pastKeys;
        shape[2] = dims.keys;
        past = reshapeTo(rewriter, loc, past, pastShape);
        Value init = emptyTensor(rewriter, loc, shape, elementTypeOf(tensor));
        tensor = rt::ConcatOp::create(rewriter, loc, init.getType(), rewriter.getI64IntegerAttr(2),
                                      ValueRange{past, tensor}, init);
      }
      if (!presentResult.use_empty())
        present = tensor;
      return {tensor, map};
    }

    /// The mask, at its end filled up to all keys with what hides them.
    void addMask(ArrayRef<DimExpr> headSizes, ArrayRef<int> headLoops) {
      if (!op.getAttnMask())
        return;
      hasMask = true;
      SizedTensor mask = sized(adaptor.getAttnMask(), op.getAttnMask());
      if (!mask.dims.empty() && mask.dims.back() != dims.keys)
        mask = padMask(mask);
      int m = problem.m(), k2 = problem.k2();
      problem.inputs.push_back(broadcastScoreInput(
          rewriter, loc, problem, mask, {dims.batch, dims.queryHeads, dims.queries, dims.keys},
          {{0}, llvm::to_vector(headLoops), {m}, {k2}},
          {{dims.batch}, llvm::to_vector(headSizes), {dims.queries}, {dims.keys}}));
    }

    SizedTensor padMask(SizedTensor mask) {
      SmallVector<DimExpr> shape = mask.dims;
      DimExpr length = shape.back();
      shape.back() = dims.keys;
      Type type = elementTypeOf(mask.tensor);
      Value count = materializeIndex(rewriter, loc, length);
      auto element = [&](OpBuilder &builder, Location loc, ValueRange indices) -> Value {
        IndexMath math(builder, loc);
        SmallVector<Value> from(indices);
        Value exists = math.less(from.back(), count);
        // Index 0 may be read even when there is nothing.
        from.back() = math.select(exists, from.back(), math.constant(0));
        Value value = tensor::ExtractOp::create(builder, loc, mask.tensor, from);
        Value hidden =
            isa<FloatType>(type)
                ? floatConstant(builder, loc, type, -std::numeric_limits<double>::infinity())
                : Value(arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
        return math.select(exists, value, hidden);
      };
      return {buildFromIndices(rewriter, loc, shape, type, element), shape};
    }

    Value softcap(OpBuilder &builder, Value score) {
      double cap = op.getSoftcap().convertToDouble();
      if (cap == 0)
        return score;
      Value limit = floatConstant(builder, loc, score.getType(), cap);
      Value part = arith::DivFOp::create(builder, loc, score, limit);
      Value tanh = math::TanhOp::create(builder, loc, part);
      return arith::MulFOp::create(builder, loc, tanh, limit);
    }

    /// `args`: the score, an element of the mask, a number of keys.
    Value changeScore(OpBuilder &builder, ValueRange args) {
      IndexMath math(builder, loc);
      Value score = softcap(builder, args[0]), allowed;
      auto allow = [&](Value condition) {
        allowed = allowed ? math.both(allowed, condition) : condition;
      };
      auto index = [&](unsigned loop) -> Value {
        return rt::IndexOp::create(builder, loc, builder.getIndexType(), loop);
      };
      int64_t left = op.getLeftWindowSize(), right = op.getRightWindowSize();
      Value length = hasLengths ? math.toIndex(args.back()) : Value();
      if (op.getIsCausal() || left >= 0 || right >= 0) {
        Value offset = hasLengths ? math.sub(length, queryCount) : pastLength;
        Value position = math.add(index(problem.m()), offset), key = index(problem.k2());
        auto atMost = [&](Value a, Value b) {
          return math.compare(arith::CmpIPredicate::sle, a, b);
        };
        if (op.getIsCausal())
          allow(atMost(key, position));
        if (left >= 0)
          allow(atMost(math.sub(position, math.constant(left)), key));
        if (right >= 0)
          allow(atMost(key, math.add(position, math.constant(right))));
      }
      if (hasLengths)
        allow(math.less(index(problem.k2()), length));
      if (hasMask && isa<FloatType>(args[1].getType()))
        score = arith::AddFOp::create(builder, loc, score,
                                      convertFloat(builder, loc, args[1], score.getType()));
      else if (hasMask)
        allow(args[1]);
      if (!allowed)
        return score;
      Value hidden =
          floatConstant(builder, loc, score.getType(), -std::numeric_limits<double>::infinity());
      return arith::SelectOp::create(builder, loc, allowed, score, hidden);
    }

    /// Where the products, or what becomes of them, are a result too.
    void takeApart(rt::AttentionOp attention, int k2, Value &result, Value &products) {
      SmallVector<DimExpr> shape = {dims.batch, dims.heads};
      if (dims.group > 1)
        shape.push_back(DimExpr::constant(context, dims.group));
      SmallVector<DimExpr> scoreDims = shape;
      llvm::append_range(scoreDims, ArrayRef{dims.queries, dims.keys});
      llvm::append_range(shape, ArrayRef{dims.queries, dims.headSize, dims.keys, dims.valueSize});
      SmallVector<OpFoldResult> sizes;
      for (DimExpr dim : shape)
        sizes.push_back(materialize(rewriter, loc, dim));
      AttentionParts parts = buildAttentionParts(rewriter, attention, sizes);
      rewriter.eraseOp(attention);
      result = parts.result;
      Type element = elementTypeOf(adaptor.getQ());
      int64_t mode = op.getQkMatmulOutputMode();
      if (mode >= 2) {
        products = castElements(
            rewriter, loc, {mode == 2 ? parts.scores : parts.probabilities, scoreDims}, element);
      } else {
        auto body = [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
          Value scale = floatConstant(builder, loc, args[0].getType(), problem.scale);
          Value score = arith::MulFOp::create(builder, loc, args[0], scale);
          return mode == 1 ? softcap(builder, score) : score;
        };
        products = buildElementwise(rewriter, loc, SizedTensor{parts.products, scoreDims},
                                    scoreDims, element, body);
      }
      products =
          reshapeTo(rewriter, loc, products, onnx::getDims(op.getQkMatmulOutput().getType()));
    }
  };
};

//===----------------------------------------------------------------------===//
// FusedAttention
//===----------------------------------------------------------------------===//

/// onnx.FusedAttention  ->  rt.attention
struct FusedAttentionLowering : OpConversionPattern<onnx::FusedAttentionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::FusedAttentionOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    AttentionProblem problem{};
    unsigned rank = op.getPermQ().size();
    problem.numBatchLoops = rank - 2;
    int m = problem.m(), k1 = problem.k1(), k2 = problem.k2(), n = problem.n();
    SmallVector<DimExpr> dimsQ = logicalDims(op.getQ(), op.getPermQ());
    SmallVector<DimExpr> dimsK = logicalDims(op.getK(), op.getPermK());
    SmallVector<DimExpr> dimsV = logicalDims(op.getV(), op.getPermV());
    checkSameSize(rewriter, loc, dimsQ[rank - 1], dimsK[rank - 1],
                  "queries and keys have different sizes");
    checkSameSize(rewriter, loc, dimsV[rank - 2], dimsK[rank - 2],
                  "there are not as many values as keys");
    problem.query = read(rewriter, problem, op.getQ(), adaptor.getQ(), op.getPermQ(), m, k1);
    problem.key = read(rewriter, problem, op.getK(), adaptor.getK(), op.getPermK(), k2, k1);
    problem.value = read(rewriter, problem, op.getV(), adaptor.getV(), op.getPermV(), k2, n);
    SmallVector<int> loops = loopsOf(problem, m, n), stored;
    for (int64_t position : op.getPermY())
      stored.push_back(loops[position]);
    problem.result = {emptyTensor(rewriter, loc, op.getType()),
                      problem.mapTo(getContext(), stored)};
    problem.scale = op.getScale().convertToDouble();
    if (op.getZeroForNan())
      problem.emptyRows = rt::EmptyRows::ZeroForNaN;
    problem.scoreType = computeType(elementTypeOf(adaptor.getQ()));
    SmallVector<DimExpr> scoreDims = dimsQ;
    scoreDims.back() = dimsK[rank - 2];
    SmallVector<SmallVector<int>> scoreLoops;
    SmallVector<SmallVector<DimExpr>> sizes;
    for (auto [loop, dim] : llvm::zip_equal(loopsOf(problem, m, k2), scoreDims)) {
      scoreLoops.push_back({loop});
      sizes.push_back({dim});
    }
    for (auto [mask, original] : llvm::zip_equal(adaptor.getMasks(), op.getMasks()))
      problem.inputs.push_back(broadcastScoreInput(rewriter, loc, problem, sized(mask, original),
                                                   scoreDims, scoreLoops, sizes));
    auto attention = buildAttention(rewriter, loc, problem,
                                    [&](OpBuilder &builder, Location loc, ValueRange args) {
                                      return changeScore(op, builder, loc, args);
                                    });
    rewriter.replaceOp(op, attention.getResult());
    return success();
  }

private:
  static SmallVector<DimExpr> logicalDims(Value operand, ArrayRef<int64_t> perm) {
    return applyPermutation(ArrayRef(onnx::getDims(operand.getType())), perm);
  }
  static SmallVector<int> loopsOf(const AttentionProblem &problem, int row, int column) {
    SmallVector<int> loops(problem.numBatchLoops);
    std::iota(loops.begin(), loops.end(), 0);
    llvm::append_range(loops, ArrayRef<int>{row, column});
    return loops;
  }
  /// An operand whose transpose has the batch loops, then these two.
  static GenericInput read(OpBuilder &builder, const AttentionProblem &problem, Value original,
                           Value tensor, ArrayRef<int64_t> perm, int row, int column) {
    SmallVector<int> loops = loopsOf(problem, row, column);
    SmallVector<int> stored(perm.size());
    for (auto [loop, position] : llvm::zip_equal(loops, perm))
      stored[position] = loop;
    return {tensor, problem.mapTo(builder.getContext(), stored)};
  }

  static Value changeScore(onnx::FusedAttentionOp op, OpBuilder &builder, Location loc,
                           ValueRange args) {
    Value score = args[0];
    for (auto [mask, kind, fill] :
         llvm::zip_equal(args.drop_front(), op.getKinds(), op.getFills())) {
      Type type = score.getType();
      if (kind == static_cast<int64_t>(onnx::MaskKind::add)) {
        score = arith::AddFOp::create(builder, loc, score, convertFloat(builder, loc, mask, type));
        continue;
      }
      Value other = floatConstant(builder, loc, type, fill);
      bool keeps = kind == static_cast<int64_t>(onnx::MaskKind::keep);
      score =
          arith::SelectOp::create(builder, loc, mask, keeps ? score : other, keeps ? other : score);
    }
    return score;
  }
};

} // namespace

void onnxc::populateAttentionPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<AttentionLowering, FusedAttentionLowering>(converter, patterns.getContext());
}
