//===- OnnxMovement.cpp - Facts about data movement ------------------------===//
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/DimAnalysis.h"
#include "dialects/onnx/OnnxShapes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace onnxc::onnx {

/// No tensor has this many elements along an axis, so larger constants in a Slice
/// mean the end. Exporters write INT32_MAX or INT64_MAX.
static constexpr int64_t unboundedIndex = std::numeric_limits<int32_t>::max();
/// Constants are clamped to this, so that sums cannot overflow.
static constexpr int64_t largestIndex = int64_t(1) << 48;

std::optional<SmallVector<int64_t>> getConstantIntegers(Value value) {
  constexpr int64_t maxElements = 1024;
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant)
    return std::nullopt;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements || !isa<IntegerType>(elements.getElementType()) ||
      elements.getNumElements() > maxElements)
    return std::nullopt;
  Type type = elements.getElementType();
  bool isSigned = !type.isUnsignedInteger() && !type.isInteger(1);
  SmallVector<int64_t> result;
  for (const APInt &element : elements.getValues<APInt>())
    result.push_back(isSigned ? element.getSExtValue()
                              : static_cast<int64_t>(element.getZExtValue()));
  return result;
}

FailureOr<int64_t> normalizeAxis(std::optional<Location> location, int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return emitOptionalError(location, "axis ", axis, " is out of range for rank ", rank);
  return axis < 0 ? axis + rank : axis;
}

FailureOr<SmallVector<int64_t>> normalizeAxes(std::optional<Location> location,
                                              ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> result;
  for (int64_t axis : axes) {
    FailureOr<int64_t> normal = normalizeAxis(location, axis, rank);
    if (failed(normal))
      return failure();
    if (llvm::is_contained(result, *normal))
      return emitOptionalError(location, "axis ", axis, " is given twice among the axes");
    result.push_back(*normal);
  }
  return result;
}

FailureOr<int64_t> getStaticLength(std::optional<Location> location, Value value, StringRef what) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() != 1)
    return emitOptionalError(location, "'", what, "' must have rank 1, found rank ",
                             type.getRank());
  if (type.isDynamicDim(0))
    return emitOptionalError(location, "the length of '", what,
                             "' must be known, else the result has no known rank");
  return type.getDimSize(0);
}

FailureOr<int64_t> getStatedRank(std::optional<Location> location, Value value, StringRef what) {
  FailureOr<int64_t> length = getStaticLength(location, value, what);
  if (succeeded(length) && *length > maxRank)
    return emitOptionalError(location, "'", what, "' has ", *length, " elements, expected at most ",
                             maxRank, ", the largest rank");
  return length;
}

LogicalResult checkSizes(std::optional<Location> location, ArrayRef<DimExpr> sizes,
                         StringRef what) {
  for (DimExpr size : sizes)
    if (size.getConstant().value_or(0) < 0)
      return emitOptionalError(location, "'", what, "' may not be negative, found ", size.str());
  return success();
}

LogicalResult checkOneElement(std::optional<Location> location, Value value, StringRef what) {
  if (!value)
    return success();
  for (DimExpr dim : getDims(value.getType()))
    if (dim.getConstant().value_or(1) != 1)
      return emitOptionalError(location, "expected one element in '", what, "', found ",
                               value.getType());
  return success();
}

//===----------------------------------------------------------------------===//
// Slice, Pad, Split, Reshape
//===----------------------------------------------------------------------===//

/// `value < 0 ? value + dim : value`, also when the sign is not known.
static DimExpr wrapNegative(DimExpr value, DimExpr dim) {
  if (auto constant = value.getConstant())
    return *constant < 0 ? dim + *constant : value;
  if (value.lowerBound().value_or(-1) >= 0)
    return value;
  DimExpr zero = DimExpr::constant(dim.getContext(), 0);
  DimExpr isNegative = (value * -1).max(zero).min(zero + 1);
  return value + dim * isNegative;
}

