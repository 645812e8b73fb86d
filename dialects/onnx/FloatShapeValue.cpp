//===- FloatShapeValue.cpp - Sizes that are computed with floats -----------===//
//
// Exporters write `floor(cast<float>(size) * 0.5)` where they mean `size / 2`. A
// float tensor whose elements are fractions of dim expressions with exact
// factors is followed here from the Cast back to integers.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;

namespace onnxc::onnx {
namespace {

/// numerator / denominator, with a denominator of 1 or more.
struct Fraction {
  DimExpr numerator;
  int64_t denominator;
};
using Fractions = SmallVector<Fraction>;

/// Products beyond this are given up, far below an overflow.
constexpr int64_t maxDenominator = 1 << 20;

std::optional<Fractions> fractionsOf(Value value, unsigned depth);

/// Numbers that are a whole number of 1024ths, as most factors are.
std::optional<Fractions> fractionsOfConstant(ConstantOp constant) {
  constexpr int64_t maxElements = 64, parts = 1024;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!elements || elements.getNumElements() > maxElements)
    return std::nullopt;
  Fractions result;
  for (APFloat number : elements.getValues<APFloat>()) {
    bool ignored;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &ignored);
    double scaled = number.convertToDouble() * parts;
    if (!(std::abs(scaled) < 1e15) || scaled != std::floor(scaled))
      return std::nullopt;
    int64_t numerator = static_cast<int64_t>(scaled), denominator = parts;
    while (denominator > 1 && numerator % 2 == 0) {
      numerator /= 2;
      denominator /= 2;
    }
    result.push_back({DimExpr::constant(constant.getContext(), numerator), denominator});
  }
  return result;
}

using Combine = function_ref<std::optional<Fraction>(Fraction, Fraction)>;

std::optional<Fractions> combine(Value a, Value b, unsigned depth, Combine formula) {
  std::optional<Fractions> left = fractionsOf(a, depth + 1), right = fractionsOf(b, depth + 1);
  if (!left || !right || left->empty() || right->empty())
    return std::nullopt;
  Fractions result;
  size_t size = std::max(left->size(), right->size());
  for (size_t i = 0; i < size; ++i) {
    if ((left->size() != size && left->size() != 1) ||
        (right->size() != size && right->size() != 1))
      return std::nullopt;
    std::optional<Fraction> element =
        formula((*left)[left->size() == 1 ? 0 : i], (*right)[right->size() == 1 ? 0 : i]);
    if (!element || element->denominator > maxDenominator)
      return std::nullopt;
    result.push_back(*element);
  }
  return result;
}

std::optional<Fraction> quotient(Fraction a, Fraction b) {
  std::optional<int64_t> divisor = b.numerator.getConstant();
  if (!divisor || *divisor <= 0 || *divisor > maxDenominator)
    return std::nullopt;
  return Fraction{a.numerator * b.denominator, a.denominator * *divisor};
}

Fraction sum(Fraction a, Fraction b, int64_t sign) {
  return {a.numerator * b.denominator + b.numerator * (a.denominator * sign),
          a.denominator * b.denominator};
}

std::optional<Fractions> rounded(Value operand, unsigned depth, bool up) {
  std::optional<Fractions> result = fractionsOf(operand, depth + 1);
  if (result)
    for (Fraction &element : *result) {
      DimExpr divisor = DimExpr::constant(operand.getContext(), element.denominator);
      element = {up ? element.numerator.ceilDiv(divisor) : element.numerator.floorDiv(divisor), 1};
    }
  return result;
}

std::optional<Fractions> fractionsOf(Value value, unsigned depth) {
  constexpr unsigned maxDepth = 16;
  Operation *op = value.getDefiningOp();
  if (!op || depth > maxDepth)
    return std::nullopt;
  if (auto integers = getShapeValue(value)) {
    Fractions result;
    for (DimExpr dim : *integers)
      result.push_back({dim, 1});
    return result;
  }
  if (auto constant = dyn_cast<ConstantOp>(op))
    return isa<FloatType>(getElementTypeOrSelf(value.getType())) ? fractionsOfConstant(constant)
                                                                 : std::nullopt;
  if (auto cast = dyn_cast<CastOp>(op))
    return isa<FloatType>(getElementTypeOrSelf(cast.getType()))
               ? fractionsOf(cast.getInput(), depth + 1)
               : std::nullopt;
  if (auto floor = dyn_cast<FloorOp>(op))
    return rounded(floor.getX(), depth, false);
  if (auto ceil = dyn_cast<CeilOp>(op))
    return rounded(ceil.getX(), depth, true);
  if (auto product = dyn_cast<MulOp>(op))
    return combine(product.getA(), product.getB(), depth,
                   [](Fraction a, Fraction b) -> std::optional<Fraction> {
                     return Fraction{a.numerator * b.numerator, a.denominator * b.denominator};
                   });
  if (auto division = dyn_cast<DivOp>(op);
      division && isa<FloatType>(getElementTypeOrSelf(division.getType())))
    return combine(division.getA(), division.getB(), depth, quotient);
  if (isa<AddOp, SubOp>(op)) {
    int64_t sign = isa<AddOp>(op) ? 1 : -1;
    return combine(
        op->getOperand(0), op->getOperand(1), depth,
        [&](Fraction a, Fraction b) -> std::optional<Fraction> { return sum(a, b, sign); });
  }
  return std::nullopt;
}

} // namespace

std::optional<ShapeValue> truncateToShapeValue(Value floats) {
  std::optional<Fractions> fractions = fractionsOf(floats, 0);
  if (!fractions)
    return std::nullopt;
  ShapeValue result;
  for (Fraction element : *fractions) {
    // Truncation is flooring where nothing is negative.
    if (element.denominator != 1 && element.numerator.lowerBound().value_or(-1) < 0)
      return std::nullopt;
    DimExpr divisor = DimExpr::constant(floats.getContext(), element.denominator);
    result.push_back(element.denominator == 1 ? element.numerator
                                              : element.numerator.floorDiv(divisor));
  }
  return result;
}

} // namespace onnxc::onnx
