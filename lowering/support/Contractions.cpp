//===- Contractions.cpp - Sums of products among the generics --------------===//
#include "lowering/support/Contractions.h"
#include "lowering/support/GenericBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace onnxc {

/// The narrowest integers whose products are summed by tiles: no target multiplies
/// the lanes of bytes.
static constexpr unsigned fewestSumBits = 32;

namespace {
/// A block argument, possibly widened.
struct Widened {
  BlockArgument argument;
  bool isUnsigned;
};
} // namespace

static std::optional<Widened> matchWidened(Value value, Block *body) {
  bool isUnsigned = false;
  if (auto extension = value.getDefiningOp<arith::ExtUIOp>()) {
    value = extension.getIn();
    isUnsigned = true;
  } else if (auto extension = value.getDefiningOp<arith::ExtSIOp>()) {
    value = extension.getIn();
  }
  while (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != body)
    return std::nullopt;
  return Widened{argument, isUnsigned};
}

/// The loops that an affine map depends on.
static llvm::SmallBitVector loopsOf(AffineMap map) {
  llvm::SmallBitVector loops(map.getNumDims());
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
    loops[loop] = map.isFunctionOfDim(loop);
  return loops;
}

/// A factor that is computed. Of its inputs, the one with the most dims is the element.
static std::optional<Factor> matchPrologue(Value value, linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  llvm::SmallBitVector loops(op.getNumLoops());
  std::optional<unsigned> element;
  for (Operation *inner : findSlice(value, *op.getBody())) {
    if (inner->getNumRegions() != 0)
      return std::nullopt;
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      loops.set(index.getDim());
    for (Value operand : inner->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (!argument || argument.getOwner() != op.getBody())
        continue;
      unsigned number = argument.getArgNumber();
      if (number >= op.getNumDpsInputs())
        return std::nullopt;
      loops |= loopsOf(maps[number]);
      if (!element || maps[number].getNumResults() > maps[*element].getNumResults())
        element = number;
    }
  }
  if (!element || loops != loopsOf(maps[*element]))
    return std::nullopt;
  Factor factor;
  factor.operand = *element;
  factor.storage = op.getBody()->getArgument(*element).getType();
  factor.prologue = value;
  return factor;
}

/// An input, possibly widened, possibly less a zero point, or what is computed from inputs.
static std::optional<Factor> matchFactor(Value value, linalg::GenericOp op) {
  if (!matchWidened(value, op.getBody()) && isa<FloatType>(value.getType()))
    return matchPrologue(value, op);
  Factor factor;
  auto isInput = [&](const std::optional<Widened> &widened) {
    return widened && widened->argument.getArgNumber() < op.getNumDpsInputs();
  };
  if (auto difference = value.getDefiningOp<arith::SubIOp>()) {
    std::optional<Widened> zeroPoint = matchWidened(difference.getRhs(), op.getBody());
    if (!isInput(zeroPoint))
      return std::nullopt;
    factor.zeroPoint = zeroPoint->argument.getArgNumber();
    factor.zeroPointUnsigned = zeroPoint->isUnsigned;
    value = difference.getLhs();
  }
  std::optional<Widened> element = matchWidened(value, op.getBody());
  if (!isInput(element))
    return std::nullopt;
  factor.operand = element->argument.getArgNumber();
  factor.storage = element->argument.getType();
  factor.isUnsigned = element->isUnsigned;
  return factor;
}

/// The inputs that a factor is made of.
static llvm::SmallBitVector inputsOf(linalg::GenericOp op, const Factor &factor) {
  llvm::SmallBitVector inputs(op.getNumDpsInputs());
  inputs.set(factor.operand);
  if (factor.zeroPoint)
    inputs.set(*factor.zeroPoint);
  if (factor.prologue)
    for (Operation *inner : findSlice(factor.prologue, *op.getBody()))
      for (Value operand : inner->getOperands())
        if (auto argument = dyn_cast<BlockArgument>(operand);
            argument && argument.getOwner() == op.getBody())
          inputs.set(argument.getArgNumber());
  return inputs;
}

/// Whether all inputs belong to a factor, and none to both but a zero point.
static bool hasOwnInputs(linalg::GenericOp op, const Factor &a, const Factor &b) {
  llvm::SmallBitVector ofA = inputsOf(op, a), ofB = inputsOf(op, b);
  if (!(ofA | ofB).all())
    return false;
  ofA &= ofB;
  if (a.zeroPoint && a.zeroPoint == b.zeroPoint)
    ofA.reset(*a.zeroPoint);
  return ofA.none();
}

