//===- OpsetUpgrade.cpp - Old operator versions to the canonical one ------===//
//
// A table: operator, the opsets [from, to) whose form differs, a small function
// that rewrites the NodeProto. Rows for one operator are applied in order.
//
//===----------------------------------------------------------------------===//
#include "compiler/import/OpsetUpgrade.h"
#include "dialects/onnx/OnnxOps.h"
#include "llvm/ADT/APFloat.h"

using namespace llvm;
using ::onnx::AttributeProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;

namespace onnxc {
namespace {

/// A node while it is rewritten. `before` and `after` are the nodes to run
/// around it.
class Upgrade {
public:
  Upgrade(const NodeProto &original, LookupValue lookup) : node(original), lookup(lookup) {}

  NodeProto node;
  NodeList before, after;
  bool changed = true;

  /// Removes an attribute and returns it.
  std::optional<AttributeProto> take(StringRef name) {
    for (int i = 0; i < node.attribute_size(); ++i) {
      if (node.attribute(i).name() != name)
        continue;
      AttributeProto result = node.attribute(i);
      node.mutable_attribute()->DeleteSubrange(i, 1);
      return result;
    }
    return std::nullopt;
  }
  int64_t takeInt(StringRef name, int64_t otherwise) {
    std::optional<AttributeProto> attribute = take(name);
    return attribute ? attribute->i() : otherwise;
  }
  void setInt(StringRef name, int64_t value) {
    take(name);
    AttributeProto *attribute = addAttribute(node, name, AttributeProto::INT);
    attribute->set_i(value);
  }
  void setString(StringRef name, StringRef value) {
    take(name);
    addAttribute(node, name, AttributeProto::STRING)->set_s(value.str());
  }
  /// Sets a default for a string attribute that is absent.
  void defaultString(StringRef name, StringRef value) {
    if (none_of(node.attribute(), [&](const auto &a) { return a.name() == name; }))
      setString(name, value);
  }

  std::string input(int i) const { return i < node.input_size() ? node.input(i) : std::string(); }
  void setInput(int i, StringRef name) {
    while (node.input_size() <= i)
      node.add_input();
    node.set_input(i, name.str());
  }
  mlir::Value value(int i) const { return input(i).empty() ? mlir::Value() : lookup(input(i)); }
  /// The rank of an input, -1 when it is no ranked tensor.
  int64_t rank(int i) const {
    auto type = value(i) ? dyn_cast<mlir::RankedTensorType>(value(i).getType()) : nullptr;
    return type ? type.getRank() : -1;
  }

