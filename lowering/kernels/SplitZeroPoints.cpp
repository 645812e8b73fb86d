//===- SplitZeroPoints.cpp - Products of quantised factors -----------------===//
//
// With zero points za of A and zb of B that do not depend on the depth,
//
//   sum((a - za) * (b - zb)) = sum(a * b) + za * (K * zb - sum(b)) - zb * sum(a)
//
// exactly, as integers wrap around. The sums of rows and columns are ops of their
// own, which constant evaluation runs for weights; what they add to the product is
// an element-wise op behind it, which becomes its epilogue.
//
// A factor of the sign that the target's dot products do not take is moved by 128,
// which is nothing but another zero point.
//
//===----------------------------------------------------------------------===//
#include "lowering/Passes.h"
#include "lowering/support/ConstantOnly.h"
#include "lowering/support/Contractions.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_SPLITZEROPOINTS
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

/// Half the range of a byte: the distance between its signed and unsigned reading.
constexpr int64_t signDistance = 128;

bool isParallel(utils::IteratorType type) { return type == utils::IteratorType::parallel; }

Value extend(OpBuilder &builder, Location loc, Value value, Type type, bool isUnsigned) {
  if (value.getType() == type)
    return value;
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

Value constantOf(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc, IntegerAttr::get(type, value));
}

/// A factor of the product while it is rewritten.
struct Side {
  Factor factor;
  Value tensor;
  AffineMap map;
  /// In the type of the sum, null for zero; and where the product's loops read it.
  Value zeroPoint;
  AffineMap zeroPointMap;
};

class Splitter {
public:
  Splitter(linalg::GenericOp op, const SumOfProducts &sum)
      : op(op), builder(op), loc(op.getLoc()), type(sum.sum), iterators(op.getIteratorTypesArray()),
        maps(op.getIndexingMapsArray()) {
    for (auto [side, factor] : llvm::zip_equal(sides, sum.factors)) {
      side.factor = factor;
      side.tensor = op->getOperand(factor.operand);
      side.map = maps[factor.operand];
      if (factor.zeroPoint)
        side.zeroPointMap = maps[*factor.zeroPoint];
    }
  }

  /// Whether the rewrite holds for the maps, and all sizes are known.
  bool canSplit();
  void split(rt::TargetAttr target);

private:
  using BodyBuilder = function_ref<Value(OpBuilder &, Location, ValueRange)>;

  unsigned packedSide();
  bool moveSign(Side &side, bool wantUnsigned);
  static bool isZero(Value zeroPoint);
  void readZeroPoint(Side &side);
  /// The loops of the result that a map reads, in the result's order.
  SmallVector<unsigned> parallelLoops(AffineMap map);
  /// The map from the result's dims to a tensor over some of the product's loops.
  AffineMap fromResult(ArrayRef<unsigned> loops);
  AffineMap fromResult(AffineMap map);
  Value sumOver(Side &side);
  Value buildMap(ArrayRef<OpFoldResult> sizes, Type element, ValueRange inputs,
                 ArrayRef<AffineMap> inputMaps, BodyBuilder body);
  Value buildSum(ArrayRef<OpFoldResult> sizes, ValueRange inputs, ArrayRef<AffineMap> inputMaps,
                 AffineMap result, bool isUnsigned);
  Value buildProduct();
  Value timesDepth(Value sum, Side &side);

  linalg::GenericOp op;
  OpBuilder builder;
  Location loc;
  Type type;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineMap> maps;
  SmallVector<OpFoldResult> sizes;
  std::array<Side, 2> sides;
};

} // namespace

/// Whether each result is a loop, or a pixel's place plus a tap's.
static bool isLoopsOrWindows(AffineMap map) {
  return llvm::all_of(map.getResults(), [](AffineExpr expr) {
    bool isPlain = true;
    expr.walk([&](AffineExpr part) {
      isPlain &= isa<AffineDimExpr, AffineConstantExpr>(part) ||
                 part.getKind() == AffineExprKind::Add || part.getKind() == AffineExprKind::Mul;
    });
    return isPlain && !isa<AffineConstantExpr>(expr);
  });
}

