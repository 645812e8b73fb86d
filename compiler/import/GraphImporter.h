//===- GraphImporter.h - Nodes and subgraphs to onnx ops --------*- C++ -*-===//
//
// Internal to the importer.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_COMPILER_IMPORT_GRAPHIMPORTER_H
#define ONNXC_COMPILER_IMPORT_GRAPHIMPORTER_H

#include "compiler/import/OnnxFile.h"
#include "compiler/import/Operators.h"
#include "dialects/onnx/OnnxOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace onnxc {

class NodeForm;

/// The names that are visible in a graph, a subgraph or a function's body.
struct Scope {
  Scope *parent = nullptr;
  /// Where the graph's ops are appended.
  mlir::Block *block = nullptr;
  /// Null: its node could not be imported, which has been reported.
  llvm::StringMap<mlir::Value> values;
  /// Inputs of a function that its caller omits.
  llvm::StringSet<> omitted;
  /// Become constants when they are first used.
  llvm::StringMap<const ::onnx::TensorProto *> initializers;
  llvm::StringMap<const ::onnx::SparseTensorProto *> sparseInitializers;
  /// Ranks that the file declares for values of this graph.
  llvm::StringMap<int64_t> declaredRanks;
};

class GraphImporter {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  /// Appends the body of a Loop to `block`, whose arguments are the iteration number, the
  /// condition and the carried values. Returns the next condition, the next carried values
  /// and one row for each scan output. It may be called several times.
  using BuildBody = llvm::function_ref<mlir::FailureOr<Values>(mlir::Block *block)>;

  /// The onnx dialect is loaded.
  GraphImporter(OnnxFile &file, mlir::MLIRContext *context);

  /// Reads opset imports and model-local functions.
  mlir::LogicalResult initialize();
  int64_t getOpset() const { return opsets.lookup(""); }

  /// Checks a graph's names and enters its initializers into `scope`.
  mlir::LogicalResult declare(const ::onnx::GraphProto &graph, Scope &scope, mlir::Location loc);
  /// Imports all nodes in topological order. Nodes that cannot be imported are
  /// reported, and so is everything else that is wrong, before this fails.
  mlir::LogicalResult importNodes(const ::onnx::GraphProto &graph, Scope &scope,
                                  mlir::Location loc);
  /// The value of a name. Nothing: not defined; null: reported before.
  std::optional<mlir::Value> lookup(Scope &scope, llvm::StringRef name);

  // What rules for nodes use. Ops are made at the builder's place.
  mlir::OpBuilder &getBuilder() { return builder; }
  const Operators &getOperators() const { return operators; }
  /// Emits an error; the import fails in the end.
  mlir::LogicalResult fail(mlir::Location loc, const llvm::Twine &message);
  /// `createOnnxOp`, where a failure is always an error that was emitted.
  mlir::FailureOr<Values> createOp(mlir::Location loc, mlir::RegisteredOperationName op,
                                   mlir::ValueRange inputs, const mlir::NamedAttrList &attributes);
  /// Imports a subgraph at the end of `block`; returns its outputs.
  mlir::FailureOr<Values> importSubgraph(const ::onnx::GraphProto &graph, Scope &outer,
                                         mlir::Block *block, mlir::ValueRange arguments,
                                         mlir::Location loc);
  /// Makes a Loop; `trips` and `cond` may be null. Returns its results.
  mlir::FailureOr<Values> createLoop(mlir::Location loc, mlir::Value trips, mlir::Value cond,
                                     mlir::ValueRange initial, BuildBody buildBody);

private:
  using Nodes = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;

  /// A call of a model-local function that is being inlined.
  struct Frame {
    Frame *caller = nullptr;
    const ::onnx::FunctionProto *function = nullptr;
    llvm::StringMap<const ::onnx::AttributeProto *> attributes;
    llvm::StringMap<int64_t> opsets;
    std::string prefix;
  };