/// Whether the op has the form accumulator + product; its product's operands.
template <typename AddOp, typename MulOp>
static std::optional<std::pair<Value, Value>> matchProductSum(Value yielded, Value accumulator) {
  auto sum = yielded.getDefiningOp<AddOp>();
  if (!sum)
    return std::nullopt;
  Value other = sum.getLhs() == accumulator   ? sum.getRhs()
                : sum.getRhs() == accumulator ? sum.getLhs()
                                              : Value();
  auto product = other ? other.template getDefiningOp<MulOp>() : MulOp();
  if (!product)
    return std::nullopt;
  return std::pair<Value, Value>(product.getLhs(), product.getRhs());
}

std::optional<SumOfProducts> matchSumOfProducts(linalg::GenericOp op) {
  if (op.getNumDpsInputs() < 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return std::nullopt;
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  Value accumulator = op.getRegionOutputArgs()[0];
  SumOfProducts result;
  result.sum = yielded.getType();
  bool isFloat = isa<FloatType>(result.sum);
  if (!isFloat &&
      !(result.sum.isSignlessInteger() && result.sum.getIntOrFloatBitWidth() >= fewestSumBits))
    return std::nullopt;
  auto product = isFloat ? matchProductSum<arith::AddFOp, arith::MulFOp>(yielded, accumulator)
                         : matchProductSum<arith::AddIOp, arith::MulIOp>(yielded, accumulator);
  if (!product)
    return std::nullopt;
  std::optional<Factor> a = matchFactor(product->first, op), b = matchFactor(product->second, op);
  if (!a || !b || a->operand == b->operand)
    return std::nullopt;
  if (a->operand > b->operand)
    std::swap(a, b);
  result.factors[0] = *a;
  result.factors[1] = *b;
  if (!hasOwnInputs(op, *a, *b))
    return std::nullopt;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill || !(matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
                 matchPattern(fill.getInputs()[0], m_Zero())))
    return std::nullopt;
  return result;
}

bool isSumOfProducts(linalg::GenericOp op) {
  std::optional<SumOfProducts> sum = matchSumOfProducts(op);
  return sum && !sum->hasZeroPoints() && !sum->hasPrologue();
}

std::optional<MatchedContraction> matchContraction(linalg::GenericOp op) {
  std::optional<SumOfProducts> sum = matchSumOfProducts(op);
  if (!sum)
    return std::nullopt;
  // Of both factors and the result.
  SmallVector<AffineMap> all = op.getIndexingMapsArray();
  const AffineMap maps[] = {all[sum->factors[0].operand], all[sum->factors[1].operand], all.back()};
  if (!llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
    return std::nullopt;
  auto has = [&](unsigned map, unsigned loop) { return maps[map].isFunctionOfDim(loop); };
  AffineMap result = maps[2];
  if (result.getNumResults() == 0)
    return std::nullopt;
  unsigned lastDim = cast<AffineDimExpr>(result.getResults().back()).getPosition();
  // The operand that the result's last dim comes from is B, whose columns are
  // then contiguous in the result.
  MatchedContraction info;
  if (has(0, lastDim) && has(1, lastDim))
    return std::nullopt;
  unsigned b = has(1, lastDim) ? 1 : 0, a = 1 - b;
  info.a = sum->factors[a];
  info.b = sum->factors[b];
  if (info.a.prologue)
    return std::nullopt;
  info.sum = sum->sum;
  info.n = lastDim;
  SmallVector<unsigned> depths;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    bool inA = has(a, loop), inB = has(b, loop), inC = has(2, loop);
    if (loop == info.n)
      continue;
    if (!inC) {
      if (!inA || !inB)
        return std::nullopt;
      depths.push_back(loop);
      continue;
    }
    // The last row-like loop is M; it is the one closest in memory.
    if (inA && !inB) {
      if (info.m)
        info.batch.push_back(*info.m);
      info.m = loop;
      continue;
    }
    info.batch.push_back(loop);
  }
  if (depths.size() != 1)
    return std::nullopt;
  info.k = depths.front();
  llvm::sort(info.batch);
  return info;
}

