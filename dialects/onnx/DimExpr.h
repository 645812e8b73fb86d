//===- DimExpr.h - Symbolic dimensions ---------------------------*- C++ -*-===//
//
// Sizes as expressions over named symbols ("batch", "2*seq+1"). Expressions
// are kept in one canonical form and uniqued in the MLIR context, so that two
// equal sizes are the same pointer; `b*s == s*b` holds by construction.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_DIALECTS_ONNX_DIMEXPR_H
#define ONNXC_DIALECTS_ONNX_DIMEXPR_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace onnxc::onnx {

/// A size in elements, or another integer that a shape computation handles, as
/// a canonical expression over symbols. Symbols stand for values >= 0 (>= 1
/// is not assumed). Cheap to copy; compares by pointer.
class DimExpr {
public:
  enum class Kind { Constant, Symbol, Add, Mul, FloorDiv, Mod, Min, Max, Broadcast };

  DimExpr() = default;
  static DimExpr constant(mlir::MLIRContext *context, int64_t value);
  static DimExpr symbol(mlir::MLIRContext *context, llvm::StringRef name);
  /// Parses what `str` prints; also the dim_param strings of ONNX files, such
  /// as "past + 1". Returns nothing when `text` is no expression.
  static std::optional<DimExpr> parse(mlir::MLIRContext *context, llvm::StringRef text);
  static DimExpr fromAttribute(mlir::Attribute attribute) {
    DimExpr expr;
    expr.attribute = attribute;
    return expr;
  }

  DimExpr operator+(DimExpr other) const;
  DimExpr operator-(DimExpr other) const;
  DimExpr operator*(DimExpr other) const;
  DimExpr operator+(int64_t other) const;
  DimExpr operator-(int64_t other) const;
  DimExpr operator*(int64_t other) const;
  /// Division that rounds towards minus infinity (or plus, for ceilDiv) and
  /// the remainder with the divisor's sign. A constant zero divisor is kept as
  /// it is and never folded.
  DimExpr floorDiv(DimExpr divisor) const;
  DimExpr ceilDiv(DimExpr divisor) const;
  DimExpr mod(DimExpr divisor) const;
  DimExpr min(DimExpr other) const;
  DimExpr max(DimExpr other) const;
  /// The size that two sizes broadcast to: the other one where one is 1, else
  /// either of them, which are equal then.
  DimExpr broadcast(DimExpr other) const;
  /// The quotient when `divisor` divides this expression for all values of the
  /// symbols ("4*n" by 4, "n*c*h" by "n*h"); nothing otherwise.
  std::optional<DimExpr> exactDiv(DimExpr divisor) const;

  Kind kind() const;
  bool isConstant() const { return kind() == Kind::Constant; }
  std::optional<int64_t> getConstant() const;
  /// The name of a symbol.
  llvm::StringRef symbolName() const;
  llvm::SmallVector<DimExpr, 0> operands() const;
  /// Calls `callback` with the name of each symbol that occurs.
  void forEachSymbol(llvm::function_ref<void(llvm::StringRef)> callback) const;
  /// The expression with each symbol replaced by what `value` returns for its
  /// name (nothing: left as it is).
  DimExpr substitute(llvm::function_ref<std::optional<DimExpr>(llvm::StringRef)> value) const;
  /// A lower bound that holds when every symbol is >= 0.
  std::optional<int64_t> lowerBound() const;
  std::string str() const;

  mlir::Attribute getAttribute() const { return attribute; }
  mlir::MLIRContext *getContext() const { return attribute.getContext(); }
  explicit operator bool() const { return static_cast<bool>(attribute); }
  bool operator==(DimExpr other) const { return attribute == other.attribute; }
  bool operator!=(DimExpr other) const { return attribute != other.attribute; }

private:
  mlir::Attribute attribute;
};

/// The elements, in row-major order, of a small integer tensor (rank 0 or 1 in
/// practice) that is used to compute shapes.
using ShapeValue = llvm::SmallVector<DimExpr>;

/// The type of a ranked tensor with these dims: static where a dim is constant,
/// else dynamic with the expressions in a `#onnx.shape` encoding.
mlir::RankedTensorType makeTensorType(llvm::ArrayRef<DimExpr> dims, mlir::Type elementType);
/// The dims of a ranked tensor type made by `makeTensorType`. A dynamic dim
/// without an encoding gives an empty DimExpr.
llvm::SmallVector<DimExpr> getDims(mlir::Type type);
/// The product of all dims.
DimExpr numElements(mlir::MLIRContext *context, llvm::ArrayRef<DimExpr> dims);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_DIMEXPR_H
