//===- HeaderText.h - What a model's values are called in C -------*- C++ -*-===//
//
// Pieces of text that the C and the C++ header share.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_CODEGEN_HEADERTEXT_H
#define ONNXC_CODEGEN_HEADERTEXT_H

#include "codegen/Artifact.h"

namespace onnxc::header {

/// A C string literal.
std::string quote(llvm::StringRef text);

/// Text inside a C comment.
std::string comment(llvm::StringRef text);

/// "[batch, 3]", for a comment.
std::string shapeText(const ValueInfo &value);

/// "FLOAT" for ONNXC_FLOAT.
const char *dtypeName(int32_t dtype);

/// The C type of an element as it lies in memory.
const char *elementType(int32_t dtype);

/// A tensor whose sizes are all constants.
bool isStatic(const ValueInfo &value);

/// The include guard: a second header of the same name is skipped when it is the same
/// model's, and an error of the preprocessor otherwise. Ends with one "#endif".
void writeGuard(llvm::raw_ostream &os, const ModelInfo &info, llvm::StringRef ending);

std::string upper(llvm::StringRef text);

/// ONNX names as identifiers, each only once, in upper case too.
std::vector<std::string> identifiers(llvm::ArrayRef<ValueInfo> values);

} // namespace onnxc::header

#endif // ONNXC_CODEGEN_HEADERTEXT_H
