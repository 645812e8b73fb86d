//===- BitAccess.h - Elements that share bytes ----------------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_SUPPORT_BITACCESS_H
#define ONNXC_LOWERING_SUPPORT_BITACCESS_H

#include "mlir/IR/Builders.h"

namespace onnxc::emit {

/// The address in bits, an i64, of what an !llvm.ptr points to; an i64 already is one.
mlir::Value toBitAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer);

/// Accesses to elements of 2 or 4 bits, the first in the lowest bits of a byte. Values
/// that are loaded and stored have an i8 for each element, of which the lowest bits count
/// when it is loaded; when it is stored, the others are zero.
class BitAccess {
public:
  BitAccess(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
            mlir::Type elementType);

  /// `lanes` elements from the address on. Under a mask only its lanes exist, the first
  /// ones and at least one; memory of others is not touched.
  mlir::Value load(unsigned lanes, mlir::Value mask = {});
  /// Bytes that are written in part are read first.
  void store(mlir::Value elements, mlir::Value mask = {});

private:
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value bytePointer(mlir::Value bits);
  bool isWholeBytes(unsigned lanes) const;
  mlir::Value bytesUnder(mlir::Value mask);
  mlir::Value spread(mlir::Value bytes);
  mlir::Value join(mlir::Value elements);
  mlir::Value shiftOf(mlir::Value bits);
  mlir::Value loadOne(mlir::Value bits);
  void storeOne(mlir::Value element, mlir::Value bits);
  mlir::Value laneAddress(unsigned lane, mlir::Value mask);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value address; ///< in bits
  unsigned width;      ///< of an element, in bits
};

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_SUPPORT_BITACCESS_H
