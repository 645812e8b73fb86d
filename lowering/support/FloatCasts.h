//===- FloatCasts.h - Conversions between float types ---------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_FLOATCASTS_H
#define ONNXC_LOWERING_SUPPORT_FLOATCASTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace onnxc {

/// Converts a float scalar or vector to another element type; no op when the
/// types agree or are no floats.
mlir::Value convertFloat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                         mlir::Type elementType);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_FLOATCASTS_H
