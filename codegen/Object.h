//===- Object.h - Machine code ------------------------------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_OBJECT_H
#define ONNXC_CODEGEN_OBJECT_H

#include "codegen/LLVMIR.h"
#include "codegen/TargetInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

namespace onnxc {

using Bytes = llvm::SmallVector<char, 0>;

/// An object file or assembly text of an optimised module.
llvm::Expected<Bytes> generateCode(llvm::Module &module, const TargetInfo &target,
                                   llvm::CodeGenFileType type);

/// Optimises a module and generates its objects, several in parallel when it is
/// large.
llvm::Expected<std::vector<Bytes>> compileObjects(IRModule whole, const TargetInfo &target,
                                                  llvm::ArrayRef<std::string> publicNames);

} // namespace onnxc

#endif // ONNXC_CODEGEN_OBJECT_H