bool Splitter::canSplit() {
  FailureOr<SmallVector<OpFoldResult>> known = getLoopSizes(op);
  if (failed(known) || !maps.back().isProjectedPermutation())
    return false;
  sizes = *known;
  for (Side &side : sides) {
    if (failed(getTensorSizes(side.tensor)) || !isLoopsOrWindows(side.map))
      return false;
    // A sum over fewer loops would have to be multiplied by the sizes of the rest.
    for (auto [loop, iterator] : llvm::enumerate(iterators))
      if (!isParallel(iterator) && !side.map.isFunctionOfDim(loop))
        return false;
    if (!side.zeroPointMap)
      continue;
    if (!side.zeroPointMap.isProjectedPermutation() ||
        failed(getTensorSizes(op->getOperand(*side.factor.zeroPoint))))
      return false;
    for (AffineExpr expr : side.zeroPointMap.getResults()) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      if (!isParallel(iterators[loop]) || !side.map.isFunctionOfDim(loop))
        return false;
    }
  }
  return true;
}

Value Splitter::buildMap(ArrayRef<OpFoldResult> dims, Type element, ValueRange inputs,
                         ArrayRef<AffineMap> inputMaps, BodyBuilder body) {
  Value init = tensor::EmptyOp::create(builder, loc, dims, element);
  SmallVector<AffineMap> all(inputMaps);
  all.push_back(builder.getMultiDimIdentityMap(dims.size()));
  SmallVector<utils::IteratorType> parallel(dims.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, all, parallel,
                                   [&](OpBuilder &nested, Location at, ValueRange args) {
                                     linalg::YieldOp::create(nested, at, body(nested, at, args));
                                   })
      .getResult(0);
}

/// Sums the first input over the loops that `result` lacks; further ones only say
/// how large loops are.
Value Splitter::buildSum(ArrayRef<OpFoldResult> loopSizes, ValueRange inputs,
                         ArrayRef<AffineMap> inputMaps, AffineMap result, bool isUnsigned) {
  SmallVector<OpFoldResult> dims;
  SmallVector<utils::IteratorType> kinds(loopSizes.size(), utils::IteratorType::reduction);
  for (AffineExpr expr : result.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    dims.push_back(loopSizes[loop]);
    kinds[loop] = utils::IteratorType::parallel;
  }
  Value empty = tensor::EmptyOp::create(builder, loc, dims, type);
  Value init =
      linalg::FillOp::create(builder, loc, constantOf(builder, loc, type, 0), empty).getResult(0);
  SmallVector<AffineMap> all(inputMaps);
  all.push_back(result);
  return linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, all, kinds,
                                   [&](OpBuilder &nested, Location at, ValueRange args) {
                                     Value element =
                                         extend(nested, at, args.front(), type, isUnsigned);
                                     Value sum =
                                         arith::AddIOp::create(nested, at, args.back(), element);
                                     linalg::YieldOp::create(nested, at, sum);
                                   })
      .getResult(0);
}

/// The zero point as a tensor of the sum's type.
void Splitter::readZeroPoint(Side &side) {
  if (!side.factor.zeroPoint)
    return;
  Value source = op->getOperand(*side.factor.zeroPoint);
  bool isUnsigned = side.factor.zeroPointUnsigned;
  SmallVector<OpFoldResult> dims = *getTensorSizes(source);
  Value constant = source;
  while (auto view = constant.getDefiningOp<rt::ReshapeOp>())
    constant = view.getSource();
  DenseIntElementsAttr elements;
  auto shape = cast<RankedTensorType>(source.getType());
  if (matchPattern(constant, m_Constant(&elements)) && shape.hasStaticShape()) {
    elements = cast<DenseIntElementsAttr>(elements.reshape(cast<ShapedType>(shape)));
    unsigned width = type.getIntOrFloatBitWidth();
    auto widened = elements.mapValues(type, [&](const APInt &value) {
      return isUnsigned ? value.zextOrTrunc(width) : value.sextOrTrunc(width);
    });
    side.zeroPoint = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(widened));
    return;
  }
  side.zeroPoint = buildMap(dims, type, source, builder.getMultiDimIdentityMap(dims.size()),
                            [&](OpBuilder &nested, Location at, ValueRange args) {
                              return extend(nested, at, args[0], type, isUnsigned);
                            });
}

