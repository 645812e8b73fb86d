//===- OnnxWindowOps.cpp - Pools and sampling ------------------------------===//
#include "dialects/onnx/OnnxMovement.h"
#include "dialects/onnx/OnnxShapes.h"
#include "dialects/onnx/ResizeShape.h"
#include "dialects/onnx/WindowShape.h"
#include "mlir/IR/PatternMatch.h"

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

//===----------------------------------------------------------------------===//
// MaxUnpool
//===----------------------------------------------------------------------===//

/// The dims of the tensor that MaxUnpool's indices count in.
template <typename Adaptor>
static FailureOr<SmallVector<DimExpr>> unpooledDims(std::optional<Location> location,
                                                    Adaptor adaptor) {
  FailureOr<ImageDims> image = readImage(location, adaptor.getX().getType(), false);
  if (failed(image))
    return failure();
  SmallVector<DimExpr> kernel;
  for (int64_t size : adaptor.getKernelShape())
    kernel.push_back(DimExpr::constant(image->batch.getContext(), size));
  WindowAttributes attributes{"NOTSET", std::nullopt, adaptor.getPads(), adaptor.getStrides(),
                              false};
  auto axes = resolveTransposedWindow(location, image->spatial, kernel, attributes, std::nullopt,
                                      std::nullopt);
  if (failed(axes))
    return failure();
  for (auto [dim, axis] : llvm::zip_equal(image->spatial, *axes))
    dim = axis.output;
  return imageDims(*image, false);
}

LogicalResult MaxUnpoolOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                            ValueRange operands, DictionaryAttr attributes,
                                            OpaqueProperties properties, RegionRange regions,
                                            SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto dims = unpooledDims(location, adaptor);
  if (failed(dims))
    return failure();
  if (adaptor.getOutputShape()) {
    auto stated = getShapeValue(adaptor.getOutputShape());
    if (!stated || stated->size() != dims->size())
      return emitOptionalError(location, "expected 'output_shape' with ", dims->size(),
                               " elements that are known at compile time");
    dims = *stated;
  }
  results.push_back(makeTensorType(*dims, getElementTypeOrSelf(operands[0].getType())));
  return success();
}

namespace {

/// MaxUnpool -> ScatterElements into zeros, padded to the stated shape
struct UnpoolToScatter : OpRewritePattern<MaxUnpoolOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaxUnpoolOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto dims = unpooledDims(std::nullopt, op);
    if (failed(dims))
      return failure();
    Type element = getElementTypeOrSelf(op.getType());
    DimExpr all = numElements(getContext(), *dims);
    DimExpr given = numElements(getContext(), getDims(op.getX().getType()));
    auto flatten = [&](Value value) -> Value {
      return ReshapeOp::create(
          rewriter, loc, makeTensorType(given, getElementTypeOrSelf(value.getType())), value,
          createShapeVector(rewriter, loc, given), /*allowzero=*/1);
    };
    Value zeros = ConstantOfShapeOp::create(rewriter, loc, makeTensorType(all, element),
                                            createShapeVector(rewriter, loc, all), ElementsAttr());
    Value scattered = ScatterElementsOp::create(
        rewriter, loc, makeTensorType(all, element), zeros, flatten(op.getI()), flatten(op.getX()),
        /*reduction=*/"none", /*axis=*/0);
    Value image = ReshapeOp::create(rewriter, loc, makeTensorType(*dims, element), scattered,
                                    createShapeVector(rewriter, loc, *dims), /*allowzero=*/1);
    SmallVector<DimExpr> wanted = getDims(op.getType());
    if (wanted != *dims) {
      SmallVector<DimExpr> pads(dims->size(), DimExpr::constant(getContext(), 0));
      for (auto [want, have] : llvm::zip_equal(wanted, *dims))
        pads.push_back(want - have);
      image = PadOp::create(rewriter, loc, op.getType(), image,
                            createShapeVector(rewriter, loc, pads), Value(), Value(), "constant");
    }
    rewriter.replaceOp(op, image);
    return success();
  }
};

} // namespace

void MaxUnpoolOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<UnpoolToScatter>(context);
}

//===----------------------------------------------------------------------===//
// Sampling
//===----------------------------------------------------------------------===//

/// Reports a string attribute that is none of those allowed.
static LogicalResult checkChoice(std::optional<Location> location, StringRef name, StringRef value,
                                 ArrayRef<StringRef> allowed) {
  if (llvm::is_contained(allowed, value))
    return success();
  return emitOptionalError(location, "unknown ", name, " '", value, "'");
}

LogicalResult ResizeOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                         ValueRange operands, DictionaryAttr attributes,
                                         OpaqueProperties properties, RegionRange regions,
                                         SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (failed(checkChoice(location, "mode", adaptor.getMode(), {"nearest", "linear", "cubic"})) ||
      failed(checkChoice(location, "nearest_mode", adaptor.getNearestMode(),
                         {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})) ||
      failed(checkChoice(location, "keep_aspect_ratio_policy", adaptor.getKeepAspectRatioPolicy(),
                         {"stretch", "not_larger", "not_smaller"})) ||
      failed(checkChoice(location, "coordinate_transformation_mode",
                         adaptor.getCoordinateTransformationMode(),
                         {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
                          "align_corners", "asymmetric", "tf_crop_and_resize"})))
    return failure();
  auto axes = readResize(location, adaptor);
  if (failed(axes))
    return failure();
  SmallVector<DimExpr> dims = llvm::map_to_vector(*axes, [](auto &axis) { return axis.output; });
  if (adaptor.getChannelsLast())
    std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

LogicalResult GridSampleOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                             ValueRange operands, DictionaryAttr attributes,
                                             OpaqueProperties properties, RegionRange regions,
                                             SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  SmallVector<DimExpr> image = getDims(adaptor.getX().getType());
  SmallVector<DimExpr> grid = getDims(adaptor.getGrid().getType());
  int64_t spatial = static_cast<int64_t>(image.size()) - 2;
  if (spatial < 1 || grid.size() != image.size())
    return emitOptionalError(location, "expected image and grid of one rank of at least 3, found ",
                             image.size(), " and ", grid.size());
  if (auto size = grid.back().getConstant(); size && *size != spatial)
    return emitOptionalError(location, "expected ", spatial, " coordinates in the grid, found ",
                             *size);
  if (failed(checkChoice(location, "mode", adaptor.getMode(),
                         {"linear", "nearest", "cubic", "bilinear", "bicubic"})) ||
      failed(checkChoice(location, "padding_mode", adaptor.getPaddingMode(),
                         {"zeros", "border", "reflection"})))
    return failure();
  SmallVector<DimExpr> dims = {image[0], image[1]};
  llvm::append_range(dims, ArrayRef(grid).drop_front().drop_back());
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

LogicalResult AffineGridOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                             ValueRange operands, DictionaryAttr attributes,
                                             OpaqueProperties properties, RegionRange regions,
                                             SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  std::optional<ShapeValue> size = getShapeValue(adaptor.getSize());
  if (!size || (size->size() != 4 && size->size() != 5))
    return emitOptionalError(location,
                             "expected 'size' with 4 or 5 elements that are known at compile time");
  SmallVector<DimExpr> dims = {(*size)[0]};
  llvm::append_range(dims, ArrayRef(*size).drop_front(2));
  dims.push_back(DimExpr::constant(dims[0].getContext(), static_cast<int64_t>(size->size()) - 2));
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getTheta().getType())));
  return success();
}
