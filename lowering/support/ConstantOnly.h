//===- ConstantOnly.h - What follows from constants alone -----------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_CONSTANTONLY_H
#define ONNXC_LOWERING_SUPPORT_CONSTANTONLY_H

#include "mlir/IR/Value.h"

namespace onnxc {

/// Whether an op computes from constants alone, so that it can run at compile
/// time.
bool isConstantOnly(mlir::Value value);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_CONSTANTONLY_H
