//===- LLVMIR.h - Translation and optimisation --------------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_LLVMIR_H
#define ONNXC_CODEGEN_LLVMIR_H

#include "codegen/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace onnxc {

/// An LLVM module with the context that it lives in.
struct IRModule {
  std::unique_ptr<llvm::LLVMContext> context; // destroyed last
  std::unique_ptr<llvm::Module> module;
};

/// Translates a module in the llvm dialect and gives it the target's triple and
/// data layout. A mutable global variable is an error.
llvm::Expected<IRModule> translateToLLVM(mlir::ModuleOp module, const TargetInfo &target);

/// Links the part of the runtime that the module refers to.
llvm::Error linkRuntime(llvm::Module &module, const TargetInfo &target);

/// Gives every function the target's attributes and nounwind, removes what
/// blocks inlining, and decides what `llvm.fmuladd` means on the target.
void setTargetAttributes(llvm::Module &module, const TargetInfo &target);

/// Makes everything internal except `publicNames`.
void internalize(llvm::Module &module, llvm::ArrayRef<std::string> publicNames);

/// Splits into at most `count` modules of similar size, each in its own context
/// and internalised. Symbols used across modules become hidden. Module 0 has the
/// public names.
llvm::Expected<std::vector<IRModule>> splitModule(IRModule whole, unsigned count,
                                                  llvm::ArrayRef<std::string> publicNames);

/// The O3 pipeline.
llvm::Error optimize(llvm::Module &module, const TargetInfo &target);

} // namespace onnxc

#endif // ONNXC_CODEGEN_LLVMIR_H