/// `pixel * stride + tap * dilation` with each loop once.
static bool matchWindow(AffineExpr expr, unsigned &pixel, unsigned &tap, int64_t &stride,
                        int64_t &dilation, ArrayRef<utils::IteratorType> iterators) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return false;
  bool seenPixel = false, seenTap = false;
  for (AffineExpr part : {sum.getLHS(), sum.getRHS()}) {
    int64_t factor = 1;
    if (auto product = dyn_cast<AffineBinaryOpExpr>(part)) {
      auto constant = dyn_cast<AffineConstantExpr>(product.getRHS());
      if (product.getKind() != AffineExprKind::Mul || !constant)
        return false;
      factor = constant.getValue();
      part = product.getLHS();
    }
    auto dim = dyn_cast<AffineDimExpr>(part);
    if (!dim)
      return false;
    bool isTap = iterators[dim.getPosition()] == utils::IteratorType::reduction;
    (isTap ? seenTap : seenPixel) = true;
    (isTap ? tap : pixel) = dim.getPosition();
    (isTap ? dilation : stride) = factor;
  }
  return seenPixel && seenTap;
}

std::optional<MatchedConvolution> matchConvolution(linalg::GenericOp op) {
  std::optional<SumOfProducts> sum = matchSumOfProducts(op);
  if (!sum)
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  AffineMap input = maps[sum->factors[0].operand], weights = maps[sum->factors[1].operand],
            result = maps.back();
  if (!weights.isProjectedPermutation() || !result.isProjectedPermutation() ||
      input.getNumResults() < 3)
    return std::nullopt;
  MatchedConvolution info;
  info.data = sum->factors[0];
  info.weights = sum->factors[1];
  info.sum = sum->sum;
  auto image = dyn_cast<AffineDimExpr>(input.getResult(0));
  if (!image || weights.isFunctionOfDim(image.getPosition()))
    return std::nullopt;
  info.image = image.getPosition();
  // [n, windows..., channels...]: windows come first in channels-last data.
  unsigned next = 1;
  for (; next < input.getNumResults(); ++next) {
    unsigned pixel, tap;
    int64_t stride, dilation;
    if (!matchWindow(input.getResult(next), pixel, tap, stride, dilation, iterators))
      break;
    info.pixels.push_back(pixel);
    info.taps.push_back(tap);
    info.strides.push_back(stride);
    info.dilations.push_back(dilation);
  }
  if (info.pixels.empty())
    return std::nullopt;
  for (; next < input.getNumResults(); ++next) {
    auto dim = dyn_cast<AffineDimExpr>(input.getResult(next));
    if (!dim)
      return std::nullopt;
    bool reduction = iterators[dim.getPosition()] == utils::IteratorType::reduction;
    std::optional<unsigned> &slot = reduction ? info.inputChannel : info.group;
    if (slot)
      return std::nullopt;
    slot = dim.getPosition();
  }
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (weights.isFunctionOfDim(loop) && result.isFunctionOfDim(loop) && loop != info.group) {
      if (info.outputChannel)
        return std::nullopt;
      info.outputChannel = loop;
    }
  // The result is [n, pixels..., g, oc] and the weights [taps..., g, ic, oc].
  SmallVector<unsigned> expected = {info.image};
  llvm::append_range(expected, info.pixels);
  SmallVector<unsigned> expectedWeights(info.taps);
  for (auto &list : {&expected, &expectedWeights})
    if (info.group)
      list->push_back(*info.group);
  if (info.inputChannel)
    expectedWeights.push_back(*info.inputChannel);
  for (auto &list : {&expected, &expectedWeights})
    if (info.outputChannel)
      list->push_back(*info.outputChannel);
  auto equals = [](AffineMap map, ArrayRef<unsigned> loops) {
    return map.getNumResults() == loops.size() &&
           llvm::all_of(llvm::zip_equal(map.getResults(), loops), [](auto pair) {
             return cast<AffineDimExpr>(std::get<0>(pair)).getPosition() == std::get<1>(pair);
           });
  };
  bool dense = info.outputChannel && info.inputChannel;
  if (!equals(result, expected) || !equals(weights, expectedWeights) ||
      !(dense || info.isDepthwise()))
    return std::nullopt;
  if (info.data.prologue || (info.weights.prologue && !dense))
    return std::nullopt;
  return info;
}

} // namespace onnxc
