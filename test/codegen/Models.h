//===- Models.h - Hand-written models in the llvm dialect ---------*- C++ -*-===//
#ifndef ONNXC_TEST_CODEGEN_MODELS_H
#define ONNXC_TEST_CODEGEN_MODELS_H

#include "codegen/Artifact.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace onnxc::test {

/// A model ready for emission: y[n,4] = x[n,4] * w[4] + 1, one task per row. A
/// batch of 13 fails at run time, one of 14 asks for memory from the hook. With
/// a name given it is that model of batch 2.
struct TestModel {
  explicit TestModel(llvm::StringRef staticName = "");
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ModelInfo info;
  WeightsLayout weights;
  std::vector<float> weightValues = {1, 2, 3, 4};
};

/// Options for a target, which must be a valid one.
EmitOptions makeOptions(llvm::StringRef triple = "", llvm::StringRef cpu = "",
                        llvm::StringRef features = "");

/// An empty folder that is removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  std::string file(llvm::StringRef name) const { return folder + "/" + name.str(); }
  /// Names of all files in it, sorted.
  std::vector<std::string> list() const;

private:
  std::string folder;
};

/// The text of an error, empty for success.
std::string messageOf(llvm::Error error);

} // namespace onnxc::test

#endif // ONNXC_TEST_CODEGEN_MODELS_H
