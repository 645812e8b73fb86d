//===- AttentionParts.cpp - Attention as products and a softmax ------------===//
#include "lowering/support/AttentionParts.h"
#include "lowering/support/FloatCasts.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace onnxc {
namespace {

using Body = function_ref<Value(OpBuilder &, Location, ValueRange)>;

/// The ops that an attention is made of. Scores are [batch..., M, K2], and their loops
/// are those of the attention without K1 and N.
class Decomposition {
public:
  Decomposition(OpBuilder &builder, rt::AttentionOp op, ArrayRef<OpFoldResult> sizes)
      : builder(builder), op(op), sizes(sizes), maps(op.getMaps()), loc(op.getLoc()),
        context(op.getContext()), type(op.getScoreType()), rank(op.getNumBatchLoops() + 2),
        all(AffineMap::getMultiDimIdentityMap(rank, context)), rows(all.dropResult(rank - 1)) {}

  AttentionParts build() {
    AttentionParts parts;
    AffineMap products = AffineMap::getMultiDimIdentityMap(rank + 1, context).dropResult(rank);
    parts.products = multiply(op.getQuery(), maps[0], op.getKey(), maps[1], op.getM(), op.getK2(),
                              op.getK1(), products, sizesOf({op.getM(), op.getK2()}));
    parts.scores = changeScores(parts.products);
    parts.probabilities = normalize(parts.scores);
    AffineMap stored = keepLoops(maps.back(), {op.getM(), op.getN(), op.getK2()});
    Value result = multiply(parts.probabilities, scoreMap(), op.getValue(), maps[2], op.getM(),
                            op.getN(), op.getK2(), stored, *getTensorSizes(op.getInit()));
    parts.result = toElements(result);
    return parts;
  }

private:
  /// The loops of the attention that `own` keeps, in order: batch loops and these.
  AffineMap keepLoops(AffineMap map, ArrayRef<unsigned> own) {
    SmallVector<AffineExpr> exprs(op.getNumLoops(), getAffineConstantExpr(0, context));
    for (unsigned loop = 0; loop < op.getNumBatchLoops(); ++loop)
      exprs[loop] = getAffineDimExpr(loop, context);
    for (auto [i, loop] : llvm::enumerate(own))
      exprs[loop] = getAffineDimExpr(op.getNumBatchLoops() + i, context);
    return map.replaceDimsAndSymbols(exprs, {}, op.getNumBatchLoops() + own.size(), 0);
  }
  /// How scores are read along the attention's loops.
  AffineMap scoreMap() {
    SmallVector<AffineExpr> exprs;
    for (unsigned loop = 0; loop < op.getNumBatchLoops(); ++loop)
      exprs.push_back(getAffineDimExpr(loop, context));
    exprs.push_back(getAffineDimExpr(op.getM(), context));
    exprs.push_back(getAffineDimExpr(op.getK2(), context));
    return AffineMap::get(op.getNumLoops(), 0, exprs, context);
  }

  Value number(OpBuilder &builder, double value) {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  }
  SmallVector<OpFoldResult> sizesOf(ArrayRef<unsigned> own) {
    SmallVector<OpFoldResult> result(sizes.take_front(op.getNumBatchLoops()));
    for (unsigned loop : own)
      result.push_back(sizes[loop]);
    return result;
  }

  Value generic(ValueRange inputs, ArrayRef<AffineMap> inputMaps, Value init, AffineMap initMap,
                unsigned reductions, Body body) {
    SmallVector<AffineMap> all(inputMaps);
    all.push_back(initMap);
    SmallVector<utils::IteratorType> iterators(initMap.getNumDims(), utils::IteratorType::parallel);
    std::fill_n(iterators.rbegin(), reductions, utils::IteratorType::reduction);
    return linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, all, iterators,
                                     [&](OpBuilder &builder, Location loc, ValueRange args) {
                                       Value result = body(builder, loc, args);
                                       linalg::YieldOp::create(builder, loc, result);
                                     })
        .getResult(0);
  }
  Value filled(ArrayRef<OpFoldResult> dims, double value) {
    Value empty = tensor::EmptyOp::create(builder, loc, dims, type);
    Value scalar = number(builder, value);
    return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
  }

