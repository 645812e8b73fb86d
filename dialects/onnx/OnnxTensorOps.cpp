//===- OnnxTensorOps.cpp - Shape rules of constants and data movement ------===//
#include "dialects/onnx/DimAnalysis.h"
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;
using namespace onnxc::onnx;

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxTensorOps.cpp.inc"

void ConstantOp::build(OpBuilder &builder, OperationState &state, ElementsAttr value) {
  build(builder, state, value.getType(), value);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

static int64_t getRank(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

/// A list of sizes that only the run knows.
static SmallVector<DimExpr> freshDims(MLIRContext *context, StringRef hint, int64_t count) {
  SmallVector<DimExpr> dims;
  for (int64_t i = 0; i < count; ++i)
    dims.push_back(freshSymbol(context, hint));
  return dims;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                          Adaptor adaptor, SmallVectorImpl<Type> &results) {
  Type elementType = getElementTypeOrSelf(adaptor.getData().getType());
  FailureOr<int64_t> rank = getStatedRank(location, adaptor.getShape(), "shape");
  if (failed(rank))
    return failure();
  std::optional<ShapeValue> shape = getShapeValue(adaptor.getShape());
  if (!shape) {
    results.push_back(makeTensorType(freshDims(context, "reshape", *rank), elementType));
    return success();
  }
  FailureOr<SmallVector<DimExpr>> dims = getReshapedDims(
      location, getDims(adaptor.getData().getType()), *shape, adaptor.getAllowzero() != 0);
  if (failed(dims))
    return failure();
  results.push_back(makeTensorType(*dims, elementType));
  return success();
}

LogicalResult FlattenOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                          Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getInput().getType());
  int64_t rank = dims.size(), axis = static_cast<int64_t>(adaptor.getAxis());
  // An axis equal to the rank is allowed here.
  if (axis < -rank || axis > rank)
    return emitOptionalError(location, "axis ", axis, " is out of range for rank ", rank);
  axis = axis < 0 ? axis + rank : axis;
  results.push_back(makeTensorType({numElements(context, ArrayRef(dims).take_front(axis)),
                                    numElements(context, ArrayRef(dims).drop_front(axis))},
                                   getElementTypeOrSelf(adaptor.getInput().getType())));
  return success();
}

/// How many axes an operand names; a scalar is one, as onnxruntime has it.
static FailureOr<int64_t> countAxes(std::optional<Location> location, Value axes) {
  return getRank(axes) == 0 ? FailureOr<int64_t>(1) : getStatedRank(location, axes, "axes");
}

LogicalResult SqueezeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                          Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getData().getType());
  Type elementType = getElementTypeOrSelf(adaptor.getData().getType());
  SmallVector<DimExpr> kept;
  if (!adaptor.getAxes()) {
    llvm::copy_if(dims, std::back_inserter(kept),
                  [](DimExpr dim) { return dim.getConstant() != 1; });
    results.push_back(makeTensorType(kept, elementType));
    return success();
  }
  FailureOr<int64_t> count = countAxes(location, adaptor.getAxes());
  if (failed(count))
    return failure();
  auto axes = getConstantIntegers(adaptor.getAxes());
  if (!axes) {
    int64_t rank = static_cast<int64_t>(dims.size()) - *count;
    if (rank < 0)
      return emitOptionalError(location, "cannot squeeze ", *count, " axes of rank ", dims.size());
    results.push_back(makeTensorType(freshDims(context, "squeeze", rank), elementType));
    return success();
  }
  FailureOr<SmallVector<int64_t>> normal = normalizeAxes(location, *axes, dims.size());
  if (failed(normal))
    return failure();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!llvm::is_contained(*normal, i)) {
      kept.push_back(dim);
      continue;
    }
    if (dim.getConstant().value_or(1) != 1)
      return emitOptionalError(location, "cannot squeeze axis ", i, " of size ", dim.str());
  }
  results.push_back(makeTensorType(kept, elementType));
  return success();
}

