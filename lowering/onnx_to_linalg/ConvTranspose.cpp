//===- ConvTranspose.cpp - Transposed convolutions to linalg ---------------===//
//
// y[o] = sum over i, k with i * s + k * d = o + p of x[i] * w[k]. The outputs with
// the same remainder r of (o + p) by s read the same taps, w[r + s * j], at
// x[q - j], q = (o + p) div s: an ordinary convolution for each r. All of them
// together are one convolution with s times the channels (per axis), whose
// result is then put in order.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/ConvolutionBuilder.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;
using onnx::WindowAxis;

namespace {

/// One axis of the transposed convolution, and of the convolution by phases.
struct PhaseAxis {
  WindowAxis transposed, phased;
  int64_t kernel, phases;
  /// q of the first output.
  DimExpr first;
};

PhaseAxis makePhases(const WindowAxis &axis) {
  MLIRContext *context = axis.input.getContext();
  PhaseAxis result;
  result.transposed = axis;
  result.kernel = *axis.kernel.getConstant();
  result.phases = axis.stride;
  DimExpr stride = DimExpr::constant(context, axis.stride);
  int64_t extent = (result.kernel - 1) * axis.dilation + 1;
  // Without a stride there is one phase, and the dilation stays a dilation.
  int64_t taps = axis.stride == 1 ? result.kernel : llvm::divideCeil(extent, axis.stride);
  result.first = axis.padBegin.floorDiv(stride);
  result.phased = axis;
  result.phased.stride = 1;
  result.phased.dilation = axis.stride == 1 ? axis.dilation : 1;
  result.phased.kernel = DimExpr::constant(context, taps);
  result.phased.output = (axis.output - 1 + axis.padBegin).floorDiv(stride) - result.first + 1;
  result.phased.padBegin =
      DimExpr::constant(context, (taps - 1) * result.phased.dilation) - result.first;
  result.phased.padEnd = DimExpr::constant(context, 0);
  return result;
}

/// What a dim of the rearranged weights counts: tap i, phase i, or a channel.
enum : int { groupRole = -1, inputRole = -2, outputRole = -3, firstPhaseRole = 100 };

struct WeightLayout {
  SmallVector<int> roles;
  SmallVector<DimExpr> dims;
};

/// The layout of `buildConvolution` with the output channels split into phases
/// and the operator's own channels.
WeightLayout layOutWeights(const Convolution &conv, ArrayRef<PhaseAxis> axes, DimExpr ownOutputs) {
  MLIRContext *context = conv.group.getContext();
  SmallVector<int> taps = llvm::to_vector(llvm::seq<int>(0, axes.size()));
  WeightLayout layout;
  for (int role : Arrangement<int>(conv).weights(taps, groupRole, inputRole, outputRole)) {
    if (role == outputRole) {
      for (auto [i, axis] : llvm::enumerate(axes)) {
        layout.roles.push_back(firstPhaseRole + static_cast<int>(i));
        layout.dims.push_back(DimExpr::constant(context, axis.phases));
      }
    }
    layout.roles.push_back(role);
    layout.dims.push_back(role == groupRole    ? conv.group
                          : role == inputRole  ? conv.groupInputs
                          : role == outputRole ? ownOutputs
                                               : axes[role].phased.kernel);
  }
  return layout;
}

/// The operator's weights [C, M/group, k...] in the order of the convolution by
/// phases; taps that a phase has not are zero.
Value rearrangeWeights(OpBuilder &builder, Location loc, const Convolution &conv,
                       ArrayRef<PhaseAxis> axes, Value weights, DimExpr ownOutputs) {
  WeightLayout layout = layOutWeights(conv, axes, ownOutputs);
  Type element = getElementTypeOrSelf(weights.getType());
  Value init = emptyTensor(builder, loc, layout.dims, element);
  Value groupInputs = materializeIndex(builder, loc, conv.groupInputs);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    auto indexOf = [&](int role) -> Value {
      auto *at = llvm::find(layout.roles, role);
      if (at == layout.roles.end())
        return constant(0);
      return linalg::IndexOp::create(builder, loc, at - layout.roles.begin());
    };
    Value row = arith::MulIOp::create(builder, loc, indexOf(groupRole), groupInputs);
    SmallVector<Value> indices = {arith::AddIOp::create(builder, loc, row, indexOf(inputRole)),
                                  indexOf(outputRole)};
    Value valid;
    for (auto [i, axis] : llvm::enumerate(axes)) {
      int64_t taps = *axis.phased.kernel.getConstant();
      Value step = arith::SubIOp::create(builder, loc, constant(taps - 1), indexOf(i));
      if (axis.phases == 1) {
        indices.push_back(step);
        continue;
      }
      Value place = arith::MulIOp::create(builder, loc, step, constant(axis.phases));
      place =
          arith::AddIOp::create(builder, loc, place, indexOf(firstPhaseRole + static_cast<int>(i)));
      Value dilation = constant(axis.transposed.dilation);
      Value tap = arith::DivUIOp::create(builder, loc, place, dilation);
      Value within = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, tap,
                                           constant(axis.kernel));
      Value remainder = arith::RemUIOp::create(builder, loc, place, dilation);
      Value exact =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, remainder, constant(0));
      within = arith::AndIOp::create(builder, loc, within, exact);
      valid = valid ? Value(arith::AndIOp::create(builder, loc, valid, within)) : within;
      indices.push_back(arith::MinUIOp::create(builder, loc, tap, constant(axis.kernel - 1)));
    }
    Value weight = tensor::ExtractOp::create(builder, loc, weights, indices);
    if (valid)
      weight = arith::SelectOp::create(builder, loc, valid, weight, zeroOf(builder, loc, element));
    linalg::YieldOp::create(builder, loc, weight);
  };
  SmallVector<utils::IteratorType> iterators(layout.dims.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, init.getType(), ValueRange(), init,
                                   builder.getMultiDimIdentityMap(layout.dims.size()), iterators,
                                   body)
      .getResult(0);
}

