//===- CpuTarget.h - A CPU as a target ------------------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_CPUTARGET_H
#define ONNXC_LOWERING_CPU_CPUTARGET_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace onnxc::cpu {

/// Lets `#rt.cpu` answer as a target, in every context that gets this registry.
void registerCpuTarget(mlir::DialectRegistry &registry);

} // namespace onnxc::cpu

#endif // ONNXC_LOWERING_CPU_CPUTARGET_H