LogicalResult UnsqueezeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                            Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getData().getType());
  Type elementType = getElementTypeOrSelf(adaptor.getData().getType());
  FailureOr<int64_t> count = countAxes(location, adaptor.getAxes());
  if (failed(count))
    return failure();
  int64_t rank = static_cast<int64_t>(dims.size()) + *count;
  if (rank > maxRank)
    return emitOptionalError(location, "cannot add ", *count, " axes to rank ", dims.size(),
                             ", expected at most ", maxRank, " in all");
  auto axes = getConstantIntegers(adaptor.getAxes());
  if (!axes) {
    results.push_back(makeTensorType(freshDims(context, "unsqueeze", rank), elementType));
    return success();
  }
  FailureOr<SmallVector<int64_t>> normal = normalizeAxes(location, *axes, rank);
  if (failed(normal))
    return failure();
  SmallVector<DimExpr> result;
  const DimExpr *next = dims.begin();
  for (int64_t i = 0; i < rank; ++i)
    result.push_back(llvm::is_contained(*normal, i) ? DimExpr::constant(context, 1) : *next++);
  results.push_back(makeTensorType(result, elementType));
  return success();
}

//===----------------------------------------------------------------------===//
// Transpose, Concat, Split, Slice
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                            Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getData().getType());
  SmallVector<DimExpr> result(llvm::reverse(dims));
  if (auto perm = adaptor.getPerm()) {
    if (perm->size() != dims.size())
      return emitOptionalError(location, "expected a permutation of ", dims.size(), " axes, found ",
                               perm->size());
    FailureOr<SmallVector<int64_t>> axes = normalizeAxes(location, *perm, dims.size());
    if (failed(axes))
      return failure();
    for (auto [i, axis] : llvm::enumerate(*axes))
      result[i] = dims[axis];
  }
  results.push_back(makeTensorType(result, getElementTypeOrSelf(adaptor.getData().getType())));
  return success();
}

SmallVector<int64_t> TransposeOp::getPermutation() {
  int64_t rank = getRank(getData());
  if (!getPerm())
    return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  return llvm::map_to_vector(*getPerm(),
                             [&](int64_t axis) { return axis < 0 ? axis + rank : axis; });
}

