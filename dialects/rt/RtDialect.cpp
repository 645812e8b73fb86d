//===- RtDialect.cpp - The rt dialect --------------------------------------===//
#include "dialects/rt/RtDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace onnxc::rt;

#include "dialects/rt/RtDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/rt/RtAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/rt/RtOps.cpp.inc"

void RtDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/rt/RtAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/rt/RtOps.cpp.inc"
      >();
}
