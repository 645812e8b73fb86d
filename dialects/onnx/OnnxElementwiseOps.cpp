//===- OnnxElementwiseOps.cpp - Element-wise operators ---------------------===//
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxShapes.h"
#include "dialects/onnx/Scalar.h"
#include <cmath>

using namespace mlir;

//===----------------------------------------------------------------------===//
// Formulas that do not fit in a row of the table
//===----------------------------------------------------------------------===//

namespace onnxc::onnx {

static Scalar buildBitShift(Scalar x, Scalar count, bool left) {
  int64_t width = x.width();
  Scalar inRange = count < count.integer(width);
  if (!x.hasUnsignedType())
    inRange = inRange & (count >= count.integer(0));
  Scalar safe = select(inRange, count, count.integer(0));
  if (left)
    return select(inRange, x << safe, x.integer(0));
  // A shift beyond the width leaves copies of the sign bit.
  Scalar beyond = x.hasUnsignedType() ? x.integer(0) : x >> x.integer(width - 1);
  return select(inRange, x >> safe, beyond);
}

static Scalar buildIsInf(Scalar x, bool negative, bool positive) {
  if (negative && positive)
    return isInfinite(x);
  if (negative)
    return x == x.lowest();
  if (positive)
    return x == x.highest();
  return x < x;
}

static Scalar buildClip(Scalar x, std::optional<Scalar> low, std::optional<Scalar> high) {
  if (low)
    x = atLeast(x, *low);
  return high ? atMost(x, *high) : x;
}

static Scalar buildShrink(Scalar x, double bias, double lambd) {
  if (!x.isFloat()) {
    Type wide = Float64Type::get(x.type().getContext());
    Scalar result = buildShrink(convert(x, wide, false), bias, lambd);
    return convert(result, x.type(), x.hasUnsignedType());
  }
  return select(x < -lambd, x + bias, select(x > lambd, x - bias, 0.0));
}

static Scalar buildSelu(Scalar x, double alpha, double gamma) {
  return select(x > 0.0, x, (exp(x) - 1.0) * alpha) * gamma;
}

/// x * tanh(log(1 + e)) with e = exp(x): tanh(log(1 + e)) = n / (n + 2) where
/// n = e * (e + 2), which needs one exponential.
static Scalar buildBinarizer(Scalar x, double threshold) {
  // An integer is above a number when it is above the integer below that.
  return select(x > (x.isFloat() ? threshold : std::floor(threshold)), x.constant(1), 0.0);
}

static Scalar buildMish(Scalar x) {
  Scalar e = exp(atMost(x, 20.0));
  Scalar n = e * (e + 2.0);
  return x * (n / (n + 2.0));
}

static Scalar buildGelu(Scalar x, bool tanhForm) {
  if (!tanhForm)
    return x * 0.5 * (erf(x * 0.70710678118654752440) + 1.0);
  // 0.5 * (1 + tanh(u)) is sigmoid(2 * u).
  Scalar u = 0.79788456080286535588 * (x + 0.044715 * (x * x * x));
  return x / (1.0 + exp(u * -2.0));
}

/// Rounds to a power of two, as float8e8m0 holds it, in f32.
static Scalar roundToPowerOfTwo(Scalar x, bool saturate, StringRef mode) {
  Scalar bits = bitcast(x, x.getBuilder().getI32Type());
  Scalar mantissa = bits & bits.integer(0x7fffff), exponent = bits & bits.integer(0x7f800000);
  Scalar next = exponent + bits.integer(0x800000);
  Scalar rounded = exponent;
  if (mode == "up")
    rounded = select(mantissa != 0.0, next, exponent);
  else if (mode == "nearest")
    rounded = select(mantissa >= bits.integer(0x400000), next, exponent);
  // 2^-127, the smallest power, is a denormal of f32; 2^127 the largest one.
  Scalar smallest = bits.integer(0x400000), largest = bits.integer(0x7f000000);
  Scalar nan = bits.integer(0x7fc00000);
  Scalar tooLarge = rounded > largest, tooSmall = (exponent == 0.0) & (mantissa < smallest);
  Scalar isSubnormal = exponent == 0.0;
  Scalar inSubnormals = select(mantissa > smallest, mode == "down" ? smallest : next, smallest);
  Scalar result = select(isSubnormal, inSubnormals, rounded);
  result = select(tooLarge, saturate ? largest : nan, result);
  result = select(tooSmall, saturate ? smallest : nan, result);
  result = select(isNaN(x), nan, result);
  return bitcast(result, x.type());
}

/// f64 to f32 for a second rounding to a smaller type: what is inexact becomes
/// the neighbour with an odd mantissa, so that it stays off the smaller type's
/// halfway points and keeps its side of them.
static Scalar narrowToOdd(Scalar x) {
  Type f32 = Float32Type::get(x.type().getContext());
  Scalar nearest = convert(x, f32, false);
  Scalar back = convert(nearest, x.type(), false);
  Scalar bits = bitcast(nearest, x.getBuilder().getI32Type());
  // The magnitude is an integer's: one less is the next float towards zero.
  bits = select(abs(back) > abs(x), bits - bits.integer(1), bits);
  Scalar isInexact = (back < x) | (back > x);
  return bitcast(select(isInexact, bits | bits.integer(1), bits), f32);
}

static Scalar buildCast(Scalar x, Type to, bool saturate, StringRef roundMode) {
  auto floatType = dyn_cast<FloatType>(to);
  if (!floatType)
    return convert(x, IntegerType::get(to.getContext(), to.getIntOrFloatBitWidth()),
                   to.isUnsignedInteger());
  unsigned width = floatType.getWidth();
  Type f32 = Float32Type::get(to.getContext());
  Scalar result = width < 32 && x.isFloat() && x.width() > 32
                      ? narrowToOdd(x)
                      : convert(x, width < 32 ? f32 : to, false);
  if (isa<Float8E8M0FNUType>(to))
    return roundToPowerOfTwo(result, saturate, roundMode);
  // Types below 8 bits have no infinity and always saturate.
  if (width > 8 || (width == 8 && !saturate))
    return result;
  double largest = APFloat::getLargest(floatType.getFloatSemantics()).convertToDouble();
  return atMost(atLeast(result, -largest), largest);
}

//===----------------------------------------------------------------------===//
// Shape values
//===----------------------------------------------------------------------===//

static bool isNonNegative(DimExpr dim) { return dim.lowerBound().value_or(-1) >= 0; }

static std::optional<ShapeValue>
mapShapeValues(ArrayRef<std::optional<ShapeValue>> operands,
               function_ref<std::optional<DimExpr>(ArrayRef<DimExpr>)> formula) {
  size_t size = 1;
  for (const std::optional<ShapeValue> &operand : operands) {
    if (!operand)
      return std::nullopt;
    if (operand->size() != 1)
      size = operand->size();
  }
  ShapeValue result;
  for (size_t i = 0; i < size; ++i) {
    SmallVector<DimExpr> args;
    for (const std::optional<ShapeValue> &operand : operands) {
      if (operand->size() != 1 && operand->size() != size)
        return std::nullopt;
      args.push_back((*operand)[operand->size() == 1 ? 0 : i]);
    }
    std::optional<DimExpr> element = formula(args);
    if (!element)
      return std::nullopt;
    result.push_back(*element);
  }
  return result;
}

static DimExpr reduceDims(ArrayRef<DimExpr> dims, function_ref<DimExpr(DimExpr, DimExpr)> combine) {
  DimExpr result = dims.front();
  for (DimExpr dim : dims.drop_front())
    result = combine(result, dim);
  return result;
}

/// Division truncates, which is flooring where nothing is negative.
static std::optional<DimExpr> divideDims(DimExpr a, DimExpr b) {
  std::optional<int64_t> x = a.getConstant(), y = b.getConstant();
  if (x && y)
    return *y == 0 || *y == -1 ? std::nullopt
                               : std::optional(DimExpr::constant(a.getContext(), *x / *y));
  if (!isNonNegative(a) || b.lowerBound().value_or(0) <= 0)
    return std::nullopt;
  return a.floorDiv(b);
}

static std::optional<DimExpr> moduloDims(DimExpr a, DimExpr b) {
  if (!isNonNegative(a) || b.lowerBound().value_or(0) <= 0)
    return std::nullopt;
  return a.mod(b);
}

static std::optional<DimExpr> absoluteDim(DimExpr dim) {
  if (isNonNegative(dim))
    return dim;
  return isNonNegative(dim * -1) ? std::optional(dim * -1) : std::nullopt;
}

static std::optional<DimExpr> equalDims(DimExpr a, DimExpr b) {
  if (a == b)
    return DimExpr::constant(a.getContext(), 1);
  if ((a - b).lowerBound().value_or(0) > 0 || (b - a).lowerBound().value_or(0) > 0)
    return DimExpr::constant(a.getContext(), 0);
  return std::nullopt;
}

static std::optional<DimExpr> selectDim(ArrayRef<DimExpr> args) {
  if (args[1] == args[2])
    return args[1];
  std::optional<int64_t> condition = args[0].getConstant();
  return condition ? std::optional(args[*condition ? 1 : 2]) : std::nullopt;
}

static DimExpr clipDim(ArrayRef<DimExpr> args, bool hasMin, bool hasMax) {
  DimExpr result = hasMin ? args[0].max(args[1]) : args[0];
  return hasMax ? result.min(args.back()) : result;
}

/// Sizes are taken to fit in 32 bits or more; narrower types must prove it.
static std::optional<DimExpr> castDim(DimExpr dim, Type to) {
  std::optional<int64_t> constant = dim.getConstant();
  auto type = dyn_cast<IntegerType>(to);
  if (!type)
    return std::nullopt;
  if (type.getWidth() == 1) {
    if (constant || dim.lowerBound().value_or(0) > 0)
      return DimExpr::constant(dim.getContext(), constant != 0);
    return std::nullopt;
  }
  if (type.getWidth() >= 32 && (type.isSignless() || isNonNegative(dim)) && !constant)
    return dim;
  if (!constant)
    return std::nullopt;
  bool fits = type.isUnsigned() ? type.getWidth() == 64 ? *constant >= 0
                                                        : llvm::isUIntN(type.getWidth(), *constant)
                                : llvm::isIntN(type.getWidth(), *constant);
  return fits ? std::optional(dim) : std::nullopt;
}

} // namespace onnxc::onnx

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxElementwiseOps.cpp.inc"

