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

LogicalResult MaxUnpoolOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                            Adaptor adaptor, SmallVectorImpl<Type> &results) {
  auto dims = unpooledDims(location, adaptor);
  if (failed(dims))
    return failure();
  if (Value shape = adaptor.getOutputShape()) {
    FailureOr<int64_t> length = getStaticLength(location, shape, "output_shape");
    if (failed(length))
      return failure();
    if (*length != static_cast<int64_t>(dims->size()))
      return emitOptionalError(location, "expected ", dims->size(),
                               " elements in 'output_shape', found ", *length);
    std::optional<ShapeValue> stated = getShapeValue(shape);
    if (stated && failed(checkSizes(location, *stated, "output_shape")))
      return failure();
    for (auto [i, dim] : llvm::enumerate(*dims))
      dim = stated ? (*stated)[i] : freshSymbol(context, "unpool");
  }
  results.push_back(makeTensorType(*dims, getElementTypeOrSelf(adaptor.getX().getType())));
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
      return ReshapeOp::create(rewriter, loc,
                               makeTensorType(given, getElementTypeOrSelf(value.getType())), value,
                               createShapeVector(rewriter, loc, given), /*allowzero=*/1);
    };
    Value zeros = ConstantOfShapeOp::create(rewriter, loc, makeTensorType(all, element),
                                            createShapeVector(rewriter, loc, all), ElementsAttr());
    Value scattered = ScatterElementsOp::create(rewriter, loc, makeTensorType(all, element), zeros,
                                                flatten(op.getI()), flatten(op.getX()),
                                                /*reduction=*/"none", /*axis=*/0);
    Value image = ReshapeOp::create(rewriter, loc, makeTensorType(*dims, element), scattered,
                                    createShapeVector(rewriter, loc, *dims), /*allowzero=*/1);
    SmallVector<DimExpr> wanted = getDims(op.getType());
    if (wanted != *dims) {
      // What `output_shape` has more than the indices count goes to the ends.
      Value have = createShapeVector(rewriter, loc, *dims);
      Value more = SubOp::create(rewriter, loc, ValueRange{op.getOutputShape(), have});
      SmallVector<DimExpr> none(dims->size(), DimExpr::constant(getContext(), 0));
      Value before = createShapeVector(rewriter, loc, none);
      Value pads = ConcatOp::create(rewriter, loc, ValueRange{before, more}, /*axis=*/0);
      image = PadOp::create(rewriter, loc, op.getType(), image, pads, Value(), Value(), "constant");
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

LogicalResult ResizeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                         Adaptor adaptor, SmallVectorImpl<Type> &results) {
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
  SmallVector<DimExpr> dims = llvm::map_to_vector(*axes, [&](auto &axis) {
    return axis.output ? axis.output : freshSymbol(context, "resize");
  });
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
    return emitOptionalError(location,
                             "expected image and grid of one rank of at least 3, found "
                             "ranks ",
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

LogicalResult AffineGridOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                             Adaptor adaptor, SmallVectorImpl<Type> &results) {
  FailureOr<int64_t> length = getStaticLength(location, adaptor.getSize(), "size");
  if (failed(length))
    return failure();
  if (*length != 4 && *length != 5)
    return emitOptionalError(location, "expected 4 or 5 elements in 'size', found ", *length);
  if (getDims(adaptor.getTheta().getType()).size() != 3)
    return emitOptionalError(location, "expected 'theta' of rank 3, found rank ",
                             getDims(adaptor.getTheta().getType()).size());
  std::optional<ShapeValue> size = getShapeValue(adaptor.getSize());
  if (size && failed(checkSizes(location, *size, "size")))
    return failure();
  SmallVector<DimExpr> dims;
  for (int64_t i = 0; i < *length; ++i)
    if (i != 1)
      dims.push_back(size ? (*size)[i] : freshSymbol(context, "grid"));
  dims.push_back(DimExpr::constant(context, *length - 2));
  results.push_back(makeTensorType(dims, getElementTypeOrSelf(adaptor.getTheta().getType())));
  return success();
}
