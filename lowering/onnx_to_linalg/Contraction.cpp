//===- Contraction.cpp - Matrix products to linalg -------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/ContractionBuilder.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/Requantize.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

/// The labels of a matrix product; batch dims count from `batchLabel`, aligned
/// at the result's.
enum : int { rowLabel = 0, columnLabel = 1, depthLabel = 2, batchLabel = 3 };

/// An operand of a matrix product as ONNX gives it.
struct MatrixOperand {
  Value tensor;
  SmallVector<DimExpr> dims;
  std::optional<ArrayRef<int64_t>> perm;
  FactorType type;
};

/// The dims after the transpose that is folded into the operand.
SmallVector<DimExpr> logicalDims(const MatrixOperand &operand) {
  return operand.perm ? applyPermutation(ArrayRef(operand.dims), *operand.perm) : operand.dims;
}

/// The labels of the operand's logical dims: batch dims, then `tail`.
SmallVector<int> labelsOf(size_t rank, size_t resultBatch, ArrayRef<int> tail) {
  SmallVector<int> labels;
  size_t batch = rank - tail.size();
  for (size_t i = 0; i < batch; ++i)
    labels.push_back(batchLabel + static_cast<int>(resultBatch - batch + i));
  llvm::append_range(labels, tail);
  return labels;
}

/// Fits the operand's batch dims to the labels' sizes: a dim of size 1 that is
/// stretched loses its label, one that may be 1 or not is broadcast by a copy.
LabelledTensor fitBatch(OpBuilder &builder, Location loc, const MatrixOperand &operand,
                        ArrayRef<int> logicalLabels, const LabelSizes &sizes) {
  SmallVector<int> labels(logicalLabels);
  if (operand.perm)
    for (auto [i, position] : llvm::enumerate(*operand.perm))
      labels[position] = logicalLabels[i];
  SmallVector<DimExpr> known = operand.dims, kept;
  for (auto [dim, label] : llvm::zip_equal(known, labels))
    if (label < batchLabel)
      dim = sizes.lookup(label);
  SmallVector<DimExpr> fitted = known;
  SmallVector<int> keptLabels;
  bool uncertain = false;
  for (auto [dim, label] : llvm::zip_equal(fitted, labels)) {
    DimExpr size = sizes.lookup(label);
    if (dim != size) {
      if (dim.getConstant() == 1)
        continue;
      dim = size;
      uncertain = true;
    }
    kept.push_back(dim);
    keptLabels.push_back(label);
  }
  Value tensor = reshapeTo(builder, loc, SizedTensor{operand.tensor, operand.dims}, known);
  if (uncertain)
    tensor = broadcastTo(builder, loc, {tensor, known}, fitted);
  return {reshapeTo(builder, loc, SizedTensor{tensor, fitted}, kept), keptLabels};
}

/// A zero point aligned at its matrix: a scalar, one per row (of A) or column
/// (of B) in rank 1, or in the matrix's rank with size 1 along K. A dim that may be 1
/// or not is broadcast by a copy.
std::optional<LabelledTensor> labelZeroPoint(OpBuilder &builder, Location loc, Value zeroPoint,
                                             ArrayRef<DimExpr> dims, int label,
                                             ArrayRef<int> matrixLabels, const LabelSizes &sizes) {
  if (!zeroPoint)
    return std::nullopt;
  SmallVector<int> all = dims.size() == 1 ? SmallVector<int>{label}
                                          : llvm::to_vector(matrixLabels.take_back(dims.size()));
  LabelledTensor result;
  SmallVector<DimExpr> fitted(dims), kept;
  for (auto [dim, dimLabel] : llvm::zip(fitted, all)) {
    if (dim.getConstant() == 1)
      continue;
    dim = sizes.lookup(dimLabel);
    kept.push_back(dim);
    result.labels.push_back(dimLabel);
  }
  Value tensor = broadcastTo(builder, loc, {zeroPoint, llvm::to_vector(dims)}, fitted);
  result.tensor = reshapeTo(builder, loc, SizedTensor{tensor, fitted}, kept);
  return result;
}

struct ProductOptions {
  std::optional<ArrayRef<int64_t>> resultPerm;
  bool widenIntegers = false;
  /// Zero points as given, with their dims; null where there is none.
  SizedTensor zeroPointA, zeroPointB;
};

