//===- Target.h - The target, as an attribute of the module ---------*- C++ -*-===//
#ifndef ONNXC_LOWERING_KERNELS_TARGET_H
#define ONNXC_LOWERING_KERNELS_TARGET_H

#include "codegen/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace onnxc {

/// Writes the target into the module's `rt.target` attribute, where passes and
/// tests find it.
void setTarget(mlir::ModuleOp module, const TargetInfo &target);
/// Reads it back; a module without one gets 128-bit vectors and no extensions.
TargetInfo getTarget(mlir::ModuleOp module);

} // namespace onnxc

#endif // ONNXC_LOWERING_KERNELS_TARGET_H
