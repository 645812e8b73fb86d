//===- ControlFlowImport.cpp - If and Loop with their subgraphs ------------===//
#include "compiler/import/GraphImporter.h"

using namespace mlir;
using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::NodeProto;

namespace onnxc {
using onnx::DimExpr;

static const GraphProto *findGraph(const NodeProto &node, StringRef name) {
  for (const AttributeProto &attribute : node.attribute())
    if (attribute.name() == name && attribute.has_g())
      return &attribute.g();
  return nullptr;
}

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

void GraphImporter::importIf(const NodeProto &node, const Inputs &inputs, Scope &scope,
                             Location loc) {
  const GraphProto *branches[] = {findGraph(node, "then_branch"), findGraph(node, "else_branch")};
  for (auto [i, name] : {std::pair(0, "then_branch"), std::pair(1, "else_branch")})
    if (!branches[i]) {
      (void)fail(loc, Twine("attribute '") + name + "' is missing");
      return poison(node, scope);
    }
  if (inputs.size() != 1 || !inputs[0]) {
    (void)fail(loc, "has " + Twine(inputs.size()) + " inputs, expected the condition");
    return poison(node, scope);
  }
  // Only the branch that is taken has to be supported.
  if (auto constant = inputs[0].getDefiningOp<onnx::ConstantOp>()) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (elements && elements.getElementType().isInteger(1) && elements.isSplat()) {
      const GraphProto &taken = *branches[elements.getSplatValue<bool>() ? 0 : 1];
      FailureOr<SmallVector<Value>> values = importSubgraph(taken, scope, scope.block, {}, loc);
      return mlir::failed(values) ? poison(node, scope) : define(node, *values, scope, loc);
    }
  }
  OperationState state(loc, onnx::IfOp::getOperationName());
  state.addOperands(inputs);
  SmallVector<SmallVector<Value>, 2> yielded;
  for (const GraphProto *branch : branches) {
    Block &block = state.addRegion()->emplaceBlock();
    FailureOr<SmallVector<Value>> values = importSubgraph(*branch, scope, &block, {}, loc);
    if (mlir::failed(values))
      return poison(node, scope);
    createYield(&block, *values, loc);
    yielded.push_back(*values);
  }
  if (differInRank(yielded[0], yielded[1])) {
    // An exporter's "squeeze the dim if it is 1": what follows fits one of the
    // ranks only, that of the squeezed tensor. The call checks the condition.
    builder.setInsertionPointToEnd(scope.block);
    onnx::RequireOp::create(
        builder, loc, inputs[0],
        "the condition is false, but only then_branch is compiled: the branches "
        "give tensors of different ranks, and a compiled tensor has one rank; "
        "make the condition a constant, or give both results the same rank");
    FailureOr<SmallVector<Value>> values =
        importSubgraph(*branches[0], scope, scope.block, {}, loc);
    return mlir::failed(values) ? poison(node, scope) : define(node, *values, scope, loc);
  }
  FailureOr<SmallVector<Value>> values = createWithRegions(state);
  return mlir::failed(values) ? poison(node, scope) : define(node, *values, scope, loc);
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

void GraphImporter::importLoop(const NodeProto &node, const Inputs &inputs, Scope &scope,
                               Location loc) {
  const GraphProto *body = findGraph(node, "body");
  if (!body) {
    (void)fail(loc, "attribute 'body' is missing");
    return poison(node, scope);
  }
  // Omitted inputs at the end have been dropped.
  Value trips = inputs.empty() ? Value() : inputs[0];
  Value cond = inputs.size() < 2 ? Value() : inputs[1];
  ArrayRef<Value> initial = ArrayRef(inputs).drop_front(std::min<size_t>(2, inputs.size()));
  if (auto omitted = llvm::find(initial, Value()); omitted != initial.end()) {
    (void)fail(loc, "carried value " + Twine(omitted - initial.begin()) + " is omitted");
    return poison(node, scope);
  }
  SmallVector<Type> types(ValueRange(initial).getTypes());
  // Each round makes at least one more dim a symbol.
  while (true) {
    OperationState state(loc, onnx::LoopOp::getOperationName());
    int32_t hasTrips = trips ? 1 : 0, hasCond = cond ? 1 : 0;
    for (Value input : inputs)
      if (input)
        state.addOperands(input);
    auto &properties = state.getOrAddProperties<onnx::LoopOp::Properties>();
    properties.operandSegmentSizes = {hasTrips, hasCond, static_cast<int32_t>(initial.size())};

    Block &block = state.addRegion()->emplaceBlock();
    block.addArgument(RankedTensorType::get({}, builder.getI64Type()), loc);
    block.addArgument(RankedTensorType::get({}, builder.getI1Type()), loc);
    for (Type type : types)
      block.addArgument(type, loc);
    FailureOr<SmallVector<Value>> outputs =
        importSubgraph(*body, scope, &block, block.getArguments(), loc);
    if (mlir::failed(outputs))
      return poison(node, scope);
    if (outputs->size() < 1 + initial.size()) {
      (void)fail(loc, "body has " + Twine(outputs->size()) + " outputs, expected at least " +
                          Twine(1 + initial.size()));
      return poison(node, scope);
    }
    SmallVector<Type> widened;
    for (auto [i, type] : llvm::enumerate(types)) {
      Type next = (*outputs)[1 + i].getType();
      widened.push_back(widenCarried(type, initial[i].getType(), next));
      if (widened.back())
        continue;
      failed = true;
      emitError(loc) << "carried value " << i << " is " << initial[i].getType() << " at first and "
                     << next << " after an iteration";
      return poison(node, scope);
    }
    if (widened != types) {
      types = std::move(widened);
      continue;
    }
    createYield(&block, *outputs, loc);
    FailureOr<SmallVector<Value>> values = createWithRegions(state);
    return mlir::failed(values) ? poison(node, scope) : define(node, *values, scope, loc);
  }
}

} // namespace onnxc
