//===- OpsetUpgrade.h - Old operator versions to the canonical one -*- C++ -*-===//
#ifndef ONNXC_COMPILER_IMPORT_OPSETUPGRADE_H
#define ONNXC_COMPILER_IMPORT_OPSETUPGRADE_H

#include "compiler/import/onnx-ml.pb.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace onnxc {

/// The opsets of the default domain that can be imported.
constexpr int64_t minOpset = 1, maxOpset = 28;

/// Rewrites a node of the default domain from its form in `opset` to that of
/// the newest one. Returns the nodes that replace it, in order; none when it
/// has the newest form already. `lookup` gives the value of an input, null when
/// there is none. New names cannot clash with the model's.
llvm::Expected<llvm::SmallVector<::onnx::NodeProto, 0>>
upgradeNode(const ::onnx::NodeProto &node, int64_t opset,
            llvm::function_ref<mlir::Value(llvm::StringRef)> lookup);

/// Gives a tensor a type with other dims, which the run checks, and returns its name.
using RefineValue = llvm::function_ref<std::string(mlir::Value value, mlir::Type type)>;

/// Rewrites a Scan as a Loop whose body gathers the rows of the scan inputs.
llvm::Expected<llvm::SmallVector<::onnx::NodeProto, 0>>
scanToLoop(const ::onnx::NodeProto &scan, int64_t opset,
           llvm::function_ref<mlir::Value(llvm::StringRef)> lookup, RefineValue refine);

} // namespace onnxc

#endif // ONNXC_COMPILER_IMPORT_OPSETUPGRADE_H
