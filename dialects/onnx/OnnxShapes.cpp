//===- OnnxShapes.cpp - Shared shape rules ---------------------------------===//
#include "dialects/onnx/OnnxShapes.h"
#include "mlir/IR/Diagnostics.h"
#include <atomic>

using namespace mlir;

namespace onnxc::onnx {

bool areCompatibleTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != actual.size())
    return false;
  return llvm::all_of(llvm::zip_equal(inferred, actual), [](auto pair) {
    auto [a, b] = pair;
    if (a == b)
      return true;
    return succeeded(verifyCompatibleShape(a, b)) &&
           getElementTypeOrSelf(a) == getElementTypeOrSelf(b);
  });
}

std::optional<ShapeValue> getShapeValue(Value value) {
  constexpr int64_t maxElements = 64;
  if (!value)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isa<IntegerType>(type.getElementType()))
    return std::nullopt;
  if (auto dims = value.getDefiningOp<DimsOp>()) {
    ShapeValue result;
    for (Attribute dim : dims.getDims())
      result.push_back(DimExpr::fromAttribute(dim));
    return result;
  }
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || !type.hasStaticShape() || type.getNumElements() > maxElements)
    return std::nullopt;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements)
    return std::nullopt;
  ShapeValue result;
  bool isUnsigned = type.getElementType().isUnsignedInteger() || type.getElementType().isInteger(1);
  for (const APInt &element : elements.getValues<APInt>())
    result.push_back(DimExpr::constant(value.getContext(),
                                       isUnsigned ? static_cast<int64_t>(element.getZExtValue())
                                                  : element.getSExtValue()));
  return result;
}

/// The broadcast of two dims; nothing when they fit in no way.
static std::optional<DimExpr> broadcastDim(DimExpr a, DimExpr b) {
  std::optional<int64_t> constantA = a.getConstant(), constantB = b.getConstant();
  if (constantA && constantB && a != b && *constantA != 1 && *constantB != 1)
    return std::nullopt;
  return a.broadcast(b);
}

FailureOr<SmallVector<DimExpr>> broadcastDims(std::optional<Location> location,
                                              ArrayRef<SmallVector<DimExpr>> shapes) {
  size_t rank = 0;
  for (const auto &shape : shapes)
    rank = std::max(rank, shape.size());
  SmallVector<DimExpr> result(rank);
  for (const auto &shape : shapes) {
    for (auto [i, dim] : llvm::enumerate(shape)) {
      DimExpr &slot = result[rank - shape.size() + i];
      std::optional<DimExpr> joined = slot ? broadcastDim(slot, dim) : std::optional<DimExpr>(dim);
      if (!joined)
        return emitOptionalError(location, "cannot broadcast dim ", rank - shape.size() + i,
                                 ": sizes ", slot.str(), " and ", dim.str(),
                                 " are neither equal nor 1");
      slot = *joined;
    }
  }
  return result;
}

LogicalResult inferBroadcastTypes(std::optional<Location> location, ValueRange operands,
                                  Type elementType, SmallVectorImpl<Type> &results) {
  SmallVector<SmallVector<DimExpr>> shapes;
  for (Value operand : operands)
    shapes.push_back(getDims(operand.getType()));
  FailureOr<SmallVector<DimExpr>> dims = broadcastDims(location, shapes);
  if (failed(dims))
    return failure();
  results.push_back(makeTensorType(*dims, elementType));
  return success();
}

LogicalResult checkChoice(std::optional<Location> location, StringRef name, StringRef value,
                          ArrayRef<StringRef> allowed) {
  if (llvm::is_contained(allowed, value))
    return success();
  std::string list;
  for (auto [i, choice] : llvm::enumerate(allowed))
    list += ((i == 0 ? "'" : i + 1 == allowed.size() ? " or '" : ", '") + choice + "'").str();
  return emitOptionalError(location, "expected ", name, " ", list, ", found '", value, "'");
}

DimExpr freshSymbol(MLIRContext *context, StringRef hint) {
  // A process-wide counter: names need only differ within a module, and the
  // same model compiled twice in a fresh process gets the same names.
  static std::atomic<unsigned> counter{0};
  return DimExpr::symbol(context, ("?" + hint + Twine(counter++)).str());
}

} // namespace onnxc::onnx