static SlicedAxis sliceAxis(int64_t axis, DimExpr dim, DimExpr start, DimExpr end, int64_t step) {
  MLIRContext *context = dim.getContext();
  auto clampConstant = [&](DimExpr value) {
    auto constant = value.getConstant();
    return constant ? DimExpr::constant(context, std::clamp(*constant, -largestIndex, largestIndex))
                    : value;
  };
  auto isBeyond = [&](DimExpr value, int64_t sign) {
    auto constant = value.getConstant();
    return !dim.isConstant() && constant && *constant * sign >= unboundedIndex;
  };
  start = clampConstant(start);
  end = clampConstant(end);
  step = std::clamp(step, -largestIndex, largestIndex);
  DimExpr zero = DimExpr::constant(context, 0);
  if (step > 0) {
    DimExpr first = isBeyond(start, 1) ? dim : wrapNegative(start, dim).max(zero);
    DimExpr last = isBeyond(end, 1) ? dim : wrapNegative(end, dim).min(dim);
    DimExpr length = (last - first).ceilDiv(DimExpr::constant(context, step)).max(zero);
    return {axis, first, step, length};
  }
  DimExpr first = dim - 1;
  if (!isBeyond(start, 1) && start.getConstant() != -1)
    first = wrapNegative(start, dim).max(zero).min(dim - 1);
  DimExpr last = isBeyond(end, -1) ? zero - 1 : wrapNegative(end, dim).max(zero - 1);
  DimExpr length = (first - last).ceilDiv(DimExpr::constant(context, -step)).max(zero);
  return {axis, first, step, length};
}

LogicalResult getSlicedAxes(std::optional<Location> location, Type dataType, Value starts,
                            Value ends, Value axes, Value steps,
                            std::optional<SmallVector<SlicedAxis>> &result) {
  SmallVector<DimExpr> dims = getDims(dataType);
  std::optional<int64_t> count;
  for (auto [operand, what] : {std::pair(starts, "starts"), std::pair(ends, "ends"),
                               std::pair(axes, "axes"), std::pair(steps, "steps")}) {
    if (!operand)
      continue;
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getRank() != 1)
      return emitOptionalError(location, "'", what, "' must have rank 1, found rank ",
                               type.getRank());
    if (type.isDynamicDim(0))
      continue;
    if (count.value_or(type.getDimSize(0)) != type.getDimSize(0))
      return emitOptionalError(location,
                               "starts, ends, axes and steps must have one length, found ", *count,
                               " and ", type.getDimSize(0));
    count = type.getDimSize(0);
  }
  if (!count)
    return success();
  if (*count > static_cast<int64_t>(dims.size()))
    return emitOptionalError(location, "cannot slice ", *count, " axes of rank ", dims.size());
  auto axisList = axes ? getConstantIntegers(axes)
                       : std::optional(llvm::to_vector(llvm::seq<int64_t>(0, *count)));
  auto stepList =
      steps ? getConstantIntegers(steps) : std::optional(SmallVector<int64_t>(*count, 1));
  SmallVector<int64_t> normalAxes;
  if (axisList) {
    FailureOr<SmallVector<int64_t>> normal = normalizeAxes(location, *axisList, dims.size());
    if (failed(normal))
      return failure();
    normalAxes = *normal;
  }
  if (stepList && llvm::is_contained(*stepList, 0))
    return emitOptionalError(location, "a step of 0 is not allowed");
  auto startList = getShapeValue(starts), endList = getShapeValue(ends);
  if (!axisList || !stepList || !startList || !endList)
    return success();
  result.emplace();
  for (int64_t i = 0; i < *count; ++i)
    result->push_back(sliceAxis(normalAxes[i], dims[normalAxes[i]], (*startList)[i], (*endList)[i],
                                (*stepList)[i]));
  return success();
}