SmallVector<unsigned> ConcatOp::getDataOperands() {
  return llvm::to_vector(llvm::seq<unsigned>(getInputs().size()));
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                         Adaptor adaptor, SmallVectorImpl<Type> &results) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(location, "expected at least one input");
  SmallVector<DimExpr> result = getDims(adaptor.getInputs().front().getType());
  Type elementType = getElementTypeOrSelf(adaptor.getInputs().front().getType());
  FailureOr<int64_t> axis =
      normalizeAxis(location, static_cast<int64_t>(adaptor.getAxis()), result.size());
  if (failed(axis))
    return failure();
  SmallVector<DimExpr> lengths{result[*axis]};
  for (Value input : adaptor.getInputs().drop_front()) {
    SmallVector<DimExpr> dims = getDims(input.getType());
    if (dims.size() != result.size())
      return emitOptionalError(location, "cannot concatenate ranks ", result.size(), " and ",
                               dims.size());
    if (getElementTypeOrSelf(input.getType()) != elementType)
      return emitOptionalError(location, "cannot concatenate element types ", elementType, " and ",
                               getElementTypeOrSelf(input.getType()));
    for (auto [i, dim] : llvm::enumerate(dims)) {
      DimExpr &slot = result[i];
      if (static_cast<int64_t>(i) == *axis)
        lengths.push_back(dim);
      else if (slot.isConstant() && dim.isConstant() && slot != dim)
        return emitOptionalError(location, "cannot concatenate along axis ", *axis,
                                 ": the sizes of axis ", i, " are ", slot.str(), " and ",
                                 dim.str());
      else if (dim.isConstant())
        slot = dim;
    }
  }
  result[*axis] = sumOf(lengths);
  results.push_back(makeTensorType(result, elementType));
  return success();
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                        Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getInput().getType());
  FailureOr<int64_t> axis =
      normalizeAxis(location, static_cast<int64_t>(adaptor.getAxis()), dims.size());
  if (failed(axis))
    return failure();
  std::optional<SmallVector<DimExpr>> sizes;
  std::optional<int64_t> outputs;
  if (adaptor.getNumOutputsAttr())
    outputs = adaptor.getNumOutputsAttr().getInt();
  if (failed(getSplitSizes(location, dims[*axis], adaptor.getSplit(), outputs, sizes)))
    return failure();
  if (!sizes) {
    FailureOr<int64_t> count = getStaticLength(location, adaptor.getSplit(), "split");
    if (failed(count))
      return failure();
    if (*count > maxPieces)
      return emitOptionalError(location, "expected at most ", maxPieces, " pieces, found ", *count);
    sizes = freshDims(context, "split", *count);
  }
  if (adaptor.getSplit() && outputs && *outputs != static_cast<int64_t>(sizes->size()))
    return emitOptionalError(location, "expected ", sizes->size(), " outputs, found ", *outputs);
  for (DimExpr size : *sizes) {
    dims[*axis] = size;
    results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getInput().getType())));
  }
  return success();
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                        Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getData().getType());
  std::optional<SmallVector<SlicedAxis>> sliced;
  if (failed(getSlicedAxes(location, adaptor.getData().getType(), adaptor.getStarts(),
                           adaptor.getEnds(), adaptor.getAxes(), adaptor.getSteps(), sliced)))
    return failure();
  if (sliced) {
    for (SlicedAxis &slice : *sliced)
      dims[slice.axis] = slice.length;
  } else {
    std::optional<int64_t> count = getDims(adaptor.getStarts().getType())[0].getConstant();
    std::optional<SmallVector<int64_t>> axes;
    if (adaptor.getAxes())
      axes = getConstantIntegers(adaptor.getAxes());
    else if (count)
      axes = llvm::to_vector(llvm::seq<int64_t>(0, *count));
    for (int64_t i = 0, rank = dims.size(); i < rank; ++i)
      if (!axes || llvm::is_contained(*axes, i) || llvm::is_contained(*axes, i - rank))
        dims[i] = freshSymbol(context, "slice");
  }
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getData().getType())));
  return success();
}

//===----------------------------------------------------------------------===//
// Expand, Tile, Pad
//===----------------------------------------------------------------------===//

LogicalResult ExpandOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                         Adaptor adaptor, SmallVectorImpl<Type> &results) {
  Type elementType = getElementTypeOrSelf(adaptor.getInput().getType());
  SmallVector<DimExpr> dims = getDims(adaptor.getInput().getType());
  FailureOr<int64_t> length = getStatedRank(location, adaptor.getShape(), "shape");
  if (failed(length))
    return failure();
  std::optional<ShapeValue> shape = getShapeValue(adaptor.getShape());
  if (!shape) {
    // Leading dims that the shape says nothing about stay.
    int64_t kept = std::max<int64_t>(static_cast<int64_t>(dims.size()) - *length, 0);
    dims.truncate(kept);
    llvm::append_range(dims, freshDims(context, "expand", *length));
    results.push_back(makeTensorType(dims, elementType));
    return success();
  }
  if (failed(checkSizes(location, *shape, "shape")))
    return failure();
  FailureOr<SmallVector<DimExpr>> result = broadcastDims(location, {dims, *shape});
  if (failed(result))
    return failure();
  results.push_back(makeTensorType(*result, elementType));
  return success();
}

