//===- OnnxOps.h - The operators of the onnx dialect --------------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_ONNXOPS_H
#define ONNXC_DIALECTS_ONNX_ONNXOPS_H

#include "dialects/onnx/DimExpr.h"
#include "dialects/onnx/OnnxDialect.h"
#include "dialects/onnx/Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

namespace onnxc::onnx {

/// One ODS argument of an op: its name and 'r' (required operand), 'o'
/// (optional operand), 'v' (variadic operand), 'A' (required attribute), 'a'
/// (attribute that may be absent) or 'i' (attribute that no node may have).
struct ArgumentSpec {
  llvm::StringRef name;
  char kind;
  /// The constraint's summary in words, such as "tensor of integer values".
  llvm::StringRef type;
  bool isNodeAttribute() const { return kind == 'a' || kind == 'A'; }
  bool isOperand() const { return kind == 'r' || kind == 'o' || kind == 'v'; }
};

/// The operator of ONNX that an op is.
struct OperatorInfo {
  /// As in a model; empty for ai.onnx.
  llvm::StringRef domain;
  /// The versions of the domain that define it anew, the first one to the op's; none
  /// when the op is no operator of ONNX.
  llvm::ArrayRef<int64_t> versions;
  /// What of it cannot be compiled; empty: nothing that is known.
  llvm::StringRef limits;
};

/// Whether two lists of types agree, a dynamic dim agreeing with any size.
bool areCompatibleTypes(mlir::TypeRange inferred, mlir::TypeRange actual);

/// The elements of an integer tensor as dim expressions, when `value` is an
/// `onnx.Constant` of few elements or an `onnx.Dims`; nothing otherwise.
std::optional<ShapeValue> getShapeValue(mlir::Value value);

/// The numpy broadcast of several shapes. Dims that may or may not be equal
/// give `a.broadcast(b)`, checked at run time. Emits an error when static dims
/// fit in no way.
mlir::FailureOr<llvm::SmallVector<DimExpr>>
broadcastDims(std::optional<mlir::Location> location,
              llvm::ArrayRef<llvm::SmallVector<DimExpr>> shapes);

/// A symbol that occurs nowhere else in the module, for a size that is known
/// only at run time. `hint` makes it readable ("nonzero").
DimExpr freshSymbol(mlir::MLIRContext *context, llvm::StringRef hint);

/// An element of a result: element `index`, row-major, of operand `operand`, or
/// zero when `operand` is negative.
struct ElementSource {
  int operand;
  int64_t index;
};
using ElementSources = llvm::SmallVector<ElementSource>;

/// The output channels in an op's weights: seen in the shape `dims`, the product of
/// the dims at `channelDims`, outer ones first.
struct WeightChannels {
  llvm::SmallVector<DimExpr> dims;
  llvm::SmallVector<int64_t> channelDims;
};

/// What an `AffineOpInterface` op does to its data; null stands for 1 and for 0.
struct ScaleAndOffset {
  mlir::Value scale, offset;
};

/// The fold of a `MovementOpInterface` op with one result.
mlir::OpFoldResult foldMovement(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands);

/// Two sizes that must agree.
struct SizeRule {
  DimExpr found, expected;
  /// What is wrong where they differ, for messages.
  std::string text;

  /// Whether they agree, as far as it is known.
  std::optional<bool> holds() const;
};

/// An error when the known sizes of an op break one of its rules.
mlir::LogicalResult checkSizeRules(std::optional<mlir::Location> location, mlir::Operation *op);

/// Whether `dim`, a dim of a result of `op`, is a symbol to which `op` gives its
/// value: one that occurs in no operand.
bool bindsSymbol(mlir::Operation *op, DimExpr dim);

/// A write effect when the op binds a symbol: it may then not be erased.
void getSymbolEffects(mlir::Operation *op,
                      llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects);

/// A type that both types fit, for values that come from two places: dims that
/// differ become fresh symbols. Null when ranks or element types differ.
mlir::Type joinTypes(mlir::Type a, mlir::Type b, llvm::StringRef hint);

/// When all results of `op` are small integer tensors whose elements are known
/// as dim expressions: builds the constants or `onnx.Dims` that may replace them.
/// Otherwise false, and nothing is built.
bool foldShapeArithmetic(mlir::OpBuilder &builder, mlir::Operation *op,
                         llvm::SmallVectorImpl<mlir::Value> &replacements);

} // namespace onnxc::onnx

#include "dialects/onnx/OnnxInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/onnx/OnnxContractionOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/onnx/OnnxControlFlowOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/onnx/OnnxElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/onnx/OnnxIndexingOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/onnx/OnnxIrregularOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/onnx/OnnxLossOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/onnx/OnnxNormalizationOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/onnx/OnnxRecurrentOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/onnx/OnnxReductionOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/onnx/OnnxTensorOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/onnx/OnnxWindowOps.h.inc"

#endif // ONNXC_DIALECTS_ONNX_ONNXOPS_H
