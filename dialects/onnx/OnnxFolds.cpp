//===- OnnxFolds.cpp - Folding ops on small constants ----------------------===//
//
// Element-wise ops and reductions know how to build their scalar formulas. On
// small constants the formula is built once in a scratch block, and the block
// is evaluated for each element with the folders of arith and math.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/OnnxFolds.h"
#include "dialects/onnx/OnnxOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace onnxc::onnx {
namespace {

/// A formula on scalars: arguments, operations and one result.
class Formula {
public:
  Formula(MLIRContext *context, Location loc) : builder(context), loc(loc) {
    builder.setInsertionPointToStart(&block);
  }

  /// An argument in the computation type of an onnx element type.
  Scalar addArgument(Type onnxElement) {
    Value argument = block.addArgument(computationType(onnxElement), loc);
    return Scalar(builder, loc, argument, onnxElement.isUnsignedInteger());
  }
  void setResult(Value value) { result = value; }
  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return loc; }
  Block::BlockArgListType arguments() { return block.getArguments(); }

  /// The result for these arguments; null when some op does not fold.
  Attribute evaluate(ArrayRef<Attribute> values) {
    llvm::DenseMap<Value, Attribute> known;
    for (auto [argument, value] : llvm::zip_equal(block.getArguments(), values))
      known[argument] = value;
    for (Operation &op : block) {
      Attribute value = evaluate(op, known);
      if (!value)
        return {};
      known[op.getResult(0)] = value;
    }
    return known.lookup(result);
  }

  static Type computationType(Type onnxElement) {
    MLIRContext *context = onnxElement.getContext();
    if (auto type = dyn_cast<FloatType>(onnxElement))
      return type.getWidth() < 32 ? Type(Float32Type::get(context)) : onnxElement;
    return IntegerType::get(context, onnxElement.getIntOrFloatBitWidth());
  }

private:
  static Attribute evaluate(Operation &op, const llvm::DenseMap<Value, Attribute> &known) {
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands())
      operands.push_back(known.lookup(operand));
    // arith folds a truncation only when it is exact.
    if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
      bool ignored;
      APFloat value = cast<FloatAttr>(operands[0]).getValue();
      auto type = cast<FloatType>(truncate.getType());
      value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &ignored);
      return FloatAttr::get(type, value);
    }
    SmallVector<OpFoldResult> results;
    if (failed(op.fold(operands, results)) || results.size() != 1)
      return {};
    if (auto value = dyn_cast<Value>(results[0]))
      return known.lookup(value);
    return cast<Attribute>(results[0]);
  }

  Block block;
  OpBuilder builder;
  Location loc;
  Value result;
};

/// The elements of a small constant, each in its computation type.
std::optional<SmallVector<Attribute>> readElements(Attribute attribute) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attribute);
  if (!elements || !isSmallConstant(elements.getType()) ||
      !elements.getElementType().isIntOrFloat())
    return std::nullopt;
  Type type = Formula::computationType(elements.getElementType());
  SmallVector<Attribute> result;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    for (APFloat value : elements.getValues<APFloat>()) {
      bool ignored;
      value.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven, &ignored);
      result.push_back(FloatAttr::get(floatType, value));
    }
    return result;
  }
  for (const APInt &value : elements.getValues<APInt>())
    result.push_back(IntegerAttr::get(type, value));
  return result;
}

/// A constant of an onnx type from elements in their computation type.
Attribute writeElements(ShapedType type, ArrayRef<Attribute> elements) {
  if (auto floatType = dyn_cast<FloatType>(type.getElementType())) {
    SmallVector<APFloat> values;
    for (Attribute element : elements) {
      bool ignored;
      APFloat value = cast<FloatAttr>(element).getValue();
      value.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven, &ignored);
      values.push_back(value);
    }
    return DenseElementsAttr::get(type, values);
  }
  SmallVector<APInt> values;
  for (Attribute element : elements)
    values.push_back(cast<IntegerAttr>(element).getValue());
  return DenseElementsAttr::get(type, values);
}

/// The row-major position in an operand that broadcasts to `index`.
int64_t broadcastPosition(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t position = 0;
  size_t offset = index.size() - shape.size();
  for (auto [i, size] : llvm::enumerate(shape))
    position = position * size + (size == 1 ? 0 : index[offset + i]);
  return position;
}

