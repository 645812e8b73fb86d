//===- OnnxFile.h - An .onnx file and the data it refers to -----*- C++ -*-===//
//
// Reading is safe against hostile files: whatever the bytes say, the result is
// a model or an error, nothing outside the model's folder is opened, and no
// size is believed before it is checked against the data that is there.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_COMPILER_IMPORT_ONNXFILE_H
#define ONNXC_COMPILER_IMPORT_ONNXFILE_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem/UniqueID.h"
#include <deque>
#include <memory>
#include <string>

#include "compiler/import/onnx-ml.pb.h"

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace onnxc {

/// The element type of an ONNX data type; null when there is no such type.
mlir::Type getElementType(mlir::MLIRContext *context, int32_t dataType);

/// The ONNX data type of an element type; 0 when there is none.
int32_t getDataType(mlir::Type elementType);

/// A parsed model. Weights that become resource blobs point into it, and each
/// such blob shares ownership, so that it lives as long as they do.
class OnnxFile : public std::enable_shared_from_this<OnnxFile> {
public:
  /// A model in memory without a file: it has no external data.
  static std::shared_ptr<OnnxFile> create(::onnx::ModelProto model);
  static llvm::Expected<std::shared_ptr<OnnxFile>> open(llvm::StringRef path);
  /// The bytes of a file, which stay the caller's. External data is looked for in
  /// `folder`; an empty one refuses it.
  static llvm::Expected<std::shared_ptr<OnnxFile>> fromBytes(llvm::StringRef bytes,
                                                             llvm::StringRef folder);
  ~OnnxFile();

  const ::onnx::ModelProto &getModel() const { return model; }
  /// SHA-256 of the model file as lower-case hex.
  llvm::StringRef getSha256() const { return sha256; }

  /// The elements of a tensor, in the file or beside it. Small ones become a
  /// DenseElementsAttr, others a DenseResourceElementsAttr that refers to the
  /// bytes as ONNX lays them out: bool one byte per element, 4- and 2-bit types
  /// packed. Errors do not name the tensor.
  llvm::Expected<mlir::ElementsAttr> readTensor(mlir::MLIRContext *context,
                                                const ::onnx::TensorProto &tensor);

  /// Takes over a node that replaces one of the model, so that weights in its
  /// attributes live as long as the model's own.
  const ::onnx::NodeProto &keep(::onnx::NodeProto node);

  /// The bytes of a tensor's raw_data, whose field says only where they are when
  /// the model is from a file.
  llvm::StringRef getRawData(const ::onnx::TensorProto &tensor) const;

  /// Whether `path` names, by whatever name or link, the model's file or one of
  /// those with external data that were read so far.
  bool isInput(llvm::StringRef path) const;

  /// Lets go of the memory that the mapped files have taken so far. Weights stay
  /// valid and are read from the files again when needed.
  void releasePages() const;

private:
  OnnxFile() = default;
  static llvm::Expected<std::shared_ptr<OnnxFile>>
  parse(std::unique_ptr<llvm::MemoryBuffer> buffer);
  llvm::Expected<llvm::StringRef> mapExternal(llvm::StringRef location);
  llvm::Expected<llvm::StringRef> readExternal(const ::onnx::TensorProto &tensor, uint64_t bytes);
  mlir::ElementsAttr makeElements(mlir::ShapedType type, llvm::StringRef bytes, bool ownsBytes);

  std::unique_ptr<llvm::MemoryBuffer> buffer;
  ::onnx::ModelProto model;
  std::deque<::onnx::NodeProto> rewritten;
  std::string sha256;
  std::string folder;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> external;
  llvm::SmallVector<llvm::sys::fs::UniqueID> identities;
};

} // namespace onnxc

#endif // ONNXC_COMPILER_IMPORT_ONNXFILE_H
