//===- Operators.h - Which op an operator of ONNX is ------------*- C++ -*-===//
//
// Everything here comes from the registered ops, which say their operator's domain and
// versions themselves (`Onnx_Since` and `Onnx_Domain` in the dialect's .td files).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_COMPILER_IMPORT_OPERATORS_H
#define ONNXC_COMPILER_IMPORT_OPERATORS_H

#include "dialects/onnx/OnnxOps.h"
#include <map>

namespace onnxc {

/// The opsets of the default domain that can be imported.
constexpr int64_t minOpset = 1, maxOpset = 28;

/// A domain of operators and its versions that can be imported.
struct Domain {
  /// As in models; empty for ai.onnx.
  llvm::StringLiteral name;
  int64_t minVersion, maxVersion;
};

/// The domain with a canonical name; null when there is none.
const Domain *findDomain(llvm::StringRef name);

/// "ai.onnx" is the default domain, which models call "".
inline llvm::StringRef canonicalDomain(llvm::StringRef name) {
  return name == "ai.onnx" ? "" : name;
}
/// The name of a canonical domain in messages.
inline llvm::StringRef domainTitle(llvm::StringRef name) { return name.empty() ? "ai.onnx" : name; }

/// An op of the dialect and the operator that it is.
struct Operator {
  mlir::RegisteredOperationName op;
  onnx::OperatorInfo info;
};

/// The operators that have an op of their own, in order of domain and name.
class Operators {
public:
  using Key = std::pair<std::string, std::string>;

  /// The onnx dialect is loaded.
  explicit Operators(mlir::MLIRContext *context);

  /// The operator of a canonical domain; null when no op stands for it.
  const Operator *find(llvm::StringRef domain, llvm::StringRef name) const;
  const std::map<Key, Operator> &getAll() const { return operators; }

private:
  std::map<Key, Operator> operators;
};

/// Writes a line for each operator that can be imported, with tabs between: domain, name,
/// versions, operands with their types, limits. An operator that becomes others has its
/// first version only, and no operands.
void listOperators(mlir::MLIRContext *context, llvm::raw_ostream &os);

} // namespace onnxc

#endif // ONNXC_COMPILER_IMPORT_OPERATORS_H
