//===- EvaluateModule.h - Compile a module and run it here ----------*- C++ -*-===//
#ifndef ONNXC_COMPILER_EVALUATEMODULE_H
#define ONNXC_COMPILER_EVALUATEMODULE_H

#include "codegen/TargetInfo.h"
#include "lowering/consteval/EvaluateConstants.h"

namespace onnxc {

/// The evaluator of constants for this target: the remaining stages of the
/// compiler, then the JIT. It calls `releasePages` whenever constants that were
/// read can leave memory.
ConstantEvaluator
makeConstantEvaluator(const TargetInfo &target, std::function<void()> releasePages = [] {});

} // namespace onnxc

#endif // ONNXC_COMPILER_EVALUATEMODULE_H
