//===- RuntimeBuilder.h - Code that calls the runtime ---------------*- C++ -*-===//
#ifndef ONNXC_LOWERING_HOST_RUNTIMEBUILDER_H
#define ONNXC_LOWERING_HOST_RUNTIMEBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace onnxc::emit {

/// Builds what host functions share: constants, accesses to arrays of 8-byte
/// elements, texts, and calls of the runtime's C functions (`onnxc_rt_*`,
/// declared where they are first called).
class RuntimeBuilder {
public:
  explicit RuntimeBuilder(mlir::ModuleOp module);

  mlir::OpBuilder builder;
  /// Given to every op that is built.
  mlir::Location loc;

protected:
  mlir::Value constantI32(int32_t value);
  mlir::Value constantI64(int64_t value);
  /// A size or index as i64.
  mlir::Value toI64(mlir::OpFoldResult value);

  /// `base` plus a number of bytes.
  mlir::Value field(mlir::Value base, int64_t bytes);
  /// Element `index` of an array of pointers.
  mlir::Value loadPointer(mlir::Value base, int64_t index);
  void storeI64(mlir::Value value, mlir::Value pointer);

  /// At least `bytes` bytes on the stack of `function`, 16-byte aligned.
  mlir::Value stackBytes(mlir::func::FuncOp function, int64_t bytes);
  /// The address of a NUL-terminated private string, one per text.
  mlir::Value text(llvm::StringRef string);

  /// Calls a function of the runtime; the result, or null for void.
  mlir::Value callRuntime(llvm::StringRef name, mlir::Type result, mlir::ValueRange arguments);

  mlir::ModuleOp module;
  mlir::Type pointerType, i32Type, i64Type;

private:
  llvm::StringMap<std::string> texts;
  /// Functions of the runtime that are known to be declared. A look-up in the module takes
  /// time for each of its ops.
  llvm::StringSet<> declared;
};

} // namespace onnxc::emit

#endif // ONNXC_LOWERING_HOST_RUNTIMEBUILDER_H
