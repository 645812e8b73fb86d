//===- NodeNames.h - ONNX nodes in locations ------------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_NODENAMES_H
#define ONNXC_LOWERING_SUPPORT_NODENAMES_H

#include "mlir/IR/Location.h"
#include <string>

namespace onnxc {

/// The names of all ONNX nodes in a location, each once.
llvm::SmallVector<llvm::StringRef> nodeNames(mlir::Location loc);

/// The name of the first; empty where there is none.
std::string nodeName(mlir::Location loc);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_NODENAMES_H
