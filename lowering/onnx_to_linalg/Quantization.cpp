//===- Quantization.cpp - QuantizeLinear and DequantizeLinear --------------===//
#include "dialects/onnx/ElementTypes.h"
#include "dialects/onnx/OnnxOps.h"
#include "dialects/onnx/Scalar.h"
#include "lowering/onnx_to_linalg/Generics.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/support/FloatCasts.h"
#include "mlir/IR/TypeUtilities.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::Scalar;

namespace {

/// Reads the scale or the zero point of a point: one for the tensor, one per
/// index of an axis, or one per block of an axis.
class ParameterAccess {
public:
  ParameterAccess(OpBuilder &builder, Location loc, Value onnxParameter, Value lowered,
                  ArrayRef<DimExpr> dims, int64_t axis, int64_t blockSize)
      : tensor(lowered), axis(axis < 0 ? axis + dims.size() : axis), blockSize(blockSize) {
    SmallVector<DimExpr> own = onnx::getDims(onnxParameter.getType());
    // The axis of a vector is its only one, whatever the attribute says.
    if (dims.size() == 1)
      this->axis = 0;
    bool isSingle = llvm::all_of(own, [](DimExpr dim) { return dim.getConstant() == 1; });
    byBlock = blockSize > 0 && !isSingle;
    if (byBlock)
      checkBlocks(builder, loc, own, dims);
    else if (own.size() == 1 && own[0].getConstant() != 1)
      access = perIndexInput(builder, loc, lowered, own[0], dims, this->axis);
    else
      access = broadcastInput(builder, loc, lowered, own, dims);
  }

  void addInput(SmallVectorImpl<GenericInput> &inputs) {
    if (byBlock)
      return;
    position = inputs.size();
    inputs.push_back(access);
  }

  /// The parameter's scalar in its computation type.
  Value read(OpBuilder &builder, Location loc, ValueRange args) const {
    if (!byBlock)
      return args[position];
    SmallVector<Value> indices;
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    for (int64_t i = 0; i < rank; ++i) {
      Value index = linalg::IndexOp::create(builder, loc, i);
      if (i == axis) {
        Value size = arith::ConstantIndexOp::create(builder, loc, blockSize);
        index = arith::DivUIOp::create(builder, loc, index, size);
      }
      indices.push_back(index);
    }
    Value element = tensor::ExtractOp::create(builder, loc, tensor, indices);
    return convertFloat(builder, loc, element, computeType(element.getType()));
  }

private:
  void checkBlocks(OpBuilder &builder, Location loc, ArrayRef<DimExpr> own,
                   ArrayRef<DimExpr> dims) const {
    DimExpr block = DimExpr::constant(builder.getContext(), blockSize);
    for (auto [i, size, dim] : llvm::enumerate(own, dims))
      checkSameSize(builder, loc, size, static_cast<int64_t>(i) == axis ? dim.ceilDiv(block) : dim,
                    "a parameter has the wrong size");
  }

