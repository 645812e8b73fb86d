//===- ControlFlowImport.cpp - If and Loop with their subgraphs ------------===//
#include "compiler/import/NodeForm.h"

using namespace mlir;
using ::onnx::GraphProto;

namespace onnxc {
using onnx::DimExpr;

FailureOr<SmallVector<Value>> GraphImporter::importSubgraph(const GraphProto &graph, Scope &outer,
                                                            Block *block, ValueRange arguments,
                                                            Location loc) {
  if (graph.input_size() != static_cast<int>(arguments.size()))
    return fail(loc, "subgraph has " + Twine(graph.input_size()) + " inputs, expected " +
                         Twine(arguments.size()));
  Scope scope;
  scope.parent = &outer;
  scope.block = block;
  if (mlir::failed(declare(graph, scope, loc)))
    return failure();
  for (auto [input, argument] : llvm::zip_equal(graph.input(), arguments))
    scope.values[input.name()] = argument;
  if (mlir::failed(importNodes(graph, scope, loc)))
    return failure();
  SmallVector<Value> outputs;
  for (const auto &output : graph.output()) {
    std::optional<Value> value = lookup(scope, output.name());
    if (!value)
      return fail(loc, "output '" + printable(output.name()) + "' of a subgraph is not defined");
    if (!*value)
      return failure();
    outputs.push_back(*value);
  }
  return outputs;
}

void GraphImporter::createYield(Block *block, ValueRange values, Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block);
  onnx::YieldOp::create(builder, loc, values);
}

/// Finishes a control flow op whose regions are filled.
FailureOr<SmallVector<Value>> GraphImporter::createWithRegions(OperationState &state) {
  std::optional<RegisteredOperationName> name = state.name.getRegisteredInfo();
  auto *typeRule = name->getInterface<InferTypeOpInterface>();
  SmallVector<Region *> regions;
  for (auto &region : state.regions)
    regions.push_back(region.get());
  SmallVector<Type> types;
  if (mlir::failed(typeRule->inferReturnTypes(context, state.location, state.operands,
                                              state.attributes.getDictionary(context),
                                              state.getRawProperties(), regions, types))) {
    failed = true;
    return failure();
  }
  state.addTypes(types);
  Operation *op = builder.create(state);
  return SmallVector<Value>(op->getResults());
}

/// Whether a pair of tensors has different ranks.
static bool differInRank(ArrayRef<Value> a, ArrayRef<Value> b) {
  return llvm::any_of(llvm::zip(a, b), [](auto pair) {
    auto x = dyn_cast<RankedTensorType>(std::get<0>(pair).getType());
    auto y = dyn_cast<RankedTensorType>(std::get<1>(pair).getType());
    return x && y && x.getRank() != y.getRank();
  });
}

FailureOr<GraphImporter::Values> GraphImporter::importIf(NodeForm &node) {
  Location loc = node.loc;
  const GraphProto *branches[] = {node.findGraph("then_branch"), node.findGraph("else_branch")};
  for (auto [i, name] : {std::pair(0, "then_branch"), std::pair(1, "else_branch")})
    if (!branches[i])
      return fail(loc, Twine("attribute '") + name + "' is missing");
  if (node.inputs.size() != 1 || !node.inputs[0])
    return fail(loc, "has " + Twine(node.inputs.size()) + " inputs, expected the condition");
  auto importBranch = [&](const GraphProto &branch, Block *block) {
    return importSubgraph(branch, node.scope, block, {}, loc);
  };
  // Only the branch that is taken has to be supported.
  Value cond = node.inputs[0];
  if (auto constant = cond.getDefiningOp<onnx::ConstantOp>()) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (elements && elements.getElementType().isInteger(1) && elements.isSplat())
      return importBranch(*branches[elements.getSplatValue<bool>() ? 0 : 1], node.scope.block);
  }
  OperationState state(loc, onnx::IfOp::getOperationName());
  state.addOperands(cond);
  SmallVector<Values, 2> yielded;
  for (const GraphProto *branch : branches) {
    Block &block = state.addRegion()->emplaceBlock();
    FailureOr<Values> values = importBranch(*branch, &block);
    if (mlir::failed(values))
      return failure();
    createYield(&block, *values, loc);
    yielded.push_back(*values);
  }
  if (!differInRank(yielded[0], yielded[1]))
    return createWithRegions(state);
  // An exporter's "squeeze the dim if it is 1": what follows fits one of the
  // ranks only, that of the squeezed tensor. The call checks the condition.
  builder.setInsertionPointToEnd(node.scope.block);
  onnx::RequireOp::create(builder, loc, cond,
                          "the condition is false, but only then_branch is compiled: the branches "
                          "give tensors of different ranks, and a compiled tensor has one rank; "
                          "make the condition a constant, or give both results the same rank");
  return importBranch(*branches[0], node.scope.block);
}

