//===- Artifact.h - From the llvm dialect to files ----------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_ARTIFACT_H
#define ONNXC_CODEGEN_ARTIFACT_H

#include "codegen/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace onnxc {

/// A size in a signature: a constant, one of the model's symbols, or an
/// expression that the plan function computes.
struct DimInfo {
  int64_t size = -1;          ///< -1 when not constant
  int32_t symbol = -1;        ///< index into ModelInfo::symbols
  bool dataDependent = false; ///< known only after the run
  std::string text;           ///< "3", "batch", "2*n+1"
  /// The largest value for symbols within their bounds; -1 when nothing limits it.
  int64_t max = -1;
};

/// An input or output. `dtype` and `kind` are onnxc_dtype and onnxc_kind.
struct ValueInfo {
  std::string name;
  int32_t dtype = 0;
  int32_t kind = 0;
  /// For sequences, the elements' dims; `hasRank` is false when these vary.
  std::vector<DimInfo> dims;
  bool hasRank = true;
};

struct SymbolInfo {
  std::string name;
  int64_t min = 0;
  int64_t max = std::numeric_limits<int64_t>::max();
};

/// All that the descriptor and the headers say about a model, except what
/// emission itself finds out (weights, CPU features).
struct ModelInfo {
  std::string name; ///< any text; `symbolPrefix` makes it an identifier
  std::vector<ValueInfo> inputs, outputs;
  std::vector<SymbolInfo> symbols;
  std::string compilerVersion;
  std::string compilerOptions;
  std::string modelSha256; ///< lower-case hex
  /// Bytes of the workspace that a call takes at most; nothing when symbols without an
  /// upper bound decide them.
  std::optional<uint64_t> workspaceBytes;
  int64_t opset = 0;

  /// `name` with every character that C does not allow replaced by '_'.
  std::string symbolPrefix() const;

  /// What the generated headers depend on, as 16 hex digits: the model's file, its
  /// signature and the ABI version. Not the target: one header fits all.
  std::string id() const;
};

/// Where the weights lie. Offsets are ascending, do not overlap and are aligned
/// by whoever lays them out; gaps are filled with zeros.
struct WeightsLayout {
  struct Chunk {
    llvm::ArrayRef<char> bytes; ///< must stay alive until emission ends
    uint64_t offset = 0;
  };
  std::vector<Chunk> chunks;
  uint64_t bytes = 0; ///< total size
};

enum class ArtifactKind { llvmIR, assembly, object, staticLibrary, sharedLibrary };

struct EmitOptions {
  TargetInfo target; ///< from resolveTarget
  ArtifactKind kind = ArtifactKind::sharedLibrary;
  std::string outputPath;
  /// Where to write the weights; empty: into the artifact.
  std::string weightsPath;
  /// Told of each phase when it begins, and how much of it is done where its work is
  /// counted (else both are 0). Called from several threads, one call at a time.
  std::function<void(llvm::StringRef phase, size_t done, size_t total)> progress;

  /// Whether the artifact is machine code, which has headers and weights.
  bool emitsBinary() const { return kind >= ArtifactKind::object; }
};

/// The files that emission writes; empty: none.
struct OutputPaths {
  std::string artifact;
  /// `<artifact without extension>.h` and `.hpp`.
  std::string cHeader, cppHeader;
  std::string weights;
};
OutputPaths getOutputPaths(const EmitOptions &options);

/// Turns a module in the llvm dialect (`onnxc_plan`, `onnxc_body`, kernels; see
/// docs/architecture.md) into the artifact. Consumes nothing. Either all files
/// are written or none.
llvm::Error emitArtifact(mlir::ModuleOp module, const ModelInfo &info, const WeightsLayout &weights,
                         const EmitOptions &options);

} // namespace onnxc

#endif // ONNXC_CODEGEN_ARTIFACT_H
