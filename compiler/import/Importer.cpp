//===- Importer.cpp - Inputs, outputs and the main function ---------------===//
#include "compiler/import/Importer.h"
#include "compiler/import/GraphImporter.h"
#include "dialects/onnx/OnnxMovement.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using ::onnx::GraphProto;
using ::onnx::TensorShapeProto;
using ::onnx::TypeProto;
using ::onnx::ValueInfoProto;

namespace onnxc {
using onnx::DimExpr;

FailureOr<Type> convertType(MLIRContext *context, const TypeProto &type) {
  if (type.has_tensor_type()) {
    Type elementType = getElementType(context, type.tensor_type().elem_type());
    if (!elementType)
      return failure();
    if (!type.tensor_type().has_shape())
      return Type(UnrankedTensorType::get(elementType));
    SmallVector<int64_t> dims;
    for (const auto &dim : type.tensor_type().shape().dim())
      dims.push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value()
                                                                 : ShapedType::kDynamic);
    return Type(RankedTensorType::get(dims, elementType));
  }
  const TypeProto *inner = type.has_sequence_type()   ? &type.sequence_type().elem_type()
                           : type.has_optional_type() ? &type.optional_type().elem_type()
                                                      : nullptr;
  if (!inner)
    return failure();
  FailureOr<Type> element = convertType(context, *inner);
  if (failed(element))
    return failure();
  return type.has_sequence_type() ? Type(onnx::SeqType::get(context, *element))
                                  : Type(onnx::OptType::get(context, *element));
}

namespace {

/// The dim symbols of a model's inputs.
class SymbolTable {
public:
  explicit SymbolTable(MLIRContext *context) : context(context) {}

  /// The symbol for a name of the file, made up of characters that a symbol may
  /// have.
  DimExpr get(StringRef original) {
    auto [it, isNew] = names.insert({original.str(), ""});
    if (!isNew)
      return DimExpr::symbol(context, it->second);
    std::string name;
    for (char c : original)
      name.push_back(llvm::isAlnum(c) || c == '_' || c == '.' ? c : '_');
    auto isSymbol = [&](StringRef text) {
      std::optional<DimExpr> parsed = DimExpr::parse(context, text);
      return parsed && parsed->kind() == DimExpr::Kind::Symbol && parsed->symbolName() == text;
    };
    while (!isSymbol(name) || !taken.insert(name).second)
      name = "_" + name;
    it->second = name;
    return DimExpr::symbol(context, name);
  }
  /// An expression of the file whose symbols all occur alone as dims as well,
  /// so that their values are known.
  std::optional<DimExpr> getExpression(StringRef text) {
    std::optional<DimExpr> parsed = DimExpr::parse(context, text);
    if (!parsed || parsed->kind() == DimExpr::Kind::Symbol || parsed->isConstant())
      return std::nullopt;
    bool known = true;
    parsed->forEachSymbol([&](StringRef name) { known &= names.count(name.str()) != 0; });
    if (!known)
      return std::nullopt;
    return parsed->substitute([&](StringRef name) { return get(name); });
  }
  bool contains(StringRef original) const { return names.count(original.str()) != 0; }
  /// Pairs of symbol and name in the file, in order of appearance, for those
  /// whose size is not fixed.
  ArrayAttr getAttribute(const std::map<std::string, int64_t> &fixed) const {
    Builder builder(context);
    SmallVector<Attribute> pairs;
    for (const auto &[original, name] : names)
      if (!fixed.count(original))
        pairs.push_back(builder.getStrArrayAttr({name, original}));
    return builder.getArrayAttr(pairs);
  }
  /// The least and the largest value of each of those.
  DenseI64ArrayAttr getBounds(const std::map<std::string, int64_t> &fixed,
                              const std::map<std::string, DimRange> &ranges) const {
    SmallVector<int64_t> ends;
    for (const auto &[original, name] : names) {
      if (fixed.count(original))
        continue;
      auto range = ranges.find(original);
      DimRange bounds = range == ranges.end() ? DimRange() : range->second;
      ends.append({bounds.min, bounds.max});
    }
    return DenseI64ArrayAttr::get(context, ends);
  }
  std::string list() const {
    std::string text;
    for (const auto &entry : names)
      text += (text.empty() ? "'" : ", '") + printable(entry.first) + "'";
    return text.empty() ? "none" : text;
  }

private:
  MLIRContext *context;
  llvm::MapVector<std::string, std::string, std::map<std::string, unsigned>> names;
  llvm::StringSet<> taken;
};

class ModelImporter {
public:
  ModelImporter(OnnxFile &file, MLIRContext *context, const ImportOptions &options)
      : graph(file.getModel().graph()), context(context), options(options),
        irVersion(file.getModel().ir_version()), graphImporter(file, context), symbols(context),
        loc(UnknownLoc::get(context)) {}

