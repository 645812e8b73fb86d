//===- ResizeShape.cpp - Sizes and scales of Resize ------------------------===//
#include "dialects/onnx/ResizeShape.h"
#include "dialects/onnx/OnnxMovement.h"
#include <cmath>

using namespace mlir;

namespace onnxc::onnx {

/// The elements of a small constant float tensor.
static std::optional<SmallVector<double>> getConstantFloats(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!elements || !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  SmallVector<double> result;
  for (const APFloat &element : elements.getValues<APFloat>())
    result.push_back(element.convertToDouble());
  return result;
}

bool isGivenOperand(Value value) { return value && getDims(value.getType())[0].getConstant() != 0; }

/// floor(size * scale), exact: a float is a whole number over a power of two.
static DimExpr scaledSize(DimExpr size, double scale) {
  if (auto constant = size.getConstant())
    return DimExpr::constant(size.getContext(), static_cast<int64_t>(std::floor(
                                                    static_cast<double>(*constant) * scale)));
  int64_t denominator = 1;
  while (denominator < (int64_t(1) << 40) && scale != std::floor(scale)) {
    scale *= 2;
    denominator *= 2;
  }
  return (size * static_cast<int64_t>(scale))
      .floorDiv(DimExpr::constant(size.getContext(), denominator));
}

/// One scale for all resized dims, the smallest or largest that the wanted sizes
/// ask for; the sizes follow it. Returns false when they are no numbers.
static bool keepAspectRatio(MutableArrayRef<ResizeAxis> axes, bool largest) {
  std::optional<double> scale;
  for (const ResizeAxis &axis : axes) {
    if (!axis.resized)
      continue;
    auto in = axis.input.getConstant(), out = axis.output.getConstant();
    // The run works it out, see the lowering.
    if (!in || !out || *in == 0)
      return false;
    double own = static_cast<double>(*out) / static_cast<double>(*in);
    scale = !scale ? own : largest ? std::max(*scale, own) : std::min(*scale, own);
  }
  for (ResizeAxis &axis : axes) {
    if (!axis.resized)
      continue;
    double size = static_cast<double>(*axis.input.getConstant()) * *scale;
    axis.output =
        DimExpr::constant(axis.input.getContext(), static_cast<int64_t>(std::floor(size + 0.5)));
    axis.scale = scale;
  }
  return true;
}

/// The resized dims in the order of `scales`, `sizes` and `roi`.
static FailureOr<SmallVector<int64_t>> resizedDims(std::optional<Location> location, int64_t rank,
                                                   OptionalInts axes) {
  if (!axes || axes->empty())
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return normalizeAxes(location, *axes, rank);
}

FailureOr<SmallVector<ResizeAxis>> resolveResize(std::optional<Location> location, Type data,
                                                 Value scales, Value sizes, OptionalInts axes,
                                                 StringRef aspectPolicy, bool channelsLast) {
  SmallVector<DimExpr> dims = getDims(data);
  if (channelsLast) {
    FailureOr<ImageDims> image = readImage(location, data, true);
    if (failed(image))
      return failure();
    dims = imageDims(*image, false);
  }
  SmallVector<ResizeAxis> result;
  for (DimExpr dim : dims)
    result.push_back({dim, dim, 1.0, -1, false});
  auto resized = resizedDims(location, static_cast<int64_t>(dims.size()), axes);
  if (failed(resized))
    return failure();
  bool byScale = isGivenOperand(scales);
  if (byScale == isGivenOperand(sizes))
    return emitOptionalError(location, "expected either 'scales' or 'sizes', found ",
                             byScale ? "both" : "none");
  std::optional<SmallVector<double>> factors = byScale ? getConstantFloats(scales) : std::nullopt;
  std::optional<ShapeValue> wanted = byScale ? std::nullopt : getShapeValue(sizes);
  FailureOr<int64_t> count =
      getStaticLength(location, byScale ? scales : sizes, byScale ? "scales" : "sizes");
  if (failed(count))
    return failure();
  if (*count != static_cast<int64_t>(resized->size()))
    return emitOptionalError(location, "expected ", resized->size(), " elements in ",
                             byScale ? "'scales'" : "'sizes'", ", found ", *count);
  if (wanted && failed(checkSizes(location, *wanted, "sizes")))
    return failure();
  for (auto [i, dim] : llvm::enumerate(*resized)) {
    ResizeAxis &axis = result[dim];
    axis.index = static_cast<int64_t>(i);
    axis.resized = true;
    axis.scale = std::nullopt;
    axis.output = wanted ? (*wanted)[i] : DimExpr();
    if (!factors)
      continue;
    if (!((*factors)[i] > 0) || (*factors)[i] > 1e6)
      return emitOptionalError(location,
                               "expected a scale of more than 0 and at most 1e6, "
                               "found ",
                               (*factors)[i]);
    axis.scale = (*factors)[i];
    axis.output = scaledSize(axis.input, *axis.scale);
  }
  bool stretch = aspectPolicy == "stretch" || byScale;
  bool known = stretch || (wanted && keepAspectRatio(result, aspectPolicy == "not_smaller"));
  for (ResizeAxis &axis : result) {
    if (!axis.resized)
      continue;
    if (!known)
      axis.output = DimExpr();
    auto in = axis.input.getConstant();
    auto out = axis.output ? axis.output.getConstant() : std::nullopt;
    if (!axis.scale && in && out && *in > 0)
      axis.scale = static_cast<double>(*out) / static_cast<double>(*in);
  }
  return result;
}

} // namespace onnxc::onnx
