//===- OpsetUpgrade.h - Other forms of operators to the canonical one -*- C++ -*-===//
//
// Internal to the importer.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_COMPILER_IMPORT_OPSETUPGRADE_H
#define ONNXC_COMPILER_IMPORT_OPSETUPGRADE_H

#include "compiler/import/NodeForm.h"

namespace onnxc {

/// A form of an operator that differs from that of the op it becomes: one of older
/// versions, or one of an operator that has no op of its own.
struct OtherForm {
  llvm::StringLiteral op;
  /// The versions [from, to) of the domain that have it.
  int64_t from, to;
  /// Changes the node to the op's form.
  mlir::LogicalResult (*rule)(NodeForm &node);
  llvm::StringLiteral domain = "";
};

/// An end of versions that has not come yet.
constexpr int64_t always = maxOpset + 1;

/// All rows; those of one operator are applied in order.
llvm::ArrayRef<OtherForm> getOtherForms();

/// Whether a rule changes the node.
bool needsUpgrade(const NodeForm &node);

/// Gives a node the form of the op that it becomes. Fails after an error.
mlir::LogicalResult upgradeNode(NodeForm &node);

/// The first version of an operator that has no op of its own, but becomes others;
/// nothing when it does not.
std::optional<int64_t> findFirstVersion(llvm::StringRef domain, llvm::StringRef op);

/// Makes a Scan a Loop whose body gathers the rows of the scan inputs.
mlir::LogicalResult scanToLoop(NodeForm &node);

} // namespace onnxc

#endif // ONNXC_COMPILER_IMPORT_OPSETUPGRADE_H