LogicalResult TileOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                       Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getInput().getType());
  FailureOr<int64_t> length = getStaticLength(location, adaptor.getRepeats(), "repeats");
  if (failed(length))
    return failure();
  if (*length != static_cast<int64_t>(dims.size()))
    return emitOptionalError(location, "expected ", dims.size(), " repeats, found ", *length);
  std::optional<ShapeValue> repeats = getShapeValue(adaptor.getRepeats());
  if (repeats && failed(checkSizes(location, *repeats, "repeats")))
    return failure();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    std::optional<int64_t> size = dim.getConstant(),
                           count = repeats ? (*repeats)[i].getConstant() : std::nullopt;
    if (int64_t product; size && count && llvm::MulOverflow(*size, *count, product))
      return emitOptionalError(location, "axis ", i, " of size ", *size, " repeated ", *count,
                               " times is too large");
    dim = repeats ? dim * (*repeats)[i] : freshSymbol(context, "tile");
  }
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getInput().getType())));
  return success();
}

/// What can be known too large before any run: a pad that reflects more elements
/// than there are besides the outermost, or one that grows from an empty axis.
static LogicalResult checkPads(std::optional<Location> location, StringRef mode, int64_t axis,
                               DimExpr dim, DimExpr before, DimExpr after) {
  auto size = dim.getConstant(), lead = before.getConstant(), trail = after.getConstant();
  if (mode == "constant" || !size || !lead || !trail)
    return success();
  int64_t kept = *size + std::min<int64_t>(*lead, 0) + std::min<int64_t>(*trail, 0);
  int64_t largest = std::max(*lead, *trail);
  if (largest > 0 && kept < 1)
    return emitOptionalError(location, "axis ", axis, " has no element to pad with");
  if (mode == "reflect" && largest > std::max<int64_t>(kept - 1, 0))
    return emitOptionalError(location, "a reflecting pad of ", largest, " along axis ", axis,
                             " must be smaller than its size, ", kept);
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                      Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getData().getType());
  if (failed(checkChoice(location, "mode", adaptor.getMode(),
                         {"constant", "reflect", "edge", "wrap"})))
    return failure();
  std::optional<PadWidths> widths;
  if (failed(getPadWidths(location, dims.size(), adaptor.getPads(), adaptor.getAxes(), widths)))
    return failure();
  auto axes = adaptor.getAxes() ? getConstantIntegers(adaptor.getAxes()) : std::nullopt;
  for (int64_t i = 0, rank = dims.size(); i < rank; ++i) {
    if (widths) {
      if (failed(checkPads(location, adaptor.getMode(), i, dims[i], widths->before[i],
                           widths->after[i])))
        return failure();
      dims[i] = dims[i] + widths->before[i] + widths->after[i];
      if (dims[i].getConstant().value_or(0) < 0)
        return emitOptionalError(location, "axis ", i, " would get the size ", dims[i].str());
    } else if (!axes || llvm::is_contained(*axes, i) || llvm::is_contained(*axes, i - rank)) {
      dims[i] = freshSymbol(context, "pad");
    }
  }
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getData().getType())));
  return success();
}

LogicalResult CenterCropPadOp::inferReturnTypes(MLIRContext *context,
                                                std::optional<Location> location, Adaptor adaptor,
                                                SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getInputData().getType());
  FailureOr<int64_t> length = getStaticLength(location, adaptor.getShape(), "shape");
  if (failed(length))
    return failure();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  if (adaptor.getAxes()) {
    FailureOr<SmallVector<int64_t>> normal =
        normalizeAxes(location, *adaptor.getAxes(), dims.size());
    if (failed(normal))
      return failure();
    axes = *normal;
  }
  if (*length != static_cast<int64_t>(axes.size()))
    return emitOptionalError(location, "expected ", axes.size(), " sizes, found ", *length);
  std::optional<ShapeValue> shape = getShapeValue(adaptor.getShape());
  if (shape && failed(checkSizes(location, *shape, "shape")))
    return failure();
  for (auto [i, axis] : llvm::enumerate(axes))
    dims[axis] = shape ? (*shape)[i] : freshSymbol(context, "crop");
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getInputData().getType())));
  return success();
}

