//===- OnnxControlFlowOps.cpp - If, Loop and their types -------------------===//
#include "dialects/onnx/OnnxShapes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace onnxc::onnx;

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxControlFlowOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type onnxc::onnx::joinTypes(Type a, Type b, StringRef hint) {
  if (a == b)
    return a;
  auto tensorA = dyn_cast<RankedTensorType>(a), tensorB = dyn_cast<RankedTensorType>(b);
  if (tensorA && tensorB) {
    if (tensorA.getElementType() != tensorB.getElementType() ||
        tensorA.getRank() != tensorB.getRank())
      return Type();
    SmallVector<DimExpr> dims;
    for (auto [dimA, dimB] : llvm::zip_equal(getDims(a), getDims(b)))
      dims.push_back(dimA && dimA == dimB ? dimA : freshSymbol(a.getContext(), hint));
    return makeTensorType(dims, tensorA.getElementType());
  }
  // Elements of sequences have no symbols: each may have another shape.
  auto joinElements = [](Type a, Type b) -> Type {
    auto tensorA = dyn_cast<RankedTensorType>(a), tensorB = dyn_cast<RankedTensorType>(b);
    if (getElementTypeOrSelf(a) != getElementTypeOrSelf(b))
      return Type();
    if (!tensorA || !tensorB || tensorA.getRank() != tensorB.getRank())
      return UnrankedTensorType::get(getElementTypeOrSelf(a));
    SmallVector<int64_t> sizes;
    for (auto [sizeA, sizeB] : llvm::zip_equal(tensorA.getShape(), tensorB.getShape()))
      sizes.push_back(sizeA == sizeB ? sizeA : ShapedType::kDynamic);
    return RankedTensorType::get(sizes, tensorA.getElementType());
  };
  if (isa<SeqType>(a) && isa<SeqType>(b)) {
    Type element =
        joinElements(cast<SeqType>(a).getElementType(), cast<SeqType>(b).getElementType());
    return element ? SeqType::get(a.getContext(), element) : Type();
  }
  if (isa<OptType>(a) && isa<OptType>(b)) {
    Type element =
        joinElements(cast<OptType>(a).getElementType(), cast<OptType>(b).getElementType());
    return element ? OptType::get(a.getContext(), element) : Type();
  }
  return Type();
}

/// Adds the symbols of a type's dims.
static void collectSymbols(Type type, llvm::StringSet<> &symbols) {
  if (!isa<RankedTensorType>(type))
    return;
  for (DimExpr dim : getDims(type))
    if (dim)
      dim.forEachSymbol([&](StringRef name) { symbols.insert(name); });
}

/// Whether a value is defined inside a region. While the importer builds nested
/// bodies, the regions around them belong to no op yet.
static bool isInside(Value value, Region &region) {
  for (Region *inner = value.getParentRegion(); inner;
       inner = inner->getParentOp() ? inner->getParentRegion() : nullptr)
    if (inner == &region)
      return true;
  return false;
}

/// The symbols that get their value inside a region: those of values that it
/// defines which no value around it has.
static llvm::StringSet<> innerSymbols(Region &region, ValueRange operands) {
  llvm::StringSet<> inner, outer;
  for (Value operand : operands)
    collectSymbols(operand.getType(), outer);
  region.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!isInside(operand, region))
        collectSymbols(operand.getType(), outer);
  });
  auto addInner = [&](Type type) {
    llvm::StringSet<> symbols;
    collectSymbols(type, symbols);
    for (const auto &symbol : symbols)
      if (symbol.first().starts_with("?") && !outer.contains(symbol.first()))
        inner.insert(symbol.first());
  };
  for (Block &block : region)
    for (BlockArgument argument : block.getArguments())
      addInner(argument.getType());
  region.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      addInner(type);
  });
  return inner;
}

static bool mentions(DimExpr dim, const llvm::StringSet<> &symbols) {
  bool found = false;
  if (dim)
    dim.forEachSymbol([&](StringRef name) { found |= symbols.contains(name); });
  return found;
}

/// The terminator of a region that the importer or the parser has filled.
static YieldOp getYield(Region &region) {
  if (region.empty() || region.front().empty())
    return nullptr;
  return dyn_cast<YieldOp>(region.front().back());
}

/// Whether `value` is a constant tensor with one true element.
static bool isTrue(Value value) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.getElementType().isInteger(1) &&
         elements.isSplat() && elements.getSplatValue<bool>();
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

LogicalResult IfOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, ValueRange,
                                     DictionaryAttr, OpaqueProperties, RegionRange regions,
                                     SmallVectorImpl<Type> &results) {
  YieldOp thenYield = getYield(*regions[0]), elseYield = getYield(*regions[1]);
  if (!thenYield || !elseYield)
    return emitOptionalError(location, "a branch does not end with onnx.Yield");
  if (thenYield.getNumOperands() != elseYield.getNumOperands())
    return emitOptionalError(location, "then_branch has ", thenYield.getNumOperands(),
                             " outputs, else_branch ", elseYield.getNumOperands());
  for (auto [i, types] :
       llvm::enumerate(llvm::zip_equal(thenYield.getOperandTypes(), elseYield.getOperandTypes()))) {
    auto [a, b] = types;
    Type joined = joinTypes(a, b, "if");
    if (!joined)
      return emitOptionalError(location, "output ", i, " is ", a, " in then_branch and ", b,
                               " in else_branch");
    results.push_back(joined);
  }
  return success();
}

