//===- GraphImporter.cpp - Nodes and subgraphs to onnx ops ----------------===//
#include "compiler/import/GraphImporter.h"
#include "compiler/import/NodeForm.h"
#include "compiler/import/OpsetUpgrade.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using ::onnx::AttributeProto;
using ::onnx::FunctionProto;
using ::onnx::GraphProto;
using ::onnx::NodeProto;

namespace onnxc {

/// Inlined functions may expand exponentially; real models stay far below.
constexpr unsigned maxNodes = 1000000;

std::string printable(StringRef text) {
  constexpr size_t maxLength = 200;
  const llvm::UTF8 *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const llvm::UTF8 *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  bool isUtf8 = llvm::isLegalUTF8String(&begin, end);
  std::string result;
  for (char c : text.take_front(maxLength)) {
    bool isPlain = static_cast<unsigned char>(c) >= 0x20 && c != 0x7f &&
                   (isUtf8 || static_cast<unsigned char>(c) < 0x80);
    result.push_back(isPlain ? c : '?');
  }
  return isUtf8 ? result : result + " (not UTF-8)";
}

Location nodeLocation(MLIRContext *context, StringRef name, StringRef opType) {
  return NameLoc::get(StringAttr::get(context, printable(name)),
                      NameLoc::get(StringAttr::get(context, printable(opType))));
}

GraphImporter::GraphImporter(OnnxFile &file, MLIRContext *context)
    : file(file), context(context), builder(context), operators(context) {}

LogicalResult GraphImporter::fail(Location loc, const Twine &message) {
  failed = true;
  return emitError(loc) << message;
}

LogicalResult GraphImporter::initialize() {
  Location loc = UnknownLoc::get(context);
  constexpr int64_t maxIrVersion = 14;
  if (int64_t version = file.getModel().ir_version(); version > maxIrVersion)
    return fail(loc, "IR version " + Twine(version) + " is not supported, expected at most " +
                         Twine(maxIrVersion));
  for (const auto &import : file.getModel().opset_import())
    opsets[canonicalDomain(import.domain())] = import.version();
  for (const FunctionProto &function : file.getModel().functions())
    functions[{canonicalDomain(function.domain()).str(), function.name(), function.overload()}] =
        &function;
  auto main = opsets.find("");
  if (main == opsets.end() && !opsets.empty())
    return success();
  if (main == opsets.end())
    return fail(loc, "the model has no opset_import");
  if (main->second < minOpset || main->second > maxOpset)
    return fail(loc, "opset " + Twine(main->second) + " is not supported, expected " +
                         Twine(minOpset) + " to " + Twine(maxOpset));
  return success();
}

std::optional<int64_t> GraphImporter::findOpset(StringRef domain) const {
  const llvm::StringMap<int64_t> &map = frame ? frame->opsets : opsets;
  auto it = map.find(canonicalDomain(domain));
  if (it == map.end())
    return std::nullopt;
  return it->second;
}

const FunctionProto *GraphImporter::findFunction(const NodeProto &node) const {
  auto it = functions.find({canonicalDomain(node.domain()).str(), node.op_type(), node.overload()});
  return it == functions.end() ? nullptr : it->second;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::declare(const GraphProto &graph, Scope &scope, Location loc) {
  llvm::StringSet<> defined;
  auto define = [&](StringRef name, const Twine &what) {
    if (!name.empty() && !defined.insert(name).second)
      (void)fail(loc, what + " '" + printable(name) + "' is defined twice");
  };
  for (const auto &tensor : graph.initializer()) {
    define(tensor.name(), "initializer");
    scope.initializers[tensor.name()] = &tensor;
  }
  for (const auto &tensor : graph.sparse_initializer()) {
    define(tensor.values().name(), "initializer");
    scope.sparseInitializers[tensor.values().name()] = &tensor;
  }
  llvm::StringSet<> inputs;
  for (const auto &input : graph.input()) {
    // An initializer of the same name is the input's default.
    if (!inputs.insert(input.name()).second)
      (void)fail(loc, "input '" + printable(input.name()) + "' is defined twice");
    defined.insert(input.name());
  }
  for (const auto *values : {&graph.value_info(), &graph.output()})
    for (const auto &value : *values)
      if (value.type().has_tensor_type() && value.type().tensor_type().has_shape())
        scope.declaredRanks[value.name()] = value.type().tensor_type().shape().dim_size();
  for (const NodeProto &node : graph.node())
    for (const std::string &output : node.output())
      define(output, "output of node '" + printable(node.name()) + "',");
  return success(!failed);
}

std::optional<Value> GraphImporter::lookup(Scope &scope, StringRef name) {
  if (auto it = scope.values.find(name); it != scope.values.end())
    return it->second;
  auto dense = scope.initializers.find(name);
  auto sparse = scope.sparseInitializers.find(name);
  bool isDense = dense != scope.initializers.end();
  if (!isDense && sparse == scope.sparseInitializers.end())
    return scope.parent ? lookup(*scope.parent, name) : std::nullopt;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(scope.block);
  Location loc = nodeLocation(context, name, "initializer");
  FailureOr<ElementsAttr> elements =
      isDense ? convertTensor(*dense->second, "", loc) : convertSparse(*sparse->second, "", loc);
  Value value;
  if (succeeded(elements))
    value = onnx::ConstantOp::create(builder, loc, *elements);
  scope.values[name] = value;
  return value;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void GraphImporter::poison(const NodeProto &node, Scope &scope) {
  failed = true;
  for (const std::string &output : node.output())
    if (!output.empty())
      scope.values[output] = Value();
}

void GraphImporter::define(const NodeProto &node, unsigned numOutputs, ValueRange values,
                           Scope &scope, Location loc) {
  for (auto [i, output] : llvm::enumerate(node.output())) {
    if (output.empty() || i >= numOutputs)
      continue;
    if (i < values.size()) {
      scope.values[output] = values[i];
      continue;
    }
    scope.values[output] = Value();
    (void)fail(loc, "has " + Twine(node.output_size()) + " outputs, the operator gives " +
                        Twine(values.size()));
    return;
  }
}

/// Whether a name stands for a function's input that the caller omits.
static bool isOmittedInput(const Scope *scope, StringRef name) {
  for (; scope; scope = scope->parent)
    if (scope->omitted.contains(name))
      return true;
  return false;
}

FailureOr<std::optional<GraphImporter::Values>>
GraphImporter::resolveInputs(const NodeProto &node, Scope &scope, Location loc) {
  Values inputs;
  bool poisoned = false, undefined = false;
  for (const std::string &name : node.input()) {
    bool isOmitted = name.empty() || isOmittedInput(&scope, name);
    std::optional<Value> value = isOmitted ? Value() : lookup(scope, name);
    if (!value) {
      (void)fail(loc, "input '" + printable(name) + "' is not defined");
      undefined = true;
      continue;
    }
    poisoned |= !isOmitted && !*value;
    inputs.push_back(*value);
  }
  if (undefined)
    return failure();
  // Trailing omitted inputs are the same as none.
  while (!inputs.empty() && !inputs.back() && !poisoned)
    inputs.pop_back();
  if (poisoned)
    return std::optional<Values>();
  return std::optional<Values>(std::move(inputs));
}

LogicalResult GraphImporter::importNodes(const GraphProto &graph, Scope &scope, Location loc) {
  return importNodeList(graph.node(), scope, loc);
}

LogicalResult GraphImporter::importNodeList(const Nodes &nodes, Scope &scope, Location loc) {
  SmallVector<unsigned> cycle;
  FailureOr<SmallVector<unsigned>> order = sortNodes(nodes, cycle);
  if (mlir::failed(order)) {
    for (const NodeProto &node : nodes)
      poison(node, scope);
    const NodeProto &node = nodes[cycle.front()];
    std::string message = "is on a cycle: it uses its own result";
    if (node.output_size() > 0)
      message += " '" + printable(node.output(0)) + "'";
    constexpr size_t mostNamed = 8;
    for (auto [i, index] : llvm::enumerate(ArrayRef(cycle).drop_front().take_front(mostNamed)))
      message += (i == 0 ? ", through '" : "', '") + nodeName(nodes[index], index);
    if (cycle.size() > 1)
      message += cycle.size() > mostNamed + 1 ? "' and more" : "'";
    return fail(nodeLocation(context, nodeName(node, cycle.front()), node.op_type()), message);
  }
  OpBuilder::InsertionGuard guard(builder);
  for (unsigned i : *order) {
    builder.setInsertionPointToEnd(scope.block);
    importNode(nodes[i], i, scope);
    if (numNodes <= maxNodes)
      continue;
    // The functions around this one find the same; it is told once.
    if (!failed)
      (void)fail(loc, "more than " + Twine(maxNodes) + " nodes after inlining functions");
    return failure();
  }
  return success(!failed);
}

std::string GraphImporter::nodeName(const NodeProto &node, unsigned index) const {
  std::string name =
      node.name().empty() ? node.op_type() + "_" + std::to_string(index) : node.name();
  return frame ? frame->prefix + "/" + name : name;
}

void GraphImporter::importNode(const NodeProto &node, unsigned index, Scope &scope) {
  ++numNodes;
  Location loc = nodeLocation(context, nodeName(node, index), node.op_type());
  FailureOr<const NodeProto *> resolved = resolveAttributes(node, loc);
  if (mlir::failed(resolved))
    return poison(node, scope);
  if (const FunctionProto *function = findFunction(node))
    return inlineFunction(*function, **resolved, scope, loc);
  NodeForm form(*this, scope, loc);
  FailureOr<Values> values = importOperator(**resolved, form);
  return mlir::failed(values) ? poison(node, scope)
                              : define(node, form.numOutputs, *values, scope, loc);
}

LogicalResult GraphImporter::checkOperator(const NodeForm &form) {
  std::string op = "operator '" + printable(form.op) + "'";
  std::string title = printable(domainTitle(form.domain));
  const Domain *domain = findDomain(form.domain);
  if (!domain)
    return fail(form.loc, op + " is of domain '" + title +
                              "', which is unknown, and the model has no function of that name");
  if (form.version < domain->minVersion || form.version > domain->maxVersion)
    return fail(form.loc, op + ": version " + Twine(form.version) + " of domain '" + title +
                              "' is not supported, expected " + Twine(domain->minVersion) + " to " +
                              Twine(domain->maxVersion));
  const Operator *known = operators.find(form.domain, form.op);
  std::optional<int64_t> first =
      known ? known->info.versions.front() : findFirstVersion(form.domain, form.op);
  if (!first)
    return fail(form.loc, op + " (" + title + " " + Twine(form.version) + ") is not supported");
  if (*first <= form.version)
    return success();
  return fail(form.loc, op + " exists from " + (form.domain.empty() ? "opset " : title + " ") +
                            Twine(*first) + " on, the model imports " +
                            (form.domain.empty() ? "opset " : "version ") + Twine(form.version));
}

LogicalResult GraphImporter::convertAttributes(const NodeProto &node, NodeForm &form) {
  bool good = true;
  // Other forms have other attributes.
  const Operator *known = needsUpgrade(form) ? nullptr : operators.find(form.domain, form.op);
  for (const AttributeProto &attribute : node.attribute()) {
    if (attribute.type() == AttributeProto::GRAPH) {
      form.graphs.emplace_back(attribute.name(), &attribute.g());
      continue;
    }
    // A hint on in-place computation that nothing ever used.
    if (form.domain.empty() && form.version < 6 && attribute.name() == "consumed_inputs")
      continue;
    if (known && !hasAttribute(known->op, attribute.name())) {
      good = false;
      (void)fail(form.loc, "unknown attribute '" + printable(attribute.name()) + "'");
      continue;
    }
    FailureOr<Attribute> converted = convertAttribute(attribute, form.loc);
    good &= succeeded(converted);
    if (succeeded(converted))
      form.attributes.set(attribute.name(), *converted);
  }
  return success(good);
}

FailureOr<GraphImporter::Values> GraphImporter::importOperator(const NodeProto &node,
                                                               NodeForm &form) {
  Location loc = form.loc;
  Scope &scope = form.scope;
  if (node.op_type().empty())
    return fail(loc, "has no op_type");
  std::optional<int64_t> version = findOpset(node.domain());
  if (!version)
    return fail(loc, "operator '" + printable(node.op_type()) + "' is of domain '" +
                         printable(node.domain()) + "', which the model does not import");
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(scope.block);
  FailureOr<std::optional<Values>> inputs = resolveInputs(node, scope, loc);

  form.domain = canonicalDomain(node.domain());
  form.op = node.op_type();
  form.version = *version;
  form.numOutputs = node.output_size();
  if (mlir::failed(checkOperator(form)))
    return failure();
  if (form.domain.empty() && form.op == "Constant") {
    FailureOr<ElementsAttr> value = constantValue(node, loc);
    if (mlir::failed(inputs) || mlir::failed(value))
      return failure();
    return Values{onnx::ConstantOp::create(builder, loc, *value)};
  }
  if (mlir::failed(convertAttributes(node, form)) || mlir::failed(inputs))
    return failure();
  // An input that could not be made has been reported.
  if (!*inputs)
    return failure();
  form.inputs = std::move(**inputs);
  if (node.output_size() > 0)
    if (auto declared = scope.declaredRanks.find(node.output(0));
        declared != scope.declaredRanks.end())
      form.declaredRank = declared->second;
  if (mlir::failed(upgradeNode(form)))
    return failure();
  if (form.domain.empty() && form.op == "If")
    return importIf(form);
  if (form.domain.empty() && form.op == "Loop")
    return importLoop(form);
  return form.finish();
}

/// "'tensor<2xf32>', omitted".
static std::string describeTypes(ValueRange values) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(values, stream, [&](Value value) {
    if (value)
      stream << "'" << value.getType() << "'";
    else
      stream << "omitted";
  });
  return text;
}

FailureOr<GraphImporter::Values> GraphImporter::createOp(Location loc, RegisteredOperationName op,
                                                         ValueRange inputs,
                                                         const NamedAttrList &attributes) {
  bool reported = false;
  ScopedDiagnosticHandler observer(context, [&](Diagnostic &) {
    reported = true;
    return failure();
  });
  FailureOr<Values> values =
      createOnnxOp(builder, loc, op, inputs, attributes.getDictionary(context));
  if (mlir::failed(values) && !reported)
    (void)fail(loc, "inputs (" + describeTypes(inputs) + ") do not fit the operator");
  failed |= mlir::failed(values);
  return values;
}

//===----------------------------------------------------------------------===//
// Model-local functions
//===----------------------------------------------------------------------===//

void GraphImporter::inlineFunction(const FunctionProto &function, const NodeProto &node,
                                   Scope &scope, Location loc) {
  constexpr unsigned maxDepth = 200;
  unsigned depth = 0;
  for (Frame *caller = frame; caller; caller = caller->caller, ++depth)
    if (caller->function == &function || depth > maxDepth) {
      (void)fail(loc, "function '" + printable(function.name()) + "' calls itself");
      return poison(node, scope);
    }
  FailureOr<std::optional<Values>> inputs = resolveInputs(node, scope, loc);
  if (mlir::failed(inputs))
    return poison(node, scope);
  if (node.input_size() > function.input_size() || node.output_size() > function.output_size()) {
    (void)fail(loc, "has " + Twine(node.input_size()) + " inputs and " + Twine(node.output_size()) +
                        " outputs, function '" + printable(function.name()) + "' at most " +
                        Twine(function.input_size()) + " and " + Twine(function.output_size()));
    return poison(node, scope);
  }

  Frame callee;
  callee.caller = frame;
  callee.function = &function;
  callee.prefix = cast<NameLoc>(loc).getName().str();
  for (const auto &import : function.opset_import())
    callee.opsets[canonicalDomain(import.domain())] = import.version();
  for (const AttributeProto &attribute : function.attribute_proto())
    callee.attributes[attribute.name()] = &attribute;
  for (const AttributeProto &attribute : node.attribute())
    callee.attributes[attribute.name()] = &attribute;

  Scope inner;
  inner.block = scope.block;
  for (auto [i, name] : llvm::enumerate(function.input())) {
    Value value;
    if (static_cast<int>(i) < node.input_size() && !node.input(i).empty())
      value = lookup(scope, node.input(i)).value_or(Value());
    else
      inner.omitted.insert(name);
    inner.values[name] = value;
  }
  {
    llvm::SaveAndRestore<Frame *> restore(frame, &callee);
    if (mlir::failed(importNodeList(function.node(), inner, loc)))
      return poison(node, scope);
  }
  SmallVector<Value> outputs;
  for (const std::string &name : function.output()) {
    std::optional<Value> value = lookup(inner, name);
    if (!value)
      (void)fail(loc, "output '" + printable(name) + "' of function '" +
                          printable(function.name()) + "' is not defined");
    outputs.push_back(value.value_or(Value()));
  }
  define(node, node.output_size(), outputs, scope, loc);
}

} // namespace onnxc
