//===- ScanToLoop.cpp - Scan as a Loop over rows ---------------------------===//
#include "compiler/import/NodeRewrites.h"
#include "dialects/onnx/DimExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include <limits>

using namespace llvm;
using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::NodeProto;

namespace onnxc {
namespace {

Error refuseAxis(StringRef list, int64_t axis, StringRef what, size_t index, int64_t rank) {
  return refuse(list + " has " + Twine(axis) + " for " + what + " " + Twine(index) + ", expected " +
                Twine(-rank) + " to " + Twine(rank - 1));
}

SmallVector<int64_t> intsAttribute(const NodeProto &node, StringRef name, size_t size) {
  SmallVector<int64_t> result(size, 0);
  for (const AttributeProto &attribute : node.attribute())
    if (attribute.name() == name)
      for (size_t i = 0; i < std::min<size_t>(size, attribute.ints_size()); ++i)
        result[i] = attribute.ints(i);
  return result;
}

/// Builds nodes with names that no model has.
class NodeMaker {
public:
  explicit NodeMaker(const NodeProto &scan)
      : prefix("\x02" + scan.name() + "\x02" + (scan.output_size() ? scan.output(0) : "")) {}

  std::string fresh() { return prefix + "\x02" + std::to_string(next++); }

  template <typename Nodes>
  NodeProto &add(Nodes &nodes, StringRef op, ArrayRef<std::string> inputs, StringRef output) {
    NodeProto node;
    node.set_name(op.lower() + std::to_string(next++));
    node.set_op_type(op.str());
    for (const std::string &input : inputs)
      node.add_input(input);
    node.add_output(output.str());
    return append(nodes, std::move(node));
  }
  template <typename Nodes> std::string ints(Nodes &nodes, ArrayRef<int64_t> values) {
    std::string name = fresh();
    AttributeProto *attribute =
        addAttribute(add(nodes, "Constant", {}, name), "value_ints", AttributeProto::INTS);
    attribute->mutable_ints()->Add(values.begin(), values.end());
    return name;
  }
  /// The size of one dim as a scalar.
  template <typename Nodes>
  std::string dimSize(Nodes &nodes, const std::string &tensor, int64_t axis) {
    std::string shape = fresh(), size = fresh();
    NodeProto &node = add(nodes, "Shape", {tensor}, shape);
    addAttribute(node, "start", AttributeProto::INT)->set_i(axis);
    addAttribute(node, "end", AttributeProto::INT)->set_i(axis + 1);
    std::string zero = ints(nodes, {0});
    add(nodes, "Squeeze", {shape, zero}, size);
    return size;
  }

private:
  static NodeProto &append(NodeList &nodes, NodeProto node) {
    return nodes.emplace_back(std::move(node));
  }
  static NodeProto &append(google::protobuf::RepeatedPtrField<NodeProto> &nodes, NodeProto node) {
    return *nodes.Add() = std::move(node);
  }

