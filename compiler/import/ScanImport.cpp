//===- ScanImport.cpp - Scan as a Loop over rows --------------------------===//
#include "compiler/import/OpsetUpgrade.h"
#include <limits>

using namespace mlir;
using ::onnx::GraphProto;

namespace onnxc {
namespace {

using Values = GraphImporter::Values;

/// A Scan whose axes are not negative.
struct Scan {
  const GraphProto *body = nullptr;
  SmallVector<Value> states, inputs;
  SmallVector<int64_t> inputAxes, inputReversed, outputAxes, outputReversed;
};

LogicalResult refuseAxis(NodeForm &node, StringRef list, int64_t axis, StringRef what, size_t index,
                         int64_t rank) {
  return node.fail(list + " has " + Twine(axis) + " for " + what + " " + Twine(index) +
                   ", expected " + Twine(-rank) + " to " + Twine(rank - 1));
}

/// An attribute with a number for each of `size` values, 0 where it says none.
SmallVector<int64_t> takeNumbers(NodeForm &node, StringRef name, size_t size) {
  SmallVector<int64_t> numbers = node.takeInts(name).value_or(SmallVector<int64_t>());
  numbers.resize(size, 0);
  return numbers;
}

/// The size of one dim as a scalar.
Value dimSize(NodeForm &node, Value tensor, int64_t axis) {
  Value shape = node.create("Shape", {tensor},
                            {node.attribute("start", axis), node.attribute("end", axis + 1)});
  return node.create("Squeeze", {shape, node.ints(0)});
}

/// Row `index` of a scan input.
Value gatherRow(NodeForm &node, Value input, Value index, int64_t axis) {
  return node.create("Gather", {input, index}, {node.attribute("axis", axis)});
}

/// Reverses a scan output, whose rows are in dim 0, and moves them to their axis.
Value finishOutput(NodeForm &node, const Scan &scan, size_t output, Value value) {
  if (scan.outputReversed[output]) {
    Value step = node.ints(-1), end = node.ints(std::numeric_limits<int64_t>::min());
    value = node.create("Slice", {value, step, end, node.ints(0), step});
  }
  int64_t axis = scan.outputAxes[output];
  if (axis == 0 || !value)
    return value;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  if (axis < -rank || axis >= rank) {
    (void)refuseAxis(node, "scan_output_axes", axis, "output", output, rank);
    return {};
  }
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(1, rank));
  perm.insert(perm.begin() + (axis < 0 ? axis + rank : axis), 0);
  return node.create("Transpose", {value}, {node.attribute("perm", perm)});
}

/// The results of a Scan without a batch.
FailureOr<Values> createScan(NodeForm &node, const Scan &scan) {
  GraphImporter &importer = node.importer;
  Value trips = dimSize(node, scan.inputs[0], scan.inputAxes[0]);
  if (!trips)
    return failure();
  auto buildBody = [&](Block *block) -> FailureOr<Values> {
    OpBuilder::InsertionGuard guard(importer.getBuilder());
    importer.getBuilder().setInsertionPointToEnd(block);
    Value iteration = block->getArgument(0), backwards;
    SmallVector<Value> arguments(block->getArguments().drop_front(2));
    for (auto [i, input] : llvm::enumerate(scan.inputs)) {
      if (scan.inputReversed[i] && !backwards)
        backwards = node.create("Sub", {node.create("Sub", {trips, node.scalar(1)}), iteration});
      arguments.push_back(
          gatherRow(node, input, scan.inputReversed[i] ? backwards : iteration, scan.inputAxes[i]));
    }
    if (node.hasFailed())
      return failure();
    FailureOr<Values> outputs =
        importer.importSubgraph(*scan.body, node.scope, block, arguments, node.loc);
    if (succeeded(outputs))
      outputs->insert(outputs->begin(), block->getArgument(1));
    return outputs;
  };
  FailureOr<Values> results =
      importer.createLoop(node.loc, trips, /*cond=*/Value(), scan.states, buildBody);
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    if (i >= scan.states.size())
      result = finishOutput(node, scan, i - scan.states.size(), result);
  if (node.hasFailed())
    return failure();
  return results;
}

/// Before opset 9, Scan ran over a batch in dim 0 of everything: a Loop over
/// the batch around a Scan.
FailureOr<Values> createBatchedScan(NodeForm &node, const Scan &scan) {
  GraphImporter &importer = node.importer;
  Value trips = dimSize(node, scan.inputs.back(), 0);
  if (!trips)
    return failure();
  auto buildBody = [&](Block *block) -> FailureOr<Values> {
    OpBuilder::InsertionGuard guard(importer.getBuilder());
    importer.getBuilder().setInsertionPointToEnd(block);
    Scan row = scan;
    for (SmallVector<Value> *values : {&row.states, &row.inputs})
      for (Value &value : *values)
        value = gatherRow(node, value, block->getArgument(0), 0);
    if (node.hasFailed())
      return failure();
    // What the Scan's body uses of the graph is outside of this block.
    FailureOr<Values> outputs = createScan(node, row);
    if (succeeded(outputs))
      outputs->insert(outputs->begin(), block->getArgument(1));
    return outputs;
  };
  return importer.createLoop(node.loc, trips, /*cond=*/Value(), /*initial=*/{}, buildBody);
}

/// Gives all of these dims of the inputs one size. Those that are not known to have it
/// are refined to it, which has the run check it.
LogicalResult alignDim(NodeForm &node, MutableArrayRef<Value> inputs, ArrayRef<int64_t> axes,
                       StringRef what) {
  SmallVector<SmallVector<onnx::DimExpr>> dims;
  size_t reference = 0;
  for (Value input : inputs)
    dims.push_back(onnx::getDims(input.getType()));
  for (size_t i = inputs.size(); i-- > 0;)
    if (dims[i][axes[i]].isConstant())
      reference = i;
  onnx::DimExpr size = dims[reference][axes[reference]];
  for (auto [i, input] : llvm::enumerate(inputs)) {
    onnx::DimExpr &dim = dims[i][axes[i]];
    if (dim == size)
      continue;
    if (dim.isConstant())
      return node.fail("the scan inputs must have one " + what + ", input " + Twine(reference) +
                       " has " + Twine(*size.getConstant()) + " and input " + Twine(i) + " has " +
                       Twine(*dim.getConstant()));
    dim = size;
    input = node.refine(input, dims[i]);
  }
  return success();
}

/// Reads the node's inputs and body, the inputs from number `first` on.
LogicalResult readScan(NodeForm &node, Scan &scan, int64_t first, int64_t numInputs) {
  int64_t total = static_cast<int64_t>(node.inputs.size()) - first;
  if (!scan.body)
    return node.fail("attribute 'body' is missing");
  if (numInputs <= 0 || numInputs > total)
    return node.fail("attribute 'num_scan_inputs' is " + Twine(numInputs) + ", expected 1 to " +
                     Twine(total));
  if (scan.body->input_size() != total || scan.body->output_size() < total - numInputs)
    return node.fail("body has " + Twine(scan.body->input_size()) + " inputs and " +
                     Twine(scan.body->output_size()) + " outputs, which does not fit the node's " +
                     Twine(total) + " inputs");
  if (node.numOutputs > static_cast<size_t>(scan.body->output_size()))
    return node.fail("has " + Twine(node.numOutputs) + " outputs, its body " +
                     Twine(scan.body->output_size()));
  for (int64_t i = 0; i < total; ++i) {
    Value input = node.input(first + i);
    if (!input)
      return node.fail("input " + Twine(first + i) + " is missing, but is not optional");
    (i < total - numInputs ? scan.states : scan.inputs).push_back(input);
  }
  return success();
}

} // namespace