/// A x B as a tensor of the accumulator's type, with the dims of the ONNX
/// result (`resultDims`, transposed already when a transpose was folded in).
Value buildProduct(OpBuilder &builder, Location loc, const MatrixOperand &a, const MatrixOperand &b,
                   ArrayRef<DimExpr> resultDims, const ProductOptions &options) {
  SmallVector<DimExpr> dimsA = logicalDims(a), dimsB = logicalDims(b);
  SmallVector<int> tailA = {rowLabel, depthLabel}, tailB = {depthLabel, columnLabel};
  if (dimsA.size() == 1)
    tailA = {depthLabel};
  if (dimsB.size() == 1)
    tailB = {depthLabel};
  DimExpr depth = dimsA.back();
  DimExpr depthB = dimsB.size() == 1 ? dimsB[0] : dimsB[dimsB.size() - 2];
  checkSameSize(builder, loc, depthB, depth, "B has not as many rows as A has columns");
  // The weights know it where the activations do not.
  if (!depth.isConstant())
    depth = depthB;

  SmallVector<DimExpr> logicalResult(resultDims);
  if (options.resultPerm)
    logicalResult = applyPermutation(resultDims, invertPermutationVector(*options.resultPerm));
  size_t matrixDims = (dimsA.size() > 1) + (dimsB.size() > 1);
  size_t batch = logicalResult.size() - matrixDims;
  LabelSizes sizes;
  SmallVector<int> resultLabels;
  for (size_t i = 0; i < batch; ++i) {
    resultLabels.push_back(batchLabel + static_cast<int>(i));
    sizes[resultLabels.back()] = logicalResult[i];
  }
  if (dimsA.size() > 1)
    resultLabels.push_back(rowLabel);
  if (dimsB.size() > 1)
    resultLabels.push_back(columnLabel);
  DimExpr one = DimExpr::constant(builder.getContext(), 1);
  sizes[rowLabel] = dimsA.size() > 1 ? dimsA[dimsA.size() - 2] : one;
  sizes[columnLabel] = dimsB.size() > 1 ? dimsB.back() : one;
  sizes[depthLabel] = depth;

  SmallVector<int> labelsA = labelsOf(dimsA.size(), batch, tailA);
  SmallVector<int> labelsB = labelsOf(dimsB.size(), batch, tailB);
  ContractionOperand left{fitBatch(builder, loc, a, labelsA, sizes), a.type};
  ContractionOperand right{fitBatch(builder, loc, b, labelsB, sizes), b.type};
  left.type.zeroPoint = labelZeroPoint(builder, loc, options.zeroPointA.tensor,
                                       options.zeroPointA.dims, rowLabel, labelsA, sizes);
  right.type.zeroPoint = labelZeroPoint(builder, loc, options.zeroPointB.tensor,
                                        options.zeroPointB.dims, columnLabel, labelsB, sizes);
  if (options.resultPerm)
    resultLabels = applyPermutation(ArrayRef(resultLabels), *options.resultPerm);
  Type accumulator =
      accumulatorType(getElementTypeOrSelf(a.tensor.getType()), options.widenIntegers);
  return buildContraction(builder, loc, {left, right}, resultLabels, sizes, accumulator);
}

MatrixOperand matrixOperand(Value lowered, Value original,
                            std::optional<ArrayRef<int64_t>> perm = std::nullopt) {
  MatrixOperand operand{lowered, onnx::getDims(original.getType()), perm, {}};
  operand.type.isUnsigned = getElementTypeOrSelf(original.getType()).isUnsignedInteger();
  return operand;
}

/// onnx.MatMul  ->  a contraction, rounded to the result's type
struct MatMulLowering : OpConversionPattern<onnx::MatMulOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::MatMulOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ProductOptions options;
    options.resultPerm = op.getPermY();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    Value product =
        buildProduct(rewriter, op.getLoc(), matrixOperand(adaptor.getA(), op.getA(), op.getPermA()),
                     matrixOperand(adaptor.getB(), op.getB(), op.getPermB()), dims, options);
    rewriter.replaceOp(op, castElements(rewriter, op.getLoc(), {product, dims},
                                        lowerType(getElementTypeOrSelf(op.getType()))));
    return success();
  }
};

/// `value * factor` for the float factors alpha and beta; integers are scaled
/// in f64 and truncated.
Value scale(OpBuilder &builder, Location loc, Value value, const APFloat &factor) {
  if (factor.isExactlyValue(1.0))
    return value;
  Type type = value.getType();
  Type floatType = isa<FloatType>(type) ? type : Type(builder.getF64Type());
  Value factorValue = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(floatType, factor.convertToDouble()));
  if (isa<FloatType>(type))
    return arith::MulFOp::create(builder, loc, value, factorValue);
  Value asFloat = arith::SIToFPOp::create(builder, loc, floatType, value);
  Value product = arith::MulFOp::create(builder, loc, asFloat, factorValue);
  return arith::FPToSIOp::create(builder, loc, type, product);
}

