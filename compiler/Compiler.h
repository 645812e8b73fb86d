//===- Compiler.h - The compiler as a library -------------------*- C++ -*-===//
//
// A model in, an artifact out. The one header that a program which compiles models
// needs; it uses nothing of LLVM. The library writes to no stream, ends no process and
// keeps no state between calls: any number of compilations may run at once, in as many
// threads. A fault of the model or of the options is a diagnostic, never a crash.
//
//   onnxc::CompileOptions options;
//   options.name = "resnet";
//   onnxc::CompileResult result = onnxc::compile(onnxc::Model::fromFile("resnet.onnx"), options);
//   for (const onnxc::Diagnostic &diagnostic : result.diagnostics)
//     std::cerr << onnxc::format(diagnostic, "resnet.onnx");
//   if (result.succeeded)
//     use(result.artifact, result.cHeader);
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_COMPILER_COMPILER_H
#define ONNXC_COMPILER_COMPILER_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// The model to compile.
struct Model {
  /// An .onnx file; its external data is looked for in its folder.
  static Model fromFile(std::string path);
  /// The bytes of such a file, which stay the caller's and must live until the
  /// compilation has ended. External data is looked for in `folder`; without one, a model
  /// that has some is refused.
  static Model fromBytes(std::string_view bytes, std::string folder = "");

  std::string path;
  std::string_view bytes;
  std::string folder;
  bool isFile = false;
};

/// What to make: the IR after a stage (`onnx`, `linalg`, `kernels`), or an artifact.
enum class Emit { onnx, linalg, kernels, llvm, assembly, object, staticLibrary, sharedLibrary };

/// Inclusive bounds of a size.
struct DimRange {
  int64_t min = 0;
  int64_t max = std::numeric_limits<int64_t>::max();
};

/// What the user says about the model's inputs.
struct ImportOptions {
  /// Shapes of inputs by name; -1 leaves a dim as it is.
  std::map<std::string, std::vector<int64_t>> shapes;
  /// Sizes of dim symbols, by their name in the file.
  std::map<std::string, int64_t> dims;
  /// Bounds of dims that stay dynamic, by their name in the file.
  std::map<std::string, DimRange> ranges;
  /// Inputs with an initializer that the caller gives nevertheless; the others are
  /// constants.
  std::set<std::string> keptInputs;
};

struct CompileOptions {
  Emit emit = Emit::sharedLibrary;
  /// The file that the artifact becomes; headers and the weights' file stand beside it.
  /// Either all files are written or none. Empty: the result has the bytes.
  std::string outputPath;
  /// Prefix of the exported symbols, '_' for what C does not allow, and the C++ namespace.
  std::string name = "model";
  /// The target, as LLVM names it. An empty triple is this machine's; an empty CPU is the
  /// baseline of the triple, "native" this machine's; features are extra ones, "+a,-b".
  std::string triple, cpu, features;
  /// Whether the weights become a file of their own instead of a part of the artifact.
  bool weightsInFile = false;
  ImportOptions import;
  /// What the artifact's descriptor says of the options; any text.
  std::string text;

  bool emitsIR() const { return emit <= Emit::kernels; }
  bool emitsText() const { return emit <= Emit::assembly; }
};

enum class Severity { error, warning };

/// Something to tell the user.
struct Diagnostic {
  Severity severity = Severity::error;
  /// What it is about: "node", "input" or "initializer", with its name in the model, and
  /// for a node its operator. All empty when it is about the model, an option or a file.
  std::string kind, name, op;
  /// What was expected, what was found, and what to do. One line.
  std::string reason;
  /// A fault of onnxc, not of the model.
  bool isInternal = false;
  /// More about it, each with a place of its own.
  std::vector<Diagnostic> notes;
};

/// The text of a diagnostic and its notes, a line each:
/// "error: model.onnx: node 'conv1' (Conv): ...\n".
std::string format(const Diagnostic &diagnostic, std::string_view model);

/// How far a compilation is. `total` is 0 where the work of a stage is not counted.
struct Progress {
  std::string_view stage;
  size_t done = 0, total = 0;
};
/// Called from the threads of the compilation, one call at a time.
using ProgressCallback = std::function<void(const Progress &)>;

/// Seconds that a stage took, or (`depth` 1) a part of the stage in front of it.
struct Timing {
  std::string name;
  unsigned depth = 0;
  double seconds = 0;
};

struct CompileResult {
  bool succeeded = false;
  std::vector<Diagnostic> diagnostics;
  /// Without an output path: the artifact or the text of an IR, and what stands beside an
  /// artifact. `weights` is for `weightsInFile`.
  std::string artifact, cHeader, cppHeader, weights;
  /// What an artifact consists of, one `name: value` a line.
  std::string report;
  /// In the order of the work.
  std::vector<Timing> timings;
};

/// Compiles a model.
CompileResult compile(const Model &model, const CompileOptions &options,
                      const ProgressCallback &progress = {});

/// The compiler's version, "0.1.0".
std::string_view getVersion();

} // namespace onnxc

#endif // ONNXC_COMPILER_COMPILER_H
