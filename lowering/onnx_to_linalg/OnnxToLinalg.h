//===- OnnxToLinalg.h - Patterns from onnx to linalg ---------------*- C++ -*-===//
//
// One populate function per kind of op; OnnxToLinalg.cpp assembles them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_ONNXTOLINALG_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_ONNXTOLINALG_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace onnxc {

/// Checks at run time what sizes must be: not negative, and as the ops' rules say
/// (`SizeRulesOpInterface`).
void checkSizes(mlir::func::FuncOp function);

/// An error at an op that nothing lowers.
void reportUnsupported(mlir::Operation *op);

/// All of those below.
void populateOnnxToLinalgPatterns(mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

void populateContractionPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateControlFlowPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateConvTransposePatterns(mlir::TypeConverter &converter,
                                   mlir::RewritePatternSet &patterns);
void populateConvolutionPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateCumulativePatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateEinsumPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateElementwisePatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateGeneratorPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateIndexingPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateIrregularPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateLossPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateMovementPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateNormalizationPatterns(mlir::TypeConverter &converter,
                                   mlir::RewritePatternSet &patterns);
void populatePaddingPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateQuantizationPatterns(mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);
void populateRecurrentPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateReductionPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateResizePatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateSamplingPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateViewPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateWindowPatterns(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_ONNXTOLINALG_H