using namespace onnxc::onnx;

//===----------------------------------------------------------------------===//
// Result types, verifiers, folds
//===----------------------------------------------------------------------===//

/// One result with the shape of a value and this element type.
static LogicalResult inferLike(Value value, Type elementType, SmallVectorImpl<Type> &results) {
  results.push_back(makeTensorType(getDims(value.getType()), elementType));
  return success();
}

#define ONNXC_INFER(OP)                                                                      \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, std::optional<Location> location, \
                                     ValueRange operands, DictionaryAttr attributes,         \
                                     OpaqueProperties properties, RegionRange regions,       \
                                     SmallVectorImpl<Type> &results)

ONNXC_INFER(CastLikeOp) {
  return inferLike(operands[0], getElementTypeOrSelf(operands[1].getType()), results);
}

ONNXC_INFER(BitCastOp) {
  Adaptor adaptor(operands, attributes, properties, regions);
  Type to = elementTypeOf(context, adaptor.getTo());
  Type from = getElementTypeOrSelf(operands[0].getType());
  // A bool takes a byte.
  auto widthOf = [](Type type) -> unsigned {
    if (type && type.isInteger(1))
      return 8;
    if (auto complex = dyn_cast_or_null<ComplexType>(type))
      return 2 * complex.getElementType().getIntOrFloatBitWidth();
    return type && type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  };
  if (!to)
    return emitOptionalError(location, "unknown element type number ", adaptor.getTo());
  if (widthOf(to) == 0 || widthOf(to) != widthOf(from))
    return emitOptionalError(location, "expected a type as wide as ", from, ", found ", to);
  return inferLike(operands[0], to, results);
}