LogicalResult scanToLoop(NodeForm &node) {
  // Before opset 9 everything has a batch dim.
  bool hasBatch = node.version < 9;
  int first = hasBatch ? 1 : 0;
  if (hasBatch && node.input(0))
    return node.fail("input 'sequence_lens' is not supported");
  Scan scan;
  scan.body = node.findGraph("body");
  int64_t numInputs = node.takeInt("num_scan_inputs").value_or(0);
  if (failed(readScan(node, scan, first, numInputs)))
    return failure();
  size_t numOutputs = scan.body->output_size() - scan.states.size();
  scan.inputAxes = takeNumbers(node, "scan_input_axes", numInputs);
  scan.inputReversed =
      takeNumbers(node, hasBatch ? "directions" : "scan_input_directions", numInputs);
  scan.outputAxes = takeNumbers(node, "scan_output_axes", numOutputs);
  scan.outputReversed = takeNumbers(node, "scan_output_directions", numOutputs);
  for (NamedAttribute attribute : node.attributes)
    (void)node.fail("unknown attribute '" + printable(attribute.getName()) + "'");
  for (auto [i, axis, input] : llvm::enumerate(scan.inputAxes, scan.inputs)) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    int64_t rank = type ? type.getRank() - first : 0;
    if (axis < -rank || axis >= rank)
      return refuseAxis(node, "scan_input_axes", axis, "input", i, rank);
    if (axis < 0)
      axis += rank;
  }
  SmallVector<int64_t> wholeAxes(scan.inputAxes);
  for (int64_t &axis : wholeAxes)
    axis += first;
  if (failed(alignDim(node, scan.inputs, wholeAxes, "number of rows")))
    return failure();
  if (hasBatch &&
      failed(alignDim(node, scan.inputs, SmallVector<int64_t>(numInputs, 0), "batch size")))
    return failure();
  FailureOr<Values> results = hasBatch ? createBatchedScan(node, scan) : createScan(node, scan);
  if (failed(results))
    return failure();
  node.results = std::move(*results);
  return success();
}

} // namespace onnxc
