//===- OnnxShapeValues.cpp - Arithmetic on shapes --------------------------===//
//
// Ops on small integer tensors whose elements are known as dim expressions are
// replaced by those expressions; the symbols that an op binds.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/DimAnalysis.h"
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;
using namespace onnxc::onnx;

//===----------------------------------------------------------------------===//
// Replacing shape arithmetic
//===----------------------------------------------------------------------===//

/// Shape tensors are short; longer ones are data.
static constexpr int64_t maxShapeElements = 64;

static bool isShapeLike(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() <= maxShapeElements &&
         isa<IntegerType>(tensor.getElementType());
}

Value onnxc::onnx::createShapeValue(OpBuilder &builder, Location loc, Type type,
                                    const ShapeValue &elements) {
  auto tensor = cast<RankedTensorType>(type);
  unsigned width = tensor.getElementType().getIntOrFloatBitWidth();
  SmallVector<APInt> constants;
  SmallVector<Attribute> attributes;
  for (DimExpr element : elements) {
    if (auto constant = element.getConstant())
      constants.push_back(APInt(width, static_cast<uint64_t>(*constant), /*isSigned=*/true,
                                /*implicitTrunc=*/true));
    attributes.push_back(element.getAttribute());
  }
  if (constants.size() == elements.size())
    return ConstantOp::create(builder, loc, DenseElementsAttr::get(tensor, constants));
  return DimsOp::create(builder, loc, type, builder.getArrayAttr(attributes));
}

Value onnxc::onnx::createShapeVector(OpBuilder &builder, Location loc, ArrayRef<DimExpr> dims) {
  auto type = RankedTensorType::get(static_cast<int64_t>(dims.size()), builder.getI64Type());
  return createShapeValue(builder, loc, type, llvm::to_vector(dims));
}

/// The elements of a result of a movement op.
static std::optional<ShapeValue> moveShapeValue(MovementOpInterface op, unsigned result,
                                                ArrayRef<std::optional<ShapeValue>> operands) {
  std::optional<ElementSources> sources = op.getElementSources(result);
  if (!sources)
    return std::nullopt;
  ShapeValue value;
  for (ElementSource source : *sources) {
    if (source.operand < 0) {
      value.push_back(DimExpr::constant(op.getContext(), 0));
      continue;
    }
    const std::optional<ShapeValue> &operand = operands[source.operand];
    if (!operand)
      return std::nullopt;
    value.push_back((*operand)[source.index]);
  }
  return value;
}

bool onnxc::onnx::foldShapeArithmetic(OpBuilder &builder, Operation *op,
                                      SmallVectorImpl<Value> &replacements) {
  auto shapeOp = dyn_cast<ShapeValueOpInterface>(op);
  auto movement = dyn_cast<MovementOpInterface>(op);
  if ((!shapeOp && !movement) || op->getNumResults() == 0 ||
      !llvm::all_of(op->getResultTypes(), isShapeLike))
    return false;
  SmallVector<std::optional<ShapeValue>> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getShapeValue(operand));
  SmallVector<ShapeValue> values;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    std::optional<ShapeValue> value =
        shapeOp ? shapeOp.inferShapeValue(operands) : moveShapeValue(movement, i, operands);
    if (!value)
      return false;
    // The sizes of a tensor are known whatever they are; what is computed from them
    // becomes a value of the run before it grows without end.
    if (!isa<ShapeOp, SizeOp>(op) && llvm::any_of(*value, [](DimExpr e) { return isLarge(e); }))
      return false;
    values.push_back(*value);
    if (shapeOp && op->getNumResults() != 1)
      return false;
  }
  for (auto [type, value] : llvm::zip_equal(op->getResultTypes(), values))
    replacements.push_back(createShapeValue(builder, op->getLoc(), type, value));
  return true;
}

namespace {
/// An op on shapes -> its elements as dim expressions
template <typename Interface> struct FoldShapeArithmetic : OpInterfaceRewritePattern<Interface> {
  using OpInterfaceRewritePattern<Interface>::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(Interface op, PatternRewriter &rewriter) const override {
    SmallVector<Value> replacements;
    if (!foldShapeArithmetic(rewriter, op, replacements))
      return rewriter.notifyMatchFailure(op, "elements are no dim expressions");
    rewriter.replaceOp(op, replacements);
    return success();
  }
};
} // namespace

void OnnxDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns
      .add<FoldShapeArithmetic<ShapeValueOpInterface>, FoldShapeArithmetic<MovementOpInterface>>(
          getContext());
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The dims [start, end) that Shape returns, clamped as slices are.
static std::pair<int64_t, int64_t> getShapeRange(int64_t start, std::optional<int64_t> end,
                                                 int64_t rank) {
  auto clamp = [&](int64_t index) {
    return std::clamp<int64_t>(index < 0 ? index + rank : index, 0, rank);
  };
  int64_t first = clamp(start), last = clamp(end.value_or(rank));
  return {first, std::max(first, last)};
}

LogicalResult ShapeOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                                        Adaptor adaptor, SmallVectorImpl<Type> &results) {
  int64_t rank = cast<RankedTensorType>(adaptor.getData().getType()).getRank();
  std::optional<int64_t> end;
  if (adaptor.getEndAttr())
    end = adaptor.getEndAttr().getInt();
  auto [first, last] = getShapeRange(static_cast<int64_t>(adaptor.getStart()), end, rank);
  results.push_back(RankedTensorType::get(last - first, IntegerType::get(context, 64)));
  return success();
}

std::optional<ShapeValue> ShapeOp::inferShapeValue(ArrayRef<std::optional<ShapeValue>>) {
  SmallVector<DimExpr> dims = getDims(getData().getType());
  std::optional<int64_t> end;
  if (getEndAttr())
    end = getEndAttr().getInt();
  auto [first, last] = getShapeRange(static_cast<int64_t>(getStart()), end, dims.size());
  return ShapeValue(dims.begin() + first, dims.begin() + last);
}

LogicalResult SizeOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, Adaptor,
                                       SmallVectorImpl<Type> &results) {
  results.push_back(RankedTensorType::get({}, IntegerType::get(context, 64)));
  return success();
}

std::optional<ShapeValue> SizeOp::inferShapeValue(ArrayRef<std::optional<ShapeValue>>) {
  return ShapeValue{numElements(getContext(), getDims(getData().getType()))};
}

std::optional<ShapeValue> RangeOp::inferShapeValue(ArrayRef<std::optional<ShapeValue>> operands) {
  auto type = cast<RankedTensorType>(getOutput().getType());
  if (!operands[0] || !operands[2])
    return std::nullopt;
  ShapeValue result;
  DimExpr next = operands[0]->front();
  for (int64_t i = 0; i < type.getNumElements(); ++i, next = next + operands[2]->front())
    result.push_back(next);
  return result;
}

std::optional<ShapeValue> ConstantOfShapeOp::inferShapeValue(ArrayRef<std::optional<ShapeValue>>) {
  auto type = cast<RankedTensorType>(getOutput().getType());
  auto value = dyn_cast_or_null<DenseElementsAttr>(getValueAttr());
  if (!value || value.getNumElements() != 1)
    return std::nullopt;
  APInt element = *value.value_begin<APInt>();
  bool isUnsigned = type.getElementType().isUnsignedInteger() || type.getElementType().isInteger(1);
  int64_t integer =
      isUnsigned ? static_cast<int64_t>(element.getZExtValue()) : element.getSExtValue();
  return ShapeValue(type.getNumElements(), DimExpr::constant(getContext(), integer));
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

bool onnxc::onnx::bindsSymbol(Operation *op, DimExpr dim) {
  if (!dim || dim.kind() != DimExpr::Kind::Symbol || !dim.symbolName().starts_with("?"))
    return false;
  auto occursIn = [&](ArrayRef<DimExpr> dims) {
    bool found = false;
    for (DimExpr other : dims)
      if (other)
        other.forEachSymbol([&](StringRef name) { found |= name == dim.symbolName(); });
    return found;
  };
  for (Value operand : op->getOperands()) {
    if (isa<RankedTensorType>(operand.getType()) && occursIn(getDims(operand.getType())))
      return false;
    if (auto value = getShapeValue(operand); value && occursIn(*value))
      return false;
  }
  return true;
}

void onnxc::onnx::getSymbolEffects(Operation *op,
                                   SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (Type type : op->getResultTypes()) {
    if (!isa<RankedTensorType>(type))
      continue;
    for (DimExpr dim : getDims(type)) {
      if (!bindsSymbol(op, dim))
        continue;
      effects.emplace_back(MemoryEffects::Write::get());
      return;
    }
  }
}
