//===- MicroKernel.h - register tiles ---------------------------*- C++ -*-===//
//
// The one place that knows how accumulators live in registers. A tile of
// `rows` x `vectors` native vectors is reduced over a depth (a scalar of A,
// broadcast, times vectors of B per step; where one instruction takes several
// steps of the depth, as many neighbours of each) and finished: epilogue,
// conversion, store. Contractions and convolutions differ only in where a row of A and a
// step of B stand.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_CPU_EMIT_MICROKERNEL_H
#define ONNXC_LOWERING_CPU_EMIT_MICROKERNEL_H

#include "dialects/rt/RtDialect.h"
#include "lowering/support/Buffer.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <functional>

namespace onnxc::emit {

struct RegisterTile {
  unsigned rows;
  unsigned vectors;
  unsigned lanes;
  mlir::Type accumulatorType;

  unsigned accumulators() const { return rows * vectors; }
  unsigned columns() const { return vectors * lanes; }
};

/// What an instruction takes from the operands.
struct ProductForm {
  rt::Product product = rt::Product::MultiplyAdd;
  mlir::Type aType, bType;
  bool aUnsigned = false; ///< integers only
  bool bUnsigned = false;

  /// Steps of the depth that one instruction takes.
  unsigned step() const { return rt::getDepthStep(product); }
  /// What operands the product is for, where these are others; else nothing.
  std::optional<llvm::StringRef> findMismatch() const;
};

/// Computes what is multiplied from an element of B, or a vector of them that follow each
/// other in a row: the prologue of a product. `indices` are the coordinates of the first
/// element; where `mask` is set, only its lanes exist. The result has the accumulators'
/// type.
using Prologue =
    std::function<mlir::Value(mlir::OpBuilder &, mlir::Value element,
                              llvm::ArrayRef<mlir::OpFoldResult> indices, mlir::Value mask)>;

/// Where the operands of a reduction stand. A step is `form.step()` elements of a
/// row of A, next to each other, and as many of each column of B.
struct TileOperands {
  ProductForm form;
  mlir::Value a;                               ///< element (row 0, depth 0)
  llvm::SmallVector<mlir::OpFoldResult> aRows; ///< offset of each row
  mlir::OpFoldResult aStep;                    ///< from step to step
  /// The last step of a row is padded where the depth is no multiple of a step; else
  /// nothing behind the row is read.
  bool aPadded = false;
  mlir::Value b; ///< element (depth 0, column 0); its last step is padded with zeros
  mlir::OpFoldResult bStep;
  /// A mask for each vector of B, or nothing where all columns exist.
  llvm::SmallVector<mlir::Value> bMasks;
  /// Where set, computes a vector of B from its elements: the one of this number, of a step
  /// of the depth.
  std::function<mlir::Value(mlir::Value elements, mlir::OpFoldResult step, unsigned vector)>
      computeB;
};

llvm::SmallVector<mlir::Value> emitZeroTile(mlir::ImplicitLocOpBuilder &builder,
                                            const RegisterTile &tile);

/// Adds `depth` products to each accumulator. Straight code for a short
/// constant depth, else a loop over the steps. A tile with fewer accumulators than
/// `chains` sums several steps in a row apart, and adds them up at the end.
llvm::SmallVector<mlir::Value> emitReduction(mlir::ImplicitLocOpBuilder &builder,
                                             const RegisterTile &tile, const TileOperands &operands,
                                             mlir::OpFoldResult depth,
                                             mlir::ValueRange accumulators, unsigned chains = 1);

/// c plus the products of what stands in a and b: vectors of `form.step()` elements
/// per lane of c. The one place where a product is a fused multiply-add, a dot
/// product or a widening one.
mlir::Value emitProduct(mlir::ImplicitLocOpBuilder &builder, const ProductForm &form, mlir::Value a,
                        mlir::Value b, mlir::Value c);

/// for (i = 0; i < count; ++i) carried = body(i, carried). A count of none or one is
/// no loop.
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