/// Reads the side's bytes with the other sign: its elements and its zero point move
/// by half the range.
bool Splitter::moveSign(Side &side, bool wantUnsigned) {
  if (!side.factor.storage.isInteger(8) || side.factor.isUnsigned == wantUnsigned)
    return false;
  SmallVector<OpFoldResult> dims = *getTensorSizes(side.tensor);
  AffineMap identity = builder.getMultiDimIdentityMap(dims.size());
  side.tensor = buildMap(dims, side.factor.storage, side.tensor, identity,
                         [&](OpBuilder &nested, Location at, ValueRange args) {
                           Value top = constantOf(nested, at, side.factor.storage, -signDistance);
                           return arith::XOrIOp::create(nested, at, args[0], top).getResult();
                         });
  side.factor.isUnsigned = wantUnsigned;
  int64_t distance = wantUnsigned ? signDistance : -signDistance;
  auto scalar = RankedTensorType::get({}, type);
  if (!side.zeroPoint) {
    auto value = DenseElementsAttr::get(scalar, builder.getIntegerAttr(type, distance));
    side.zeroPoint = arith::ConstantOp::create(builder, loc, value);
    side.zeroPointMap = AffineMap::get(op.getNumLoops(), 0, builder.getContext());
    return true;
  }
  DenseIntElementsAttr elements;
  if (matchPattern(side.zeroPoint, m_Constant(&elements))) {
    auto moved = elements.mapValues(type, [&](const APInt &value) { return value + distance; });
    side.zeroPoint = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(moved));
    return true;
  }
  SmallVector<OpFoldResult> zeroDims = *getTensorSizes(side.zeroPoint);
  side.zeroPoint =
      buildMap(zeroDims, type, side.zeroPoint, builder.getMultiDimIdentityMap(zeroDims.size()),
               [&](OpBuilder &nested, Location at, ValueRange args) {
                 Value shift = constantOf(nested, at, type, distance);
                 return arith::AddIOp::create(nested, at, args[0], shift).getResult();
               });
  return true;
}

SmallVector<unsigned> Splitter::parallelLoops(AffineMap map) {
  SmallVector<unsigned> loops;
  for (AffineExpr expr : maps.back().getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (map.isFunctionOfDim(loop))
      loops.push_back(loop);
  }
  return loops;
}

AffineMap Splitter::fromResult(ArrayRef<unsigned> loops) {
  AffineMap result = maps.back();
  SmallVector<AffineExpr> exprs;
  for (unsigned loop : loops)
    for (auto [i, expr] : llvm::enumerate(result.getResults()))
      if (cast<AffineDimExpr>(expr).getPosition() == loop)
        exprs.push_back(builder.getAffineDimExpr(i));
  return AffineMap::get(result.getNumResults(), 0, exprs, builder.getContext());
}

AffineMap Splitter::fromResult(AffineMap map) {
  return fromResult(llvm::map_to_vector(
      map.getResults(), [](AffineExpr expr) { return cast<AffineDimExpr>(expr).getPosition(); }));
}