/// Moves the ops of a region's block before `op`; returns what it yields.
static SmallVector<Value> inlineRegion(PatternRewriter &rewriter, Operation *op, Region &region,
                                       ValueRange arguments) {
  Block &block = region.front();
  Operation *yield = block.getTerminator();
  SmallVector<Value> values(yield->getOperands());
  rewriter.eraseOp(yield);
  // Yielded arguments are replaced by what is passed for them.
  for (Value &value : values)
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &block)
      value = arguments[argument.getArgNumber()];
  rewriter.inlineBlockBefore(&block, op, arguments);
  return values;
}

namespace {
/// If(constant)  ->  the branch that is taken, when its types are the results'.
struct InlineTakenBranch : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    DenseElementsAttr condition;
    if (!matchPattern(op.getCond(), m_Constant(&condition)) || !condition.isSplat())
      return rewriter.notifyMatchFailure(op, "condition is not constant");
    Region &taken = condition.getSplatValue<bool>() ? op.getThenBranch() : op.getElseBranch();
    if (TypeRange(getYield(taken).getOperandTypes()) != TypeRange(op.getResultTypes()))
      return rewriter.notifyMatchFailure(op, "a result's dim has its own symbol");
    rewriter.replaceOp(op, inlineRegion(rewriter, op, taken, {}));
    return success();
  }
};
} // namespace

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<InlineTakenBranch>(context);
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

/// Arguments of the body before the carried values.
static constexpr unsigned numLeadingArgs = 2;

ValueRange LoopOp::getCarriedArgs() {
  return getBody().front().getArguments().drop_front(numLeadingArgs);
}
Value LoopOp::getYieldedCond() { return getYield(getBody()).getOperand(0); }
ValueRange LoopOp::getYieldedCarried() {
  return getYield(getBody()).getOperands().slice(1, getNumCarried());
}
ValueRange LoopOp::getYieldedRows() {
  return getYield(getBody()).getOperands().drop_front(1 + getNumCarried());
}

/// Whether the condition starts out true and is passed on or true each time.
static bool isCountedLoop(Value trips, Value cond, Region &body) {
  if (!trips || (cond && !isTrue(cond)))
    return false;
  Value next = getYield(body).getOperand(0);
  return next == body.front().getArgument(1) || isTrue(next);
}

bool LoopOp::isCounted() { return isCountedLoop(getM(), getCond(), getBody()); }

LogicalResult LoopOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                       ValueRange operands, DictionaryAttr attributes,
                                       OpaqueProperties properties, RegionRange regions,
                                       SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  Region &body = *regions[0];
  YieldOp yield = getYield(body);
  unsigned numCarried = adaptor.getVInitial().size();
  if (!yield)
    return emitOptionalError(location, "the body does not end with onnx.Yield");
  if (body.front().getNumArguments() != numLeadingArgs + numCarried)
    return emitOptionalError(location, "body takes ", body.front().getNumArguments(),
                             " inputs, expected ", numLeadingArgs + numCarried);
  if (yield.getNumOperands() < 1 + numCarried)
    return emitOptionalError(location, "body has ", yield.getNumOperands(),
                             " outputs, expected at least ", 1 + numCarried);
  for (auto [i, initial, argument] : llvm::enumerate(
           adaptor.getVInitial(), body.front().getArguments().drop_front(numLeadingArgs))) {
    Type joined = joinTypes(initial.getType(), argument.getType(), "loop");
    if (!joined)
      return emitOptionalError(location, "carried value ", i, " is ", initial.getType(),
                               " before the loop and ", argument.getType(), " in its body");
    results.push_back(joined);
  }

  DimExpr trips;
  if (isCountedLoop(adaptor.getM(), adaptor.getCond(), body))
    if (std::optional<ShapeValue> value = getShapeValue(adaptor.getM());
        value && value->size() == 1)
      trips = value->front().max(DimExpr::constant(context, 0));
  llvm::StringSet<> inner = innerSymbols(body, operands);
  for (Value row : yield.getOperands().drop_front(1 + numCarried)) {
    auto type = dyn_cast<RankedTensorType>(row.getType());
    if (!type)
      return emitOptionalError(location, "scan output is ", row.getType(), ", expected a tensor");
    SmallVector<DimExpr> dims{trips ? trips : freshSymbol(context, "trips")};
    for (DimExpr dim : getDims(type))
      dims.push_back(mentions(dim, inner) ? freshSymbol(context, "row") : dim);
    results.push_back(makeTensorType(dims, type.getElementType()));
  }
  return success();
}

namespace {
/// Loop(0, ...)  ->  the initial values, when there is no scan output.
struct DropEmptyLoop : OpRewritePattern<LoopOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoopOp op, PatternRewriter &rewriter) const override {
    std::optional<ShapeValue> trips =
        op.getM() ? getShapeValue(op.getM()) : std::optional<ShapeValue>();
    std::optional<int64_t> count =
        trips && trips->size() == 1 ? trips->front().getConstant() : std::nullopt;
    if (!count || *count > 0 || !op.getYieldedRows().empty())
      return rewriter.notifyMatchFailure(op, "may run, or has scan outputs");
    if (TypeRange(op.getVInitial().getTypes()) != TypeRange(op.getResultTypes()))
      return rewriter.notifyMatchFailure(op, "a result's dim has its own symbol");
    SmallVector<Value> initial(op.getVInitial());
    rewriter.replaceOp(op, initial);
    return success();
  }
};
} // namespace

void LoopOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropEmptyLoop>(context);
}
