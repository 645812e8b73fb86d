//===- OpsetUpgrade.cpp - Other forms of operators to the canonical one ---===//
//
// A table: operator, the versions [from, to) whose form differs, a small function
// that changes the node. Rows for one operator are applied in order.
//
//===----------------------------------------------------------------------===//
#include "compiler/import/OpsetUpgrade.h"
#include "dialects/onnx/DimExpr.h"

using namespace mlir;
using ::onnx::TensorProto;

namespace onnxc {
namespace {

//===----------------------------------------------------------------------===//
// Attributes that became inputs
//===----------------------------------------------------------------------===//

/// An attribute with a list of integers becomes input `index`.
LogicalResult intsToInput(NodeForm &node, StringRef name, int index) {
  if (std::optional<SmallVector<int64_t>> list = node.takeInts(name))
    node.setInput(index, node.ints(*list));
  return success();
}

LogicalResult axesToInput(NodeForm &node) { return intsToInput(node, "axes", 1); }
LogicalResult shapeToInput(NodeForm &node) { return intsToInput(node, "shape", 1); }
LogicalResult splitToInput(NodeForm &node) { return intsToInput(node, "split", 1); }

LogicalResult clip(NodeForm &node) {
  std::optional<float> min = node.takeFloat("min"), max = node.takeFloat("max");
  if (min)
    node.setInput(1, node.scalarLikeInput(*min));
  if (max)
    node.setInput(2, node.scalarLikeInput(*max));
  return success();
}

LogicalResult dropout(NodeForm &node) {
  // Before opset 12 an exported model never trains.
  node.drop("ratio");
  node.drop("is_test");
  return success();
}

LogicalResult pad(NodeForm &node) {
  std::optional<float> value = node.takeFloat("value");
  if (failed(intsToInput(node, "pads", 1)))
    return failure();
  if (value && *value != 0)
    node.setInput(2, node.scalarLikeInput(*value));
  return success();
}

LogicalResult slice(NodeForm &node) {
  return success(succeeded(intsToInput(node, "starts", 1)) &&
                 succeeded(intsToInput(node, "ends", 2)) &&
                 succeeded(intsToInput(node, "axes", 3)));
}

LogicalResult splitCount(NodeForm &node) {
  if (!node.input(1))
    node.setInt("num_outputs", node.numOutputs);
  return success();
}

LogicalResult topK(NodeForm &node) {
  if (std::optional<int64_t> k = node.takeInt("k"))
    node.setInput(1, node.ints(*k));
  return success();
}

//===----------------------------------------------------------------------===//
// Before opset 6
//===----------------------------------------------------------------------===//

LogicalResult castToName(NodeForm &node) {
  TensorProto::DataType type;
  std::optional<std::string> to = node.takeString("to");
  if (!to)
    return node.hasFailed() ? failure() : node.fail("attribute 'to' is missing");
  if (!TensorProto::DataType_Parse(*to, &type))
    return node.fail("attribute 'to' is '" + printable(*to) +
                     "', expected the name of a data type");
  node.setInt("to", type);
  return success();
}

LogicalResult concat(NodeForm &node) {
  node.setInt("axis", node.takeInt("axis").value_or(1));
  return success();
}

LogicalResult paddings(NodeForm &node) {
  if (Attribute pads = node.attributes.erase("paddings"))
    node.attributes.set("pads", pads);
  return success();
}

//===----------------------------------------------------------------------===//
// Broadcasting before opset 7
//===----------------------------------------------------------------------===//

/// Appends dims of size 1 to input 1, so that numpy broadcasting lines it up
/// with dim `axis` of input 0.
LogicalResult alignSecondInput(NodeForm &node, int64_t axis) {
  int64_t rankA = node.rank(0), rankB = node.rank(1);
  if (rankA < 0 || rankB < 0)
    return node.fail("expected tensors");
  if (axis < 0)
    axis += rankA;
  if (axis < 0 || axis + rankB > rankA)
    return node.fail("axis " + Twine(axis) + " does not fit the ranks " + Twine(rankA) + " and " +
                     Twine(rankB));
  SmallVector<int64_t> axes;
  for (int64_t i = rankB; i < rankA - axis; ++i)
    axes.push_back(i);
  if (!axes.empty())
    node.setInput(1, node.create("Unsqueeze", {node.input(1), node.ints(axes)}));
  return success();
}

LogicalResult legacyBroadcast(NodeForm &node) {
  node.drop("broadcast");
  std::optional<int64_t> axis = node.takeInt("axis");
  return axis ? alignSecondInput(node, *axis) : success();
}

LogicalResult prelu(NodeForm &node) {
  // One slope per channel, along dim 1.
  bool perChannel = node.rank(1) == 1 && node.rank(0) > 1 && node.type(1).getDimSize(0) != 1;
  return perChannel ? alignSecondInput(node, 1) : success();
}

LogicalResult gemm(NodeForm &node) {
  node.drop("broadcast");
  return success();
}

//===----------------------------------------------------------------------===//
// Normalization and activation
//===----------------------------------------------------------------------===//

LogicalResult batchNormalization(NodeForm &node) {
  node.drop("is_test");
  if (node.takeInt("spatial").value_or(1) != 1)
    return node.fail("attribute 'spatial' is 0, expected 1");
  // More than one output meant training. The saved statistics, outputs 3 and 4, are gone
  // since: what uses them finds no such output.
  if (node.numOutputs > 1)
    node.setInt("training_mode", 1);
  node.numOutputs = std::min(node.numOutputs, 3U);
  return success();
}

/// Before opset 13, Softmax(x, axis) worked on x seen as a matrix: all dims
/// before `axis` by all dims from it on.
LogicalResult coercedSoftmax(NodeForm &node) {
  int64_t axis = node.takeInt("axis").value_or(1), rank = node.rank(0);
  if (rank < 0)
    return node.fail("expected a tensor");
  if (axis < -rank || axis > rank)
    return node.fail("axis " + Twine(axis) + " is out of range for rank " + Twine(rank));
  if (axis < 0)
    axis += rank;
  node.setInt("axis", -1);
  if (axis == rank - 1)
    return success();
  Value shape = node.create("Shape", {node.input(0)});
  node.setInput(0, node.create("Flatten", {node.input(0)}, {node.attribute("axis", axis)}));
  FailureOr<SmallVector<Value>> result = node.finish();
  if (failed(result))
    return failure();
  node.results = SmallVector<Value>{node.create("Reshape", {result->front(), shape})};
  return success();
}

/// Before opset 21 GroupNormalization had one scale and bias per group: repeat
/// them for the channels of the group.
LogicalResult groupNormalization(NodeForm &node) {
  RankedTensorType type = node.type(0);
  auto attribute = dyn_cast_or_null<IntegerAttr>(node.attributes.get("num_groups"));
  int64_t groups = attribute ? attribute.getInt() : 0;
  if (!type || type.getRank() < 2 || type.isDynamicDim(1))
    return node.fail("expected an input with a known number of channels");
  int64_t channels = type.getDimSize(1);
  if (groups <= 0 || channels % groups != 0)
    return node.fail("num_groups " + Twine(groups) + " does not divide " + Twine(channels) +
                     " channels");
  for (int i : {1, 2}) {
    Value column = node.create("Unsqueeze", {node.input(i), node.ints(1)});
    Value table = node.create("Expand", {column, node.ints({groups, channels / groups})});
    node.setInput(i, node.create("Reshape", {table, node.ints(-1)}));
  }
  return success();
}

LogicalResult recurrent(NodeForm &node) {
  node.drop("output_sequence");
  return success();
}

//===----------------------------------------------------------------------===//
// Resampling
//===----------------------------------------------------------------------===//

/// The scales in input 1, as before opset 11, and how they were understood.
LogicalResult resizeByScales(NodeForm &node) {
  Value scales = node.input(1);
  node.setInput(1, Value());
  node.setInput(2, scales);
  node.setString("coordinate_transformation_mode", "asymmetric");
  node.setString("nearest_mode", "floor");
  return success();
}

LogicalResult upsample(NodeForm &node) {
  node.op = "Resize";
  std::optional<float> height = node.takeFloat("height_scale"),
                       width = node.takeFloat("width_scale");
  std::optional<SmallVector<float>> list = node.takeFloats("scales");
  if (height && width)
    node.setInput(1, node.floats({1, 1, *height, *width}));
  else if (list)
    node.setInput(1, node.floats(*list));
  if (std::optional<std::string> mode = node.takeString("mode"))
    node.setString("mode", *mode == "bilinear" ? "linear" : *mode);
  return resizeByScales(node);
}

/// Exporters give an empty tensor where they mean an absent input.
LogicalResult resizeEmptyInputs(NodeForm &node) {
  for (int i : {1, 2, 3})
    if (RankedTensorType type = node.type(i);
        type && type.hasStaticShape() && type.getNumElements() == 0)
      node.setInput(i, Value());
  return success();
}

LogicalResult gridSample(NodeForm &node) {
  if (std::optional<std::string> mode = node.takeString("mode"))
    node.setString("mode", *mode == "bilinear" ? "linear" : *mode == "bicubic" ? "cubic" : *mode);
  return success();
}

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

LogicalResult scatter(NodeForm &node) {
  node.op = "ScatterElements";
  return success();
}

/// GatherND's result has a rank only where the depth of the indices, their last dim,
/// is a constant. Else the rank that the file declares for the result tells the
/// depth, and the run checks it.
LogicalResult refineGatherDepth(NodeForm &node) {
  RankedTensorType data = node.type(0), indices = node.type(1);
  if (!data || !indices || !node.declaredRank || indices.getRank() == 0 ||
      !indices.isDynamicDim(indices.getRank() - 1))
    return success();
  auto batchDims = dyn_cast_or_null<IntegerAttr>(node.attributes.get("batch_dims"));
  int64_t depth = indices.getRank() - 1 + data.getRank() - (batchDims ? batchDims.getInt() : 0) -
                  *node.declaredRank;
  if (depth < 1)
    return success();
  SmallVector<onnx::DimExpr> dims = onnx::getDims(indices);
  dims.back() = onnx::DimExpr::constant(indices.getContext(), depth);
  node.setInput(1, node.refine(node.input(1), dims));
  return success();
}

//===----------------------------------------------------------------------===//
// Other domains
//===----------------------------------------------------------------------===//

/// The operator is the one of ai.onnx.
LogicalResult asDefaultDomain(NodeForm &node) {
  node.domain = "";
  return success();
}

/// Gelu(x + bias), where the bias may be absent.
LogicalResult biasGelu(NodeForm &node) {
  node.domain = "";
  node.op = "Gelu";
  if (Value bias = node.input(1)) {
    node.setInput(0, node.create("Add", {node.input(0), bias}));
    node.inputs.truncate(1);
  }
  return success();
}

LogicalResult fastGelu(NodeForm &node) {
  node.setString("approximate", "tanh");
  return biasGelu(node);
}

/// x * sigmoid(alpha x)
LogicalResult quickGelu(NodeForm &node) {
  node.domain = "";
  node.op = "Swish";
  if (!node.attributes.get("alpha"))
    node.attributes.set("alpha", node.importer.getBuilder().getF32FloatAttr(1.702F));
  return success();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

constexpr OtherForm forms[] = {
    {"Add", 1, 7, legacyBroadcast},
    {"And", 1, 7, legacyBroadcast},
    {"BatchNormalization", 1, 14, batchNormalization},
    {"Cast", 1, 6, castToName},
    {"Clip", 1, 11, clip},
    {"Concat", 1, 4, concat},
    {"Div", 1, 7, legacyBroadcast},
    {"Dropout", 1, 12, dropout},
    {"Equal", 1, 7, legacyBroadcast},
    {"GRU", 1, 7, recurrent},
    {"Gemm", 1, 7, gemm},
    {"Greater", 1, 7, legacyBroadcast},
    {"GatherND", 11, always, refineGatherDepth},
    {"GridSample", 1, 20, gridSample},
    {"GroupNormalization", 1, 21, groupNormalization},
    {"Hardmax", 1, 13, coercedSoftmax},
    {"LSTM", 1, 7, recurrent},
    {"Less", 1, 7, legacyBroadcast},
    {"LogSoftmax", 1, 13, coercedSoftmax},
    {"Mul", 1, 7, legacyBroadcast},
    {"Or", 1, 7, legacyBroadcast},
    {"PRelu", 1, 7, prelu},
    {"Pad", 1, 2, paddings},
    {"Pad", 1, 11, pad},
    {"Pow", 1, 7, legacyBroadcast},
    {"RNN", 1, 7, recurrent},
    {"ReduceL1", 1, 18, axesToInput},
    {"ReduceL2", 1, 18, axesToInput},
    {"ReduceLogSum", 1, 18, axesToInput},
    {"ReduceLogSumExp", 1, 18, axesToInput},
    {"ReduceMax", 1, 18, axesToInput},
    {"ReduceMean", 1, 18, axesToInput},
    {"ReduceMin", 1, 18, axesToInput},
    {"ReduceProd", 1, 18, axesToInput},
    {"ReduceSum", 1, 13, axesToInput},
    {"ReduceSumSquare", 1, 18, axesToInput},
    {"Reshape", 1, 5, shapeToInput},
    {"Resize", 1, 11, resizeByScales},
    {"Resize", 11, always, resizeEmptyInputs},
    {"Scan", 8, always, scanToLoop},
    {"Scatter", 9, always, scatter},
    {"Slice", 1, 10, slice},
    {"Softmax", 1, 13, coercedSoftmax},
    {"Split", 1, 13, splitToInput},
    {"Split", 1, 18, splitCount},
    {"Squeeze", 1, 13, axesToInput},
    {"Sub", 1, 7, legacyBroadcast},
    {"TopK", 1, 10, topK},
    {"Unsqueeze", 1, 13, axesToInput},
    {"Upsample", 1, always, upsample},
    {"Xor", 1, 7, legacyBroadcast},

    {"BiasGelu", 1, always, biasGelu, "com.microsoft"},
    {"DequantizeLinear", 1, always, asDefaultDomain, "com.microsoft"},
    {"FastGelu", 1, always, fastGelu, "com.microsoft"},
    {"Gelu", 1, always, asDefaultDomain, "com.microsoft"},
    {"QuantizeLinear", 1, always, asDefaultDomain, "com.microsoft"},
    {"QuickGelu", 1, always, quickGelu, "com.microsoft"},
    {"Trilu", 1, always, asDefaultDomain, "com.microsoft"},
};

bool applies(const OtherForm &form, StringRef domain, StringRef op, int64_t version) {
  return form.op == op && form.domain == domain && form.from <= version && version < form.to;
}

} // namespace

ArrayRef<OtherForm> getOtherForms() { return forms; }

bool needsUpgrade(const NodeForm &node) {
  return llvm::any_of(forms, [&](const OtherForm &form) {
    return applies(form, node.domain, node.op, node.version);
  });
}

LogicalResult upgradeNode(NodeForm &node) {
  // The rules may change the operator.
  std::string domain = node.domain, op = node.op;
  for (const OtherForm &form : forms) {
    if (!applies(form, domain, op, node.version))
      continue;
    if (form.to != always)
      node.messagePrefix = "opset " + std::to_string(node.version) + ": ";
    if (failed(form.rule(node)) || node.hasFailed())
      return failure();
    node.messagePrefix.clear();
  }
  return success();
}

std::optional<int64_t> findFirstVersion(StringRef domain, StringRef op) {
  std::optional<int64_t> first;
  for (const OtherForm &form : forms)
    if (form.op == op && form.domain == domain)
      first = std::min(first.value_or(form.from), form.from);
  return first;
}

} // namespace onnxc