/// The outputs by phase in their order: y[n, o, g, c] = z[n, q, g, r, c].
Value interleavePhases(OpBuilder &builder, Location loc, const Convolution &conv,
                       ArrayRef<PhaseAxis> axes, const SizedTensor &byPhase, DimExpr ownOutputs,
                       ArrayRef<DimExpr> resultDims) {
  MLIRContext *context = builder.getContext();
  size_t spatial = axes.size();
  SmallVector<DimExpr> outputs, steps, offsets, phases;
  for (const PhaseAxis &axis : axes) {
    outputs.push_back(axis.transposed.output);
    steps.push_back(axis.phased.output);
    offsets.push_back(axis.transposed.padBegin - axis.first * axis.phases);
    phases.push_back(DimExpr::constant(context, axis.phases));
  }
  DimExpr batch = conv.data.dims[0];
  auto arrange = [&](ArrayRef<DimExpr> pixels, ArrayRef<DimExpr> channels) {
    SmallVector<DimExpr> dims = {batch};
    if (conv.channelsLast)
      llvm::append_range(dims, pixels);
    llvm::append_range(dims, channels);
    if (!conv.channelsLast)
      llvm::append_range(dims, pixels);
    return dims;
  };
  SmallVector<DimExpr> phaseChannels = {conv.group};
  llvm::append_range(phaseChannels, phases);
  phaseChannels.push_back(ownOutputs);
  Value source = reshapeTo(builder, loc, byPhase, arrange(steps, phaseChannels));
  SmallVector<DimExpr> dims = arrange(outputs, {conv.group, ownOutputs});
  unsigned firstPixel = conv.channelsLast ? 1 : 3;
  unsigned groupDim = conv.channelsLast ? 1 + spatial : 1;
  SmallVector<Value> offsetValues;
  for (DimExpr offset : offsets)
    offsetValues.push_back(materializeIndex(builder, loc, offset));
  auto body = [&](OpBuilder &builder, Location loc, ValueRange) {
    SmallVector<Value> quotients, remainders, indices;
    for (auto [i, axis] : llvm::enumerate(axes)) {
      Value place = arith::AddIOp::create(
          builder, loc, linalg::IndexOp::create(builder, loc, firstPixel + i), offsetValues[i]);
      Value stride = arith::ConstantIndexOp::create(builder, loc, axis.phases);
      quotients.push_back(builder.createOrFold<arith::DivUIOp>(loc, place, stride));
      remainders.push_back(builder.createOrFold<arith::RemUIOp>(loc, place, stride));
    }
    indices.push_back(linalg::IndexOp::create(builder, loc, 0));
    if (conv.channelsLast)
      llvm::append_range(indices, quotients);
    indices.push_back(linalg::IndexOp::create(builder, loc, groupDim));
    llvm::append_range(indices, remainders);
    indices.push_back(linalg::IndexOp::create(builder, loc, groupDim + 1));
    if (!conv.channelsLast)
      llvm::append_range(indices, quotients);
    linalg::YieldOp::create(builder, loc,
                            tensor::ExtractOp::create(builder, loc, source, indices).getResult());
  };
  Value init = emptyTensor(builder, loc, dims, getElementTypeOrSelf(source.getType()));
  SmallVector<utils::IteratorType> iterators(dims.size(), utils::IteratorType::parallel);
  Value result =
      linalg::GenericOp::create(builder, loc, init.getType(), ValueRange(), init,
                                builder.getMultiDimIdentityMap(dims.size()), iterators, body)
          .getResult(0);
  return reshapeTo(builder, loc, SizedTensor{result, dims}, resultDims);
}