  OwningOpRef<ModuleOp> run();

private:
  void collectSymbols();
  std::string inputNames() const;
  LogicalResult applyOptions();
  std::string symbolText(const ValueInfoProto &input, int index) const;
  FailureOr<Type> inputType(const ValueInfoProto &input);
  DimExpr inputDim(const ValueInfoProto &input, int index);
  DimExpr argumentDim(const ValueInfoProto &input, int index);
  Value addArgument(const ValueInfoProto &input, Type type, Block *block);
  LogicalResult checkOutput(const ValueInfoProto &output, Type type);
  LogicalResult importMain(func::FuncOp main);
  bool hasDefault(StringRef name) const { return defaults.contains(name); }
  InFlightDiagnostic error() { return emitError(loc); }

  const GraphProto &graph;
  MLIRContext *context;
  const ImportOptions &options;
  int64_t irVersion;
  GraphImporter graphImporter;
  SymbolTable symbols;
  Location loc;
  llvm::StringSet<> defaults;
  /// Sizes that the user gives, by the symbol's name in the file.
  std::map<std::string, int64_t> sizes;
  SmallVector<const ValueInfoProto *> inputs;
};

/// The file's name for a dim; a name made up from the input when it has none.
std::string ModelImporter::symbolText(const ValueInfoProto &input, int index) const {
  const auto &dim = input.type().tensor_type().shape().dim(index);
  // "?" and the like name nothing: two of them need not be equal.
  if (dim.has_dim_param() && llvm::any_of(dim.dim_param(), llvm::isAlnum))
    return dim.dim_param();
  return input.name() + "_d" + std::to_string(index);
}

void ModelImporter::collectSymbols() {
  for (const ValueInfoProto *input : inputs) {
    const TensorShapeProto &shape = input->type().tensor_type().shape();
    for (int i = 0; i < shape.dim_size(); ++i) {
      if (shape.dim(i).has_dim_value() && shape.dim(i).dim_value() >= 0)
        continue;
      std::string text = symbolText(*input, i);
      std::optional<DimExpr> parsed = DimExpr::parse(context, text);
      if (!parsed || parsed->kind() == DimExpr::Kind::Symbol || parsed->isConstant())
        symbols.get(text);
    }
  }
}

std::string ModelImporter::inputNames() const {
  std::string text;
  for (const ValueInfoProto &input : graph.input())
    text += (text.empty() ? "'" : ", '") + printable(input.name()) + "'";
  return text.empty() ? "none" : text;
}

/// Turns the user's shapes and dims into sizes of symbols.
LogicalResult ModelImporter::applyOptions() {
  for (const auto &[name, size] : options.dims) {
    if (!symbols.contains(name))
      return error() << "no input has a dim '" << printable(name)
                     << "'; the model's dims are: " << symbols.list();
    sizes[name] = size;
  }
  for (const auto &[name, shape] : options.shapes) {
    auto input = llvm::find_if(inputs, [&, &name = name](auto *i) { return i->name() == name; });
    if (input == inputs.end())
      return error() << "the model has no input '" << printable(name)
                     << "'; its inputs are: " << inputNames();
    const TensorShapeProto &dims = (*input)->type().tensor_type().shape();
    if (!(*input)->type().tensor_type().has_shape())
      continue;
    if (dims.dim_size() != static_cast<int>(shape.size()))
      return error() << "input '" << printable(name) << "' has " << dims.dim_size()
                     << " dims, the given shape has " << shape.size();
    for (auto [i, size] : llvm::enumerate(shape)) {
      if (size < 0)
        continue;
      if (dims.dim(i).has_dim_value() && dims.dim(i).dim_value() >= 0) {
        if (dims.dim(i).dim_value() != size)
          return error() << "dim " << i << " of input '" << printable(name) << "' is "
                         << dims.dim(i).dim_value() << " in the model, the given shape says "
                         << size;
        continue;
      }
      auto [it, isNew] = sizes.insert({symbolText(**input, i), size});
      if (!isNew && it->second != size)
        return error() << "dim '" << printable(it->first) << "' is given as both " << it->second
                       << " and " << size;
    }
  }
  for (const auto &entry : options.ranges)
    if (!symbols.contains(entry.first) || sizes.count(entry.first))
      return error() << "no input has a dim '" << printable(entry.first)
                     << "' without a size; the model's dims are: " << symbols.list();
  return success();
}

DimExpr ModelImporter::inputDim(const ValueInfoProto &input, int index) {
  const auto &dim = input.type().tensor_type().shape().dim(index);
  if (dim.has_dim_value() && dim.dim_value() >= 0)
    return DimExpr::constant(context, dim.dim_value());
  std::string text = symbolText(input, index);
  if (auto size = sizes.find(text); size != sizes.end())
    return DimExpr::constant(context, size->second);
  std::optional<DimExpr> expression = symbols.getExpression(text);
  if (!expression)
    return symbols.get(text);
  std::map<std::string, int64_t> bySymbol;
  for (const auto &[name, size] : sizes)
    if (symbols.contains(name))
      bySymbol[symbols.get(name).symbolName().str()] = size;
  return expression->substitute([&](StringRef name) -> std::optional<DimExpr> {
    auto size = bySymbol.find(name.str());
    if (size == bySymbol.end())
      return std::nullopt;
    return DimExpr::constant(context, size->second);
  });
}

/// The dim of the function's argument: an expression becomes a symbol of its
/// own, so that the caller's size can be checked against it.
DimExpr ModelImporter::argumentDim(const ValueInfoProto &input, int index) {
  DimExpr dim = inputDim(input, index);
  if (dim.isConstant() || dim.kind() == DimExpr::Kind::Symbol)
    return dim;
  return symbols.get(symbolText(input, index));
}

/// Adds the argument of an input; returns it with the dims that the model
/// gives.
Value ModelImporter::addArgument(const ValueInfoProto &input, Type type, Block *block) {
  Location at = nodeLocation(context, input.name(), "input");
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !input.type().tensor_type().has_shape())
    return block->addArgument(type, at);
  SmallVector<DimExpr> dims;
  for (int i = 0; i < tensor.getRank(); ++i)
    dims.push_back(argumentDim(input, i));
  Value argument = block->addArgument(onnx::makeTensorType(dims, tensor.getElementType()), at);
  if (argument.getType() == type)
    return argument;
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  return onnx::RefineOp::create(builder, at, type, argument);
}

