//===- FusePrologues.cpp - What makes a factor goes into its product -------===//
//
// A weight that is stored in few bits and computed from them (dequantised) would
// grow if constant evaluation computed it. It becomes the prologue of each product
// that reads it: the product's body computes the factor, and the weight stays as it
// is stored. What stands in between, views and transpositions, is done to the
// stored elements.
//
//===----------------------------------------------------------------------===//
#include "dialects/rt/RtDialect.h"
#include "lowering/Passes.h"
#include "lowering/support/ConstantOnly.h"
#include "lowering/support/Contractions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_FUSEPROLOGUES
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

/// A weight up to this size is computed at compile time, whatever it is stored as.
constexpr uint64_t smallBits = 8 * 4096;

uint64_t bitsOf(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return uint64_t(type.getNumElements()) * rt::getStorageBits(type.getElementType());
}

/// The input that has an element for each of the result's: what a weight is stored as.
/// Inputs that are only broadcast have fewer.
std::optional<unsigned> findElement(linalg::GenericOp op) {
  auto count = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tensor.getNumElements() : 1;
  };
  for (auto [i, input] : llvm::enumerate(op.getDpsInputs()))
    if (count(input.getType()) == count(op.getResult(0).getType()))
      return i;
  return std::nullopt;
}

/// An element-wise op whose result takes more memory than what it is computed from, by
/// more than constant evaluation may let it grow.
bool grows(linalg::GenericOp op) {
  if (op.getNumReductionLoops() > 0 || op.getNumDpsInits() != 1 || !findElement(op) ||
      !op.getRegionOutputArgs()[0].use_empty() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return false;
  SetVector<Value> sources;
  sources.insert_range(op.getDpsInputs());
  getUsedValuesDefinedAbove(op.getRegion(), sources);
  uint64_t bits = 0;
  for (Value source : sources)
    if (isa<RankedTensorType>(source.getType()))
      bits += bitsOf(source);
  uint64_t own = bitsOf(op.getResult(0));
  return own > smallBits && own > maxConstantGrowth * bits;
}

/// The dims of a view's source in terms of those of its result, where both have the same
/// sizes but for some of 1.
std::optional<AffineMap> matchView(rt::ReshapeOp view) {
  MLIRContext *context = view.getContext();
  ArrayRef<int64_t> from = view.getSource().getType().getShape();
  ArrayRef<int64_t> to = view.getResult().getType().getShape();
  SmallVector<AffineExpr> exprs;
  unsigned next = 0;
  for (int64_t size : from) {
    if (size == 1) {
      exprs.push_back(getAffineConstantExpr(0, context));
      continue;
    }
    while (next < to.size() && to[next] == 1)
      ++next;
    if (next == to.size() || to[next] != size)
      return std::nullopt;
    exprs.push_back(getAffineDimExpr(next++, context));
  }
  for (; next < to.size(); ++next)
    if (to[next] != 1)
      return std::nullopt;
  return AffineMap::get(to.size(), 0, exprs, context);
}

/// A generic that only moves elements: one input, the result in order.
bool isCopy(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 && op.getNumReductionLoops() == 0 &&
         op.getBody()->getTerminator()->getOperand(0) == op.getBody()->getArgument(0) &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity();
}

/// The op that computes a weight, and where its elements are in terms of the weight's dims.
struct Origin {
  linalg::GenericOp op;
  AffineMap place;
};

/// The growing op behind views and copies, if there is one.
std::optional<Origin> findOrigin(Value weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  if (!type.hasStaticShape() || type.getNumElements() == 0 || !isConstantOnly(weight))
    return std::nullopt;
  AffineMap place = AffineMap::getMultiDimIdentityMap(type.getRank(), weight.getContext());
  while (true) {
    if (auto view = weight.getDefiningOp<rt::ReshapeOp>()) {
      std::optional<AffineMap> dims = matchView(view);
      if (!dims)
        return std::nullopt;
      place = dims->compose(place);
      weight = view.getSource();
      continue;
    }
    auto op = weight.getDefiningOp<linalg::GenericOp>();
    if (!op)
      return std::nullopt;
    if (grows(op))
      return Origin{op, place};
    if (!isCopy(op))
      return std::nullopt;
    place = op.getIndexingMapsArray()[0].compose(place);
    weight = op.getDpsInputs()[0];
  }
}

/// Fuses into one product.
class Fusion {
public:
  Fusion(linalg::GenericOp op, unsigned operand, const Origin &origin)
      : op(op), operand(operand), origin(origin), builder(op),
        place(origin.place.compose(op.getIndexingMapsArray()[operand])),
        element(*findElement(origin.op)) {}

  /// Whether the factor's further inputs stand still while a tile is summed: a
  /// convolution reads its weights tap by tap, many times.
  bool isConstantAlong(ArrayRef<unsigned> reductions) {
    auto moves = [&](AffineMap map) {
      return llvm::any_of(reductions, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
    };
    bool moving = false;
    for (auto [i, map] : llvm::enumerate(inputMaps()))
      moving |= i != element && moves(map);
    origin.op.getBody()->walk([&](linalg::IndexOp index) {
      moving |= moves(place.getSubMap({unsigned(index.getDim())}));
    });
    return !moving;
  }

  void fuse();

private:
  /// Of the origin's inputs, in the loops of the product.
  SmallVector<AffineMap> inputMaps() {
    SmallVector<AffineMap> maps = origin.op.getIndexingMapsArray();
    maps.pop_back();
    for (AffineMap &map : maps)
      map = map.compose(place);
    return maps;
  }

  /// The stored elements in the order of the weight.
  Value arrange() {
    Value stored = origin.op.getDpsInputs()[element];
    AffineMap map = origin.op.getIndexingMapsArray()[element].compose(origin.place);
    if (map.isIdentity())
      return stored;
    Type type = cast<RankedTensorType>(op->getOperand(operand).getType())
                    .clone(cast<RankedTensorType>(stored.getType()).getElementType());
    Value init = tensor::EmptyOp::create(builder, op.getLoc(), type, ValueRange());
    unsigned rank = map.getNumDims();
    SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
    AffineMap maps[] = {map, builder.getMultiDimIdentityMap(rank)};
    return linalg::GenericOp::create(builder, op.getLoc(), type, stored, init, maps, iterators,
                                     [](OpBuilder &nested, Location at, ValueRange args) {
                                       linalg::YieldOp::create(nested, at, args[0]);
                                     })
        .getResult(0);
  }

  Value computeFactor(OpBuilder &nested, ArrayRef<Value> arguments);

  linalg::GenericOp op;
  unsigned operand;
  Origin origin;
  OpBuilder builder;
  AffineMap place;  ///< dims of the origin's result in terms of the product's loops
  unsigned element; ///< number of the origin's input that the weight is stored as
};

/// The origin's body at a point of the product.
Value Fusion::computeFactor(OpBuilder &nested, ArrayRef<Value> arguments) {
  IRMapping mapping;
  for (auto [i, argument] : llvm::enumerate(arguments))
    mapping.map(origin.op.getBody()->getArgument(i), argument);
  for (Operation &inner : origin.op.getBody()->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (!index) {
      nested.clone(inner, mapping);
      continue;
    }
    AffineExpr at = place.getResult(index.getDim());
    auto loop = dyn_cast<AffineDimExpr>(at);
    Value value = loop ? linalg::IndexOp::create(nested, inner.getLoc(), loop.getPosition())
                       : arith::ConstantIndexOp::create(nested, inner.getLoc(),
                                                        cast<AffineConstantExpr>(at).getValue())
                             .getResult();
    mapping.map(index.getResult(), value);
  }
  return mapping.lookupOrDefault(origin.op.getBody()->getTerminator()->getOperand(0));
}

void Fusion::fuse() {
  SmallVector<Value> inputs(op.getDpsInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap result = maps.pop_back_val();
  inputs[operand] = arrange();
  // The element takes the weight's place; further inputs come last.
  SmallVector<unsigned> numbers;
  for (auto [i, map] : llvm::enumerate(inputMaps())) {
    numbers.push_back(i == element ? operand : inputs.size());
    if (i == element)
      continue;
    inputs.push_back(origin.op.getDpsInputs()[i]);
    maps.push_back(map);
  }
  maps.push_back(result);
  auto body = [&](OpBuilder &nested, Location, ValueRange args) {
    SmallVector<Value> own;
    for (unsigned number : numbers)
      own.push_back(args[number]);
    IRMapping mapping;
    for (BlockArgument argument : op.getBody()->getArguments()) {
      unsigned number = argument.getArgNumber();
      bool isInput = number < op.getNumDpsInputs();
      mapping.map(argument, isInput ? args[number] : args.back());
    }
    mapping.map(op.getBody()->getArgument(operand), computeFactor(nested, own));
    for (Operation &inner : *op.getBody())
      nested.clone(inner, mapping);
  };
  auto fused = linalg::GenericOp::create(builder, op.getLoc(), op.getResultTypes(), inputs,
                                         op.getDpsInits(), maps, op.getIteratorTypesArray(), body);
  op.replaceAllUsesWith(fused.getResults());
  op.erase();
}

struct FusePrologues : onnxc::impl::FuseProloguesBase<FusePrologues> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> products;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isSumOfProducts(op) && isa<FloatType>(getElementTypeOrSelf(op.getResult(0))))
        products.push_back(op);
    });
    for (linalg::GenericOp op : products)
      fuseInto(op);
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }

  /// The factor that is packed, in a contraction or convolution that has one.
  static void fuseInto(linalg::GenericOp op) {
    if (isConstantOnly(op.getResult(0)))
      return;
    if (std::optional<MatchedContraction> info = matchContraction(op)) {
      if (std::optional<Origin> origin = findOrigin(op->getOperand(info->b.operand)))
        Fusion(op, info->b.operand, *origin).fuse();
      return;
    }
    std::optional<MatchedConvolution> info = matchConvolution(op);
    if (!info || info->isDepthwise())
      return;
    std::optional<Origin> origin = findOrigin(op->getOperand(info->weights.operand));
    if (!origin)
      return;
    SmallVector<unsigned> reductions(info->taps);
    reductions.push_back(*info->inputChannel);
    Fusion fusion(op, info->weights.operand, *origin);
    if (fusion.isConstantAlong(reductions))
      fusion.fuse();
  }
};

} // namespace
