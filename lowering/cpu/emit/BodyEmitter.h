//===- BodyEmitter.h - A linalg body at a point or along a vector ---*- C++ -*-===//
#ifndef ONNXC_LOWERING_CPU_EMIT_BODYEMITTER_H
#define ONNXC_LOWERING_CPU_EMIT_BODYEMITTER_H

#include "lowering/cpu/emit/KernelContext.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"

namespace onnxc::emit {

/// A linear address: pointer + (sum of coefficient * iv + offset) elements.
struct Access {
  mlir::Value pointer; ///< null when the operand is not in memory
  mlir::Type elementType;
  llvm::SmallVector<mlir::OpFoldResult> coefficients; ///< one per loop
  mlir::OpFoldResult offset;

  /// The coefficient of a loop when it is constant.
  std::optional<int64_t> coefficient(unsigned loop) const {
    return getConstant(coefficients[loop]);
  }
};

/// The access of an operand of a linalg op through its indexing map.
Access makeAccess(mlir::OpBuilder &builder, mlir::Location loc, const Buffer &buffer,
                  mlir::AffineMap map);
mlir::Value accessPointer(mlir::OpBuilder &builder, mlir::Location loc, const Access &access,
                          llvm::ArrayRef<mlir::OpFoldResult> ivs);

/// A place in the iteration space: one index per loop; along `vectorLoop` the
/// `lanes` points that follow (vectorLoop < 0: a single point).
struct LoopPoint {
  llvm::SmallVector<mlir::OpFoldResult> ivs;
  int vectorLoop = -1;
  unsigned lanes = 1;
  /// Where set, only these lanes exist, the first ones and at least one: memory of others
  /// is not touched, and their values are anything.
  mlir::Value mask = {};
};

/// The elements of a point's lanes that follow each other from `pointer` on.
mlir::Value loadPoint(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                      mlir::Type elementType, const LoopPoint &point);

/// Emits the body of a linalg.generic, or of an rt.attention, for all lanes of a point. Values that
/// do not depend on the lane stay scalar; index values that grow linearly with the lane stay scalar
/// too, so that `tensor.extract` along them is one vector load.
class BodyEmitter {
public:
  BodyEmitter(KernelContext &context, mlir::Block &body, mlir::Location loc, const LoopPoint &point)
      : context(context), builder(context.builder), body(body), point(point), loc(loc) {}
  BodyEmitter(KernelContext &context, mlir::linalg::GenericOp op, const LoopPoint &point)
      : BodyEmitter(context, *op.getBody(), op.getLoc(), point) {}

  /// Gives block argument `i` its value (a scalar, or a vector of `lanes`).
  void setArgument(unsigned i, mlir::Value value);
  /// Gives it the element at `access`.
  void loadArgument(unsigned i, const Access &access);
  /// Emits the body; returns what it yields, vectors of `lanes` (scalars for
  /// one lane).
  llvm::SmallVector<mlir::Value> emit();
  /// Emits what a value of the body needs; returns it, likewise.
  mlir::Value emit(mlir::Value wanted);
  /// A value as a vector of `lanes` (itself for one lane).
  mlir::Value toLanes(mlir::Value value);

private:
  /// `value` at lane 0 and `step` from lane to lane, or a whole vector.
  struct LaneValue {
    mlir::Value value;
    int64_t step = 0;
  };
  bool isVector(mlir::Value value) const { return mlir::isa<mlir::VectorType>(value.getType()); }
  mlir::Value materialize(LaneValue value);
  LaneValue get(mlir::Value bodyValue);
  void emitOp(mlir::Operation &op);
  bool emitLinear(mlir::Operation &op);
  void emitExtract(mlir::tensor::ExtractOp op);
  void emitMapped(mlir::Operation &op);
  mlir::Value loadLanes(mlir::Value pointer, mlir::Type elementType, std::optional<int64_t> step,
                        mlir::OpFoldResult dynamicStep);
  std::optional<unsigned> countLanes();

  KernelContext &context;
  mlir::OpBuilder &builder;
  mlir::Block &body;
  const LoopPoint &point;
  mlir::Location loc;
  llvm::DenseMap<mlir::Value, LaneValue> values;
};

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_BODYEMITTER_H