LogicalResult TriluOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                        Adaptor adaptor, SmallVectorImpl<Type> &results) {
  if (getRank(adaptor.getInput()) < 2)
    return emitOptionalError(location, "expected rank 2 or more, found rank ",
                             getRank(adaptor.getInput()));
  results.push_back(adaptor.getInput().getType());
  return checkOneElement(location, adaptor.getK(), "k");
}

/// Common to both: rank 4, a positive block size and a known mode.
static LogicalResult checkBlocks(std::optional<Location> location, Value input, int64_t blocksize,
                                 StringRef mode) {
  if (getRank(input) != 4)
    return emitOptionalError(location, "expected rank 4, found rank ", getRank(input));
  if (blocksize <= 0 || blocksize > (1 << 20))
    return emitOptionalError(location, "expected a blocksize of 1 to 1048576, found ", blocksize);
  return checkChoice(location, "mode", mode, {"DCR", "CRD"});
}

/// `dim / divisor`, which must be exact.
static FailureOr<DimExpr> divideDim(std::optional<Location> location, DimExpr dim, int64_t divisor,
                                    StringRef what) {
  DimExpr divisorExpr = DimExpr::constant(dim.getContext(), divisor);
  if (auto quotient = dim.exactDiv(divisorExpr))
    return *quotient;
  if (dim.isConstant())
    return emitOptionalError(location, "the ", what, " (", dim.str(), ") must be a multiple of ",
                             divisor);
  return dim.floorDiv(divisorExpr);
}

LogicalResult DepthToSpaceOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                               Adaptor adaptor, SmallVectorImpl<Type> &results) {
  int64_t block = static_cast<int64_t>(adaptor.getBlocksize());
  if (failed(checkBlocks(location, adaptor.getInput(), block, adaptor.getMode())))
    return failure();
  SmallVector<DimExpr> dims = getDims(adaptor.getInput().getType());
  FailureOr<DimExpr> channels = divideDim(location, dims[1], block * block, "number of channels");
  if (failed(channels))
    return failure();
  results.push_back(makeTensorType({dims[0], *channels, dims[2] * block, dims[3] * block},
                                   getElementTypeOrSelf(adaptor.getInput().getType())));
  return success();
}

LogicalResult SpaceToDepthOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                               Adaptor adaptor, SmallVectorImpl<Type> &results) {
  int64_t block = static_cast<int64_t>(adaptor.getBlocksize());
  if (failed(checkBlocks(location, adaptor.getInput(), block, adaptor.getMode())))
    return failure();
  SmallVector<DimExpr> dims = getDims(adaptor.getInput().getType());
  FailureOr<DimExpr> height = divideDim(location, dims[2], block, "height");
  FailureOr<DimExpr> width = divideDim(location, dims[3], block, "width");
  if (failed(height) || failed(width))
    return failure();
  results.push_back(makeTensorType({dims[0], dims[1] * (block * block), *height, *width},
                                   getElementTypeOrSelf(adaptor.getInput().getType())));
  return success();
}

//===----------------------------------------------------------------------===//
// Generated values
//===----------------------------------------------------------------------===//

/// The value of a constant scalar.
static std::optional<double> getConstantFloat(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!elements || elements.getNumElements() != 1 || !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  return (*elements.value_begin<FloatAttr>()).getValueAsDouble();
}

/// max(0, ceil((limit - start) / delta)) for a delta other than 0; nothing when that
/// is more than 2^48.
static std::optional<int64_t> countRange(int64_t start, int64_t limit, int64_t delta) {
  int64_t low = delta > 0 ? start : limit, high = delta > 0 ? limit : start;
  if (low >= high)
    return 0;
  uint64_t distance = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  uint64_t stride = delta > 0 ? delta : 0 - static_cast<uint64_t>(delta);
  uint64_t count = (distance - 1) / stride + 1;
  return count <= uint64_t(1) << 48 ? std::optional<int64_t>(count) : std::nullopt;
}