  Value tensor;
  GenericInput access;
  int64_t axis, blockSize;
  bool byBlock = false;
  unsigned position = 0;
};

/// The float type in which a scale's type has its operations computed: itself,
/// emulated in f32 where it is small; f32 for scales that are no usual float.
Type precisionType(Type scaleType) {
  auto type = dyn_cast<FloatType>(scaleType);
  return type && type.getWidth() >= 16 ? Type(type) : Float32Type::get(scaleType.getContext());
}

/// Rounds a value that is computed in f32 to what a small float type holds.
Scalar roundTo(Scalar value, Type precision) {
  OpBuilder &builder = value.getBuilder();
  Value stored = convertFloat(builder, value.getLoc(), value, precision);
  return value.with(convertFloat(builder, value.getLoc(), stored, value.type()));
}

/// saturate(roundEven(scaled) + zero) as an integer type.
Value quantizeToInteger(Scalar scaled, std::optional<Scalar> zero, IntegerType type) {
  unsigned width = type.getWidth();
  bool isUnsigned = type.isUnsigned();
  double lowest = isUnsigned ? 0 : -std::ldexp(1.0, width - 1);
  double highest = std::ldexp(1.0, isUnsigned ? width : width - 1) - 1;
  Scalar result = onnx::roundEven(scaled);
  if (zero)
    result = result + onnx::convert(*zero, result.type(), false);
  result = onnx::atMost(onnx::atLeast(result, lowest), highest);
  return onnx::convert(result, IntegerType::get(type.getContext(), width), isUnsigned);
}

/// saturate(scaled + zero) as a float type of 8 bits or fewer, in f32.
Value quantizeToFloat(Scalar scaled, std::optional<Scalar> zero, FloatType type, bool saturate) {
  Scalar result = zero ? scaled + *zero : scaled;
  if (type.getWidth() == 8 && !saturate)
    return result;
  double largest = APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  return onnx::atMost(onnx::atLeast(result, -largest), largest);
}

/// y = saturate(round(x / y_scale) + y_zero_point)
struct QuantizeLowering : OpConversionPattern<onnx::QuantizeLinearOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::QuantizeLinearOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getX().getType());
    Type element = getElementTypeOrSelf(op.getType());
    Type precision = precisionType(getElementTypeOrSelf(op.getYScale().getType()));
    if (op.getPrecision() != 0)
      precision = onnx::elementTypeOf(getContext(), op.getPrecision());
    if (!isa_and_nonnull<FloatType>(precision))
      return rewriter.notifyMatchFailure(op, "precision is no float type");

    SmallVector<GenericInput> inputs = {{adaptor.getX(), identityMap(getContext(), dims.size())}};
    ParameterAccess scale(rewriter, loc, op.getYScale(), adaptor.getYScale(), dims, op.getAxis(),
                          op.getBlockSize());
    scale.addInput(inputs);
    std::optional<ParameterAccess> zero;
    if (op.getYZeroPoint()) {
      zero.emplace(rewriter, loc, op.getYZeroPoint(), adaptor.getYZeroPoint(), dims, op.getAxis(),
                   op.getBlockSize());
      zero->addInput(inputs);
    }
    Type compute = computeType(precision);
    auto body = [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
      auto scalar = [&](Value value, bool isUnsigned = false) {
        return Scalar(builder, loc, value, isUnsigned);
      };
      Scalar x = roundTo(onnx::convert(scalar(args[0]), compute, false), precision);
      Scalar s = onnx::convert(scalar(scale.read(builder, loc, args)), compute, false);
      Scalar scaled = roundTo(x / s, precision);
      std::optional<Scalar> z;
      if (zero)
        z = scalar(zero->read(builder, loc, args), element.isUnsignedInteger());
      if (auto integer = dyn_cast<IntegerType>(element))
        return quantizeToInteger(scaled, z, integer);
      return quantizeToFloat(scaled, z, cast<FloatType>(element), op.getSaturate() != 0);
    };
    rewriter.replaceOp(op, buildMap(rewriter, loc, dims, element, inputs, body));
    return success();
  }
};

/// Whether all elements of an integer constant are 0, as in symmetric quantisation.
bool isZero(Value value) {
  DenseIntElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) &&
         llvm::all_of(elements.getValues<APInt>(), [](const APInt &e) { return e.isZero(); });
}

/// y = (x - x_zero_point) * x_scale
struct DequantizeLowering : OpConversionPattern<onnx::DequantizeLinearOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::DequantizeLinearOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getX().getType());
    Type from = getElementTypeOrSelf(op.getX().getType());
    Type element = getElementTypeOrSelf(op.getType());
    SmallVector<GenericInput> inputs = {{adaptor.getX(), identityMap(getContext(), dims.size())}};
    ParameterAccess scale(rewriter, loc, op.getXScale(), adaptor.getXScale(), dims, op.getAxis(),
                          op.getBlockSize());
    scale.addInput(inputs);
    std::optional<ParameterAccess> zero;
    if (op.getXZeroPoint() && !isZero(op.getXZeroPoint())) {
      zero.emplace(rewriter, loc, op.getXZeroPoint(), adaptor.getXZeroPoint(), dims, op.getAxis(),
                   op.getBlockSize());
      zero->addInput(inputs);
    }
    Type compute = computeType(element);
    auto body = [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
      // Integers are subtracted as integers: exact, and no float holds less.
      Type difference = isa<FloatType>(from) ? compute : Type(builder.getI32Type());
      auto widened = [&](Value value) {
        return onnx::convert(Scalar(builder, loc, value, from.isUnsignedInteger()), difference,
                             false);
      };
      Scalar x = widened(args[0]);
      if (zero)
        x = x - widened(zero->read(builder, loc, args));
      Scalar s(builder, loc, scale.read(builder, loc, args));
      return onnx::convert(x, compute, false) * onnx::convert(s, compute, false);
    };
    rewriter.replaceOp(op, buildMap(rewriter, loc, dims, element, inputs, body));
    return success();
  }
};

} // namespace

void onnxc::populateQuantizationPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<QuantizeLowering, DequantizeLowering>(converter, patterns.getContext());
}
