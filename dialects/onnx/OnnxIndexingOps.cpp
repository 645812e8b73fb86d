//===- OnnxIndexingOps.cpp - Gather, scatter and the like ------------------===//
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;
using namespace onnxc::onnx;

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxIndexingOps.cpp.inc"

static int64_t getRank(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

/// `index` counted from the front, or nothing when it is out of range.
static std::optional<int64_t> wrapIndex(int64_t index, int64_t size) {
  if (index < -size || index >= size)
    return std::nullopt;
  return index < 0 ? index + size : index;
}

/// Constant indices into a dim of known size must be in range.
static LogicalResult checkConstantIndices(std::optional<Location> location, Value indices,
                                          DimExpr dim) {
  auto list = getConstantIntegers(indices);
  if (!list || !dim.isConstant())
    return success();
  int64_t size = *dim.getConstant();
  for (int64_t index : *list)
    if (!wrapIndex(index, size))
      return emitOptionalError(location, "index ", index, " is out of range for an axis of size ",
                               size);
  return success();
}

static LogicalResult checkReduction(std::optional<Location> location, StringRef reduction) {
  return checkChoice(location, "reduction", reduction, {"none", "add", "mul", "min", "max"});
}

//===----------------------------------------------------------------------===//
// Shape rules
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                         Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getData().getType());
  FailureOr<int64_t> axis =
      normalizeAxis(location, static_cast<int64_t>(adaptor.getAxis()), dims.size());
  if (failed(axis) || failed(checkConstantIndices(location, adaptor.getIndices(), dims[*axis])))
    return failure();
  SmallVector<DimExpr> result(dims.begin(), dims.begin() + *axis);
  llvm::append_range(result, getDims(adaptor.getIndices().getType()));
  result.append(dims.begin() + *axis + 1, dims.end());
  results.push_back(makeTensorType(result, getElementTypeOrSelf(adaptor.getData().getType())));
  return success();
}

/// The result, or the updates, of these two ops have the shape of the indices.
static LogicalResult checkElementwiseIndices(std::optional<Location> location, Value data,
                                             Value indices, int64_t axis) {
  SmallVector<DimExpr> dims = getDims(data.getType()), indexDims = getDims(indices.getType());
  if (dims.size() != indexDims.size())
    return emitOptionalError(location, "expected indices of rank ", dims.size(), ", found rank ",
                             indexDims.size());
  FailureOr<int64_t> normal = normalizeAxis(location, axis, dims.size());
  if (failed(normal))
    return failure();
  for (int64_t i = 0, rank = dims.size(); i < rank; ++i)
    if (i != *normal && dims[i].isConstant() &&
        indexDims[i].getConstant().value_or(0) > *dims[i].getConstant())
      return emitOptionalError(location, "the indices have ", indexDims[i].str(),
                               " elements along axis ", i, ", the data only ", dims[i].str());
  return checkConstantIndices(location, indices, dims[*normal]);
}

LogicalResult GatherElementsOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                                 Adaptor adaptor, SmallVectorImpl<Type> &results) {
  if (failed(checkElementwiseIndices(location, adaptor.getData(), adaptor.getIndices(),
                                     static_cast<int64_t>(adaptor.getAxis()))))
    return failure();
  results.push_back(makeTensorType(getDims(adaptor.getIndices().getType()),
                                   getElementTypeOrSelf(adaptor.getData().getType())));
  return success();
}

LogicalResult GatherNDOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                           Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getData().getType());
  SmallVector<DimExpr> indexDims = getDims(adaptor.getIndices().getType());
  int64_t batch = static_cast<int64_t>(adaptor.getBatchDims());
  if (indexDims.empty() || dims.empty())
    return emitOptionalError(location, "expected data and indices of rank 1 or more, found ranks ",
                             dims.size(), " and ", indexDims.size());
  auto depth = indexDims.back().getConstant();
  if (!depth)
    return emitOptionalError(location, "the last dim of the indices must be known, found ",
                             indexDims.back().str());
  if (batch < 0 || batch >= static_cast<int64_t>(indexDims.size()) || *depth < 1 ||
      *depth > static_cast<int64_t>(dims.size()) - batch)
    return emitOptionalError(location, "indices of length ", *depth, " behind ", batch,
                             " batch dims do not fit data of rank ", dims.size());
  SmallVector<DimExpr> result(indexDims.begin(), indexDims.end() - 1);
  result.append(dims.begin() + batch + *depth, dims.end());
  results.push_back(makeTensorType(result, getElementTypeOrSelf(adaptor.getData().getType())));
  return success();
}