/// The sums of a side over the depth, one for each index of its parallel loops in
/// the result's order. Where windows overlap, what lies inside of a pixel is summed
/// first, once.
Value Splitter::sumOver(Side &side) {
  MLIRContext *context = builder.getContext();
  SmallVector<OpFoldResult> dims = *getTensorSizes(side.tensor);
  auto reducedLoop = [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && !isParallel(iterators[dim.getPosition()]);
  };
  bool hasWindows = llvm::any_of(side.map.getResults(),
                                 [](AffineExpr expr) { return !isa<AffineDimExpr>(expr); });
  Value tensor = side.tensor;
  bool isUnsigned = side.factor.isUnsigned;
  SmallVector<AffineExpr> exprs(side.map.getResults());
  SmallVector<unsigned> loops = parallelLoops(side.map);
  if (hasWindows && llvm::any_of(exprs, reducedLoop)) {
    SmallVector<AffineExpr> kept, rest;
    for (auto [i, expr] : llvm::enumerate(exprs))
      if (!reducedLoop(expr)) {
        kept.push_back(builder.getAffineDimExpr(i));
        rest.push_back(expr);
      }
    tensor = buildSum(dims, tensor, builder.getMultiDimIdentityMap(dims.size()),
                      AffineMap::get(dims.size(), 0, kept, context), isUnsigned);
    exprs = rest;
  }
  // The parallel loops, then those that are left to be summed over.
  SmallVector<unsigned> order = loops;
  for (unsigned loop = 0; loop < iterators.size(); ++loop)
    if (!isParallel(iterators[loop]) &&
        llvm::any_of(exprs, [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); }))
      order.push_back(loop);
  SmallVector<AffineExpr> renamed(iterators.size(), builder.getAffineConstantExpr(0));
  SmallVector<OpFoldResult> loopSizes;
  for (auto [i, loop] : llvm::enumerate(order)) {
    renamed[loop] = builder.getAffineDimExpr(i);
    loopSizes.push_back(sizes[loop]);
  }
  SmallVector<AffineExpr> read =
      llvm::map_to_vector(exprs, [&](AffineExpr expr) { return expr.replaceDims(renamed); });
  SmallVector<Value> inputs = {tensor};
  SmallVector<AffineMap> inputMaps = {AffineMap::get(order.size(), 0, read, context)};
  if (hasWindows) {
    // Nothing but an operand says how large a window is.
    SmallVector<AffineExpr> taps;
    for (unsigned i = loops.size(); i < order.size(); ++i)
      taps.push_back(builder.getAffineDimExpr(i));
    ArrayRef<OpFoldResult> tapSizes = ArrayRef(loopSizes).drop_front(loops.size());
    inputs.push_back(
        tensor::EmptyOp::create(builder, loc, tapSizes, getElementTypeOrSelf(tensor.getType())));
    inputMaps.push_back(AffineMap::get(order.size(), 0, taps, context));
  }
  AffineMap result =
      AffineMap::getMultiDimIdentityMap(order.size(), context).getMajorSubMap(loops.size());
  return buildSum(loopSizes, inputs, inputMaps, result, isUnsigned);
}

/// K * zero point - sum, over the side's parallel loops.
Value Splitter::timesDepth(Value sum, Side &side) {
  SmallVector<unsigned> loops = parallelLoops(side.map);
  SmallVector<OpFoldResult> dims =
      llvm::map_to_vector(loops, [&](unsigned loop) { return sizes[loop]; });
  SmallVector<AffineExpr> read;
  for (AffineExpr expr : side.zeroPointMap.getResults()) {
    unsigned *at = llvm::find(loops, cast<AffineDimExpr>(expr).getPosition());
    read.push_back(builder.getAffineDimExpr(at - loops.begin()));
  }
  AffineMap zeroMap = AffineMap::get(loops.size(), 0, read, builder.getContext());
  SmallVector<Value> factors;
  int64_t constant = 1;
  for (auto [loop, iterator] : llvm::enumerate(iterators)) {
    if (isParallel(iterator))
      continue;
    if (std::optional<int64_t> known = getConstantIntValue(sizes[loop]))
      constant *= *known;
    else
      factors.push_back(cast<Value>(sizes[loop]));
  }
  return buildMap(
      dims, type, {sum, side.zeroPoint}, {builder.getMultiDimIdentityMap(dims.size()), zeroMap},
      [&](OpBuilder &nested, Location at, ValueRange args) {
        // The sum wraps around, and so may this.
        Value depth = arith::ConstantOp::create(
            nested, at,
            IntegerAttr::get(
                type, APInt(64, uint64_t(constant)).zextOrTrunc(type.getIntOrFloatBitWidth())));
        for (Value factor : factors)
          depth = arith::MulIOp::create(nested, at, depth,
                                        arith::IndexCastOp::create(nested, at, type, factor));
        Value zeros = arith::MulIOp::create(nested, at, depth, args[1]);
        return arith::SubIOp::create(nested, at, zeros, args[0]).getResult();
      });
}

/// The product without zero points.
Value Splitter::buildProduct() {
  SmallVector<AffineMap> productMaps = {sides[0].map, sides[1].map, maps.back()};
  return linalg::GenericOp::create(
             builder, loc, op.getResult(0).getType(), ValueRange{sides[0].tensor, sides[1].tensor},
             op.getDpsInits()[0], productMaps, iterators,
             [&](OpBuilder &nested, Location at, ValueRange args) {
               Value a = extend(nested, at, args[0], type, sides[0].factor.isUnsigned);
               Value b = extend(nested, at, args[1], type, sides[1].factor.isUnsigned);
               Value product = arith::MulIOp::create(nested, at, a, b);
               linalg::YieldOp::create(
                   nested, at, arith::AddIOp::create(nested, at, args[2], product).getResult());
             })
      .getResult(0);
}

