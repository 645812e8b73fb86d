//===- ConvolutionBuilder.cpp - Convolutions as linalg.generic -------------===//
#include "lowering/onnx_to_linalg/ConvolutionBuilder.h"
#include "lowering/onnx_to_linalg/IndexMath.h"

using namespace mlir;
using onnxc::onnx::DimExpr;
using onnxc::onnx::WindowAxis;

namespace onnxc {
namespace {

/// The loops of a convolution as affine dims.
struct ConvolutionLoops {
  AffineExpr batch, group, output, input;
  SmallVector<AffineExpr> pixels, taps;
  SmallVector<utils::IteratorType> iterators;

  ConvolutionLoops(MLIRContext *context, const Convolution &conv) {
    auto add = [&](utils::IteratorType iterator) {
      iterators.push_back(iterator);
      return getAffineDimExpr(iterators.size() - 1, context);
    };
    auto parallel = utils::IteratorType::parallel, reduction = utils::IteratorType::reduction;
    auto addPixels = [&] {
      for (size_t i = 0; i < conv.axes.size(); ++i)
        pixels.push_back(add(parallel));
    };
    batch = add(parallel);
    if (conv.channelsLast)
      addPixels();
    if (conv.isGrouped())
      group = add(parallel);
    if (!conv.isDepthwise())
      output = add(parallel);
    if (!conv.channelsLast)
      addPixels();
    for (size_t i = 0; i < conv.axes.size(); ++i)
      taps.push_back(add(reduction));
    if (!conv.isDepthwise())
      input = add(reduction);
  }
};

/// Subtracts a zero point inside a body.
Value subtractZeroPoint(OpBuilder &builder, Location loc, Value factor, Value zeroPoint,
                        const FactorType &type) {
  Value zero = buildFactor(builder, loc, zeroPoint, type.zeroPointUnsigned, factor.getType());
  return arith::SubIOp::create(builder, loc, factor, zero);
}

/// The sums of products of an already padded image, with dims
/// [n, pixels..., g, oc] in the order of the layout.
Value buildWindowedProduct(OpBuilder &builder, Location loc, const Convolution &conv,
                           Type accumulator) {
  MLIRContext *context = builder.getContext();
  ConvolutionLoops loops(context, conv);
  Arrangement<AffineExpr> exprs(conv);
  Arrangement<DimExpr> dims(conv);
  SmallVector<AffineExpr> window;
  SmallVector<DimExpr> outputSizes, inputSizes, taps;
  unsigned first = firstSpatialDim(conv.channelsLast);
  for (auto [i, axis] : llvm::enumerate(conv.axes)) {
    window.push_back(windowExpr(loops.pixels[i], loops.taps[i], axis));
    outputSizes.push_back(axis.output);
    inputSizes.push_back(conv.data.dims[first + i]);
    taps.push_back(axis.kernel);
  }
  auto makeMap = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(loops.iterators.size(), 0, results, context);
  };
  DimExpr batch = conv.data.dims[0];
  SmallVector<Value> inputs = {
      reshapeTo(builder, loc, conv.data,
                dims.image(batch, inputSizes, conv.group, conv.groupInputs)),
      reshapeTo(builder, loc, conv.weights,
                dims.weights(taps, conv.group, conv.groupInputs, conv.groupOutputs))};
  SmallVector<AffineMap> maps = {
      makeMap(exprs.image(loops.batch, window, loops.group, loops.input)),
      makeMap(exprs.weights(loops.taps, loops.group, loops.input, loops.output))};
  if (conv.dataType.zeroPoint) {
    inputs.push_back(conv.dataType.zeroPoint->tensor);
    maps.push_back(makeMap({}));
  }
  if (conv.weightType.zeroPoint) {
    bool scalar =
        cast<RankedTensorType>(conv.weightType.zeroPoint->tensor.getType()).getRank() == 0;
    inputs.push_back(scalar ? conv.weightType.zeroPoint->tensor
                            : reshapeTo(builder, loc, conv.weightType.zeroPoint->tensor,
                                        dims.channels({}, conv.group, conv.groupOutputs)));
    maps.push_back(makeMap(scalar ? SmallVector<AffineExpr>()
                                  : exprs.channels({}, loops.group, loops.output)));
  }
  maps.push_back(makeMap(exprs.image(loops.batch, loops.pixels, loops.group, loops.output)));
  Value init =
      filledTensor(builder, loc, dims.image(batch, outputSizes, conv.group, conv.groupOutputs),
                   zeroOf(builder, loc, accumulator));
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    Value x = buildFactor(builder, loc, args[0], conv.dataType.isUnsigned, accumulator);
    Value w = buildFactor(builder, loc, args[1], conv.weightType.isUnsigned, accumulator);
    unsigned next = 2;
    if (conv.dataType.zeroPoint)
      x = subtractZeroPoint(builder, loc, x, args[next++], conv.dataType);
    if (conv.weightType.zeroPoint)
      w = subtractZeroPoint(builder, loc, w, args[next++], conv.weightType);
    linalg::YieldOp::create(builder, loc, buildMultiplyAdd(builder, loc, x, w, args.back()));
  };
  return linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, maps,
                                   loops.iterators, body)
      .getResult(0);
}

} // namespace

void setInputChannels(OpBuilder &builder, Location loc, Convolution &conv, DimExpr weightChannels) {
  SmallVector<DimExpr> dims = conv.data.dims;
  DimExpr &channels = conv.channelsLast ? dims.back() : dims[1];
  if (!channels.isConstant())
    channels = weightChannels;
  conv.data = {reshapeTo(builder, loc, conv.data, dims), dims};
  conv.groupInputs = channels.floorDiv(conv.group);
}

Value buildConvolution(OpBuilder &builder, Location loc, Convolution conv,
                       ArrayRef<DimExpr> resultDims, Type accumulator) {
  Type element = getElementTypeOrSelf(conv.data.tensor.getType());
  auto padding = [&](OpBuilder &builder, Location loc) -> Value {
    if (conv.dataType.zeroPoint)
      return tensor::ExtractOp::create(builder, loc, conv.dataType.zeroPoint->tensor, ValueRange());
    return zeroOf(builder, loc, element);
  };
  conv.data = padImage(builder, loc, conv.data, conv.axes, conv.channelsLast, padding);
  Value product = buildWindowedProduct(builder, loc, conv, accumulator);
  return reshapeTo(builder, loc, product, resultDims);
}

SizedTensor alignChannels(OpBuilder &builder, Location loc, const SizedTensor &parameter,
                          size_t imageRank, bool channelsLast) {
  if (parameter.dims.empty() || channelsLast)
    return parameter;
  SmallVector<DimExpr> dims = parameter.dims;
  dims.resize(imageRank - 1, DimExpr::constant(builder.getContext(), 1));
  return {reshapeTo(builder, loc, parameter.tensor, dims), dims};
}

Value addBias(OpBuilder &builder, Location loc, const SizedTensor &sums, const SizedTensor &bias,
              bool channelsLast, Type elementType) {
  if (!bias.tensor)
    return castElements(builder, loc, sums, elementType);
  SizedTensor aligned = alignChannels(builder, loc, bias, sums.dims.size(), channelsLast);
  auto body = [](OpBuilder &builder, Location loc, ValueRange args) -> Value {
    if (isa<FloatType>(args[0].getType()))
      return arith::AddFOp::create(builder, loc, args[0], args[1]);
    return arith::AddIOp::create(builder, loc, args[0], args[1]);
  };
  return buildElementwise(builder, loc, {sums, aligned}, sums.dims, elementType, body);
}

} // namespace onnxc