/// The scale and the zero point have one element, one for each index of an axis,
/// or one for each block along it.
template <typename Adaptor>
static LogicalResult checkGranularity(std::optional<Location> location, Adaptor adaptor,
                                      Value scale, Value zeroPoint) {
  auto rankOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getRank(); };
  int64_t rank = rankOf(adaptor.getX()), block = adaptor.getBlockSize(), axis = adaptor.getAxis();
  if (block < 0)
    return emitOptionalError(location, "expected a block_size of 0 or more, found ", block);
  int64_t allowed = block > 0 && rankOf(scale) > 0 ? rank : std::min<int64_t>(rankOf(scale), 1);
  if (rankOf(scale) != allowed)
    return emitOptionalError(location, "expected a scale of rank ", allowed, ", found rank ",
                             rankOf(scale));
  auto isSingle = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.hasStaticShape() && type.getNumElements() == 1;
  };
  if (zeroPoint && rankOf(zeroPoint) != rankOf(scale) && !isSingle(zeroPoint))
    return emitOptionalError(location, "expected a zero point of the scale's rank ", rankOf(scale),
                             ", found rank ", rankOf(zeroPoint));
  if (rank > 1 && rankOf(scale) > 0 && (axis < -rank || axis >= rank))
    return emitOptionalError(location, "axis ", axis, " is out of range for rank ", rank);
  return success();
}

ONNXC_INFER(QuantizeLinearOp) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (failed(checkGranularity(location, adaptor, adaptor.getYScale(), adaptor.getYZeroPoint())))
    return failure();
  Type element = IntegerType::get(context, 8, IntegerType::Unsigned);
  if (Value zeroPoint = adaptor.getYZeroPoint())
    element = getElementTypeOrSelf(zeroPoint.getType());
  else if (adaptor.getOutputDtype() != 0)
    element = elementTypeOf(context, adaptor.getOutputDtype());
  if (!element)
    return emitOptionalError(location, "unknown element type number ", adaptor.getOutputDtype());
  return inferLike(operands[0], element, results);
}