/// The type that a carried value must have in the body, when it is `argument`
/// now, `initial` at first and `next` after an iteration. A dim that changes
/// becomes a symbol; one that is a symbol already may be anything. Null when
/// the types can never agree.
static Type widenCarried(Type argument, Type initial, Type next) {
  auto tensor = dyn_cast<RankedTensorType>(argument);
  if (!tensor || argument == next)
    return onnx::joinTypes(argument, next, "carried");
  auto other = dyn_cast<RankedTensorType>(next);
  if (!other || other.getRank() != tensor.getRank() ||
      other.getElementType() != tensor.getElementType())
    return Type();
  SmallVector<DimExpr> dims;
  for (auto [a, i, n] :
       llvm::zip_equal(onnx::getDims(argument), onnx::getDims(initial), onnx::getDims(next)))
    dims.push_back(a == n || a != i ? a : onnx::freshSymbol(argument.getContext(), "carried"));
  return onnx::makeTensorType(dims, tensor.getElementType());
}

FailureOr<GraphImporter::Values> GraphImporter::importLoop(NodeForm &node) {
  const GraphProto *body = node.findGraph("body");
  if (!body)
    return fail(node.loc, "attribute 'body' is missing");
  // Omitted inputs at the end have been dropped.
  ArrayRef<Value> initial =
      ArrayRef(node.inputs).drop_front(std::min<size_t>(2, node.inputs.size()));
  if (auto omitted = llvm::find(initial, Value()); omitted != initial.end())
    return fail(node.loc, "carried value " + Twine(omitted - initial.begin()) + " is omitted");
  return createLoop(node.loc, node.input(0), node.input(1), initial, [&](Block *block) {
    return importSubgraph(*body, node.scope, block, block->getArguments(), node.loc);
  });
}

FailureOr<GraphImporter::Values> GraphImporter::createLoop(Location loc, Value trips, Value cond,
                                                           ValueRange initial,
                                                           BuildBody buildBody) {
  SmallVector<Type> types(initial.getTypes());
  // Each round makes at least one more dim a symbol.
  while (true) {
    OperationState state(loc, onnx::LoopOp::getOperationName());
    for (Value input : {trips, cond})
      if (input)
        state.addOperands(input);
    state.addOperands(initial);
    auto &properties = state.getOrAddProperties<onnx::LoopOp::Properties>();
    properties.operandSegmentSizes = {trips ? 1 : 0, cond ? 1 : 0,
                                      static_cast<int32_t>(initial.size())};

    Block &block = state.addRegion()->emplaceBlock();
    block.addArgument(RankedTensorType::get({}, builder.getI64Type()), loc);
    block.addArgument(RankedTensorType::get({}, builder.getI1Type()), loc);
    for (Type type : types)
      block.addArgument(type, loc);
    FailureOr<Values> outputs = buildBody(&block);
    if (mlir::failed(outputs))
      return failure();
    if (outputs->size() < 1 + initial.size())
      return fail(loc, "body has " + Twine(outputs->size()) + " outputs, expected at least " +
                           Twine(1 + initial.size()));
    SmallVector<Type> widened;
    for (auto [i, type] : llvm::enumerate(types)) {
      Type next = (*outputs)[1 + i].getType();
      widened.push_back(widenCarried(type, initial[i].getType(), next));
      if (widened.back())
        continue;
      failed = true;
      return emitError(loc) << "carried value " << i << " is " << initial[i].getType()
                            << " at first and " << next << " after an iteration";
    }
    if (widened != types) {
      types = std::move(widened);
      continue;
    }
    createYield(&block, *outputs, loc);
    return createWithRegions(state);
  }
}

} // namespace onnxc
