//===- OnnxContractionOps.cpp - Matrix products and convolutions -----------===//
#include "dialects/onnx/EinsumEquation.h"
#include "dialects/onnx/OnnxShapes.h"
#include "dialects/onnx/WindowShape.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace onnxc::onnx;

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxContractionOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// The dims after an optional transpose; an error when `perm` is none.
static FailureOr<SmallVector<DimExpr>> permutedDims(std::optional<Location> location, Type type,
                                                    OptionalInts perm) {
  SmallVector<DimExpr> dims = getDims(type);
  if (!perm)
    return dims;
  if (perm->size() != dims.size() || !isPermutationVector(*perm))
    return emitOptionalError(location, "expected a permutation of ", dims.size(), " dims, found ",
                             llvm::interleaved_array(*perm));
  return applyPermutation(ArrayRef(dims), *perm);
}

/// The dims of a matrix product, numpy's rules.
static FailureOr<SmallVector<DimExpr>> matMulDims(std::optional<Location> location,
                                                  SmallVector<DimExpr> a, SmallVector<DimExpr> b) {
  if (a.empty() || b.empty())
    return emitOptionalError(location, "expected operands of rank 1 or more, found ranks ",
                             a.size(), " and ", b.size());
  DimExpr kA = a.back(), kB = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (kA.getConstant() && kB.getConstant() && kA != kB)
    return emitOptionalError(location, "cannot multiply: A has ", kA.str(), " columns, B has ",
                             kB.str(), " rows");
  SmallVector<DimExpr> batchA(ArrayRef(a).drop_back(a.size() == 1 ? 1 : 2));
  SmallVector<DimExpr> batchB(ArrayRef(b).drop_back(b.size() == 1 ? 1 : 2));
  FailureOr<SmallVector<DimExpr>> dims = broadcastDims(location, {batchA, batchB});
  if (failed(dims))
    return failure();
  if (a.size() > 1)
    dims->push_back(a[a.size() - 2]);
  if (b.size() > 1)
    dims->push_back(b.back());
  return dims;
}

LogicalResult MatMulOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                         ValueRange operands, DictionaryAttr attributes,
                                         OpaqueProperties properties, RegionRange regions,
                                         SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto a = permutedDims(location, adaptor.getA().getType(), adaptor.getPermA());
  auto b = permutedDims(location, adaptor.getB().getType(), adaptor.getPermB());
  if (failed(a) || failed(b))
    return failure();
  auto dims = matMulDims(location, *a, *b);
  if (failed(dims))
    return failure();
  Type type = makeTensorType(*dims, getElementTypeOrSelf(adaptor.getA().getType()));
  auto permuted = permutedDims(location, type, adaptor.getPermY());
  if (failed(permuted))
    return failure();
  results.push_back(makeTensorType(*permuted, getElementTypeOrSelf(type)));
  return success();
}

/// The result type of an unpermuted product with this element type.
static LogicalResult inferMatMul(std::optional<Location> location, Value a, Value b,
                                 Type elementType, SmallVectorImpl<Type> &results) {
  auto dims = matMulDims(location, getDims(a.getType()), getDims(b.getType()));
  if (failed(dims))
    return failure();
  results.push_back(makeTensorType(*dims, elementType));
  return success();
}

LogicalResult MatMulIntegerOp::inferReturnTypes(MLIRContext *context,
                                                std::optional<Location> location,
                                                ValueRange operands, DictionaryAttr,
                                                OpaqueProperties, RegionRange,
                                                SmallVectorImpl<Type> &results) {
  return inferMatMul(location, operands[0], operands[1], IntegerType::get(context, 32), results);
}

LogicalResult QLinearMatMulOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                                ValueRange operands, DictionaryAttr attributes,
                                                OpaqueProperties properties, RegionRange regions,
                                                SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferMatMul(location, adaptor.getA(), adaptor.getB(),
                     getElementTypeOrSelf(adaptor.getYZeroPoint().getType()), results);
}