FailureOr<Type> ModelImporter::inputType(const ValueInfoProto &input) {
  std::string name = printable(input.name());
  if (input.name().empty())
    return error() << "an input has no name";
  FailureOr<Type> type = convertType(context, input.type());
  if (failed(type))
    return error() << "input '" << name << "' has no type, or one that is not supported";
  if (!input.type().has_tensor_type())
    return type;
  Type elementType = cast<TensorType>(*type).getElementType();
  const auto &tensor = input.type().tensor_type();
  SmallVector<DimExpr> dims;
  if (tensor.shape().dim_size() > onnx::maxRank)
    return error() << "input '" << name << "' has " << tensor.shape().dim_size()
                   << " dims, expected at most " << onnx::maxRank;
  if (tensor.has_shape()) {
    for (int i = 0; i < tensor.shape().dim_size(); ++i)
      dims.push_back(inputDim(input, i));
    return Type(onnx::makeTensorType(dims, elementType));
  }
  auto shape = options.shapes.find(input.name());
  if (shape == options.shapes.end())
    return error() << "input '" << name << "' has no rank; give its shape with --shapes";
  for (auto [i, size] : llvm::enumerate(shape->second))
    dims.push_back(size >= 0 ? DimExpr::constant(context, size)
                             : symbols.get(input.name() + "_d" + std::to_string(i)));
  return Type(onnx::makeTensorType(dims, elementType));
}

/// The declared dims of an output are a hint: exporters write those of the run they
/// traced. Its kind and element type are what callers pass memory for.
LogicalResult ModelImporter::checkOutput(const ValueInfoProto &output, Type type) {
  if (!output.type().has_tensor_type())
    return success();
  FailureOr<Type> declared = convertType(context, output.type());
  if (failed(declared))
    return success();
  std::string name = printable(output.name());
  if (!isa<TensorType>(type) || getElementTypeOrSelf(*declared) != getElementTypeOrSelf(type))
    return error() << "output '" << name << "' is declared as " << *declared << ", the graph gives "
                   << type;
  // The user's shapes are newer than what the file says.
  if (options.shapes.empty() && failed(verifyCompatibleShape(*declared, type)))
    emitWarning(loc) << "output '" << name << "' is declared as " << *declared
                     << ", the graph gives " << type << ", which is taken";
  return success();
}

