//===- OpsetUpgrade.h - Old operator versions to the canonical one -*- C++ -*-===//
#ifndef ONNXC_COMPILER_IMPORT_OPSETUPGRADE_H
#define ONNXC_COMPILER_IMPORT_OPSETUPGRADE_H

#include "compiler/import/NodeRewrites.h"

namespace onnxc {

/// The opsets of the default domain that can be imported.
constexpr int64_t minOpset = 1, maxOpset = 28;

/// Rewrites a node of the default domain from its form in `opset` to that of
/// the newest one. Returns the nodes that replace it, in order; none when it
/// has the newest form already. New names cannot clash with the model's.
llvm::Expected<NodeList> upgradeNode(const ::onnx::NodeProto &node, int64_t opset,
                                     LookupValue lookup);

} // namespace onnxc

#endif // ONNXC_COMPILER_IMPORT_OPSETUPGRADE_H
