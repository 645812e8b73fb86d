//===- Pipelines.h - The stages of the compiler ---------------------*- C++ -*-===//
//
// One pipeline for each stage of docs/architecture.md that is made of passes. A
// stage ends with the passes that check its contract.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_COMPILER_PIPELINES_H
#define ONNXC_COMPILER_PIPELINES_H

#include "codegen/TargetInfo.h"
#include "compiler/Compiler.h"
#include "lowering/consteval/EvaluateConstants.h"
#include "mlir/Pass/PassManager.h"

namespace onnxc {

struct Stage {
  llvm::StringRef name, summary;
  std::function<void(mlir::OpPassManager &)> build;
  /// What --emit calls the IR after this stage.
  std::optional<Emit> emit;
  /// Whether a model may be refused here; an error of another stage is a fault of onnxc.
  bool readsModel = false;
};

/// All stages in order, for a target.
std::vector<Stage> getStages(const TargetInfo &target, ConstantEvaluator evaluator);

/// The stages after constant evaluation: from groups without constants alone to
/// the llvm dialect.
void buildFromOutline(mlir::OpPassManager &passes, const TargetInfo &target);

/// Registers every stage with mlir-opt, as --onnxc-<stage>-pipeline; those that
/// make machine code make it for `target`.
void registerPipelines(const TargetInfo &target);

} // namespace onnxc

#endif // ONNXC_COMPILER_PIPELINES_H