ONNXC_INFER(DequantizeLinearOp) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (failed(checkGranularity(location, adaptor, adaptor.getXScale(), adaptor.getXZeroPoint())))
    return failure();
  Type element = adaptor.getOutputDtype() != 0 ? elementTypeOf(context, adaptor.getOutputDtype())
                                               : getElementTypeOrSelf(operands[1].getType());
  if (!element)
    return emitOptionalError(location, "unknown element type number ", adaptor.getOutputDtype());
  return inferLike(operands[0], element, results);
}

ONNXC_INFER(DynamicQuantizeLinearOp) {
  Type byte = IntegerType::get(context, 8, IntegerType::Unsigned);
  results.push_back(makeTensorType(getDims(operands[0].getType()), byte));
  results.push_back(RankedTensorType::get({}, getElementTypeOrSelf(operands[0].getType())));
  results.push_back(RankedTensorType::get({}, byte));
  return success();
}

ONNXC_INFER(IdentityOp) {
  results.push_back(operands[0].getType());
  return success();
}

ONNXC_INFER(DropoutOp) {
  results.push_back(operands[0].getType());
  return inferLike(operands[0], IntegerType::get(context, 1), results);
}

std::optional<ShapeValue> CastOp::inferShapeValue(ArrayRef<std::optional<ShapeValue>> operands) {
  std::optional<ShapeValue> value = operands[0];
  if (!value && isa<FloatType>(getElementTypeOrSelf(getInput().getType())))
    value = truncateToShapeValue(getInput());
  return mapShapeValues(value, [&](ArrayRef<DimExpr> args) {
    return castDim(args[0], getElementTypeOrSelf(getType()));
  });
}

OpFoldResult IdentityOp::fold(FoldAdaptor) { return getInput(); }

/// The one element of a small constant; nothing for other values.
template <typename T> static std::optional<T> scalarConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || elements.getNumElements() != 1)
    return std::nullopt;
  return *elements.getValues<T>().begin();
}

bool DropoutOp::drops() {
  if (!getTrainingMode() || scalarConstant<bool>(getTrainingMode()) == false)
    return false;
  std::optional<APFloat> ratio;
  if (getRatio())
    ratio = scalarConstant<APFloat>(getRatio());
  return !ratio || !ratio->isZero();
}

LogicalResult BitShiftOp::verify() {
  return checkChoice(getLoc(), "direction", getDirection(), {"LEFT", "RIGHT"});
}

LogicalResult GeluOp::verify() {
  return checkChoice(getLoc(), "approximate", getApproximate(), {"none", "tanh"});
}

LogicalResult CastOp::verify() {
  return checkChoice(getLoc(), "round_mode", getRoundMode(), {"up", "down", "nearest"});
}

//===----------------------------------------------------------------------===//
// Axes, scales and offsets
//===----------------------------------------------------------------------===//

SmallVector<unsigned> AddOp::getAffineOperands() { return {0, 1}; }
ScaleAndOffset AddOp::buildScaleAndOffset(OpBuilder &, Location, ValueRange parameters) {
  return {Value(), parameters[0]};
}

SmallVector<unsigned> SubOp::getAffineOperands() { return {0}; }
ScaleAndOffset SubOp::buildScaleAndOffset(OpBuilder &builder, Location loc, ValueRange parameters) {
  return {Value(), NegOp::create(builder, loc, parameters)->getResult(0)};
}

SmallVector<unsigned> MulOp::getAffineOperands() { return {0, 1}; }
ScaleAndOffset MulOp::buildScaleAndOffset(OpBuilder &, Location, ValueRange parameters) {
  return {parameters[0], Value()};
}

/// Quantisation by tensor ignores its axis, which may then be any number. By blocks,
/// scales have the rank of the data.
static std::optional<int64_t> findQuantizedAxis(Operation *op, int64_t axis) {
  for (Value operand : op->getOperands().drop_front())
    if (cast<RankedTensorType>(operand.getType()).getRank() > 1)
      return std::nullopt;
  int64_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  axis = axis < 0 ? axis + rank : axis;
  return axis < 0 || axis >= rank ? 0 : axis;
}

std::optional<int64_t> QuantizeLinearOp::getAxisDim() {
  return findQuantizedAxis(*this, getAxis());
}
std::optional<int64_t> DequantizeLinearOp::getAxisDim() {
  return findQuantizedAxis(*this, getAxis());
}
