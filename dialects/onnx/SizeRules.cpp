//===- SizeRules.cpp - Sizes that must agree --------------------------------===//
//
// What the types of an operator's results do not say: which sizes of its operands
// must agree. Import, plan and body check it, from here (`SizeRulesOpInterface`).
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/OnnxShapes.h"
#include "dialects/onnx/WindowShape.h"

using namespace mlir;

namespace onnxc::onnx {

std::optional<bool> SizeRule::holds() const {
  if (found == expected)
    return true;
  if (found.isConstant() && expected.isConstant())
    return false;
  return std::nullopt;
}

LogicalResult checkSizeRules(std::optional<Location> location, Operation *op) {
  auto ruled = dyn_cast<SizeRulesOpInterface>(op);
  if (!ruled)
    return success();
  for (const SizeRule &rule : ruled.getSizeRules())
    if (rule.holds() == false)
      return emitOptionalError(location, rule.text, ": expected ", rule.expected.str(), ", found ",
                               rule.found.str());
  return success();
}

namespace {

/// Collects the rules of one op.
class SizeRules {
public:
  void equal(DimExpr found, DimExpr expected, const Twine &text) {
    if (found != expected)
      rules.push_back({found, expected, text.str()});
  }
  void equal(DimExpr found, int64_t expected, const Twine &text) {
    equal(found, DimExpr::constant(found.getContext(), expected), text);
  }
  void atMost(DimExpr found, DimExpr most, const Twine &text) {
    equal(found.max(most), most, text);
  }
  void multipleOf(DimExpr found, int64_t factor, const Twine &text) {
    equal(found.mod(DimExpr::constant(found.getContext(), factor)), 0, text);
  }
  /// A list of values that may be left out.
  void elements(Value list, DimExpr expected, const Twine &text) {
    if (list)
      equal(numElements(list.getContext(), getDims(list.getType())), expected, text);
  }