  std::string prefix;
  unsigned next = 0;
};

/// A Scan whose axes are not negative.
struct ScanForm {
  const GraphProto *body = nullptr;
  SmallVector<std::string> states, inputs, outputs;
  SmallVector<int64_t> inputAxes, inputReversed, outputAxes, outputReversed;
};

/// Loop's body: iteration number, condition, states; rows are gathered first.
GraphProto makeBody(NodeMaker &maker, const ScanForm &scan, ArrayRef<std::string> captured,
                    const std::string &trips) {
  GraphProto body = *scan.body;
  std::string iteration = maker.fresh(), cond = maker.fresh(), nextCond = maker.fresh();
  body.clear_input();
  body.clear_node();
  body.clear_output();
  body.add_input()->set_name(iteration);
  body.add_input()->set_name(cond);
  for (size_t i = 0; i < scan.states.size(); ++i)
    *body.add_input() = scan.body->input(i);
  auto &nodes = *body.mutable_node();
  maker.add(nodes, "Identity", {cond}, nextCond);
  for (size_t k = 0; k < captured.size(); ++k) {
    std::string index = iteration;
    if (scan.inputReversed[k]) {
      std::string one = maker.fresh(), last = maker.fresh();
      addAttribute(maker.add(nodes, "Constant", {}, one), "value_int", AttributeProto::INT)
          ->set_i(1);
      maker.add(nodes, "Sub", {trips, one}, last);
      index = maker.fresh();
      maker.add(nodes, "Sub", {last, iteration}, index);
    }
    NodeProto &gather = maker.add(nodes, "Gather", {captured[k], index},
                                  scan.body->input(scan.states.size() + k).name());
    addAttribute(gather, "axis", AttributeProto::INT)->set_i(scan.inputAxes[k]);
  }
  for (const NodeProto &node : scan.body->node())
    *body.add_node() = node;
  body.add_output()->set_name(nextCond);
  for (const auto &output : scan.body->output())
    *body.add_output() = output;
  return body;
}

/// Reverses a scan output and moves its rows to their axis.
Error finishOutput(NodeMaker &maker, NodeList &nodes, const ScanForm &scan, size_t output,
                   std::string value, const std::string &result) {
  const auto &type = scan.body->output(scan.states.size() + output).type().tensor_type();
  if (scan.outputReversed[output]) {
    std::string start = maker.ints(nodes, {-1});
    std::string end = maker.ints(nodes, {std::numeric_limits<int64_t>::min()});
    std::string axes = maker.ints(nodes, {0}), reversed = maker.fresh();
    maker.add(nodes, "Slice", {value, start, end, axes, start}, reversed);
    value = reversed;
  }
  int64_t axis = scan.outputAxes[output];
  if (axis == 0) {
    maker.add(nodes, "Identity", {value}, result);
    return Error::success();
  }
  if (!type.has_shape())
    return refuse("the body's output " + Twine(output) +
                  " has no declared rank, which an output axis other than 0 needs");
  int64_t rank = type.shape().dim_size() + 1;
  if (axis < -rank || axis >= rank)
    return refuseAxis("scan_output_axes", axis, "output", output, rank);
  if (axis < 0)
    axis += rank;
  NodeProto &transpose = maker.add(nodes, "Transpose", {value}, result);
  AttributeProto *perm = addAttribute(transpose, "perm", AttributeProto::INTS);
  for (int64_t i = 1; i < rank; ++i)
    perm->add_ints(i);
  auto *order = perm->mutable_ints();
  order->Add(0);
  for (int64_t i = rank - 1; i > axis; --i)
    order->SwapElements(i, i - 1);
  return Error::success();
}

Error scanForm(NodeMaker &maker, NodeList &nodes, const ScanForm &scan) {
  SmallVector<std::string> captured;
  for (const std::string &input : scan.inputs) {
    captured.push_back(maker.fresh());
    maker.add(nodes, "Identity", {input}, captured.back());
  }
  std::string trips = maker.dimSize(nodes, captured[0], scan.inputAxes[0]);
  NodeProto loop;
  loop.set_op_type("Loop");
  loop.set_name("loop");
  loop.add_input(trips);
  loop.add_input("");
  for (const std::string &state : scan.states)
    loop.add_input(state);
  *addAttribute(loop, "body", AttributeProto::GRAPH)->mutable_g() =
      makeBody(maker, scan, captured, trips);
  NodeList after;
  for (auto [i, output] : enumerate(scan.outputs)) {
    bool isState = i < scan.states.size();
    std::string name = isState || output.empty() ? output : maker.fresh();
    loop.add_output(name);
    if (!isState && !output.empty())
      if (Error error = finishOutput(maker, after, scan, i - scan.states.size(), name, output))
        return error;
  }
  nodes.push_back(std::move(loop));
  std::move(after.begin(), after.end(), std::back_inserter(nodes));
  return Error::success();
}

/// Before opset 9, Scan ran over a batch in dim 0 of everything: a Loop over
/// the batch around a Scan.
Error scanBatch(NodeMaker &maker, NodeList &nodes, ScanForm scan) {
  SmallVector<std::string> all = scan.states;
  all.append(scan.inputs);
  SmallVector<std::string> outputs = scan.outputs;
  GraphProto body;
  std::string batch = maker.fresh(), cond = maker.fresh(), nextCond = maker.fresh();
  body.add_input()->set_name(batch);
  body.add_input()->set_name(cond);
  body.add_output()->set_name(nextCond);
  maker.add(*body.mutable_node(), "Identity", {cond}, nextCond);
  SmallVector<std::string> rows;
  for (std::string &name : all) {
    std::string captured = maker.fresh();
    maker.add(nodes, "Identity", {name}, captured);
    name = captured;
    rows.push_back(maker.fresh());
    NodeProto &gather = maker.add(*body.mutable_node(), "Gather", {captured, batch}, rows.back());
    addAttribute(gather, "axis", AttributeProto::INT)->set_i(0);
  }
  std::string trips = maker.dimSize(nodes, all.back(), 0);
  size_t numStates = scan.states.size();
  scan.states.assign(rows.begin(), rows.begin() + numStates);
  scan.inputs.assign(rows.begin() + numStates, rows.end());
  for (std::string &output : scan.outputs) {
    output = maker.fresh();
    body.add_output()->set_name(output);
  }
  NodeList inner;
  if (Error error = scanForm(maker, inner, scan))
    return error;
  for (NodeProto &node : inner)
    *body.add_node() = std::move(node);
  NodeProto loop;
  loop.set_op_type("Loop");
  loop.set_name("batch");
  loop.add_input(trips);
  loop.add_input("");
  for (const std::string &output : outputs)
    loop.add_output(output);
  *addAttribute(loop, "body", AttributeProto::GRAPH)->mutable_g() = std::move(body);
  nodes.push_back(std::move(loop));
  return Error::success();
}

/// Gives all of these dims of the inputs one size. Those that are not known to have it
/// get it from `context.refine`, which has the run check it.
Error alignDim(MutableArrayRef<std::string> inputs, ArrayRef<int64_t> axes, StringRef what,
               const NodeContext &context) {
  SmallVector<SmallVector<onnx::DimExpr>> dims;
  size_t reference = 0;
  for (const std::string &input : inputs)
    dims.push_back(onnx::getDims(context.lookup(input).getType()));
  for (size_t i = inputs.size(); i-- > 0;)
    if (dims[i][axes[i]].isConstant())
      reference = i;
  onnx::DimExpr size = dims[reference][axes[reference]];
  for (auto [i, input] : enumerate(inputs)) {
    onnx::DimExpr &dim = dims[i][axes[i]];
    if (dim == size)
      continue;
    if (dim.isConstant())
      return refuse("the scan inputs must have one " + what + ", input " + Twine(reference) +
                    " has " + Twine(*size.getConstant()) + " and input " + Twine(i) + " has " +
                    Twine(*dim.getConstant()));
    dim = size;
    mlir::Value value = context.lookup(input);
    mlir::Type element = cast<mlir::RankedTensorType>(value.getType()).getElementType();
    input = context.refine(value, onnx::makeTensorType(dims[i], element));
  }
  return Error::success();
}

} // namespace

Expected<NodeList> scanToLoop(const NodeProto &node, const NodeContext &context) {
  // Before opset 9 everything has a batch dim.
  bool hasBatch = context.opset < 9;
  int first = hasBatch ? 1 : 0;
  if (hasBatch && node.input_size() > 0 && !node.input(0).empty())
    return refuse("input 'sequence_lens' is not supported");
  ScanForm scan;
  int64_t numInputs = 0;
  for (const AttributeProto &attribute : node.attribute()) {
    if (attribute.name() == "body" && attribute.has_g())
      scan.body = &attribute.g();
    if (attribute.name() == "num_scan_inputs")
      numInputs = attribute.i();
  }
  int64_t total = node.input_size() - first;
  if (!scan.body)
    return refuse("attribute 'body' is missing");
  if (numInputs <= 0 || numInputs > total)
    return refuse("attribute 'num_scan_inputs' is " + Twine(numInputs) + ", expected 1 to " +
                  Twine(total));
  if (scan.body->input_size() != total || scan.body->output_size() < total - numInputs)
    return refuse("body has " + Twine(scan.body->input_size()) + " inputs and " +
                  Twine(scan.body->output_size()) + " outputs, which does not fit the node's " +
                  Twine(total) + " inputs");
  for (int64_t i = 0; i < total; ++i)
    (i < total - numInputs ? scan.states : scan.inputs).push_back(node.input(first + i));
  scan.outputs.assign(node.output().begin(), node.output().end());
  if (scan.outputs.size() > static_cast<size_t>(scan.body->output_size()))
    return refuse("has " + Twine(scan.outputs.size()) + " outputs, its body " +
                  Twine(scan.body->output_size()));
  size_t numOutputs = scan.body->output_size() - scan.states.size();
  scan.inputAxes = intsAttribute(node, "scan_input_axes", numInputs);
  scan.inputReversed =
      intsAttribute(node, hasBatch ? "directions" : "scan_input_directions", numInputs);
  scan.outputAxes = intsAttribute(node, "scan_output_axes", numOutputs);
  scan.outputReversed = intsAttribute(node, "scan_output_directions", numOutputs);
  for (auto [i, axis, input] : enumerate(scan.inputAxes, scan.inputs)) {
    mlir::Value value = context.lookup(input);
    auto type = value ? dyn_cast<mlir::RankedTensorType>(value.getType()) : nullptr;
    int64_t rank = type ? type.getRank() - first : 0;
    if (axis < -rank || axis >= rank)
      return refuseAxis("scan_input_axes", axis, "input", i, rank);
    if (axis < 0)
      axis += rank;
  }
  SmallVector<int64_t> wholeAxes(scan.inputAxes);
  for (int64_t &axis : wholeAxes)
    axis += first;
  if (Error error = alignDim(scan.inputs, wholeAxes, "number of rows", context))
    return error;
  if (hasBatch)
    if (Error error =
            alignDim(scan.inputs, SmallVector<int64_t>(numInputs, 0), "batch size", context))
      return error;
  NodeMaker maker(node);
  NodeList nodes;
  if (Error error = hasBatch ? scanBatch(maker, nodes, scan) : scanForm(maker, nodes, scan))
    return error;
  return nodes;
}

} // namespace onnxc
