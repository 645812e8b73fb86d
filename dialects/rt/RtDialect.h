//===- RtDialect.h - The rt dialect --------------------------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_RT_RTDIALECT_H
#define ONNXC_DIALECTS_RT_RTDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/rt/RtDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/rt/RtAttributes.h.inc"

#define GET_OP_CLASSES
#include "dialects/rt/RtOps.h.inc"

#endif // ONNXC_DIALECTS_RT_RTDIALECT_H
