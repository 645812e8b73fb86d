//===- ConstantOnly.h - What follows from constants alone -----------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_CONSTANTONLY_H
#define ONNXC_LOWERING_SUPPORT_CONSTANTONLY_H

#include "mlir/IR/Value.h"
#include <cstdint>

namespace onnxc {

/// A constant may be computed at compile time where its result is at most so many times as
/// large as what it is computed from.
constexpr uint64_t maxConstantGrowth = 2;

/// Whether an op computes from constants alone, so that it can run at compile
/// time.
bool isConstantOnly(mlir::Value value);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_CONSTANTONLY_H