LogicalResult ReverseSequenceOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                                  Adaptor adaptor, SmallVectorImpl<Type> &results) {
  int64_t rank = getRank(adaptor.getInput());
  int64_t batch = static_cast<int64_t>(adaptor.getBatchAxis());
  int64_t time = static_cast<int64_t>(adaptor.getTimeAxis());
  if (rank < 2 || batch + time != 1 || batch * time != 0)
    return emitOptionalError(location, "expected rank 2 or more and the axes 0 and 1, found rank ",
                             rank, " and axes ", batch, " and ", time);
  SmallVector<DimExpr> lengths = getDims(adaptor.getSequenceLens().getType());
  DimExpr count = getDims(adaptor.getInput().getType())[batch];
  if (lengths.size() != 1 || (lengths[0].isConstant() && count.isConstant() && lengths[0] != count))
    return emitOptionalError(location, "expected a vector of ", count.str(), " lengths, found ",
                             adaptor.getSequenceLens().getType());
  results.push_back(adaptor.getInput().getType());
  return success();
}

LogicalResult ScatterElementsOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                                  Adaptor adaptor, SmallVectorImpl<Type> &results) {
  if (failed(checkReduction(location, adaptor.getReduction())) ||
      failed(checkElementwiseIndices(location, adaptor.getData(), adaptor.getIndices(),
                                     static_cast<int64_t>(adaptor.getAxis()))))
    return failure();
  if (failed(verifyCompatibleShape(adaptor.getIndices().getType(), adaptor.getUpdates().getType())))
    return emitOptionalError(location, "expected updates of the shape of the indices, ",
                             adaptor.getIndices().getType(), ", found ",
                             adaptor.getUpdates().getType());
  results.push_back(adaptor.getData().getType());
  return success();
}

int64_t onnxc::onnx::getScatterDepth(Type data, Type indices, Type updates) {
  SmallVector<DimExpr> indexDims = getDims(indices);
  if (auto depth = indexDims.back().getConstant())
    return *depth;
  // updates: [indices without the last dim, data behind the indexed dims]
  return cast<RankedTensorType>(data).getRank() + static_cast<int64_t>(indexDims.size()) - 1 -
         cast<RankedTensorType>(updates).getRank();
}

LogicalResult ScatterNDOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                            Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getData().getType());
  SmallVector<DimExpr> indexDims = getDims(adaptor.getIndices().getType());
  if (failed(checkReduction(location, adaptor.getReduction())))
    return failure();
  if (indexDims.empty() || dims.empty())
    return emitOptionalError(location, "expected data and indices of rank 1 or more, found ranks ",
                             dims.size(), " and ", indexDims.size());
  int64_t depth = getScatterDepth(adaptor.getData().getType(), adaptor.getIndices().getType(),
                                  adaptor.getUpdates().getType());
  if (depth < 1 || depth > static_cast<int64_t>(dims.size()))
    return emitOptionalError(location, "indices of length ", depth, " do not fit data of rank ",
                             dims.size());
  SmallVector<DimExpr> wanted(indexDims.begin(), indexDims.end() - 1);
  wanted.append(dims.begin() + depth, dims.end());
  Type updates = makeTensorType(wanted, getElementTypeOrSelf(adaptor.getData().getType()));
  if (failed(verifyCompatibleShape(updates, adaptor.getUpdates().getType())))
    return emitOptionalError(location, "expected updates of type ", updates, ", found ",
                             adaptor.getUpdates().getType());
  results.push_back(adaptor.getData().getType());
  return success();
}