  /// A name that no model has: it would not be valid UTF-8 text on its own.
  std::string freshName() {
    return "\x01" + (node.output_size() ? node.output(0) : node.name()) + "\x01" +
           std::to_string(next++);
  }
  static NodeProto makeNode(StringRef op, ArrayRef<std::string> inputs, StringRef output) {
    NodeProto result;
    result.set_op_type(op.str());
    for (const std::string &input : inputs)
      result.add_input(input);
    result.add_output(output.str());
    return result;
  }
  /// Appends a node to run before this one and returns its output's name.
  std::string prepend(StringRef op, ArrayRef<std::string> inputs) {
    std::string output = freshName();
    before.push_back(makeNode(op, inputs, output));
    return output;
  }
  std::string ints(ArrayRef<int64_t> values) {
    std::string output = prepend("Constant", {});
    AttributeProto *attribute = addAttribute(before.back(), "value_ints", AttributeProto::INTS);
    attribute->mutable_ints()->Add(values.begin(), values.end());
    return output;
  }
  std::string floats(ArrayRef<float> values) {
    std::string output = prepend("Constant", {});
    AttributeProto *attribute = addAttribute(before.back(), "value_floats", AttributeProto::FLOATS);
    attribute->mutable_floats()->Add(values.begin(), values.end());
    return output;
  }
  /// A scalar of the element type of input 0.
  std::string scalarLikeInput(float value);

private:
  LookupValue lookup;
  unsigned next = 0;
};

std::string Upgrade::scalarLikeInput(float number) {
  std::string result = prepend("Constant", {});
  TensorProto *tensor = addAttribute(before.back(), "value", AttributeProto::TENSOR)->mutable_t();
  tensor->set_data_type(TensorProto::FLOAT);
  tensor->add_float_data(number);
  mlir::Value like = value(0);
  mlir::Type type = like ? mlir::getElementTypeOrSelf(like.getType()) : mlir::Type();
  if (!type || type.isF32() || !type.isIntOrFloat())
    return result;
  int32_t to = TensorProto::DOUBLE;
  bool exact;
  APFloat converted(number);
  if (type.isF16() || type.isBF16()) {
    converted.convert(cast<mlir::FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven,
                      &exact);
    tensor->clear_float_data();
    tensor->add_int32_data(converted.bitcastToAPInt().getZExtValue());
    to = type.isF16() ? TensorProto::FLOAT16 : TensorProto::BFLOAT16;
  } else if (type.isF64()) {
    tensor->clear_float_data();
    tensor->add_double_data(number);
  } else {
    // Integers: opsets before 11 allowed them for no operator that needs this.
    return result;
  }
  tensor->set_data_type(to);
  return result;
}

using Rule = Error (*)(Upgrade &);

//===----------------------------------------------------------------------===//
// Attributes that became inputs
//===----------------------------------------------------------------------===//

/// An attribute with a list of integers becomes input `index`.
Error intsToInput(Upgrade &upgrade, StringRef name, int index) {
  if (std::optional<AttributeProto> attribute = upgrade.take(name))
    upgrade.setInput(
        index, upgrade.ints(ArrayRef<int64_t>(attribute->ints().data(), attribute->ints_size())));
  return Error::success();
}

Error axesToInput(Upgrade &upgrade) { return intsToInput(upgrade, "axes", 1); }

Error clip(Upgrade &upgrade) {
  std::optional<AttributeProto> min = upgrade.take("min"), max = upgrade.take("max");
  if (min)
    upgrade.setInput(1, upgrade.scalarLikeInput(min->f()));
  if (max)
    upgrade.setInput(2, upgrade.scalarLikeInput(max->f()));
  return Error::success();
}

Error dropout(Upgrade &upgrade) {
  // Before opset 12 an exported model never trains.
  upgrade.take("ratio");
  upgrade.take("is_test");
  return Error::success();
}

Error pad(Upgrade &upgrade) {
  std::optional<AttributeProto> value = upgrade.take("value");
  if (Error error = intsToInput(upgrade, "pads", 1))
    return error;
  if (value && value->f() != 0)
    upgrade.setInput(2, upgrade.scalarLikeInput(value->f()));
  return Error::success();
}

Error slice(Upgrade &upgrade) {
  for (auto [name, index] : {std::pair("starts", 1), std::pair("ends", 2), std::pair("axes", 3)})
    if (Error error = intsToInput(upgrade, name, index))
      return error;
  return Error::success();
}

Error splitSizes(Upgrade &upgrade) { return intsToInput(upgrade, "split", 1); }

Error splitCount(Upgrade &upgrade) {
  if (upgrade.input(1).empty())
    upgrade.setInt("num_outputs", upgrade.node.output_size());
  return Error::success();
}

Error topK(Upgrade &upgrade) {
  if (std::optional<AttributeProto> k = upgrade.take("k"))
    upgrade.setInput(1, upgrade.ints({k->i()}));
  return Error::success();
}

Error dft(Upgrade &upgrade) {
  std::string constant = upgrade.prepend("Constant", {});
  int64_t axis = upgrade.takeInt("axis", 1);
  addAttribute(upgrade.before.back(), "value_int", AttributeProto::INT)->set_i(axis);
  upgrade.setInput(2, constant);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Before opset 6
//===----------------------------------------------------------------------===//

Error reshape(Upgrade &upgrade) { return intsToInput(upgrade, "shape", 1); }

Error castToName(Upgrade &upgrade) {
  std::optional<AttributeProto> to = upgrade.take("to");
  TensorProto::DataType type;
  if (!to)
    return refuse("attribute 'to' is missing");
  if (!TensorProto::DataType_Parse(to->s(), &type))
    return refuse("attribute 'to' is '" + to->s() + "', expected the name of a data type");
  upgrade.setInt("to", type);
  return Error::success();
}

Error concat(Upgrade &upgrade) {
  upgrade.setInt("axis", upgrade.takeInt("axis", 1));
  return Error::success();
}

Error paddings(Upgrade &upgrade) {
  if (std::optional<AttributeProto> pads = upgrade.take("paddings")) {
    pads->set_name("pads");
    *upgrade.node.add_attribute() = *pads;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Broadcasting before opset 7
//===----------------------------------------------------------------------===//

/// Appends dims of size 1 to input 1, so that numpy broadcasting lines it up
/// with dim `axis` of input 0.
Error alignSecondInput(Upgrade &upgrade, int64_t axis) {
  int64_t rankA = upgrade.rank(0), rankB = upgrade.rank(1);
  if (rankA < 0 || rankB < 0)
    return refuse("expected tensors");
  if (axis < 0)
    axis += rankA;
  if (axis < 0 || axis + rankB > rankA)
    return refuse("axis " + Twine(axis) + " does not fit the ranks " + Twine(rankA) + " and " +
                  Twine(rankB));
  SmallVector<int64_t> axes;
  for (int64_t i = rankB; i < rankA - axis; ++i)
    axes.push_back(i);
  if (!axes.empty())
    upgrade.setInput(1, upgrade.prepend("Unsqueeze", {upgrade.input(1), upgrade.ints(axes)}));
  return Error::success();
}

Error legacyBroadcast(Upgrade &upgrade) {
  upgrade.take("broadcast");
  std::optional<AttributeProto> axis = upgrade.take("axis");
  return axis ? alignSecondInput(upgrade, axis->i()) : Error::success();
}

Error prelu(Upgrade &upgrade) {
  // One slope per channel, along dim 1.
  bool perChannel = upgrade.rank(1) == 1 && upgrade.rank(0) > 1 &&
                    cast<mlir::ShapedType>(upgrade.value(1).getType()).getDimSize(0) != 1;
  return perChannel ? alignSecondInput(upgrade, 1) : Error::success();
}

Error gemm(Upgrade &upgrade) {
  upgrade.take("broadcast");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Normalization and activation
//===----------------------------------------------------------------------===//

Error batchNormalization(Upgrade &upgrade) {
  upgrade.take("is_test");
  if (upgrade.takeInt("spatial", 1) != 1)
    return refuse("attribute 'spatial' is 0, expected 1");
  // More than one output meant training. The saved statistics are gone since.
  NodeProto &node = upgrade.node;
  if (node.output_size() > 1)
    upgrade.setInt("training_mode", 1);
  while (node.output_size() > 3)
    node.mutable_output()->RemoveLast();
  return Error::success();
}

/// Before opset 13, Softmax(x, axis) worked on x seen as a matrix: all dims
/// before `axis` by all dims from it on.
Error coercedSoftmax(Upgrade &upgrade) {
  int64_t axis = upgrade.takeInt("axis", 1), rank = upgrade.rank(0);
  if (rank < 0)
    return refuse("expected a tensor");
  if (axis < -rank || axis > rank)
    return refuse("axis " + Twine(axis) + " is out of range for rank " + Twine(rank));
  if (axis < 0)
    axis += rank;
  upgrade.setInt("axis", -1);
  if (axis == rank - 1)
    return Error::success();
  std::string shape = upgrade.prepend("Shape", {upgrade.input(0)});
  std::string matrix = upgrade.prepend("Flatten", {upgrade.input(0)});
  addAttribute(upgrade.before.back(), "axis", AttributeProto::INT)->set_i(axis);
  std::string result = upgrade.freshName();
  upgrade.after.push_back(Upgrade::makeNode(
      "Reshape", {result, shape}, upgrade.node.output_size() ? upgrade.node.output(0) : ""));
  upgrade.setInput(0, matrix);
  upgrade.node.clear_output();
  upgrade.node.add_output(result);
  return Error::success();
}

/// Before opset 21 GroupNormalization had one scale and bias per group: repeat
/// them for the channels of the group.
Error groupNormalization(Upgrade &upgrade) {
  auto type =
      upgrade.value(0) ? dyn_cast<mlir::RankedTensorType>(upgrade.value(0).getType()) : nullptr;
  int64_t groups = 0;
  for (const AttributeProto &attribute : upgrade.node.attribute())
    if (attribute.name() == "num_groups")
      groups = attribute.i();
  if (!type || type.getRank() < 2 || type.isDynamicDim(1))
    return refuse("expected an input with a known number of channels");
  int64_t channels = type.getDimSize(1);
  if (groups <= 0 || channels % groups != 0)
    return refuse("num_groups " + Twine(groups) + " does not divide " + Twine(channels) +
                  " channels");
  for (int i : {1, 2}) {
    std::string column = upgrade.prepend("Unsqueeze", {upgrade.input(i), upgrade.ints({1})});
    std::string table =
        upgrade.prepend("Expand", {column, upgrade.ints({groups, channels / groups})});
    upgrade.setInput(i, upgrade.prepend("Reshape", {table, upgrade.ints({-1})}));
  }
  return Error::success();
}

Error recurrent(Upgrade &upgrade) {
  upgrade.take("output_sequence");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Resampling
//===----------------------------------------------------------------------===//

Error upsample(Upgrade &upgrade) {
  upgrade.node.set_op_type("Resize");
  std::string scales = upgrade.input(1);
  std::optional<AttributeProto> height = upgrade.take("height_scale"),
                                width = upgrade.take("width_scale"), list = upgrade.take("scales");
  if (height && width)
    scales = upgrade.floats({1, 1, height->f(), width->f()});
  else if (list)
    scales = upgrade.floats(ArrayRef<float>(list->floats().data(), list->floats_size()));
  upgrade.setInput(1, "");
  upgrade.setInput(2, scales);
  if (std::optional<AttributeProto> mode = upgrade.take("mode"))
    upgrade.setString("mode", mode->s() == "bilinear" ? "linear" : mode->s());
  upgrade.setString("coordinate_transformation_mode", "asymmetric");
  upgrade.setString("nearest_mode", "floor");
  return Error::success();
}

Error resizeWithoutRoi(Upgrade &upgrade) {
  std::string scales = upgrade.input(1);
  upgrade.setInput(1, "");
  upgrade.setInput(2, scales);
  upgrade.setString("coordinate_transformation_mode", "asymmetric");
  upgrade.setString("nearest_mode", "floor");
  return Error::success();
}

/// Exporters give an empty tensor where they mean an absent input.
Error resizeEmptyInputs(Upgrade &upgrade) {
  upgrade.changed = false;
  for (int i : {1, 2, 3}) {
    mlir::Value value = upgrade.value(i);
    auto type = value ? dyn_cast<mlir::RankedTensorType>(value.getType()) : nullptr;
    if (!type || !type.hasStaticShape() || type.getNumElements() != 0)
      continue;
    upgrade.setInput(i, "");
    upgrade.changed = true;
  }
  return Error::success();
}

Error roiAlign(Upgrade &upgrade) {
  upgrade.defaultString("coordinate_transformation_mode", "output_half_pixel");
  return Error::success();
}

Error gridSample(Upgrade &upgrade) {
  std::optional<AttributeProto> mode = upgrade.take("mode");
  if (mode)
    upgrade.setString("mode", mode->s() == "bilinear"  ? "linear"
                              : mode->s() == "bicubic" ? "cubic"
                                                       : mode->s());
  return Error::success();
}

Error scatter(Upgrade &upgrade) {
  upgrade.node.set_op_type("ScatterElements");
  return Error::success();
}

struct Row {
  const char *op;
  int64_t from, to;
  Rule rule;
};

constexpr int64_t always = maxOpset + 1;

const Row table[] = {
    {"Add", 1, 7, legacyBroadcast},
    {"And", 1, 7, legacyBroadcast},
    {"BatchNormalization", 1, 14, batchNormalization},
    {"Cast", 1, 6, castToName},
    {"Clip", 1, 11, clip},
    {"Concat", 1, 4, concat},
    {"DFT", 1, 20, dft},
    {"Div", 1, 7, legacyBroadcast},
    {"Dropout", 1, 12, dropout},
    {"Equal", 1, 7, legacyBroadcast},
    {"GRU", 1, 7, recurrent},
    {"Gemm", 1, 7, gemm},
    {"Greater", 1, 7, legacyBroadcast},
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
    {"Reshape", 1, 5, reshape},
    {"Resize", 1, 11, resizeWithoutRoi},
    {"Resize", 11, always, resizeEmptyInputs},
    {"RoiAlign", 1, 16, roiAlign},
    {"Scatter", 1, always, scatter},
    {"Slice", 1, 10, slice},
    {"Softmax", 1, 13, coercedSoftmax},
    {"Split", 1, 13, splitSizes},
    {"Split", 1, 18, splitCount},
    {"Squeeze", 1, 13, axesToInput},
    {"Sub", 1, 7, legacyBroadcast},
    {"TopK", 1, 10, topK},
    {"Unsqueeze", 1, 13, axesToInput},
    {"Upsample", 1, always, upsample},
    {"Xor", 1, 7, legacyBroadcast},
};

/// The operators of the default domain that came after opset 1.
const std::pair<int64_t, const char *> introduced[] = {
    {7, " Acos Asin Atan Cos Multinomial Sin Tan "},
    {8, " Expand Scan "},
    {9, " Acosh Asinh Atanh Compress ConstantOfShape Cosh Erf EyeLike IsNaN "
        "MaxUnpool MeanVarianceNormalization NonZero OneHot Scatter Shrink Sign "
        "Sinh TfIdfVectorizer Where "},
    {10, " ConvInteger DequantizeLinear IsInf MatMulInteger Mod "
         "NonMaxSuppression QLinearConv QLinearMatMul QuantizeLinear Resize "
         "ReverseSequence RoiAlign StringNormalizer ThresholdedRelu "},
    {11, " BitShift ConcatFromSequence CumSum Det DynamicQuantizeLinear "
         "GatherElements GatherND Range Round ScatterElements ScatterND "
         "SequenceAt SequenceConstruct SequenceEmpty SequenceErase "
         "SequenceInsert SequenceLength SplitToSequence Unique "},
    {12, " Celu Einsum GreaterOrEqual LessOrEqual NegativeLogLikelihoodLoss "
         "SoftmaxCrossEntropyLoss "},
    {14, " HardSwish Trilu "},
    {15, " Bernoulli CastLike Optional OptionalGetElement OptionalHasElement "},
    {16, " GridSample "},
    {17, " BlackmanWindow DFT HammingWindow HannWindow LayerNormalization "
         "MelWeightMatrix STFT SequenceMap "},
    {18, " BitwiseAnd BitwiseNot BitwiseOr BitwiseXor CenterCropPad Col2Im "
         "GroupNormalization Mish "},
    {19, " DeformConv "},
    {20, " AffineGrid Gelu ImageDecoder RegexFullMatch StringConcat "
         "StringSplit "},
    {23, " Attention RMSNormalization RotaryEmbedding "},
    {24, " Swish TensorScatter "},
    {26, " BitCast CumProd "},
    {27, " CausalConvWithState LinearAttention "},
    {28, " SwiGLU "},
};

int64_t introducedIn(StringRef op) {
  std::string word = (" " + op + " ").str();
  for (auto [opset, names] : introduced)
    if (StringRef(names).contains(word))
      return opset;
  return 1;
}

} // namespace

Expected<NodeList> upgradeNode(const NodeProto &node, int64_t opset, LookupValue lookup) {
  std::optional<Upgrade> upgrade;
  if (int64_t first = introducedIn(node.op_type()); first > opset)
    return refuse("operator '" + node.op_type() + "' exists from opset " + Twine(first) +
                  " on, the model imports opset " + Twine(opset));
  if (opset < 6) {
    // A hint on in-place computation that nothing ever used.
    upgrade.emplace(node, lookup);
    upgrade->take("consumed_inputs");
  }
  for (const Row &row : table) {
    if (row.op != node.op_type() || opset < row.from || opset >= row.to)
      continue;
    if (!upgrade)
      upgrade.emplace(node, lookup);
    if (Error error = row.rule(*upgrade))
      return error;
  }
  NodeList result;
  if (!upgrade || !upgrade->changed)
    return result;
  result = std::move(upgrade->before);
  result.push_back(std::move(upgrade->node));
  std::move(upgrade->after.begin(), upgrade->after.end(), std::back_inserter(result));
  return result;
}

} // namespace onnxc
