//===- StrategyAttrs.h - Strategies as attributes -------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_KERNELS_STRATEGYATTRS_H
#define ONNXC_LOWERING_KERNELS_STRATEGYATTRS_H

#include "dialects/rt/RtDialect.h"
#include "lowering/kernels/Strategy.h"

namespace onnxc {

rt::GemmAttr toAttribute(mlir::MLIRContext *context, const GemmStrategy &strategy);
rt::ConvAttr toAttribute(mlir::MLIRContext *context, const ConvStrategy &strategy);
rt::DepthwiseAttr toAttribute(mlir::MLIRContext *context, const DepthwiseStrategy &strategy);
GemmStrategy fromAttribute(rt::GemmAttr attribute);
ConvStrategy fromAttribute(rt::ConvAttr attribute);
DepthwiseStrategy fromAttribute(rt::DepthwiseAttr attribute);

} // namespace onnxc

#endif // ONNXC_LOWERING_KERNELS_STRATEGYATTRS_H