LogicalResult TensorScatterOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                                Adaptor adaptor, SmallVectorImpl<Type> &results) {
  int64_t rank = getRank(adaptor.getPastCache());
  if (failed(checkChoice(location, "mode", adaptor.getMode(), {"linear", "circular"})))
    return failure();
  FailureOr<int64_t> axis = normalizeAxis(location, static_cast<int64_t>(adaptor.getAxis()), rank);
  if (failed(axis))
    return failure();
  if (*axis == 0)
    return emitOptionalError(location, "the sequence axis may not be 0, which is the batch");
  if (getRank(adaptor.getUpdate()) != rank)
    return emitOptionalError(location, "expected an update of the cache's rank ", rank,
                             ", found rank ", getRank(adaptor.getUpdate()));
  if (adaptor.getWriteIndices() && getRank(adaptor.getWriteIndices()) != 1)
    return emitOptionalError(location, "expected a vector of write_indices, found ",
                             adaptor.getWriteIndices().getType());
  results.push_back(adaptor.getPastCache().getType());
  return success();
}

LogicalResult OneHotOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                         Adaptor adaptor, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(adaptor.getIndices().getType());
  FailureOr<int64_t> axis =
      normalizeAxis(location, static_cast<int64_t>(adaptor.getAxis()), dims.size() + 1);
  if (failed(axis))
    return failure();
  if (cast<RankedTensorType>(adaptor.getDepth().getType()).getNumElements() != 1)
    return emitOptionalError(location, "expected a scalar depth, found ",
                             adaptor.getDepth().getType());
  if (getRank(adaptor.getValues()) != 1)
    return emitOptionalError(location, "expected 'values' of rank 1, found rank ",
                             getRank(adaptor.getValues()));
  DimExpr depth;
  if (auto value = getShapeValue(adaptor.getDepth())) {
    depth = value->front();
  } else if (auto constant = adaptor.getDepth().getDefiningOp<ConstantOp>()) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (elements && isa<FloatType>(elements.getElementType()))
      depth = DimExpr::constant(
          context, static_cast<int64_t>((*elements.value_begin<FloatAttr>()).getValueAsDouble()));
  }
  if (!depth)
    depth = freshSymbol(context, "depth");
  if (depth.getConstant().value_or(0) < 0)
    return emitOptionalError(location, "expected a depth of 0 or more, found ", depth.str());
  dims.insert(dims.begin() + *axis, depth);
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getValues().getType())));
  return success();
}

//===----------------------------------------------------------------------===//
// Where elements come from
//===----------------------------------------------------------------------===//

std::optional<ElementSources> GatherOp::getElementSources(unsigned) {
  auto shape = getStaticShape(getData()), indexShape = getStaticShape(getIndices());
  auto indices = getConstantIntegers(getIndices());
  if (!shape || !indexShape || !indices)
    return std::nullopt;
  int64_t axis = static_cast<int64_t>(getAxis());
  axis = axis < 0 ? axis + static_cast<int64_t>(shape->size()) : axis;
  return makeElementSources(getType(), [&](ArrayRef<int64_t> index) -> ElementSource {
    SmallVector<int64_t> from(index.take_front(axis));
    int64_t position = (*indices)[linearize(index.slice(axis, indexShape->size()), *indexShape)];
    from.push_back(wrapIndex(position, (*shape)[axis]).value_or(0));
    llvm::append_range(from, index.drop_front(axis + indexShape->size()));
    return {0, linearize(from, *shape)};
  });
}

std::optional<ElementSources> GatherElementsOp::getElementSources(unsigned) {
  auto shape = getStaticShape(getData()), indexShape = getStaticShape(getIndices());
  auto indices = getConstantIntegers(getIndices());
  if (!shape || !indexShape || !indices)
    return std::nullopt;
  int64_t axis = static_cast<int64_t>(getAxis());
  axis = axis < 0 ? axis + static_cast<int64_t>(shape->size()) : axis;
  return makeElementSources(getType(), [&](ArrayRef<int64_t> index) -> ElementSource {
    SmallVector<int64_t> from(index);
    from[axis] = wrapIndex((*indices)[linearize(index, *indexShape)], (*shape)[axis]).value_or(0);
    return {0, linearize(from, *shape)};
  });
}

