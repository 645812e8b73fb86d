//===- OnnxElementwiseOps.cpp - Element-wise operators ---------------------===//
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxElementwiseOps.cpp.inc"