  /// Sums over the loop `depth`, into a tensor of these sizes that is written along the
  /// batch loops, the rows and the columns as `stored` says.
  Value multiply(Value a, AffineMap mapA, Value b, AffineMap mapB, unsigned row, unsigned column,
                 unsigned depth, AffineMap stored, ArrayRef<OpFoldResult> dims) {
    SmallVector<unsigned> loops = {row, column, depth};
    return generic({a, b}, {keepLoops(mapA, loops), keepLoops(mapB, loops)}, filled(dims, 0),
                   stored, /*reductions=*/1,
                   [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                     Value left = convertFloat(builder, loc, args[0], type);
                     Value right = convertFloat(builder, loc, args[1], type);
                     Value product = arith::MulFOp::create(builder, loc, left, right);
                     return arith::AddFOp::create(builder, loc, args[2], product);
                   });
  }

  Value map(ArrayRef<Value> inputs, ArrayRef<AffineMap> inputMaps, bool perRow, Body body) {
    SmallVector<OpFoldResult> dims = sizesOf({op.getM(), op.getK2()});
    if (perRow)
      dims.pop_back();
    Value init = tensor::EmptyOp::create(builder, loc, dims, type);
    AffineMap initMap = AffineMap::getMultiDimIdentityMap(dims.size(), context);
    return generic(inputs, inputMaps, init, initMap, /*reductions=*/0, body);
  }
  Value reduce(double start, Value full, Body body) {
    return generic(full, all, filled(sizesOf({op.getM()}), start), rows, /*reductions=*/1, body);
  }

  /// The region on all scores.
  Value changeScores(Value scores) {
    SmallVector<Value> inputs = {scores};
    llvm::append_range(inputs, op.getInputs());
    SmallVector<AffineMap> inputMaps = {all};
    for (AffineMap map : ArrayRef(maps).drop_front(3).drop_back())
      inputMaps.push_back(keepLoops(map, {op.getM(), op.getK2()}));
    double scale = op.getScale().convertToDouble();
    Block &region = op.getBody().front();
    if (scale == 1 && region.without_terminator().empty())
      return scores;
    return map(inputs, inputMaps, /*perRow=*/false,
               [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                 IRMapping mapping;
                 mapping.map(region.getArguments(), args.drop_back());
                 if (scale != 1) {
                   Value factor = number(builder, scale);
                   Value scaled = arith::MulFOp::create(builder, loc, args[0], factor);
                   mapping.map(region.getArgument(0), scaled);
                 }
                 for (Operation &inner : region.without_terminator()) {
                   auto index = dyn_cast<rt::IndexOp>(inner);
                   if (!index) {
                     builder.clone(inner, mapping);
                     continue;
                   }
                   unsigned loop = index.getDim() == op.getK2() ? rank - 1 : index.getDim();
                   mapping.map(index.getResult(),
                               linalg::IndexOp::create(builder, loc, loop).getResult());
                 }
                 return mapping.lookup(region.getTerminator()->getOperand(0));
               });
  }

  /// The softmax of each row.
  Value normalize(Value scores) {
    // A NaN is left out; it comes back with the exponentials.
    Value maxima = reduce(-std::numeric_limits<double>::infinity(), scores,
                          [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                            return arith::MaxNumFOp::create(builder, loc, args[1], args[0]);
                          });
    Value exponentials = map({scores, maxima}, {all, rows}, /*perRow=*/false,
                             [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                               Value distance =
                                   arith::SubFOp::create(builder, loc, args[0], args[1]);
                               return math::ExpOp::create(builder, loc, distance);
                             });
    Value sums =
        reduce(0, exponentials, [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
          return arith::AddFOp::create(builder, loc, args[1], args[0]);
        });
    AffineMap row = AffineMap::getMultiDimIdentityMap(rank - 1, context);
    Value factors = map(sums, row, /*perRow=*/true,
                        [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                          return arith::DivFOp::create(builder, loc, number(builder, 1), args[0]);
                        });
    return map({exponentials, factors, maxima}, {all, rows, rows}, /*perRow=*/false,
               [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                 Value result = arith::MulFOp::create(builder, loc, args[0], args[1]);
                 return guard(builder, result, args[2]);
               });
  }

