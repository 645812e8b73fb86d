//===- Buffer.h - memory and index arithmetic while a kernel is emitted -*- C++ -*-===//
//
// The vocabulary that all emitters share: a strided tensor behind a raw
// pointer, scalar and vector accesses to it, and index arithmetic that folds
// constants as it goes, so that static shapes leave static addresses behind.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_SUPPORT_BUFFER_H
#define ONNXC_LOWERING_SUPPORT_BUFFER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace onnxc::emit {

/// A dense or strided tensor in memory.
struct Buffer {
  mlir::Value pointer; ///< to the element at index (0, ..., 0), see `offsetPointer`
  mlir::Type elementType;
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  llvm::SmallVector<mlir::OpFoldResult> strides; ///< in elements

  unsigned rank() const { return strides.size(); }
};

/// A dense row-major buffer: the strides follow from the sizes.
Buffer makeDenseBuffer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                       mlir::Type elementType, llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// The part of `buffer` from `offsets` on, with the same strides; `dropped`
/// leading dimensions disappear.
Buffer subBuffer(mlir::OpBuilder &builder, mlir::Location loc, const Buffer &buffer,
                 llvm::ArrayRef<mlir::OpFoldResult> offsets, unsigned dropped = 0);

/// The type that stands in memory for an element: i8 for i1, an integer for floats of
/// eight and fewer bits, the type itself otherwise.
mlir::Type getStorageType(mlir::Type elementType);

/// A pointer `offset` elements of `elementType` behind `pointer`. The constant
/// part of an address is best added last: it then folds into the access. Where elements
/// share bytes, a pointer is an !llvm.ptr to the first bit of a byte, or an i64: an
/// address in bits.
mlir::Value offsetPointer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                          mlir::Type elementType, mlir::OpFoldResult offset);

/// The address of an element.
mlir::Value elementPointer(mlir::OpBuilder &builder, mlir::Location loc, const Buffer &buffer,
                           llvm::ArrayRef<mlir::OpFoldResult> indices);

//===-- Accesses ----------------------------------------------------------===//
// `lanes` elements that follow each other in memory become one vector; one
// lane is a scalar. Nothing is assumed about the address beyond the alignment
// of an element. A store of elements that share a byte with others reads it and writes
// it back: nobody else may write that byte at the same time. Vectors of such elements are
// fast where their address is seen to be that of a whole byte.

mlir::Value loadFrom(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                     mlir::Type elementType, unsigned lanes = 1);
/// `count` integers that follow each other in memory, at any address, as the bits of
/// one.
mlir::Value loadGroup(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                      mlir::Type elementType, unsigned count);
void storeTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value pointer,
             bool nonTemporal = false);

mlir::Value load(mlir::OpBuilder &builder, mlir::Location loc, const Buffer &buffer,
                 llvm::ArrayRef<mlir::OpFoldResult> indices, unsigned lanes = 1);
void store(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, const Buffer &buffer,
           llvm::ArrayRef<mlir::OpFoldResult> indices);

/// A mask of `lanes` bits, of which the first `count` are set. A count beyond
/// the lanes sets them all. A constant count gives a constant.
mlir::Value makeTailMask(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult count,
                         unsigned lanes);

/// Accesses that touch only the lanes under the mask; lanes outside read as
/// zero. Only for targets with masked instructions: elsewhere they cost a
/// branch per lane.
mlir::Value maskedLoadFrom(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                           mlir::Type elementType, mlir::Value mask);
/// The same for elements that stand `offsets` (a vector of index values, in elements)
/// behind `pointer`. The first lane must exist: of narrow elements, which no instruction
/// gathers, the others read what it reads.
mlir::Value gatherFrom(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                       mlir::Type elementType, mlir::Value offsets, mlir::Value mask);
void maskedStoreTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                   mlir::Value pointer, mlir::Value mask);
mlir::Value maskedLoad(mlir::OpBuilder &builder, mlir::Location loc, const Buffer &buffer,
                       llvm::ArrayRef<mlir::OpFoldResult> indices, mlir::Value mask);
void maskedStore(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                 const Buffer &buffer, llvm::ArrayRef<mlir::OpFoldResult> indices,
                 mlir::Value mask);

/// The element type of `type` when it is a vector, else the type.
mlir::Type getScalarType(mlir::Type type);

/// `elementType` itself for one lane, else a vector of it.
mlir::Type getLanesType(mlir::Type elementType, unsigned lanes);

/// A buffer of constant size on the kernel's stack, 64-byte aligned. The
/// allocation stands at the head of the enclosing function, so that it may be
/// asked for inside loops.
mlir::Value allocateStack(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type elementType,
                          int64_t elements);

//===-- Index arithmetic --------------------------------------------------===//

std::optional<int64_t> getConstant(mlir::OpFoldResult value);
bool isConstant(mlir::OpFoldResult value, int64_t constant);
mlir::OpFoldResult getIndex(mlir::OpBuilder &builder, int64_t value);

/// The value as an SSA value of type index.
mlir::Value asValue(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult value);

// Nothing overflows. Operands of div, ceilDiv and rem are not negative, their
// divisors positive.
mlir::OpFoldResult addIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult lhs,
                            mlir::OpFoldResult rhs);
mlir::OpFoldResult subIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult lhs,
                            mlir::OpFoldResult rhs);
mlir::OpFoldResult mulIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult lhs,
                            mlir::OpFoldResult rhs);
mlir::OpFoldResult divIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult lhs,
                            mlir::OpFoldResult rhs);
mlir::OpFoldResult ceilDivIndex(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
mlir::OpFoldResult remIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult lhs,
                            mlir::OpFoldResult rhs);
mlir::OpFoldResult minIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult lhs,
                            mlir::OpFoldResult rhs);
mlir::OpFoldResult maxIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult lhs,
                            mlir::OpFoldResult rhs);

/// The bytes of so many elements.
mlir::OpFoldResult bytesOfElements(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::OpFoldResult count, mlir::Type elementType);

/// `count` rounded up so that so many pieces, of any number of elements, are whole bytes:
/// what a task takes of a result, so that none writes a byte of another.
mlir::OpFoldResult roundToBytes(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::OpFoldResult count, mlir::Type elementType);

/// The product of all sizes; one for none.
mlir::OpFoldResult productIndex(mlir::OpBuilder &builder, mlir::Location loc,
                                llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Splits a running number into one index per size, the last one fastest. The
/// first size is not needed and may be anything.
llvm::SmallVector<mlir::OpFoldResult> delinearize(mlir::OpBuilder &builder, mlir::Location loc,
                                                  mlir::OpFoldResult number,
                                                  llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_SUPPORT_BUFFER_H