std::optional<ElementSources> GatherNDOp::getElementSources(unsigned) {
  auto shape = getStaticShape(getData()), indexShape = getStaticShape(getIndices());
  auto indices = getConstantIntegers(getIndices());
  if (!shape || !indexShape || !indices)
    return std::nullopt;
  int64_t batch = static_cast<int64_t>(getBatchDims()), depth = indexShape->back();
  int64_t prefix = indexShape->size() - 1;
  bool inRange = true;
  ElementSources sources =
      makeElementSources(getType(), [&](ArrayRef<int64_t> index) -> ElementSource {
        SmallVector<int64_t> from(index.take_front(batch));
        int64_t row = linearize(index.take_front(prefix), indexShape->drop_back()) * depth;
        for (int64_t i = 0; i < depth; ++i) {
          auto position = wrapIndex((*indices)[row + i], (*shape)[batch + i]);
          inRange &= position.has_value();
          from.push_back(position.value_or(0));
        }
        llvm::append_range(from, index.drop_front(prefix));
        return {0, linearize(from, *shape)};
      });
  return inRange ? std::optional(sources) : std::nullopt;
}

std::optional<ElementSources> ReverseSequenceOp::getElementSources(unsigned) {
  auto lengths = getConstantIntegers(getSequenceLens());
  if (!lengths)
    return std::nullopt;
  ArrayRef<int64_t> shape = getType().getShape();
  for (int64_t length : *lengths)
    if (length < 0 || length > shape[getTimeAxis()])
      return std::nullopt;
  return makeElementSources(getType(), [&](ArrayRef<int64_t> index) -> ElementSource {
    SmallVector<int64_t> from(index);
    int64_t length = (*lengths)[index[getBatchAxis()]];
    int64_t &time = from[getTimeAxis()];
    time = time < length ? length - 1 - time : time;
    return {0, linearize(from, shape)};
  });
}

std::optional<ElementSources> ScatterElementsOp::getElementSources(unsigned) {
  auto indexShape = getStaticShape(getIndices()), updateShape = getStaticShape(getUpdates());
  auto indices = getConstantIntegers(getIndices());
  if (!indexShape || !updateShape || !indices || getReduction() != "none")
    return std::nullopt;
  ArrayRef<int64_t> shape = getType().getShape();
  int64_t axis = static_cast<int64_t>(getAxis());
  axis = axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis;
  ElementSources sources = makeElementSources(getType(), [&](ArrayRef<int64_t> index) {
    return ElementSource{0, linearize(index, shape)};
  });
  bool inRange = true;
  int64_t next = 0;
  makeElementSources(getIndices().getType(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> to(index);
    auto position = wrapIndex((*indices)[next], shape[axis]);
    inRange &= position.has_value();
    to[axis] = position.value_or(0);
    if (inRange)
      sources[linearize(to, shape)] = {2, next};
    ++next;
    return ElementSource{};
  });
  return inRange ? std::optional(sources) : std::nullopt;
}

std::optional<ElementSources> ScatterNDOp::getElementSources(unsigned) {
  auto indexShape = getStaticShape(getIndices()), updateShape = getStaticShape(getUpdates());
  auto indices = getConstantIntegers(getIndices());
  if (!indexShape || !updateShape || !indices || getReduction() != "none")
    return std::nullopt;
  ArrayRef<int64_t> shape = getType().getShape();
  int64_t depth = indexShape->back(), prefix = indexShape->size() - 1;
  ElementSources sources = makeElementSources(getType(), [&](ArrayRef<int64_t> index) {
    return ElementSource{0, linearize(index, shape)};
  });
  bool inRange = true;
  int64_t next = 0;
  makeElementSources(getUpdates().getType(), [&](ArrayRef<int64_t> index) {
    int64_t row = linearize(index.take_front(prefix), indexShape->drop_back()) * depth;
    SmallVector<int64_t> to;
    for (int64_t i = 0; i < depth; ++i) {
      auto position = wrapIndex((*indices)[row + i], shape[i]);
      inRange &= position.has_value();
      to.push_back(position.value_or(0));
    }
    llvm::append_range(to, index.drop_front(prefix));
    if (inRange)
      sources[linearize(to, shape)] = {2, next};
    ++next;
    return ElementSource{};
  });
  return inRange ? std::optional(sources) : std::nullopt;
}