/// onnx.ConvTranspose  ->  a convolution by phases, then their interleaving
struct ConvTransposeLowering : OpConversionPattern<onnx::ConvTransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::ConvTransposeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto shape = onnx::readTransposedConvolution(loc, op);
    if (failed(shape))
      return failure();
    if (llvm::any_of(shape->axes, [](const WindowAxis &axis) { return !axis.kernel.isConstant(); }))
      return op.emitError("expected a kernel size that is known at compile time");
    bool channelsLast = op.getChannelsLast();
    SmallVector<PhaseAxis> axes = llvm::map_to_vector(shape->axes, makePhases);
    int64_t phases = 1;
    Convolution conv;
    for (const PhaseAxis &axis : axes) {
      conv.axes.push_back(axis.phased);
      phases *= axis.phases;
    }
    conv.data = {adaptor.getX(), onnx::getDims(op.getX().getType())};
    conv.group = DimExpr::constant(getContext(), shape->group);
    DimExpr ownOutputs = shape->outputChannels.floorDiv(conv.group);
    conv.groupOutputs = ownOutputs * phases;
    conv.channelsLast = channelsLast;
    setInputChannels(rewriter, loc, conv, onnx::getDims(op.getW().getType())[0]);
    conv.weights = rearrangeWeights(rewriter, loc, conv, axes, adaptor.getW(), ownOutputs);

    onnx::ImageDims byPhase{shape->input.batch, conv.group * conv.groupOutputs, {}};
    for (const PhaseAxis &axis : axes)
      byPhase.spatial.push_back(axis.phased.output);
    SmallVector<DimExpr> phaseDims = onnx::imageDims(byPhase, channelsLast);
    SmallVector<DimExpr> dims = onnx::getDims(op.getType());
    Type element = lowerType(getElementTypeOrSelf(op.getType()));
    Value sums = buildConvolution(rewriter, loc, conv, phaseDims,
                                  accumulatorType(element, /*widenIntegers=*/false));
    if (phases != 1)
      sums = interleavePhases(rewriter, loc, conv, axes, {sums, phaseDims}, ownOutputs, dims);
    SizedTensor bias;
    if (op.getB())
      bias = {adaptor.getB(), onnx::getDims(op.getB().getType())};
    rewriter.replaceOp(op, addBias(rewriter, loc, {sums, dims}, bias, channelsLast, element));
    return success();
  }
};

} // namespace

void onnxc::populateConvTransposePatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvTransposeLowering>(converter, patterns.getContext());
}
