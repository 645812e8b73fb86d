//===- OnnxTensorOps.cpp - Constants, shapes and data movement -------------===//
#include "dialects/onnx/OnnxShapes.h"

using namespace mlir;
using namespace onnxc::onnx;

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxTensorOps.cpp.inc"

void ConstantOp::build(OpBuilder &builder, OperationState &state, ElementsAttr value) {
  build(builder, state, value.getType(), value);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
