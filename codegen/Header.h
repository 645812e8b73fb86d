//===- Header.h - Generated headers -------------------------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_HEADER_H
#define ONNXC_CODEGEN_HEADER_H

#include "codegen/Artifact.h"

namespace onnxc {

/// `<name>.h`: the contract of onnxc_runtime.h, the model's symbols and its
/// signature as constants. Needs no other file. C11 and C++11.
std::string buildCHeader(const ModelInfo &info);

/// Is a prefix taken: by onnxc's own symbols, or by C, C++ or libc, so that the headers
/// would not compile or a symbol would replace one of libc's?
bool isReservedPrefix(llvm::StringRef prefix);

/// `<name>.hpp`: a thin C++ wrapper around the C header `include`.
std::string buildCppHeader(const ModelInfo &info, llvm::StringRef include);

} // namespace onnxc

#endif // ONNXC_CODEGEN_HEADER_H
