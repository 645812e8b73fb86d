//===- ModelReader.h - Parsing a model without copying weights ----*- C++ -*-===//
#ifndef ONNXC_COMPILER_IMPORT_MODELREADER_H
#define ONNXC_COMPILER_IMPORT_MODELREADER_H

#include "llvm/ADT/StringRef.h"
#include <optional>

#include "compiler/import/onnx-ml.pb.h"

namespace onnxc {

/// Parses a serialized model. The `raw_data` of each tensor holds, instead of
/// the bytes, where they are; `findRawData` says it. False when the bytes are no
/// model or nest more than `maxDepth` messages.
bool readModel(llvm::StringRef bytes, int maxDepth, ::onnx::ModelProto &model);

/// The raw data of a tensor that `readModel` has read from `bytes`.
llvm::StringRef findRawData(llvm::StringRef bytes, const ::onnx::TensorProto &tensor);

} // namespace onnxc

#endif // ONNXC_COMPILER_IMPORT_MODELREADER_H