LogicalResult getPadWidths(std::optional<Location> location, int64_t rank, Value pads, Value axes,
                           std::optional<PadWidths> &result) {
  FailureOr<int64_t> count = getStaticLength(location, pads, "pads");
  if (failed(count))
    return failure();
  FailureOr<int64_t> numAxes = axes ? getStaticLength(location, axes, "axes") : rank;
  if (failed(numAxes))
    return failure();
  if (*numAxes > rank)
    return emitOptionalError(location, "cannot pad ", *numAxes, " axes of rank ", rank);
  if (*count != 2 * *numAxes)
    return emitOptionalError(location, "expected ", 2 * *numAxes,
                             " pads, two for each axis, found ", *count);
  auto axisList = axes ? getConstantIntegers(axes)
                       : std::optional(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  auto padList = getShapeValue(pads);
  if (!axisList)
    return success();
  FailureOr<SmallVector<int64_t>> normal = normalizeAxes(location, *axisList, rank);
  if (failed(normal))
    return failure();
  if (!padList)
    return success();
  DimExpr zero = DimExpr::constant(pads.getContext(), 0);
  PadWidths widths{SmallVector<DimExpr>(rank, zero), SmallVector<DimExpr>(rank, zero)};
  for (auto [i, axis] : llvm::enumerate(*normal)) {
    widths.before[axis] = (*padList)[i];
    widths.after[axis] = (*padList)[i + normal->size()];
  }
  result = widths;
  return success();
}

LogicalResult getSplitSizes(std::optional<Location> location, DimExpr dim, Value split,
                            std::optional<int64_t> count,
                            std::optional<SmallVector<DimExpr>> &result) {
  MLIRContext *context = dim.getContext();
  DimExpr zero = DimExpr::constant(context, 0);
  if (split) {
    auto sizes = getShapeValue(split);
    if (!sizes)
      return success();
    for (DimExpr size : *sizes)
      if (size.getConstant().value_or(0) < 0)
        return emitOptionalError(location, "a split size of ", size.str(), " is negative");
    DimExpr sum = sizes->empty() ? zero : sumOf(*sizes);
    if (sum.isConstant() && dim.isConstant() && sum != dim)
      return emitOptionalError(location, "the split sizes sum up to ", sum.str(),
                               ", but the axis has ", dim.str(), " elements");
    result = *sizes;
    return success();
  }
  if (!count || *count <= 0)
    return emitOptionalError(location, "expected 'split' or a positive 'num_outputs'");
  if (*count > maxPieces)
    return emitOptionalError(location, "expected at most ", maxPieces, " pieces, found ", *count);
  if (dim.isConstant() && *dim.getConstant() < *count && *dim.getConstant() % *count != 0)
    return emitOptionalError(location, "cannot split ", dim.str(), " elements into ", *count,
                             " pieces");
  DimExpr chunk = dim.ceilDiv(DimExpr::constant(context, *count));
  result.emplace();
  DimExpr rest = dim;
  for (int64_t i = 0; i < *count; ++i, rest = rest - chunk)
    result->push_back(rest.max(zero).min(chunk));
  return success();
}

FailureOr<SmallVector<DimExpr>> getReshapedDims(std::optional<Location> location,
                                                ArrayRef<DimExpr> dataDims, const ShapeValue &shape,
                                                bool allowZero) {
  auto describe = [&](ArrayRef<DimExpr> dims) {
    std::string text = "[";
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(dims, os, [&](DimExpr dim) { os << dim.str(); });
    return text + "]";
  };
  std::optional<size_t> inferred;
  SmallVector<DimExpr> result;
  if (dataDims.empty() && shape.empty())
    return result;
  MLIRContext *context = (dataDims.empty() ? shape : dataDims).front().getContext();
  DimExpr known = DimExpr::constant(context, 1);
  bool hasZero = false;
  for (size_t i = 0; i < shape.size(); ++i) {
    DimExpr size = shape[i];
    std::optional<int64_t> constant = size.getConstant();
    if (constant == -1) {
      if (inferred)
        return emitOptionalError(location, "a shape may hold -1 once, found ", describe(shape));
      inferred = i;
      result.push_back(DimExpr());
      continue;
    }
    if (constant == 0 && !allowZero) {
      if (i >= dataDims.size())
        return emitOptionalError(location, "the 0 at ", i, " of the shape ", describe(shape),
                                 " copies no dim of an input of rank ", dataDims.size());
      size = dataDims[i];
    } else if (constant && *constant < -1) {
      return emitOptionalError(location, "a shape may hold sizes, 0 and -1, found ",
                               describe(shape));
    }
    hasZero |= size.getConstant() == 0;
    known = known * size;
    result.push_back(size);
  }
  if (inferred && allowZero && hasZero)
    return emitOptionalError(location, "a shape with 0 and -1 is ambiguous with allowzero");
  DimExpr total = numElements(context, dataDims);
  auto mismatch = [&]() -> LogicalResult {
    return emitOptionalError(location, "cannot reshape ", describe(dataDims), " to ",
                             describe(shape), ": the number of elements differs");
  };
  if (!inferred) {
    if (total.isConstant() && known.isConstant() && total != known)
      return mismatch();
    return result;
  }
  if (known.getConstant() == 0) {
    // 0 elements: any size fits, ONNX takes 0.
    if (total.isConstant() && total.getConstant() != 0)
      return mismatch();
    result[*inferred] = DimExpr::constant(context, 0);
    return result;
  }
  if (auto quotient = total.exactDiv(known)) {
    result[*inferred] = *quotient;
    return result;
  }
  if (total.isConstant() && known.isConstant())
    return mismatch();
  // That it divides is checked at run time. A size of 0 must not divide.
  DimExpr divisor =
      known.lowerBound().value_or(0) >= 1 ? known : known.max(DimExpr::constant(context, 1));
  result[*inferred] = total.floorDiv(divisor);
  return result;
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    position = position * size + i;
  return position;
}

std::optional<ArrayRef<int64_t>> getStaticShape(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.hasStaticShape() ? std::optional(type.getShape()) : std::nullopt;
}

ElementSources makeElementSources(Type resultType,
                                  function_ref<ElementSource(ArrayRef<int64_t>)> source) {
  auto type = cast<RankedTensorType>(resultType);
  ElementSources result;
  SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    result.push_back(source(index));
    for (int64_t d = type.getRank(); d-- > 0;) {
      if (++index[d] < type.getDimSize(d))
        break;
      index[d] = 0;
    }
  }
  return result;
}