/// Calls `visit` with each index of a shape, in row-major order, until it fails.
bool forEachIndex(ArrayRef<int64_t> shape, function_ref<bool(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t count = ShapedType::getNumElements(shape);
  for (int64_t i = 0; i < count; ++i) {
    if (!visit(index))
      return false;
    for (int64_t d = shape.size() - 1; d >= 0 && ++index[d] == shape[d]; --d)
      index[d] = 0;
  }
  return true;
}

/// Whether an element of an integer constant is 0.
bool hasZero(Attribute attribute) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attribute);
  return elements && llvm::any_of(elements.getValues<APInt>(),
                                  [](const APInt &element) { return element.isZero(); });
}

Attribute foldScalarBody(ScalarBodyOpInterface op, ArrayRef<Attribute> operands) {
  // What the call refuses has to stay.
  Value divisor = op.getIntegerDivisor();
  for (auto [operand, value] : llvm::zip_equal(operands, op->getOperands()))
    if (divisor && value == divisor && hasZero(operand))
      return {};
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !isSmallConstant(type) || !type.getElementType().isIntOrFloat())
    return {};
  SmallVector<SmallVector<Attribute>> inputs;
  Formula formula(op->getContext(), op->getLoc());
  for (auto [operand, value] : llvm::zip_equal(operands, op->getOperands())) {
    std::optional<SmallVector<Attribute>> elements = readElements(operand);
    if (!elements)
      return {};
    inputs.push_back(*elements);
    formula.addArgument(getElementTypeOrSelf(value.getType()));
  }
  SmallVector<Value> arguments(formula.arguments());
  formula.setResult(op.buildScalar(formula.getBuilder(), op->getLoc(), arguments));

  SmallVector<Attribute> results;
  bool folded = forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
    SmallVector<Attribute> values;
    for (auto [input, value] : llvm::zip_equal(inputs, op->getOperands())) {
      auto shape = cast<RankedTensorType>(value.getType()).getShape();
      values.push_back(input[broadcastPosition(shape, index)]);
    }
    results.push_back(formula.evaluate(values));
    return results.back() != nullptr;
  });
  return folded ? writeElements(type, results) : Attribute();
}

Attribute foldReduction(ReductionOpInterface op, ArrayRef<Attribute> operands) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto dataType = cast<RankedTensorType>(op->getOperand(0).getType());
  std::optional<llvm::SmallBitVector> reduced = op.getReducedDims();
  std::optional<SmallVector<Attribute>> data = readElements(operands[0]);
  if (!type || !isSmallConstant(type) || !reduced || !data)
    return {};

  Type element = dataType.getElementType();
  Formula neutral(op->getContext(), op->getLoc()), step(op->getContext(), op->getLoc()),
      finish(op->getContext(), op->getLoc());
  Scalar like = neutral.addArgument(element);
  neutral.setResult(op.buildNeutral(like));
  Scalar soFar = step.addArgument(element), x = step.addArgument(element);
  step.setResult(op.buildCombine(soFar, op.buildTerm(x)));
  int64_t outside = 1, count = 1;
  for (auto [i, size] : llvm::enumerate(dataType.getShape()))
    ((*reduced)[i] ? count : outside) *= size;
  Scalar combined = finish.addArgument(element);
  finish.setResult(op.buildFinish(combined, [&] { return combined.constant(count); }));

  Attribute start =
      neutral.evaluate(Builder(op->getContext()).getZeroAttr(Formula::computationType(element)));
  SmallVector<Attribute> results(outside, start);
  size_t next = 0;
  bool folded = start && forEachIndex(dataType.getShape(), [&](ArrayRef<int64_t> index) {
                  int64_t position = 0;
                  for (auto [i, size] : llvm::enumerate(dataType.getShape()))
                    if (!(*reduced)[i])
                      position = position * size + index[i];
                  results[position] = step.evaluate({results[position], (*data)[next++]});
                  return results[position] != nullptr;
                });
  for (Attribute &result : results)
    if (folded)
      folded = (result = finish.evaluate(result)) != nullptr;
  return folded ? writeElements(type, results) : Attribute();
}

} // namespace

bool isSmallConstant(ShapedType type) {
  constexpr int64_t maxBytes = 1024;
  return type.hasStaticShape() && type.getElementType().isIntOrFloat() &&
         type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8) <= maxBytes;
}

LogicalResult OnnxFoldInterface::fold(Operation *op, ArrayRef<Attribute> operands,
                                      SmallVectorImpl<OpFoldResult> &results) const {
  Attribute value;
  if (auto scalarBody = dyn_cast<ScalarBodyOpInterface>(op))
    value = foldScalarBody(scalarBody, operands);
  else if (auto reduction = dyn_cast<ReductionOpInterface>(op))
    value = foldReduction(reduction, operands);
  if (!value)
    return failure();
  results.push_back(value);
  return success();
}

} // namespace onnxc::onnx
