//===- Window.cpp - Pools to linalg ----------------------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "lowering/onnx_to_linalg/WindowBuilder.h"

using namespace mlir;
using namespace onnxc;

void onnxc::populateWindowPatterns(TypeConverter &converter, RewritePatternSet &patterns) {}
