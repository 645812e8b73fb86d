//===- NodeNames.cpp - ONNX nodes in locations ------------------------------===//
#include "lowering/support/NodeNames.h"

using namespace mlir;

namespace onnxc {

SmallVector<StringRef> nodeNames(Location loc) {
  SmallVector<StringRef> names;
  loc->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner)) {
      if (!llvm::is_contained(names, named.getName().getValue()))
        names.push_back(named.getName().getValue());
      // The op type below it is no name of a node.
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  return names;
}

std::string nodeName(Location loc) {
  SmallVector<StringRef> names = nodeNames(loc);
  return names.empty() ? std::string() : names.front().str();
}

} // namespace onnxc
