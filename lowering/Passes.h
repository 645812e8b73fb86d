//===- Passes.h - Passes from onnx down to llvm --------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_PASSES_H
#define ONNXC_LOWERING_PASSES_H

#include "dialects/rt/RtDialect.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace onnxc {
#define GEN_PASS_DECL
#include "lowering/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "lowering/Passes.h.inc"
} // namespace onnxc

#endif // ONNXC_LOWERING_PASSES_H