/// The side whose elements are packed, for whom another sign costs nothing; none: 2.
unsigned Splitter::packedSide() {
  if (std::optional<MatchedContraction> contraction = matchContraction(op))
    return contraction->b.operand == sides[0].factor.operand ? 0 : 1;
  std::optional<MatchedConvolution> convolution = matchConvolution(op);
  return convolution && !convolution->isDepthwise() ? 1 : sides.size();
}

bool Splitter::isZero(Value zeroPoint) {
  DenseIntElementsAttr elements;
  return zeroPoint && matchPattern(zeroPoint, m_Constant(&elements)) &&
         llvm::all_of(elements.getValues<APInt>(),
                      [](const APInt &value) { return value.isZero(); });
}

void Splitter::split(rt::TargetAttr target) {
  unsigned packed = packedSide();
  for (Side &side : sides)
    readZeroPoint(side);
  bool changed = op.getNumDpsInputs() > 2;
  if (packed < sides.size() && sides[1 - packed].factor.storage.isInteger(8))
    if (std::optional<bool> wanted = target.choosePackedSign(sides[1 - packed].factor.isUnsigned))
      changed |= moveSign(sides[packed], *wanted);
  if (!changed)
    return;
  for (Side &side : sides)
    if (isZero(side.zeroPoint))
      side.zeroPoint = Value();

  Value product = buildProduct();
  SmallVector<Value> inputs = {product};
  auto resultDims = llvm::map_to_vector(maps.back().getResults(), [&](AffineExpr expr) {
    return sizes[cast<AffineDimExpr>(expr).getPosition()];
  });
  SmallVector<AffineMap> inputMaps = {builder.getMultiDimIdentityMap(resultDims.size())};
  // One of the sides has its zero point in the other's sum already.
  unsigned merged = packed < sides.size() ? packed : 1;
  Side &a = sides[1 - merged], &b = sides[merged];
  if (a.zeroPoint) {
    Value sum = sumOver(b);
    if (b.zeroPoint)
      sum = timesDepth(sum, b);
    llvm::append_range(inputs, ValueRange{a.zeroPoint, sum});
    inputMaps.push_back(fromResult(a.zeroPointMap));
    inputMaps.push_back(fromResult(parallelLoops(b.map)));
  }
  if (b.zeroPoint) {
    llvm::append_range(inputs, ValueRange{b.zeroPoint, sumOver(a)});
    inputMaps.push_back(fromResult(b.zeroPointMap));
    inputMaps.push_back(fromResult(parallelLoops(a.map)));
  }
  Value result = product;
  if (inputs.size() > 1)
    result = buildMap(resultDims, type, inputs, inputMaps,
                      [&](OpBuilder &nested, Location at, ValueRange args) {
                        Value sum = args[0];
                        for (unsigned i = 1; i + 1 < inputs.size(); i += 2) {
                          Value part = arith::MulIOp::create(nested, at, args[i], args[i + 1]);
                          bool isAdded = i == 1 && a.zeroPoint && b.zeroPoint;
                          sum = isAdded ? arith::AddIOp::create(nested, at, sum, part).getResult()
                                        : arith::SubIOp::create(nested, at, sum, part).getResult();
                        }
                        return sum;
                      });
  op.getResult(0).replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct SplitZeroPoints : onnxc::impl::SplitZeroPointsBase<SplitZeroPoints> {
  using Base::Base;
  void runOnOperation() override {
    rt::TargetAttr target = rt::getTarget(getOperation());
    SmallVector<linalg::GenericOp> products;
    getOperation().walk([&](linalg::GenericOp op) { products.push_back(op); });
    for (linalg::GenericOp op : products) {
      std::optional<SumOfProducts> sum = matchSumOfProducts(op);
      if (!sum || !isa<IntegerType>(sum->sum) || isConstantOnly(op.getResult(0)))
        continue;
      Splitter splitter(op, *sum);
      if (splitter.canSplit())
        splitter.split(target);
    }
  }
};
} // namespace
