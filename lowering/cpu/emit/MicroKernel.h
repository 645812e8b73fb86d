//===- MicroKernel.h - register tiles ---------------------------*- C++ -*-===//
//
// The one place that knows how accumulators live in registers. A tile of
// `rows` x `vectors` native vectors is reduced over a depth (a scalar of A,
// broadcast, times vectors of B per step) and finished: epilogue, conversion,
// store. Contractions and convolutions differ only in where a row of A and a
// step of B stand.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_CPU_EMIT_MICROKERNEL_H
#define ONNXC_LOWERING_CPU_EMIT_MICROKERNEL_H

#include "lowering/support/Buffer.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace onnxc::emit {

struct RegisterTile {
  unsigned rows;
  unsigned vectors;
  unsigned lanes;
  mlir::Type accumulatorType;

  unsigned accumulators() const { return rows * vectors; }
  unsigned columns() const { return vectors * lanes; }
};

/// Where the operands of a reduction stand.
struct TileOperands {
  mlir::Value a; ///< element (row 0, depth 0)
  mlir::Type aType;
  llvm::SmallVector<mlir::OpFoldResult> aRows; ///< offset of each row
  mlir::OpFoldResult aStep;                    ///< from depth to depth
  mlir::Value b;                               ///< element (depth 0, column 0)
  mlir::Type bType;
  mlir::OpFoldResult bStep;
  /// A mask for each vector of B, or nothing where all columns exist.
  llvm::SmallVector<mlir::Value> bMasks;
  bool aUnsigned = false; ///< integers only
  bool bUnsigned = false;
};

llvm::SmallVector<mlir::Value> emitZeroTile(mlir::ImplicitLocOpBuilder &builder,
                                            const RegisterTile &tile);

/// Adds `depth` products to each accumulator. Straight code for a short
/// constant depth, else a loop.
llvm::SmallVector<mlir::Value> emitReduction(mlir::ImplicitLocOpBuilder &builder,
                                             const RegisterTile &tile, const TileOperands &operands,
                                             mlir::OpFoldResult depth,
                                             mlir::ValueRange accumulators);

/// for (i = 0; i < count; ++i) carried = body(i, carried). A count of one is no
/// loop.
llvm::SmallVector<mlir::Value> emitCarriedLoop(
    mlir::ImplicitLocOpBuilder &builder, mlir::OpFoldResult count, mlir::ValueRange carried,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpFoldResult, mlir::ValueRange)> body);

/// a * b + c, fused for floats; scalars or vectors of the same type.
mlir::Value emitMultiplyAdd(mlir::ImplicitLocOpBuilder &builder, mlir::Value a, mlir::Value b,
                            mlir::Value c);

/// Converts an operand to the type in which products are summed.
mlir::Value emitWiden(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                      mlir::Type accumulatorType, bool isUnsigned);

/// for (i = lower; i < upper; i += step) body(i). A loop of one constant round
/// is no loop.
void emitLoop(mlir::ImplicitLocOpBuilder &builder, mlir::OpFoldResult lower,
              mlir::OpFoldResult upper, int64_t step,
              llvm::function_ref<void(mlir::OpFoldResult)> body);

/// if (condition) body();
void emitIf(mlir::ImplicitLocOpBuilder &builder, mlir::Value condition,
            llvm::function_ref<void()> body);

/// if (a > b) body(); folds constants.
void emitIfGreater(mlir::ImplicitLocOpBuilder &builder, mlir::OpFoldResult a, mlir::OpFoldResult b,
                   llvm::function_ref<void()> body);

/// body(r) for the one r in 1 ... `limit` that `value` has, none for zero.
void emitSwitch(mlir::ImplicitLocOpBuilder &builder, mlir::OpFoldResult value, unsigned limit,
                llvm::function_ref<void(unsigned)> body);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_CPU_EMIT_MICROKERNEL_H
