//===- OnnxFolds.h - Folding ops on small constants ---------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_ONNXFOLDS_H
#define ONNXC_DIALECTS_ONNX_ONNXFOLDS_H

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FoldInterfaces.h"

namespace onnxc::onnx {

/// Whether a constant of this type is small enough to be folded.
bool isSmallConstant(mlir::ShapedType type);

/// Folds every op that has a scalar formula, whatever its name.
class OnnxFoldInterface : public mlir::DialectFoldInterface {
public:
  using DialectFoldInterface::DialectFoldInterface;
  mlir::LogicalResult fold(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
                           llvm::SmallVectorImpl<mlir::OpFoldResult> &results) const override;
};

/// Transpose(Transpose(x, p), q) -> Transpose(x, p * q)
void populateMergeTransposesPatterns(mlir::RewritePatternSet &patterns);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_ONNXFOLDS_H