  /// A probability, or what `empty_rows` says.
  Value guard(OpBuilder &builder, Value probability, Value maximum) {
    Value isEmpty;
    if (op.getEmptyRows() == rt::EmptyRows::Formula)
      return probability;
    if (op.getEmptyRows() == rt::EmptyRows::ZeroForNaN) {
      isEmpty =
          arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, probability, probability);
    } else {
      Value lowest = number(builder, -std::numeric_limits<double>::infinity());
      isEmpty = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, maximum, lowest);
    }
    return arith::SelectOp::create(builder, loc, isEmpty, number(builder, 0), probability);
  }

  /// The result with the elements of the attention's.
  Value toElements(Value result) {
    Type element = op.getResult().getType().getElementType();
    if (element == type)
      return result;
    AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, context);
    return generic(result, identity, op.getInit(), identity, /*reductions=*/0,
                   [&](OpBuilder &builder, Location loc, ValueRange args) {
                     return convertFloat(builder, loc, args[0], element);
                   });
  }

  OpBuilder &builder;
  rt::AttentionOp op;
  ArrayRef<OpFoldResult> sizes;
  SmallVector<AffineMap> maps;
  Location loc;
  MLIRContext *context;
  Type type;
  unsigned rank;
  /// Maps of scores and of what there is once for each row of them.
  AffineMap all, rows;
};

} // namespace

FailureOr<SmallVector<OpFoldResult>> getLoopSizes(rt::AttentionOp op) {
  SmallVector<OpFoldResult> sizes(op.getNumLoops());
  SmallVector<AffineMap> maps = op.getMaps();
  // Not from the further inputs, which may be longer than M.
  for (auto [operand, map] : {std::pair(op.getQuery(), maps[0]),
                              {op.getKey(), maps[1]},
                              {op.getValue(), maps[2]},
                              {op.getInit(), maps.back()}}) {
    FailureOr<SmallVector<OpFoldResult>> known = getTensorSizes(operand);
    if (failed(known))
      return failure();
    for (auto [expr, size] : llvm::zip_equal(map.getResults(), *known)) {
      OpFoldResult &slot = sizes[cast<AffineDimExpr>(expr).getPosition()];
      // A constant beats an index value: both are the same number.
      if (!slot || isa<Attribute>(size))
        slot = size;
    }
  }
  return sizes;
}

std::optional<rt::AttentionShape> getAttentionShape(rt::AttentionOp op) {
  FailureOr<SmallVector<OpFoldResult>> sizes = getLoopSizes(op);
  if (failed(sizes))
    return std::nullopt;
  auto sizeOf = [&](unsigned loop) { return getConstantIntValue((*sizes)[loop]).value_or(-1); };
  return rt::AttentionShape{sizeOf(op.getM()), sizeOf(op.getK1()), sizeOf(op.getK2()),
                            sizeOf(op.getN()), op.getScoreType().getIntOrFloatBitWidth()};
}

rt::StrategyAttr chooseAttention(rt::TargetAttr target, rt::AttentionOp op) {
  auto whole = dyn_cast<rt::AttentionTargetAttr>(target);
  std::optional<rt::AttentionShape> shape = getAttentionShape(op);
  return whole && shape ? whole.chooseAttention(*shape) : rt::StrategyAttr();
}

AttentionParts buildAttentionParts(OpBuilder &builder, rt::AttentionOp op,
                                   ArrayRef<OpFoldResult> sizes) {
  return Decomposition(builder, op, sizes).build();
}

} // namespace onnxc
