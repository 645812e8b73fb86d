//===- ConstantExpression.h - Values that depend on weights alone --*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_TRANSFORMS_CONSTANTEXPRESSION_H
#define ONNXC_DIALECTS_ONNX_TRANSFORMS_CONSTANTEXPRESSION_H

#include "dialects/onnx/OnnxOps.h"

namespace onnxc::onnx {

/// Whether a value is a constant, or computed from constants by a few ops
/// without effects: what the compiler will evaluate.
inline bool isConstantExpression(mlir::Value value, unsigned depth = 12) {
  mlir::Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (llvm::isa<ConstantOp>(op))
    return true;
  return op->getNumOperands() != 0 && op->getNumRegions() == 0 && mlir::isPure(op) &&
         llvm::all_of(op->getOperands(), [&](mlir::Value operand) {
           return isConstantExpression(operand, depth - 1);
         });
}

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_TRANSFORMS_CONSTANTEXPRESSION_H
