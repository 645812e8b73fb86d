//===- Passes.h - Passes on the onnx dialect -----------------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_TRANSFORMS_PASSES_H
#define ONNXC_DIALECTS_ONNX_TRANSFORMS_PASSES_H

#include "dialects/onnx/OnnxDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace onnxc {
#define GEN_PASS_DECL
#include "dialects/onnx/transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "dialects/onnx/transforms/Passes.h.inc"
} // namespace onnxc

#endif // ONNXC_DIALECTS_ONNX_TRANSFORMS_PASSES_H