LogicalResult ModelImporter::importMain(func::FuncOp main) {
  Builder builder(context);
  SmallVector<Type> inputTypes, outputTypes;
  SmallVector<DictionaryAttr> inputNames, outputNames;
  auto nameOf = [&](StringRef name) {
    return builder.getDictionaryAttr(
        builder.getNamedAttr("onnx.name", builder.getStringAttr(name)));
  };
  bool good = true;
  for (const ValueInfoProto *input : inputs) {
    FailureOr<Type> type = inputType(*input);
    good &= succeeded(type);
    inputTypes.push_back(succeeded(type) ? *type : builder.getNoneType());
    inputNames.push_back(nameOf(input->name()));
  }
  Scope scope;
  scope.block = main.addEntryBlock();
  good &= succeeded(graphImporter.declare(graph, scope, loc));
  for (auto [input, type] : llvm::zip_equal(inputs, inputTypes))
    scope.values[input->name()] =
        isa<NoneType>(type) ? Value() : addArgument(*input, type, scope.block);
  good &= succeeded(graphImporter.importNodes(graph, scope, loc));

  SmallVector<Value> results;
  for (const ValueInfoProto &output : graph.output()) {
    std::optional<Value> value = graphImporter.lookup(scope, output.name());
    if (!value)
      return error() << "output '" << printable(output.name()) << "' is not defined";
    if (!*value)
      return failure();
    good &= succeeded(checkOutput(output, value->getType()));
    results.push_back(*value);
    outputTypes.push_back(value->getType());
    outputNames.push_back(nameOf(output.name()));
  }
  if (!good)
    return failure();
  if (results.empty())
    return error() << "the graph has no outputs";
  OpBuilder::atBlockEnd(scope.block).create(OperationState(loc, "func.return", results, {}, {}));
  main.setType(builder.getFunctionType(scope.block->getArgumentTypes(), outputTypes));
  main.setAllArgAttrs(inputNames);
  main.setAllResultAttrs(outputNames);
  return success();
}

OwningOpRef<ModuleOp> ModelImporter::run() {
  for (const auto &tensor : graph.initializer())
    defaults.insert(tensor.name());
  for (const auto &tensor : graph.sparse_initializer())
    defaults.insert(tensor.values().name());
  for (const std::string &name : options.keptInputs)
    if (llvm::none_of(graph.input(),
                      [&](const ValueInfoProto &input) { return input.name() == name; })) {
      error() << "the model has no input '" << printable(name)
              << "'; its inputs are: " << inputNames();
      return {};
    }
  // An input with an initializer is that constant, unless the user says that
  // callers give it.
  std::string constants;
  for (const ValueInfoProto &input : graph.input()) {
    if (options.keptInputs.count(input.name()))
      defaults.erase(input.name());
    if (!hasDefault(input.name()))
      inputs.push_back(&input);
    else if (constants.empty())
      constants = input.name();
  }
  // Before IR version 4 every initializer had to be an input.
  constexpr int64_t firstWithPlainInitializers = 4;
  if (!constants.empty() && irVersion >= firstWithPlainInitializers)
    mlir::emitWarning(loc) << "inputs with initializers, such as '" << printable(constants)
                           << "', are compiled as constants; --keep-input makes one a real input";
  if (failed(graphImporter.initialize()))
    return {};
  collectSymbols();
  if (failed(applyOptions()))
    return {};
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto main = func::FuncOp::create(builder, loc, "main", builder.getFunctionType({}, {}));
  if (failed(importMain(main)))
    return {};
  (*module)->setAttr("onnx.opset", builder.getI64IntegerAttr(graphImporter.getOpset()));
  (*module)->setAttr("onnx.symbols", symbols.getAttribute(sizes));
  if (!options.ranges.empty())
    (*module)->setAttr("onnx.symbol_bounds", symbols.getBounds(sizes, options.ranges));
  if (failed(verify(*module)))
    return {};
  return module;
}

} // namespace

OwningOpRef<ModuleOp> importModel(std::shared_ptr<OnnxFile> file, MLIRContext *context,
                                  const ImportOptions &options) {
  context->loadDialect<onnx::OnnxDialect, func::FuncDialect>();
  return ModelImporter(*file, context, options).run();
}

} // namespace onnxc
