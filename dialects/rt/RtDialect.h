//===- RtDialect.h - The rt dialect --------------------------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_RT_RTDIALECT_H
#define ONNXC_DIALECTS_RT_RTDIALECT_H

#include "dialects/rt/RtTarget.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "target/CpuFacts.h"
#include "llvm/ADT/Hashing.h"

namespace onnxc {
inline llvm::hash_code hash_value(CpuFacts facts) { return llvm::hash_value(facts.getBits()); }
} // namespace onnxc

#include "dialects/rt/RtDialect.h.inc"
#include "dialects/rt/RtEnums.h.inc"
#include "dialects/rt/RtInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/rt/RtAttributes.h.inc"

#define GET_OP_CLASSES
#include "dialects/rt/RtOps.h.inc"

namespace onnxc::rt {

/// Bits that an element of a tensor takes in memory. Elements of 2 and 4 bits share
/// bytes: a tensor of them is one run of bits, the first element in the lowest bits of a
/// byte, as in ONNX. Others take whole bytes: one for a bool, 8 for an index, 16 for a
/// string (pointer and length).
int64_t getStorageBits(mlir::Type elementType);
/// Whether several elements share a byte.
bool sharesBytes(mlir::Type elementType);
/// Whole bytes that `count` elements take; of one that shares a byte, that byte.
int64_t getStorageBytes(mlir::Type elementType, int64_t count = 1);

/// Steps of the depth that one instruction of a product takes.
unsigned getDepthStep(Product product);

/// Attributes through which stages tell later ones what they decided. The dialect
/// checks what they hold.
namespace attributes {
using llvm::StringLiteral;
/// On a module: what it is compiled for, where its constants are evaluated, and the
/// outcome of the memory plan.
inline constexpr StringLiteral target = "rt.target", hostTarget = "rt.host_target",
                               weights = "rt.weights", weightOffsets = "rt.weight_offsets",
                               weightsBytes = "rt.weights_bytes",
                               workspaceBytes = "rt.workspace_bytes", liveBytes = "rt.live_bytes";
/// On a function: the symbols of the inputs, and the dims of the results as text.
inline constexpr StringLiteral symbols = "rt.symbols", resultDims = "rt.result_dims";
/// On an op that will be an anchor: its strategy, until its group has it.
inline constexpr StringLiteral strategy = "rt.strategy";
/// On an onnx.Yield inside a lowered loop: for each of its last operands, which are
/// rows of scan outputs, whether it is appended.
inline constexpr StringLiteral rows = "rt.rows";
} // namespace attributes

/// Writes into the module what it is compiled for, and where constants are evaluated.
void setTargets(mlir::ModuleOp module, TargetAttr target, TargetAttr host);
/// Reads it back; a module that does not say is for a plain `#rt.cpu`.
TargetAttr getTarget(mlir::ModuleOp module);
/// Where constants are evaluated: on the target itself in a module that does not say.
TargetAttr getHostTarget(mlir::ModuleOp module);

} // namespace onnxc::rt

#endif // ONNXC_DIALECTS_RT_RTDIALECT_H
