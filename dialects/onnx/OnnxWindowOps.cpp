//===- OnnxWindowOps.cpp - Pools and sampling ------------------------------===//
#include "dialects/onnx/OnnxShapes.h"
#include "dialects/onnx/WindowShape.h"

using namespace mlir;
using namespace onnxc::onnx;

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxWindowOps.cpp.inc"

/// The result type of a pool.
template <typename Adaptor>
static FailureOr<Type> inferPool(std::optional<Location> location, Adaptor adaptor) {
  FailureOr<PoolShape> pool = readPool(location, adaptor);
  if (failed(pool))
    return failure();
  return Type(makeTensorType(pool->outputDims(adaptor.getChannelsLast()),
                             getElementTypeOrSelf(adaptor.getX().getType())));
}

LogicalResult MaxPoolOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                          ValueRange operands, DictionaryAttr attributes,
                                          OpaqueProperties properties, RegionRange regions,
                                          SmallVectorImpl<Type> &results) {
  FailureOr<Type> type = inferPool(location, Adaptor(operands, attributes, properties, regions));
  if (failed(type))
    return failure();
  results.push_back(*type);
  results.push_back(makeTensorType(getDims(*type), IntegerType::get(context, 64)));
  return success();
}

bool MaxPoolOp::allowsChannelsLast() { return getIndices().use_empty(); }

LogicalResult AveragePoolOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                              ValueRange operands, DictionaryAttr attributes,
                                              OpaqueProperties properties, RegionRange regions,
                                              SmallVectorImpl<Type> &results) {
  FailureOr<Type> type = inferPool(location, Adaptor(operands, attributes, properties, regions));
  if (succeeded(type))
    results.push_back(*type);
  return type;
}

LogicalResult LpPoolOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                         ValueRange operands, DictionaryAttr attributes,
                                         OpaqueProperties properties, RegionRange regions,
                                         SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (adaptor.getP() < 1)
    return emitOptionalError(location, "expected 'p' of at least 1, found ", adaptor.getP());
  FailureOr<Type> type = inferPool(location, adaptor);
  if (succeeded(type))
    results.push_back(*type);
  return type;
}