/// Constants up to this size are folded, see onnx.Constant.
static bool isSmall(Type type) {
  constexpr int64_t maxBits = 1024 * 8;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return false;
  Type element = tensor.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  int64_t limit = maxBits / bits, product = 1;
  for (int64_t size : tensor.getShape()) {
    if (size > limit)
      return false;
    product *= size;
    if (product > limit)
      return false;
  }
  return true;
}

/// The constant with another shape; weights keep their data.
static Attribute reshapeConstant(Attribute attribute, Type resultType) {
  auto type = cast<RankedTensorType>(resultType);
  auto elements = dyn_cast_or_null<ElementsAttr>(attribute);
  if (!elements || !type.hasStaticShape() || elements.getNumElements() != type.getNumElements())
    return {};
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return dense.reshape(type);
  return {};
}

static Attribute gatherConstant(RankedTensorType type, const ElementSources &sources,
                                ArrayRef<Attribute> operands) {
  SmallVector<Attribute> elements;
  for (ElementSource source : sources) {
    if (source.operand < 0) {
      Attribute zero = Builder(type.getContext()).getZeroAttr(type.getElementType());
      if (!zero)
        return {};
      elements.push_back(zero);
      continue;
    }
    auto dense = dyn_cast_or_null<DenseElementsAttr>(operands[source.operand]);
    if (!dense)
      return {};
    elements.push_back(dense.isSplat() ? dense.getSplatValue<Attribute>()
                                       : *(dense.value_begin<Attribute>() + source.index));
  }
  return DenseElementsAttr::get(type, elements);
}

OpFoldResult foldMovement(Operation *op, ArrayRef<Attribute> operands) {
  auto movement = cast<MovementOpInterface>(op);
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return {};
  if (Value same = movement.getUnchanged(); same && same.getType() == type)
    return same;
  if (isa<ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp>(op))
    return reshapeConstant(operands[0], type);
  if (!isSmall(type) || !operands[0])
    return {};
  std::optional<ElementSources> sources = movement.getElementSources(0);
  return sources ? OpFoldResult(gatherConstant(type, *sources, operands)) : OpFoldResult();
}

} // namespace onnxc::onnx