  mlir::LogicalResult importNodeList(const Nodes &nodes, Scope &scope, mlir::Location loc);
  /// What messages call a node: its name, else its operator and its index in the graph;
  /// behind the names of the functions around it.
  std::string nodeName(const ::onnx::NodeProto &node, unsigned index) const;
  void importNode(const ::onnx::NodeProto &node, unsigned index, Scope &scope);
  /// The results of a node that is no call of a function.
  mlir::FailureOr<Values> importOperator(const ::onnx::NodeProto &node, NodeForm &form);
  mlir::LogicalResult checkOperator(const NodeForm &form);
  mlir::LogicalResult convertAttributes(const ::onnx::NodeProto &node, NodeForm &form);
  void inlineFunction(const ::onnx::FunctionProto &function, const ::onnx::NodeProto &node,
                      Scope &scope, mlir::Location loc);
  std::optional<int64_t> findOpset(llvm::StringRef domain) const;
  const ::onnx::FunctionProto *findFunction(const ::onnx::NodeProto &node) const;

  mlir::FailureOr<Values> createWithRegions(mlir::OperationState &state);
  void createYield(mlir::Block *block, mlir::ValueRange values, mlir::Location loc);
  mlir::FailureOr<Values> importIf(NodeForm &node);
  mlir::FailureOr<Values> importLoop(NodeForm &node);

  /// The node with references to a function's attributes resolved.
  mlir::FailureOr<const ::onnx::NodeProto *> resolveAttributes(const ::onnx::NodeProto &node,
                                                               mlir::Location loc);
  mlir::FailureOr<mlir::Attribute> convertAttribute(const ::onnx::AttributeProto &attribute,
                                                    mlir::Location loc);
  /// `prefix` goes before what is wrong with the tensor.
  mlir::FailureOr<mlir::ElementsAttr> convertTensor(const ::onnx::TensorProto &tensor,
                                                    const llvm::Twine &prefix, mlir::Location loc);
  mlir::FailureOr<mlir::ElementsAttr> convertSparse(const ::onnx::SparseTensorProto &tensor,
                                                    const llvm::Twine &prefix, mlir::Location loc);
  /// The value of an onnx.Constant node.
  mlir::FailureOr<mlir::ElementsAttr> constantValue(const ::onnx::NodeProto &node,
                                                    mlir::Location loc);

  /// Nothing: reported; an empty optional inside: an operand is poisoned.
  mlir::FailureOr<std::optional<Values>> resolveInputs(const ::onnx::NodeProto &node, Scope &scope,
                                                       mlir::Location loc);
  /// Names the first `numOutputs` outputs.
  void define(const ::onnx::NodeProto &node, unsigned numOutputs, mlir::ValueRange values,
              Scope &scope, mlir::Location loc);
  void poison(const ::onnx::NodeProto &node, Scope &scope);

  OnnxFile &file;
  mlir::MLIRContext *context;
  mlir::OpBuilder builder;
  Operators operators;
  llvm::StringMap<int64_t> opsets;
  std::map<std::array<std::string, 3>, const ::onnx::FunctionProto *> functions;
  Frame *frame = nullptr;
  bool failed = false;
  /// Nodes imported so far: functions may expand exponentially.
  unsigned numNodes = 0;
};

/// Whether nodes of an operator may have an attribute.
bool hasAttribute(mlir::RegisteredOperationName op, llvm::StringRef name);

/// Creates an op from its inputs in ONNX's order (null: omitted) at the end of
/// the builder's block, with inferred types, and folds it. Emits an error when
/// operands, attributes or types do not fit.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
createOnnxOp(mlir::OpBuilder &builder, mlir::Location loc, mlir::RegisteredOperationName name,
             mlir::ValueRange inputs, mlir::DictionaryAttr attributes);

/// The type of a sequence, an optional or a tensor whose dims need no symbols.
mlir::FailureOr<mlir::Type> convertType(mlir::MLIRContext *context, const ::onnx::TypeProto &type);

/// Indices of nodes in an order in which each comes after those it uses.
/// Fails with the nodes of a cycle, each of which uses the one before.
mlir::FailureOr<llvm::SmallVector<unsigned>>
sortNodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto> &nodes,
          llvm::SmallVectorImpl<unsigned> &cycle);

/// The location of a node: its name around its operator.
mlir::Location nodeLocation(mlir::MLIRContext *context, llvm::StringRef name,
                            llvm::StringRef opType);

/// Text that is safe in messages and symbol names.
std::string printable(llvm::StringRef text);

} // namespace onnxc

#endif // ONNXC_COMPILER_IMPORT_GRAPHIMPORTER_H
