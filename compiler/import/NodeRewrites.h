//===- NodeRewrites.h - Rewrites of single nodes before their import -*- C++ -*-===//
//
// Internal to the importer: what only some operators need, so that the import of a
// node knows no operator by name.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_COMPILER_IMPORT_NODEREWRITES_H
#define ONNXC_COMPILER_IMPORT_NODEREWRITES_H

#include "compiler/import/onnx-ml.pb.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace onnxc {

using NodeList = llvm::SmallVector<::onnx::NodeProto, 0>;

/// The value of a name, null when there is none.
using LookupValue = llvm::function_ref<mlir::Value(llvm::StringRef)>;

/// What a rewrite sees of the graph around its node.
struct NodeContext {
  int64_t opset;
  LookupValue lookup;
  /// The rank that the file declares for a value of the graph.
  llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> declaredRank;
  /// Gives a tensor a type with other dims, which the run checks, and returns its name.
  llvm::function_ref<std::string(mlir::Value value, mlir::Type type)> refine;
};

/// Rewrites a node of the default domain whose operator is not imported as it is:
/// returns the nodes that replace it, in order, none when it stays.
llvm::Expected<NodeList> rewriteNode(const ::onnx::NodeProto &node, const NodeContext &context);

/// Rewrites a Scan as a Loop whose body gathers the rows of the scan inputs.
llvm::Expected<NodeList> scanToLoop(const ::onnx::NodeProto &scan, const NodeContext &context);

inline llvm::Error refuse(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

inline ::onnx::AttributeProto *addAttribute(::onnx::NodeProto &node, llvm::StringRef name,
                                            ::onnx::AttributeProto::AttributeType type) {
  ::onnx::AttributeProto *attribute = node.add_attribute();
  attribute->set_name(name.str());
  attribute->set_type(type);
  return attribute;
}

} // namespace onnxc

#endif // ONNXC_COMPILER_IMPORT_NODEREWRITES_H
