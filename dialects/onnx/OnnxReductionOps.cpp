//===- OnnxReductionOps.cpp - Reductions and scans -------------------------===//
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxShapes.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace onnxc::onnx {

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// Puts the axes that are known at compile time into `reduced`; leaves it empty
/// when only the run knows them.
static LogicalResult resolveAxes(std::optional<Location> location, Value data, Value axes,
                                 bool noopWithEmptyAxes,
                                 std::optional<llvm::SmallBitVector> &reduced) {
  int64_t rank = cast<RankedTensorType>(data.getType()).getRank();
  int64_t count = 0;
  if (axes) {
    FailureOr<int64_t> length = getStaticLength(location, axes, "axes");
    if (failed(length))
      return failure();
    count = *length;
  }
  if (count > rank)
    return emitOptionalError(location, "cannot reduce ", count, " axes of rank ", rank);
  if (count == 0) {
    reduced.emplace(rank, !noopWithEmptyAxes);
    return success();
  }
  std::optional<SmallVector<int64_t>> list = getConstantIntegers(axes);
  if (!list) {
    // As many axes as there are name each of them.
    if (count == rank)
      reduced.emplace(rank, true);
    return success();
  }
  FailureOr<SmallVector<int64_t>> normal = normalizeAxes(location, *list, rank);
  if (failed(normal))
    return failure();
  reduced.emplace(rank, false);
  for (int64_t axis : *normal)
    reduced->set(axis);
  return success();
}

static LogicalResult inferReduction(std::optional<Location> location, Value data, Value axes,
                                    bool keepDims, bool noopWithEmptyAxes,
                                    SmallVectorImpl<Type> &results) {
  std::optional<llvm::SmallBitVector> reduced;
  if (failed(resolveAxes(location, data, axes, noopWithEmptyAxes, reduced)))
    return failure();
  MLIRContext *context = data.getContext();
  DimExpr one = DimExpr::constant(context, 1);
  SmallVector<DimExpr> dims;
  int64_t dropped = reduced || keepDims ? 0 : cast<ShapedType>(axes.getType()).getDimSize(0);
  for (auto [i, dim] : llvm::enumerate(getDims(data.getType()))) {
    if (!reduced && static_cast<int64_t>(i) >= dropped)
      dims.push_back(dim == one ? one : freshSymbol(context, "reduce"));
    else if (reduced && !(*reduced)[i])
      dims.push_back(dim);
    else if (reduced && keepDims)
      dims.push_back(one);
  }
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(data.getType())));
  return success();
}

static std::optional<llvm::SmallBitVector> findReducedDims(Value data, Value axes,
                                                           bool noopWithEmptyAxes) {
  std::optional<llvm::SmallBitVector> reduced;
  (void)resolveAxes(std::nullopt, data, axes, noopWithEmptyAxes, reduced);
  return reduced;
}

static LogicalResult inferArgReduction(std::optional<Location> location, Value data, int64_t axis,
                                       bool keepDims, SmallVectorImpl<Type> &results) {
  SmallVector<DimExpr> dims = getDims(data.getType());
  FailureOr<int64_t> normal = normalizeAxis(location, axis, dims.size());
  if (failed(normal))
    return failure();
  if (keepDims)
    dims[*normal] = DimExpr::constant(data.getContext(), 1);
  else
    dims.erase(dims.begin() + *normal);
  results.push_back(makeTensorType(dims, IntegerType::get(data.getContext(), 64)));
  return success();
}

/// The type of the operand; an axis that is known must be one of its axes.
static LogicalResult inferCumulative(std::optional<Location> location, Value x, Value axis,
                                     SmallVectorImpl<Type> &results) {
  results.push_back(x.getType());
  if (failed(checkOneElement(location, axis, "axis")))
    return failure();
  std::optional<ShapeValue> known = getShapeValue(axis);
  if (!known || known->size() != 1 || !known->front().isConstant())
    return success();
  int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
  return normalizeAxis(location, *known->front().getConstant(), rank);
}

/// A reduction of all elements of a vector of sizes.
static std::optional<ShapeValue>
reduceShapeValue(ArrayRef<std::optional<ShapeValue>> operands,
                 const std::optional<llvm::SmallBitVector> &reduced,
                 function_ref<DimExpr(DimExpr, DimExpr)> combine) {
  if (!operands[0] || !reduced)
    return std::nullopt;
  if (reduced->none())
    return operands[0];
  if (!reduced->all() || operands[0]->empty())
    return std::nullopt;
  DimExpr result = operands[0]->front();
  for (DimExpr dim : ArrayRef(*operands[0]).drop_front())
    result = combine(result, dim);
  return ShapeValue{result};
}

//===----------------------------------------------------------------------===//
// Formulas; integers go through f64 where a function needs floats
//===----------------------------------------------------------------------===//

static Scalar throughFloat(Scalar x, function_ref<Scalar(Scalar)> function) {
  if (x.isFloat())
    return function(x);
  Scalar wide = convert(x, Float64Type::get(x.type().getContext()), false);
  return convert(function(wide), x.type(), x.hasUnsignedType());
}

static Scalar squareRoot(Scalar x) {
  return throughFloat(x, [](Scalar y) { return sqrt(y); });
}

static Scalar logarithm(Scalar x) {
  return throughFloat(x, [](Scalar y) { return log(y); });
}

} // namespace onnxc::onnx

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxReductionOps.cpp.inc"

using namespace onnxc::onnx;

LogicalResult ReduceLogSumExpOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                                  Adaptor adaptor, SmallVectorImpl<Type> &results) {
  return inferReduction(location, adaptor.getData(), adaptor.getAxes(), adaptor.getKeepdims() != 0,
                        adaptor.getNoopWithEmptyAxes() != 0, results);
}

std::optional<llvm::SmallBitVector> ReduceLogSumExpOp::getReducedDims() {
  return findReducedDims(getData(), getAxes(), getNoopWithEmptyAxes() != 0);
}