  SmallVector<SizeRule> rules;
};

/// The rules of a convolution whose weights are [M, C/group, k...], or [C, M/group,
/// k...] when `transposed`.
SmallVector<SizeRule> convolutionRules(const FailureOr<ConvolutionShape> &shape, Value weights,
                                       Value bias, bool transposed) {
  SizeRules result;
  if (failed(shape))
    return {};
  SmallVector<DimExpr> dims = getDims(weights.getType());
  DimExpr inputs = transposed ? dims[0] : dims[1] * shape->group;
  result.equal(shape->input.channels, inputs, "the input has not as many channels as the weights");
  result.multipleOf(dims[0], shape->group,
                    transposed ? "the input channels are no multiple of 'group'"
                               : "the output channels are no multiple of 'group'");
  for (auto [i, axis] : llvm::enumerate(shape->axes))
    result.equal(dims[2 + i], axis.kernel,
                 "'kernel_shape' differs from the weights along axis " + Twine(2 + i));
  result.elements(bias, shape->outputChannels, "the bias has not one element per output channel");
  return std::move(result.rules);
}

} // namespace

//===----------------------------------------------------------------------===//
// Convolutions and sampling
//===----------------------------------------------------------------------===//

SmallVector<SizeRule> ConvOp::getSizeRules() {
  return convolutionRules(readConvolution(std::nullopt, *this, getX(), getW()), getW(), getB(),
                          /*transposed=*/false);
}

SmallVector<SizeRule> ConvIntegerOp::getSizeRules() {
  return convolutionRules(readConvolution(std::nullopt, *this, getX(), getW()), getW(), Value(),
                          /*transposed=*/false);
}

SmallVector<SizeRule> QLinearConvOp::getSizeRules() {
  return convolutionRules(readConvolution(std::nullopt, *this, getX(), getW()), getW(), getB(),
                          /*transposed=*/false);
}

SmallVector<SizeRule> ConvTransposeOp::getSizeRules() {
  return convolutionRules(readTransposedConvolution(std::nullopt, *this), getW(), getB(),
                          /*transposed=*/true);
}

SmallVector<SizeRule> DeformConvOp::getSizeRules() {
  FailureOr<ConvolutionShape> shape = readDeformConvolution(std::nullopt, *this);
  SizeRules result;
  result.rules = convolutionRules(shape, getW(), getB(), /*transposed=*/false);
  if (failed(shape))
    return {};
  int64_t groups = getOffsetGroup();
  result.multipleOf(shape->input.channels, groups,
                    "the input channels are no multiple of 'offset_group'");
  DimExpr taps = DimExpr::constant(getContext(), groups);
  for (const WindowAxis &axis : shape->axes)
    taps = taps * axis.kernel;
  int64_t spatial = shape->axes.size();
  for (auto [image, name, channels] : {std::tuple(Value(getOffset()), "offset", taps * spatial),
                                       std::tuple(Value(getMask()), "mask", taps)}) {
    if (!image)
      continue;
    ImageDims wanted{shape->input.batch, channels, {}};
    for (const WindowAxis &axis : shape->axes)
      wanted.spatial.push_back(axis.output);
    for (auto [i, pair] :
         llvm::enumerate(llvm::zip_equal(getDims(image.getType()), imageDims(wanted, false))))
      result.equal(std::get<0>(pair), std::get<1>(pair),
                   "'" + Twine(name) + "' has the wrong size along axis " + Twine(i));
  }
  return std::move(result.rules);
}

SmallVector<SizeRule> GridSampleOp::getSizeRules() {
  SmallVector<DimExpr> image = getDims(getX().getType()), grid = getDims(getGrid().getType());
  SizeRules result;
  result.equal(grid.front(), image.front(), "image and grid differ in batch");
  result.equal(grid.back(), image.size() - 2, "the grid has not one coordinate per axis");
  return std::move(result.rules);
}

SmallVector<SizeRule> AffineGridOp::getSizeRules() {
  SmallVector<DimExpr> theta = getDims(getTheta().getType()), dims = getDims(getType());
  SizeRules result;
  // The lowering binds a batch that only the run knows, and checks it.
  if (!bindsSymbol(*this, dims[0]))
    result.equal(theta[0], dims[0], "there is not one matrix for each batch");
  int64_t spatial = static_cast<int64_t>(dims.size()) - 2;
  result.equal(theta[1], spatial, "a matrix has not one row for each axis");
  result.equal(theta[2], spatial + 1, "a matrix has not one column for each axis and one more");
  return std::move(result.rules);
}

//===----------------------------------------------------------------------===//
// Indexing and losses
//===----------------------------------------------------------------------===//

SmallVector<SizeRule> GatherNDOp::getSizeRules() {
  SmallVector<DimExpr> data = getDims(getData().getType()),
                       indices = getDims(getIndices().getType());
  SizeRules result;
  for (int64_t i = 0, batch = getBatchDims(); i < batch; ++i)
    result.equal(indices[i], data[i], "the batch dims differ");
  return std::move(result.rules);
}

SmallVector<SizeRule> ReverseSequenceOp::getSizeRules() {
  SizeRules result;
  result.elements(getSequenceLens(), getDims(getInput().getType())[getBatchAxis()],
                  "the number of sequence lengths differs from the batch");
  return std::move(result.rules);
}

SmallVector<SizeRule> OneHotOp::getSizeRules() {
  SizeRules result;
  result.elements(getValues(), DimExpr::constant(getContext(), 2),
                  "'values' must hold what is off and what is on");
  return std::move(result.rules);
}

SmallVector<SizeRule> TensorScatterOp::getSizeRules() {
  SmallVector<DimExpr> cache = getDims(getPastCache().getType());
  SmallVector<DimExpr> update = getDims(getUpdate().getType());
  int64_t rank = cache.size(), axis = static_cast<int64_t>(getAxis());
  axis = axis < 0 ? axis + rank : axis;
  SizeRules result;
  for (int64_t i = 0; i < rank; ++i) {
    if (i == axis)
      result.atMost(update[i], cache[i], "the update is longer than the cache");
    else
      result.equal(update[i], cache[i], "cache and update differ in shape along axis " + Twine(i));
  }
  result.elements(getWriteIndices(), cache[0], "there is not one write index for each batch");
  return std::move(result.rules);
}

SmallVector<SizeRule> NegativeLogLikelihoodLossOp::getSizeRules() {
  SmallVector<DimExpr> scores = getDims(getInput().getType());
  SizeRules result;
  for (auto [i, dim] : llvm::enumerate(getDims(getTarget().getType())))
    result.equal(dim, scores[i == 0 ? 0 : i + 1],
                 "the targets do not fit the scores along axis " + Twine(i));
  result.elements(getWeight(), scores[1], "the weights do not fit the classes");
  return std::move(result.rules);
}

} // namespace onnxc::onnx
