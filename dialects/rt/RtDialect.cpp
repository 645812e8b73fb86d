//===- RtDialect.cpp - The rt dialect --------------------------------------===//
#include "dialects/rt/RtDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace onnxc::rt;

#include "dialects/rt/RtDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/rt/RtOps.cpp.inc"

void RtDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/rt/RtOps.cpp.inc"
      >();
}
