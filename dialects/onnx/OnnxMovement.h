//===- OnnxMovement.h - Facts about data movement -----------------*- C++ -*-===//
//
// What shape rules, folds and the lowering of movement ops share.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_DIALECTS_ONNX_ONNXMOVEMENT_H
#define ONNXC_DIALECTS_ONNX_ONNXMOVEMENT_H

#include "dialects/onnx/OnnxOps.h"

namespace onnxc::onnx {

/// The elements of a constant integer tensor of at most 1024 elements.
std::optional<llvm::SmallVector<int64_t>> getConstantIntegers(mlir::Value value);

/// `axis` counted from the front; an error when it is outside [-rank, rank).
mlir::FailureOr<int64_t> normalizeAxis(std::optional<mlir::Location> location, int64_t axis,
                                       int64_t rank);
/// The same for a list, which may not name an axis twice.
mlir::FailureOr<llvm::SmallVector<int64_t>>
normalizeAxes(std::optional<mlir::Location> location, llvm::ArrayRef<int64_t> axes, int64_t rank);

/// No tensor has more dims: lists of sizes and axes come from files, and a rank is the
/// length of one.
constexpr int64_t maxRank = 64;

/// The rank-1 length of a shape-like operand; an error when it is not static.
mlir::FailureOr<int64_t> getStaticLength(std::optional<mlir::Location> location, mlir::Value value,
                                         llvm::StringRef what);

/// The same for an operand that gives a result's rank, which is not more than `maxRank`.
mlir::FailureOr<int64_t> getStatedRank(std::optional<mlir::Location> location, mlir::Value value,
                                       llvm::StringRef what);

/// An error where one of the sizes that an operand gives is negative.
mlir::LogicalResult checkSizes(std::optional<mlir::Location> location,
                               llvm::ArrayRef<DimExpr> sizes, llvm::StringRef what);

/// An error when a value that stands for one number, or is omitted, has another number of
/// elements.
mlir::LogicalResult checkOneElement(std::optional<mlir::Location> location, mlir::Value value,
                                    llvm::StringRef what);

/// One axis of a Slice: its first element and how many there are. `first` is only
/// meaningful when `length` is positive.
struct SlicedAxis {
  int64_t axis;
  DimExpr first;
  int64_t step;
  DimExpr length;
};

/// The sliced axes, or nothing in `result` when an operand is not known.
mlir::LogicalResult getSlicedAxes(std::optional<mlir::Location> location, mlir::Type dataType,
                                  mlir::Value starts, mlir::Value ends, mlir::Value axes,
                                  mlir::Value steps,
                                  std::optional<llvm::SmallVector<SlicedAxis>> &result);

/// What Pad adds in front of and behind each dim.
struct PadWidths {
  llvm::SmallVector<DimExpr> before, after;
};
/// The pads of all dims, or nothing in `result` when an operand is not known.
mlir::LogicalResult getPadWidths(std::optional<mlir::Location> location, int64_t rank,
                                 mlir::Value pads, mlir::Value axes,
                                 std::optional<PadWidths> &result);

/// A Split has not more results: their number may be an attribute or a dim.
constexpr int64_t maxPieces = 1 << 16;

/// The sizes of the pieces of a Split, or nothing when only the run knows them.
mlir::LogicalResult getSplitSizes(std::optional<mlir::Location> location, DimExpr dim,
                                  mlir::Value split, std::optional<int64_t> count,
                                  std::optional<llvm::SmallVector<DimExpr>> &result);

/// The sizes of a reshape, given the elements of its `shape` operand. An error when
/// they can never fit.
mlir::FailureOr<llvm::SmallVector<DimExpr>> getReshapedDims(std::optional<mlir::Location> location,
                                                            llvm::ArrayRef<DimExpr> dataDims,
                                                            const ShapeValue &shape,
                                                            bool allowZero);

/// How many leading dims of the data a ScatterND indexes: the last dim of the
/// indices, which the ranks give where it is not constant.
int64_t getScatterDepth(mlir::Type data, mlir::Type indices, mlir::Type updates);

/// Small results' element sources, from a function of the result's index.
ElementSources
makeElementSources(mlir::Type resultType,
                   llvm::function_ref<ElementSource(llvm::ArrayRef<int64_t>)> source);
/// The row-major position of an index.
int64_t linearize(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);
/// The shape of a tensor when it is static.
std::optional<llvm::ArrayRef<int64_t>> getStaticShape(mlir::Value value);

/// A constant integer or dims tensor for `elements`: `onnx.Constant` when all are
/// constant, else `onnx.Dims`.
mlir::Value createShapeValue(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                             const ShapeValue &elements);
/// The same as an int64 vector.
mlir::Value createShapeVector(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::ArrayRef<DimExpr> dims);

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_ONNXMOVEMENT_H
