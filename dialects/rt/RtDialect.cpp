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

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  auto inner = getSource().getDefiningOp<ReshapeOp>();
  if (!inner)
    return {};
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

//===----------------------------------------------------------------------===//
// append
//===----------------------------------------------------------------------===//

LogicalResult AppendOp::verify() {
  auto row = cast<RankedTensorType>(getRow().getType());
  auto dest = cast<RankedTensorType>(getDest().getType());
  if (dest.getRank() != row.getRank() + 1 || row.getElementType() != dest.getElementType())
    return emitOpError("expects a row of the rank below that of ") << dest << ", found " << row;
  if (!dest.isDynamicDim(0))
    return emitOpError("expects a destination with a dynamic first dim, found ") << dest;
  return success();
}

//===----------------------------------------------------------------------===//
// launch
//===----------------------------------------------------------------------===//

LogicalResult LaunchOp::verify() {
  bool onTensors = llvm::all_of(getInits().getTypes(), llvm::IsaPred<RankedTensorType>);
  bool onMemory = llvm::none_of(getInits().getTypes(), llvm::IsaPred<TensorType>);
  if (onTensors && !getInits().empty() && !getCallContext()) {
    if (getInits().getTypes() != getResultTypes())
      return emitOpError("expects one result of the type of each of its ")
             << getInits().size() << " inits, found " << getNumResults() << " results";
    return success();
  }
  if (!onMemory || getNumResults() != 0 || !getCallContext())
    return emitOpError("expects tensors as inits and results, or pointers as inits with a "
                       "context and no results");
  return success();
}

/// On tensors it computes values; on pointers it writes memory.
void LaunchOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getCallContext())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

Speculation::Speculatability LaunchOp::getSpeculatability() {
  return getCallContext() ? Speculation::NotSpeculatable : Speculation::Speculatable;
}
