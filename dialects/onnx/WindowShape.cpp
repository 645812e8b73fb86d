//===- WindowShape.cpp - Geometry of convolutions and pools ----------------===//
#include "dialects/onnx/WindowShape.h"
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;

namespace onnxc::onnx {

static DimExpr constantLike(DimExpr dim, int64_t value) {
  return DimExpr::constant(dim.getContext(), value);
}

DimExpr WindowAxis::extent() const { return (kernel - 1) * dilation + 1; }

DimExpr WindowAxis::reachBeyondEnd() const {
  DimExpr reach = (output - 1) * stride + extent() - input - padBegin;
  return reach.max(constantLike(input, 0));
}

/// Checks that a list attribute, when present, has `size` elements, each at
/// least `least` and no larger than fits index arithmetic many times.
static LogicalResult checkList(std::optional<Location> location, StringRef name,
                               OptionalInts values, size_t size, int64_t least) {
  if (!values || values->empty())
    return success();
  if (values->size() != size)
    return emitOptionalError(location, "expected ", size, " elements in '", name, "', found ",
                             values->size());
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  for (int64_t value : *values) {
    if (value < least)
      return emitOptionalError(location, "expected elements of at least ", least, " in '", name,
                               "', found ", value);
    if (value > most)
      return emitOptionalError(location, "expected elements of at most ", most, " in '", name,
                               "', found ", value);
  }
  return success();
}

static int64_t elementOr(OptionalInts values, size_t i, int64_t otherwise) {
  return values && !values->empty() ? (*values)[i] : otherwise;
}

static LogicalResult checkWindow(std::optional<Location> location, ArrayRef<DimExpr> inputs,
                                 ArrayRef<DimExpr> kernel, const WindowAttributes &attributes) {
  if (kernel.size() != inputs.size())
    return emitOptionalError(location, "expected a kernel with ", inputs.size(),
                             " spatial axes, found ", kernel.size());
  if (!attributes.autoPad.empty() &&
      failed(checkChoice(location, "auto_pad", attributes.autoPad,
                         {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"})))
    return failure();
  for (DimExpr size : kernel)
    if (auto constant = size.getConstant(); constant && *constant < 1)
      return emitOptionalError(location, "expected a kernel of at least 1 element per axis, found ",
                               *constant);
  if (failed(checkList(location, "strides", attributes.strides, inputs.size(), 1)) ||
      failed(checkList(location, "dilations", attributes.dilations, inputs.size(), 1)) ||
      failed(checkList(location, "pads", attributes.pads, 2 * inputs.size(),
                       std::numeric_limits<int32_t>::min())))
    return failure();
  return success();
}

/// Splits the elements to add between both ends; an odd one goes to the end
/// unless `oddAtBegin`.
static void splitPads(WindowAxis &axis, DimExpr total, bool oddAtBegin) {
  DimExpr two = constantLike(total, 2);
  DimExpr half = total.floorDiv(two);
  axis.padBegin = oddAtBegin ? total - half : half;
  axis.padEnd = total - axis.padBegin;
}

/// Sets output and pads of an axis whose other fields are known.
static void resolveAxis(WindowAxis &axis, const WindowAttributes &attributes) {
  DimExpr stride = constantLike(axis.input, axis.stride);
  if (attributes.autoPad.starts_with("SAME")) {
    axis.output = axis.input.ceilDiv(stride);
    DimExpr total = (axis.output - 1) * axis.stride + axis.extent() - axis.input;
    splitPads(axis, total.max(constantLike(total, 0)), attributes.autoPad == "SAME_LOWER");
    return;
  }
  DimExpr room = axis.input + axis.padBegin + axis.padEnd - axis.extent();
  if (!attributes.ceilMode) {
    axis.output = room.floorDiv(stride) + 1;
    return;
  }
  // The last window must begin inside the input or the padding before it.
  DimExpr starts = (axis.input + axis.padBegin - 1).floorDiv(stride) + 1;
  axis.output = (room.ceilDiv(stride) + 1).min(starts);
}

FailureOr<SmallVector<WindowAxis>> resolveWindow(std::optional<Location> location,
                                                 ArrayRef<DimExpr> inputs, ArrayRef<DimExpr> kernel,
                                                 const WindowAttributes &attributes) {
  if (failed(checkWindow(location, inputs, kernel, attributes)))
    return failure();
  bool explicitPads = attributes.autoPad == "NOTSET" || attributes.autoPad.empty();
  SmallVector<WindowAxis> axes;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    WindowAxis axis;
    axis.input = input;
    axis.kernel = kernel[i];
    axis.stride = elementOr(attributes.strides, i, 1);
    axis.dilation = elementOr(attributes.dilations, i, 1);
    OptionalInts pads = explicitPads ? attributes.pads : std::nullopt;
    axis.padBegin = constantLike(input, elementOr(pads, i, 0));
    axis.padEnd = constantLike(input, elementOr(pads, inputs.size() + i, 0));
    resolveAxis(axis, attributes);
    if (auto size = axis.output.getConstant(); size && *size < 0)
      return emitOptionalError(location, "spatial axis ", i, " of size ", input.str(),
                               " is too small for a window of ", axis.extent().str());
    axes.push_back(axis);
  }
  return axes;
}

FailureOr<SmallVector<WindowAxis>>
resolveTransposedWindow(std::optional<Location> location, ArrayRef<DimExpr> inputs,
                        ArrayRef<DimExpr> kernel, const WindowAttributes &attributes,
                        OptionalInts outputPadding, OptionalInts outputShape) {
  // Some exporters state all dims in output_shape; the last ones are spatial.
  if (outputShape && outputShape->size() == inputs.size() + 2)
    outputShape = outputShape->drop_front(2);
  if (failed(checkWindow(location, inputs, kernel, attributes)) ||
      failed(checkList(location, "output_padding", outputPadding, inputs.size(), 0)) ||
      failed(checkList(location, "output_shape", outputShape, inputs.size(), 0)))
    return failure();
  bool same = attributes.autoPad.starts_with("SAME");
  bool explicitPads = attributes.autoPad == "NOTSET" || attributes.autoPad.empty();
  SmallVector<WindowAxis> axes;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    WindowAxis axis;
    axis.input = input;
    axis.kernel = kernel[i];
    axis.stride = elementOr(attributes.strides, i, 1);
    axis.dilation = elementOr(attributes.dilations, i, 1);
    DimExpr whole = (input - 1) * axis.stride + axis.extent() + elementOr(outputPadding, i, 0);
    if (same || (outputShape && !outputShape->empty())) {
      axis.output = outputShape && !outputShape->empty() ? constantLike(input, (*outputShape)[i])
                                                         : input * axis.stride;
      DimExpr total = (whole - axis.output).max(constantLike(input, 0));
      splitPads(axis, total, attributes.autoPad != "SAME_UPPER");
    } else {
      OptionalInts pads = explicitPads ? attributes.pads : std::nullopt;
      axis.padBegin = constantLike(input, elementOr(pads, i, 0));
      axis.padEnd = constantLike(input, elementOr(pads, inputs.size() + i, 0));
      axis.output = whole - axis.padBegin - axis.padEnd;
    }
    if (auto size = axis.output.getConstant(); size && *size < 0)
      return emitOptionalError(location, "spatial axis ", i, " gets a negative size ", *size);
    axes.push_back(axis);
  }
  return axes;
}

FailureOr<ImageDims> readImage(std::optional<Location> location, Type type, bool channelsLast) {
  SmallVector<DimExpr> dims = getDims(type);
  if (dims.size() < 2)
    return emitOptionalError(location, "expected an image of rank 2 or more, found rank ",
                             dims.size());
  ImageDims image;
  image.batch = dims.front();
  image.channels = channelsLast ? dims.back() : dims[1];
  ArrayRef<DimExpr> rest = ArrayRef(dims).drop_front();
  image.spatial = llvm::to_vector(channelsLast ? rest.drop_back() : rest.drop_front());
  return image;
}

SmallVector<DimExpr> imageDims(const ImageDims &image, bool channelsLast) {
  SmallVector<DimExpr> dims = {image.batch};
  if (!channelsLast)
    dims.push_back(image.channels);
  llvm::append_range(dims, image.spatial);
  if (channelsLast)
    dims.push_back(image.channels);
  return dims;
}

SmallVector<DimExpr> ConvolutionShape::outputDims(bool channelsLast) const {
  ImageDims image{input.batch, outputChannels, {}};
  for (const WindowAxis &axis : axes)
    image.spatial.push_back(axis.output);
  return imageDims(image, channelsLast);
}

/// Checks the weights of a convolution and returns their spatial sizes.
/// `inputDim` and `outputDim` are the weights' dims that belong to the data's
/// and the result's channels; the former holds one group's.
static FailureOr<SmallVector<DimExpr>> readKernel(std::optional<Location> location, Type weights,
                                                  const ImageDims &input, OptionalInts kernelShape,
                                                  int64_t group, DimExpr groupedChannels) {
  SmallVector<DimExpr> dims = getDims(weights);
  if (dims.size() != input.spatial.size() + 2)
    return emitOptionalError(location, "expected weights of rank ", input.spatial.size() + 2,
                             ", found rank ", dims.size());
  if (group < 1)
    return emitOptionalError(location, "expected a positive 'group', found ", group);
  auto wanted = input.channels.getConstant(), found = groupedChannels.getConstant();
  if (wanted && found && *wanted != *found)
    return emitOptionalError(location, "the weights are for ", *found,
                             " input channels, the input has ", *wanted);
  SmallVector<DimExpr> kernel(ArrayRef(dims).drop_front(2));
  if (!kernelShape || kernelShape->empty())
    return kernel;
  if (kernelShape->size() != kernel.size())
    return emitOptionalError(location, "expected ", kernel.size(),
                             " elements in 'kernel_shape', found ", kernelShape->size());
  for (auto [dim, stated] : llvm::zip_equal(kernel, *kernelShape)) {
    if (auto size = dim.getConstant(); size && *size != stated)
      return emitOptionalError(location, "'kernel_shape' states ", stated,
                               ", the weights have size ", *size);
    dim = constantLike(dim, stated);
  }
  return kernel;
}

FailureOr<ConvolutionShape> resolveConvolution(std::optional<Location> location, Type data,
                                               Type weights, const WindowAttributes &attributes,
                                               OptionalInts kernelShape, int64_t group,
                                               bool channelsLast) {
  FailureOr<ImageDims> input = readImage(location, data, channelsLast);
  if (failed(input))
    return failure();
  SmallVector<DimExpr> weightDims = getDims(weights);
  if (weightDims.size() < 2)
    return emitOptionalError(location, "expected weights of rank ", input->spatial.size() + 2,
                             ", found rank ", weightDims.size());
  FailureOr<SmallVector<DimExpr>> kernel =
      readKernel(location, weights, *input, kernelShape, group, weightDims[1] * group);
  if (failed(kernel))
    return failure();
  if (auto channels = weightDims[0].getConstant(); channels && *channels % group != 0)
    return emitOptionalError(location, "expected a multiple of ", group, " output channels, found ",
                             *channels);
  FailureOr<SmallVector<WindowAxis>> axes =
      resolveWindow(location, input->spatial, *kernel, attributes);
  if (failed(axes))
    return failure();
  return ConvolutionShape{*input, weightDims[0], group, std::move(*axes)};
}

FailureOr<ConvolutionShape>
resolveTransposedConvolution(std::optional<Location> location, Type data, Type weights,
                             const WindowAttributes &attributes, OptionalInts kernelShape,
                             int64_t group, OptionalInts outputPadding, OptionalInts outputShape,
                             bool channelsLast) {
  FailureOr<ImageDims> input = readImage(location, data, channelsLast);
  if (failed(input))
    return failure();
  SmallVector<DimExpr> weightDims = getDims(weights);
  if (weightDims.size() < 2)
    return emitOptionalError(location, "expected weights of rank ", input->spatial.size() + 2,
                             ", found rank ", weightDims.size());
  FailureOr<SmallVector<DimExpr>> kernel =
      readKernel(location, weights, *input, kernelShape, group, weightDims[0]);
  if (failed(kernel))
    return failure();
  FailureOr<SmallVector<WindowAxis>> axes = resolveTransposedWindow(
      location, input->spatial, *kernel, attributes, outputPadding, outputShape);
  if (failed(axes))
    return failure();
  return ConvolutionShape{*input, weightDims[1] * group, group, std::move(*axes)};
}

SmallVector<DimExpr> PoolShape::outputDims(bool channelsLast) const {
  ImageDims image{input.batch, input.channels, {}};
  for (const WindowAxis &axis : axes)
    image.spatial.push_back(axis.output);
  return imageDims(image, channelsLast);
}

FailureOr<PoolShape> resolvePool(std::optional<Location> location, Type data,
                                 ArrayRef<int64_t> kernel, const WindowAttributes &attributes,
                                 bool channelsLast) {
  FailureOr<ImageDims> input = readImage(location, data, channelsLast);
  if (failed(input))
    return failure();
  SmallVector<DimExpr> kernelDims;
  for (int64_t size : kernel)
    kernelDims.push_back(constantLike(input->batch, size));
  FailureOr<SmallVector<WindowAxis>> axes =
      resolveWindow(location, input->spatial, kernelDims, attributes);
  if (failed(axes))
    return failure();
  return PoolShape{*input, std::move(*axes)};
}

LogicalResult inferGlobalPool(std::optional<Location> location, Value data, bool channelsLast,
                              SmallVectorImpl<Type> &results) {
  FailureOr<ImageDims> image = readImage(location, data.getType(), channelsLast);
  if (failed(image))
    return failure();
  for (DimExpr &dim : image->spatial)
    dim = constantLike(dim, 1);
  results.push_back(
      makeTensorType(imageDims(*image, channelsLast), getElementTypeOrSelf(data.getType())));
  return success();
}

} // namespace onnxc::onnx
