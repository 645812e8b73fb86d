//===- DimValues.h - Symbolic dims as index values -----------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_DIMVALUES_H
#define ONNXC_LOWERING_SUPPORT_DIMVALUES_H

#include "dialects/onnx/DimExpr.h"
#include "mlir/IR/Builders.h"

namespace onnxc {

/// The value of a dim expression as a constant or index arithmetic over
/// `rt.symbol`, at the builder's place.
mlir::OpFoldResult materialize(mlir::OpBuilder &builder, mlir::Location loc, onnx::DimExpr dim);
/// The same, always as an index value.
mlir::Value materializeIndex(mlir::OpBuilder &builder, mlir::Location loc, onnx::DimExpr dim);

} // namespace onnxc

#endif // ONNXC_LOWERING_SUPPORT_DIMVALUES_H