LogicalResult RangeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                        Adaptor adaptor, SmallVectorImpl<Type> &results) {
  Type elementType = getElementTypeOrSelf(adaptor.getStart().getType());
  for (Value operand : adaptor.getOperands())
    if (cast<RankedTensorType>(operand.getType()).getNumElements() != 1)
      return emitOptionalError(location, "expected scalars, found ", operand.getType());
    else if (getElementTypeOrSelf(operand.getType()) != elementType)
      return emitOptionalError(location, "expected three scalars of one type, found ", elementType,
                               " and ", getElementTypeOrSelf(operand.getType()));
  DimExpr zero = DimExpr::constant(context, 0);
  auto finish = [&](DimExpr count) {
    results.push_back(makeTensorType({count}, elementType));
    return success();
  };
  auto start = getShapeValue(adaptor.getStart()), limit = getShapeValue(adaptor.getLimit()),
       delta = getShapeValue(adaptor.getDelta());
  if (delta && delta->front().getConstant() == 0)
    return emitOptionalError(location, "a delta of 0 is not allowed");
  auto constant = [](const std::optional<ShapeValue> &value) {
    return value ? value->front().getConstant() : std::nullopt;
  };
  if (auto from = constant(start), to = constant(limit), by = constant(delta); from && to && by) {
    std::optional<int64_t> count = countRange(*from, *to, *by);
    if (!count)
      return emitOptionalError(location, "the range has too many elements");
    return finish(DimExpr::constant(context, *count));
  }
  if (start && limit && delta && delta->front().isConstant())
    return finish((limit->front() - start->front()).ceilDiv(delta->front()).max(zero));
  auto from = getConstantFloat(adaptor.getStart()), to = getConstantFloat(adaptor.getLimit()),
       by = getConstantFloat(adaptor.getDelta());
  if (by == 0.0)
    return emitOptionalError(location, "a delta of 0 is not allowed");
  if (from && to && by) {
    double count = std::ceil((*to - *from) / *by);
    if (!(count < 1e15))
      return emitOptionalError(location, "the range has too many elements");
    return finish(DimExpr::constant(context, count > 0 ? static_cast<int64_t>(count) : 0));
  }
  return finish(freshSymbol(context, "range"));
}

LogicalResult ConstantOfShapeOp::inferReturnTypes(MLIRContext *context,
                                                  std::optional<Location> location, Adaptor adaptor,
                                                  SmallVectorImpl<Type> &results) {
  FailureOr<int64_t> rank = getStatedRank(location, adaptor.getInput(), "input");
  if (failed(rank))
    return failure();
  Type elementType = Float32Type::get(context);
  if (auto value = adaptor.getValueAttr()) {
    elementType = value.getShapedType().getElementType();
    if (value.getNumElements() != 1)
      return emitOptionalError(location, "'value' must have one element, found ",
                               value.getNumElements());
  }
  std::optional<ShapeValue> shape = getShapeValue(adaptor.getInput());
  if (shape && failed(checkSizes(location, *shape, "input")))
    return failure();
  results.push_back(
      makeTensorType(shape ? *shape : freshDims(context, "shape", *rank), elementType));
  return success();
}

LogicalResult EyeLikeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                          Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getInput().getType());
  if (dims.size() != 2)
    return emitOptionalError(location, "expected rank 2, found rank ", dims.size());
  Type elementType = getElementTypeOrSelf(adaptor.getInput().getType());
  if (auto dtype = adaptor.getDtypeAttr())
    elementType = elementTypeOf(context, dtype.getInt());
  if (!elementType)
    return emitOptionalError(location, "unknown element type number ",
                             adaptor.getDtypeAttr().getInt());
  results.push_back(makeTensorType(dims, elementType));
  return success();
}
