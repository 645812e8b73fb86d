//===- OnnxShapes.h - Shared shape rules --------------------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_ONNXSHAPES_H
#define ONNXC_DIALECTS_ONNX_ONNXSHAPES_H

#include "dialects/onnx/OnnxOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace onnxc::onnx {

/// One result: the broadcast shape of all operands with this element type.
mlir::LogicalResult
inferBroadcastTypes(std::optional<mlir::Location> location,
                    mlir::ValueRange operands, mlir::Type elementType,
                    llvm::SmallVectorImpl<mlir::Type> &results);

/// Builds the scalar op for a float, signed or unsigned element type. `void`
/// stands for a class that ONNX does not allow.
template <typename FloatOp, typename SignedOp, typename UnsignedOp>
mlir::Value buildByType(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type onnxType, mlir::ValueRange args) {
  auto build = [&](auto *tag) -> mlir::Value {
    using Op = std::remove_pointer_t<decltype(tag)>;
    if constexpr (std::is_void_v<Op>)
      llvm_unreachable("element type refused by the op's verifier");
    else
      return Op::create(builder, loc, args[0].getType(), args).getResult();
  };
  if (llvm::isa<mlir::FloatType>(onnxType))
    return build(static_cast<FloatOp *>(nullptr));
  if (onnxType.isUnsignedInteger())
    return build(static_cast<UnsignedOp *>(nullptr));
  return build(static_cast<SignedOp *>(nullptr));
}

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_ONNXSHAPES_H
