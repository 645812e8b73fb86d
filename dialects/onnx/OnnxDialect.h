//===- OnnxDialect.h - The onnx dialect, its attributes and types -*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_ONNXDIALECT_H
#define ONNXC_DIALECTS_ONNX_ONNXDIALECT_H

#include "dialects/onnx/DimExpr.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TensorEncoding.h"

#include "dialects/onnx/OnnxDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/onnx/OnnxAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/onnx/OnnxTypes.h.inc"

#endif // ONNXC_DIALECTS_ONNX_ONNXDIALECT_H