/// onnx.Gemm  ->  a contraction, then alpha, beta and C in one element-wise op
struct GemmLowering : OpConversionPattern<onnx::GemmOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::GemmOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    static constexpr int64_t swap[] = {1, 0};
    std::optional<ArrayRef<int64_t>> permA, permB;
    if (op.getTransA())
      permA = swap;
    if (op.getTransB())
      permB = swap;
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    Value product = buildProduct(rewriter, loc, matrixOperand(adaptor.getA(), op.getA(), permA),
                                 matrixOperand(adaptor.getB(), op.getB(), permB), dims, {});
    Type resultElement = lowerType(getElementTypeOrSelf(op.getType()));
    bool hasBias = op.getC() && !op.getBeta().isZero();
    if (!hasBias && op.getAlpha().isExactlyValue(1.0)) {
      rewriter.replaceOp(op, castElements(rewriter, loc, {product, dims}, resultElement));
      return success();
    }
    SmallVector<SizedTensor> inputs = {{product, dims}};
    if (hasBias)
      inputs.push_back(sized(adaptor.getC(), op.getC()));
    auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
      Value result = scale(builder, loc, args[0], op.getAlpha());
      if (!hasBias)
        return result;
      Value bias = scale(builder, loc, args[1], op.getBeta());
      return isa<FloatType>(result.getType())
                 ? Value(arith::AddFOp::create(builder, loc, result, bias))
                 : Value(arith::AddIOp::create(builder, loc, result, bias));
    };
    rewriter.replaceOp(op, buildElementwise(rewriter, loc, inputs, dims, resultElement, body));
    return success();
  }
};

/// The product of two quantised matrices less their zero points, on i32.
template <typename Op>
Value buildQuantizedProduct(ConversionPatternRewriter &rewriter, Op op,
                            typename Op::Adaptor adaptor) {
  ProductOptions options;
  options.widenIntegers = true;
  options.zeroPointA = sized(adaptor.getAZeroPoint(), op.getAZeroPoint());
  options.zeroPointB = sized(adaptor.getBZeroPoint(), op.getBZeroPoint());
  MatrixOperand a = matrixOperand(adaptor.getA(), op.getA());
  MatrixOperand b = matrixOperand(adaptor.getB(), op.getB());
  a.type.zeroPointUnsigned = isUnsigned(op.getAZeroPoint());
  b.type.zeroPointUnsigned = isUnsigned(op.getBZeroPoint());
  return buildProduct(rewriter, op.getLoc(), a, b, onnx::getDims(op.getType()), options);
}

/// onnx.MatMulInteger  ->  a contraction on i32
struct MatMulIntegerLowering : OpConversionPattern<onnx::MatMulIntegerOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::MatMulIntegerOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, buildQuantizedProduct(rewriter, op, adaptor));
    return success();
  }
};

/// Dims of a per-row (A) or per-column (B) parameter beside the result.
SizedTensor alignParameter(OpBuilder &builder, Location loc, SizedTensor parameter, bool perRow) {
  if (!perRow || parameter.dims.size() != 1)
    return parameter;
  SmallVector<DimExpr> dims = {parameter.dims[0], DimExpr::constant(builder.getContext(), 1)};
  return {reshapeTo(builder, loc, parameter.tensor, dims), dims};
}

/// onnx.QLinearMatMul  ->  a contraction on i32 (f32 for f8), then requantised
struct QLinearMatMulLowering : OpConversionPattern<onnx::QLinearMatMulOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::QLinearMatMulOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    Value product = buildQuantizedProduct(rewriter, op, adaptor);
    SizedTensor scaleA =
        alignParameter(rewriter, loc, sized(adaptor.getAScale(), op.getAScale()), true);
    SizedTensor scaleB = sized(adaptor.getBScale(), op.getBScale());
    FailureOr<SizedTensor> multiplier = requantizeMultiplier(
        rewriter, loc, scaleA, scaleB, sized(adaptor.getYScale(), op.getYScale()));
    if (failed(multiplier))
      return rewriter.notifyMatchFailure(op, "scales do not broadcast");
    Type resultElement = getElementTypeOrSelf(op.getType());
    rewriter.replaceOp(op, requantize(rewriter, loc, {product, dims}, *multiplier,
                                      sized(adaptor.getYZeroPoint(), op.getYZeroPoint()), dims,
                                      resultElement));
    return success();
  }
};

} // namespace

void onnxc::populateContractionPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<GemmLowering, MatMulLowering, MatMulIntegerLowering, QLinearMatMulLowering>(
      converter, patterns.getContext());
}
