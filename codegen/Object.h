//===- Object.h - Machine code ------------------------------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_OBJECT_H
#define ONNXC_CODEGEN_OBJECT_H

#include "codegen/LLVMIR.h"
#include "codegen/TargetInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace onnxc {

using Bytes = llvm::SmallVector<char, 0>;

/// The phase of optimisation and code generation.
inline constexpr llvm::StringLiteral compilePhase = "machine code";

/// Optimises a module and prints its LLVM IR or its assembly.
llvm::Expected<Bytes> compileToText(IRModule whole, const TargetInfo &target,
                                    llvm::ArrayRef<std::string> publicNames, bool asAssembly);

/// Told of a phase and how many of its functions are done; one call at a time.
using PhaseProgress = std::function<void(llvm::StringRef phase, size_t done, size_t total)>;

/// Optimises a module and generates its objects, several in parallel when it is
/// large.
llvm::Expected<std::vector<Bytes>> compileObjects(IRModule whole, const TargetInfo &target,
                                                  llvm::ArrayRef<std::string> publicNames,
                                                  const PhaseProgress &progress = nullptr);

} // namespace onnxc

#endif // ONNXC_CODEGEN_OBJECT_H
