//===- EvaluateConstants.h - Run at compile time what can be --------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CONSTEVAL_EVALUATECONSTANTS_H
#define ONNXC_LOWERING_CONSTEVAL_EVALUATECONSTANTS_H

#include "dialects/rt/RtDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <functional>

namespace onnxc {

/// Compiles and runs a module's `main(tensors) -> tensors` (in rt.groups of the host,
/// all shapes static) on these constants, with the target's numerics.
/// Returns one elements attribute for each result; on failure an error has been
/// emitted. `compiler/` supplies it, which has the stages below this folder.
using ConstantEvaluator = std::function<mlir::FailureOr<llvm::SmallVector<mlir::Attribute>>(
    mlir::ModuleOp module, llvm::ArrayRef<mlir::Attribute> inputs)>;

/// Whether a group depends on constants alone and is worth computing now: results
/// that are larger than twice its inputs (and 64 KiB) are left to the run, unless
/// one is a packed operand; so is what needs a tensor on the way that is more than
/// `growth` times as large as all constants it comes from (and 64 MiB), such as the
/// sum of a long Range.
bool isEvaluable(rt::GroupOp group, uint64_t growth = 8);

/// Replaces evaluable groups by their results, and gives others on constants alone,
/// which were made for the host, to the module's target.
std::unique_ptr<mlir::Pass> createEvaluateConstants(ConstantEvaluator evaluator);

} // namespace onnxc

#endif // ONNXC_LOWERING_CONSTEVAL_EVALUATECONSTANTS_H
