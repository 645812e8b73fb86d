//===- NodeForm.h - A node on its way to an op ------------------*- C++ -*-===//
//
// Internal to the importer: inputs are values and attributes are converted already; what
// is left is the form, which older versions of an operator and operators of other domains
// have to change. The rules in OpsetUpgrade.cpp and ScanImport.cpp do that, with ops of
// the dialect around the node where it takes some.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_COMPILER_IMPORT_NODEFORM_H
#define ONNXC_COMPILER_IMPORT_NODEFORM_H

#include "compiler/import/GraphImporter.h"

namespace onnxc {

class NodeForm {
public:
  NodeForm(GraphImporter &importer, Scope &scope, mlir::Location loc)
      : importer(importer), scope(scope), loc(loc) {}

  GraphImporter &importer;
  Scope &scope;
  mlir::Location loc;
  /// The operator, whose domain has its canonical name, and the version that the model
  /// imports.
  std::string domain, op;
  int64_t version = 0;
  /// Null for an omitted input.
  llvm::SmallVector<mlir::Value> inputs;
  mlir::NamedAttrList attributes;
  /// Attributes that are graphs.
  llvm::SmallVector<std::pair<llvm::StringRef, const ::onnx::GraphProto *>> graphs;
  unsigned numOutputs = 0;
  /// The rank that the file declares for output 0.
  std::optional<int64_t> declaredRank;
  /// Put before the messages of a rule: which form of the operator they are about.
  std::string messagePrefix;
  /// Set by a rule that made ops for the whole node: its results.
  std::optional<llvm::SmallVector<mlir::Value>> results;

  /// Removes an attribute and returns it. Nothing when it is absent, or of another kind,
  /// which is an error.
  std::optional<int64_t> takeInt(llvm::StringRef name);
  std::optional<float> takeFloat(llvm::StringRef name);
  std::optional<std::string> takeString(llvm::StringRef name);
  std::optional<llvm::SmallVector<int64_t>> takeInts(llvm::StringRef name);
  std::optional<llvm::SmallVector<float>> takeFloats(llvm::StringRef name);
  /// Removes an attribute that says nothing.
  void drop(llvm::StringRef name) { attributes.erase(name); }
  void setInt(llvm::StringRef name, int64_t value);
  void setString(llvm::StringRef name, llvm::StringRef value);
  const ::onnx::GraphProto *findGraph(llvm::StringRef name) const;

  /// Null when it is omitted.
  mlir::Value input(size_t i) const { return i < inputs.size() ? inputs[i] : mlir::Value(); }
  void setInput(size_t i, mlir::Value value);
  /// The type of an input, null when it is no ranked tensor.
  mlir::RankedTensorType type(size_t i) const;
  /// The rank of an input, -1 when it is no ranked tensor.
  int64_t rank(size_t i) const { return type(i) ? type(i).getRank() : -1; }

  // Constants and ops that are put before the node. A null value stands for an op that
  // could not be made, which has been reported.
  mlir::Value scalar(int64_t value);
  mlir::Value ints(llvm::ArrayRef<int64_t> values);
  mlir::Value floats(llvm::ArrayRef<float> values);
  /// A scalar of the element type of input 0, when that is a float type.
  mlir::Value scalarLikeInput(float value);
  mlir::Value create(llvm::StringRef op, llvm::ArrayRef<mlir::Value> operands,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::NamedAttribute attribute(llvm::StringRef name, int64_t value) const;
  mlir::NamedAttribute attribute(llvm::StringRef name, llvm::ArrayRef<int64_t> values) const;
  /// The tensor with other sizes, which the run checks.
  mlir::Value refine(mlir::Value value, llvm::ArrayRef<onnx::DimExpr> dims);

  /// Makes the op for the node as it is now. Fails after an error.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> finish();

  mlir::LogicalResult fail(const llvm::Twine &message);
  bool hasFailed() const { return failed; }

private:
  mlir::Attribute take(llvm::StringRef name, llvm::StringRef kind,
                       llvm::function_ref<bool(mlir::Attribute)> fits);

  bool failed = false;
};

} // namespace onnxc

#endif // ONNXC_COMPILER_IMPORT_NODEFORM_H