LogicalResult GemmOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                       ValueRange operands, DictionaryAttr attributes,
                                       OpaqueProperties properties, RegionRange regions,
                                       SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  SmallVector<DimExpr> a = getDims(adaptor.getA().getType());
  SmallVector<DimExpr> b = getDims(adaptor.getB().getType());
  if (a.size() != 2 || b.size() != 2)
    return emitOptionalError(location, "expected matrices, found ranks ", a.size(), " and ",
                             b.size());
  if (adaptor.getTransA())
    std::swap(a[0], a[1]);
  if (adaptor.getTransB())
    std::swap(b[0], b[1]);
  auto dims = matMulDims(location, a, b);
  if (failed(dims))
    return failure();
  if (adaptor.getC()) {
    SmallVector<DimExpr> c = getDims(adaptor.getC().getType());
    if (c.size() > 2)
      return emitOptionalError(location, "expected C of rank 2 or less, found rank ", c.size());
    for (auto [size, wanted] : llvm::zip(llvm::reverse(c), llvm::reverse(*dims)))
      if (auto constant = size.getConstant();
          constant && *constant != 1 && wanted.isConstant() && size != wanted)
        return emitOptionalError(location, "cannot broadcast C: size ", size.str(),
                                 " is neither 1 nor ", wanted.str());
  }
  results.push_back(makeTensorType(*dims, getElementTypeOrSelf(adaptor.getA().getType())));
  return success();
}

LogicalResult EinsumOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                         ValueRange operands, DictionaryAttr attributes,
                                         OpaqueProperties properties, RegionRange regions,
                                         SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (operands.empty())
    return emitOptionalError(location, "expected at least one operand");
  auto equation = parseEinsum(location, adaptor.getEquation(), operands.getTypes());
  if (failed(equation))
    return failure();
  SmallVector<DimExpr> dims;
  for (int label : equation->result)
    dims.push_back(equation->sizes.lookup(label));
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(operands[0].getType())));
  return success();
}

namespace {

/// The permutation `first`, then `second`; an absent one changes nothing.
SmallVector<int64_t> composePermutations(ArrayRef<int64_t> first, OptionalInts second) {
  return second ? applyPermutation(first, *second) : llvm::to_vector(first);
}

/// MatMul(Transpose(a), b) -> MatMul(a, b) with the transpose as `permA`
struct FoldOperandTranspose : OpRewritePattern<MatMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatMulOp op, PatternRewriter &rewriter) const override {
    auto a = op.getA().getDefiningOp<TransposeOp>(), b = op.getB().getDefiningOp<TransposeOp>();
    if (!a && !b)
      return rewriter.notifyMatchFailure(op, "no transposed operand");
    rewriter.modifyOpInPlace(op, [&] {
      if (a) {
        op.setPermA(composePermutations(a.getPermutation(), op.getPermA()));
        op.getAMutable().assign(a.getData());
      }
      if (b) {
        op.setPermB(composePermutations(b.getPermutation(), op.getPermB()));
        op.getBMutable().assign(b.getData());
      }
    });
    return success();
  }
};

/// Transpose(MatMul(a, b)) -> MatMul(a, b) with the transpose as `permY`
struct FoldResultTranspose : OpRewritePattern<MatMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatMulOp op, PatternRewriter &rewriter) const override {
    auto transpose = op->hasOneUse() ? dyn_cast<TransposeOp>(*op->user_begin()) : TransposeOp();
    if (!transpose)
      return rewriter.notifyMatchFailure(op, "the result is not only transposed");
    SmallVector<int64_t> perm = transpose.getPermutation();
    if (op.getPermY())
      perm = applyPermutation(*op.getPermY(), perm);
    rewriter.modifyOpInPlace(op, [&] {
      op.setPermY(perm);
      op.getResult().setType(cast<RankedTensorType>(transpose.getType()));
    });
    rewriter.replaceOp(transpose, op.getResult());
    return success();
  }
};

} // namespace

void MatMulOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldOperandTranspose, FoldResultTranspose>(context);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Adds the result type of a convolution of `data` with `weights`.
template <typename Adaptor>
static LogicalResult inferConvolution(std::optional<Location> location, Adaptor adaptor, Value data,
                                      Value weights, Type elementType,
                                      SmallVectorImpl<Type> &results) {
  FailureOr<ConvolutionShape> shape = readConvolution(location, adaptor, data, weights);
  if (failed(shape))
    return failure();
  results.push_back(makeTensorType(shape->outputDims(adaptor.getChannelsLast()), elementType));
  return success();
}

LogicalResult ConvOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                       ValueRange operands, DictionaryAttr attributes,
                                       OpaqueProperties properties, RegionRange regions,
                                       SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferConvolution(location, adaptor, adaptor.getX(), adaptor.getW(),
                          getElementTypeOrSelf(adaptor.getX().getType()), results);
}

LogicalResult ConvIntegerOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> location, ValueRange operands,
                                              DictionaryAttr attributes,
                                              OpaqueProperties properties, RegionRange regions,
                                              SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferConvolution(location, adaptor, adaptor.getX(), adaptor.getW(),
                          IntegerType::get(context, 32), results);
}

LogicalResult QLinearConvOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                              ValueRange operands, DictionaryAttr attributes,
                                              OpaqueProperties properties, RegionRange regions,
                                              SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferConvolution(location, adaptor, adaptor.getX(), adaptor.getW(),
                          getElementTypeOrSelf(adaptor.getYZeroPoint().getType()), results);
}

LogicalResult ConvTransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                                ValueRange operands, DictionaryAttr attributes,
                                                OpaqueProperties properties, RegionRange regions,
                                                SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  FailureOr<ConvolutionShape> shape = readTransposedConvolution(location, adaptor);
  if (failed(shape))
    return failure();
  results.push_back(makeTensorType(shape->outputDims(adaptor.getChannelsLast()),
                                   getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

LogicalResult DeformConvOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                             ValueRange operands, DictionaryAttr attributes,
                                             OpaqueProperties properties, RegionRange regions,
                                             SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  FailureOr<ConvolutionShape> shape = readDeformConvolution(location, adaptor);
  if (failed(shape))
    return failure();
  if (adaptor.getOffsetGroup() < 1)
    return emitOptionalError(location, "expected a positive 'offset_group', found ",
                             adaptor.getOffsetGroup());
  int64_t rank = cast<RankedTensorType>(adaptor.getX().getType()).getRank();
  for (auto [value, what] :
       {std::pair<Value, StringRef>(adaptor.getOffset(), "offset"), {adaptor.getMask(), "mask"}})
    if (value && cast<RankedTensorType>(value.getType()).getRank() != rank)
      return emitOptionalError(location, "expected '", what, "' of the data's rank ", rank,
                               ", found ", value.getType());
  results.push_back(makeTensorType(shape->outputDims(/*channelsLast=*/false),
                                   getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

//===----------------------------------------------------------------------===//
// Output channels
//===----------------------------------------------------------------------===//

bool GemmOp::isLinearInWeights() { return !getC() || getBeta().isExactlyValue(1.0); }

WeightChannels GemmOp::getWeightChannels() {
  return {getDims(getB().getType()), {getTransB() ? 0 : 1}};
}

bool ConvOp::isLinearInWeights() { return !getChannelsLast(); }

WeightChannels ConvOp::getWeightChannels() { return {getDims(getW().getType()), {0}}; }

bool ConvTransposeOp::isLinearInWeights() { return !getChannelsLast(); }

/// The weights are [C, M/group, k...], the channels of a group in a block of C.
WeightChannels ConvTransposeOp::getWeightChannels() {
  SmallVector<DimExpr> dims = getDims(getW().getType());
  DimExpr group = DimExpr::constant(getContext(), getGroup());
  SmallVector<DimExpr> grouped = {group, dims[0].floorDiv(group)};
  llvm::append_range(grouped, ArrayRef(dims).drop_front());
  return {grouped, {0, 2}};
}
