//===- IndexMath.h - Sizes and positions at run time ---------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_ONNX_TO_LINALG_INDEXMATH_H
#define ONNXC_LOWERING_ONNX_TO_LINALG_INDEXMATH_H

#include "lowering/onnx_to_linalg/LoweringUtils.h"

namespace onnxc {

/// Index arithmetic at the builder's place, one op a call. Constants fold.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Division that rounds towards zero, and its remainder.
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value equal(mlir::Value a, mlir::Value b) {
    return compare(mlir::arith::CmpIPredicate::eq, a, b);
  }
  mlir::Value less(mlir::Value a, mlir::Value b) {
    return compare(mlir::arith::CmpIPredicate::slt, a, b);
  }
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  /// `value < 0 ? value + size : value`.
  mlir::Value wrapNegative(mlir::Value value, mlir::Value size);
  mlir::Value clamp(mlir::Value value, mlir::Value low, mlir::Value high) {
    return max(min(value, high), low);
  }
  mlir::Value product(llvm::ArrayRef<mlir::Value> values);
  /// Element `i` of an integer (or float) tensor with one dim or none.
  mlir::Value read(mlir::Value tensor, int64_t i = 0);
  /// A loaded scalar as an index.
  mlir::Value toIndex(mlir::Value scalar, bool isUnsigned = false);
  llvm::SmallVector<mlir::Value> materialize(llvm::ArrayRef<onnx::DimExpr> dims);
  /// The elements of a shape-like operand: from dim expressions when `original`'s
  /// are known, else read from its lowered tensor.
  llvm::SmallVector<mlir::Value> readShape(mlir::Value original, mlir::Value lowered);

  /// An axis of a tensor of this rank, counted from the front, checked to be one.
  mlir::Value checkAxis(mlir::Value axis, int64_t rank);
  /// All axes of a run-time tensor, counted from the front, checked to be axes and
  /// to differ.
  llvm::SmallVector<mlir::Value> readAxes(mlir::Value tensor, int64_t rank);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Gives the result dims of `op` their values: binds the symbols that the op
/// binds, checks that other dims are what was computed. A null size needs
/// neither.
void bindDims(mlir::OpBuilder &builder, mlir::Operation *op, llvm::ArrayRef<onnx::DimExpr> dims,
              llvm::ArrayRef<mlir::Value> sizes);

/// An rt.check with the node's name in front of `text`; nothing when the
/// condition is constantly true. The status is by what is wrong: sizes, an index
/// or axis, another value.
void checkThat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
               llvm::StringRef text, mlir::Value found = {}, mlir::Value expected = {},
               rt::Status status = rt::Status::ShapeMismatch);
/// Checks that no dim of `read` is 0, unless a dim of `result` is, whose elements
/// all come from there. `read` are the dims of a tensor from `first` on, whose
/// numbers, "along axis 2", the message ends in.
void checkNotEmpty(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<onnx::DimExpr> read,
                   unsigned first, llvm::ArrayRef<onnx::DimExpr> result, llvm::StringRef text);
inline constexpr llvm::StringLiteral emptyImage = "the image is empty";
/// Checks that two sizes agree, unless they are one expression.
void checkSameSize(mlir::OpBuilder &builder, mlir::Location loc, onnx::DimExpr found,
                   onnx::DimExpr expected, llvm::StringRef text);

/// Builds one element of a result at these indices.
using ElementBuilder =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange indices)>;
/// A generic over `dims` without inputs: each element is what `element` builds.
mlir::Value buildFromIndices(mlir::OpBuilder &builder, mlir::Location loc,
                             llvm::ArrayRef<onnx::DimExpr> dims, mlir::Type elementType,
                             ElementBuilder element);
/// A generic that copies its input, read through `map`, element by element.
mlir::Value buildCopy(mlir::OpBuilder &builder, mlir::Location loc,
                      llvm::ArrayRef<onnx::DimExpr> dims, mlir::Value input, mlir::AffineMap map);

} // namespace onnxc

#endif // ONNXC_LOWERING_ONNX_TO_LINALG_INDEXMATH_H
