//===- Compile.cpp - From a model to an artifact --------------------------===//
#include "compiler/Compile.h"
#include "codegen/Target.h"
#include "compiler/EvaluateModule.h"
#include "compiler/LoweringTarget.h"
#include "compiler/ModelDescription.h"
#include "compiler/ModelWeights.h"
#include "compiler/Pipelines.h"
#include "compiler/Statistics.h"
#include "dialects/onnx/OnnxDialect.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/cpu/CpuTarget.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace onnxc {
namespace {

/// "node 'conv1' (Conv): " for the location of a node, "input 'x': " for that
/// of an input, likewise of an initializer, else nothing.
std::string describeLocation(Location loc) {
  NameLoc named;
  loc->walk([&](Location inner) {
    named = dyn_cast<NameLoc>(inner);
    return named ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!named)
    return "";
  std::string name = "'" + named.getName().str() + "'";
  auto op = dyn_cast<NameLoc>(named.getChildLoc());
  if (!op)
    return "node " + name + ": ";
  llvm::StringRef kind = op.getName();
  if (kind == "input" || kind == "initializer")
    return (kind + " " + name + ": ").str();
  return "node " + name + " (" + kind.str() + "): ";
}

/// One compilation: the context, the model, where faults go.
class Compilation {
public:
  Compilation(const CompileOptions &options, llvm::raw_ostream &errors)
      : options(options), errors(errors),
        handler(&context, [this](Diagnostic &diagnostic) { report(diagnostic); }) {
    DialectRegistry targets;
    cpu::registerCpuTarget(targets);
    context.appendDialectRegistry(targets);
    context.loadDialect<onnx::OnnxDialect, rt::RtDialect>();
    context.printOpOnDiagnostic(false);
  }

  LogicalResult run();

private:
  void report(Diagnostic &diagnostic);
  LogicalResult fail(llvm::Error error) {
    errors << "error: " << options.inputPath << ": " << llvm::toString(std::move(error)) << "\n";
    return failure();
  }
  LogicalResult checkOutputs(const OnnxFile &file, const EmitOptions &emission);
  LogicalResult writeIR();

  const CompileOptions &options;
  llvm::raw_ostream &errors;
  MLIRContext context;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

void Compilation::report(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
    return;
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  errors << (isError ? "error: " : "warning: ") << options.inputPath << ": "
         << describeLocation(diagnostic.getLocation()) << diagnostic.str() << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    if (std::string text = note.str(); StringRef(text).count('\n') == 0)
      errors << "note: " << options.inputPath << ": " << describeLocation(note.getLocation())
             << text << "\n";
}

ArtifactKind artifactKind(Emit emit) {
  switch (emit) {
  case Emit::llvm: return ArtifactKind::llvmIR;
  case Emit::assembly: return ArtifactKind::assembly;
  case Emit::object: return ArtifactKind::object;
  case Emit::staticLibrary: return ArtifactKind::staticLibrary;
  default: return ArtifactKind::sharedLibrary;
  }
}

EmitOptions makeEmitOptions(const CompileOptions &options, const TargetInfo &target) {
  EmitOptions emission;
  emission.target = target;
  emission.kind = artifactKind(options.emit);
  emission.outputPath = options.outputPath;
  if (options.weightsInFile) {
    SmallString<128> path(options.outputPath);
    llvm::sys::path::remove_filename(path);
    llvm::sys::path::append(path, options.name + ".weights");
    emission.weightsPath = path.str().str();
  }
  return emission;
}

/// No file that is written may be one that is read: the model would be lost. The
/// folder must be there: compiling a large model in vain takes time.
LogicalResult Compilation::checkOutputs(const OnnxFile &file, const EmitOptions &emission) {
  OutputPaths paths;
  if (options.emitsIR())
    paths.artifact = options.outputPath;
  else
    paths = getOutputPaths(emission);
  for (const std::string &path : {paths.artifact, paths.cHeader, paths.cppHeader, paths.weights})
    if (!path.empty() && path != "-" && file.isInput(path))
      return fail(llvm::createStringError("cannot write '" + path +
                                          "': the model is read from "
                                          "this file; choose another name with -o or --name"));
  StringRef folder = llvm::sys::path::parent_path(paths.artifact);
  if (!folder.empty() && !llvm::sys::fs::exists(folder)) {
    std::error_code code = std::make_error_code(std::errc::no_such_file_or_directory);
    return fail(
        llvm::createStringError("cannot write '" + paths.artifact + "': " + code.message()));
  }
  return success();
}

LogicalResult Compilation::writeIR() {
  std::error_code code;
  llvm::ToolOutputFile file(options.outputPath.empty() ? "-" : options.outputPath, code,
                            llvm::sys::fs::OF_Text);
  if (code)
    return fail(
        llvm::createStringError("cannot write '" + options.outputPath + "': " + code.message()));
  // Weights are never printed; the local scope leaves out their section.
  constexpr int64_t largestPrinted = 64;
  OpPrintingFlags flags;
  flags.useLocalScope().elideLargeElementsAttrs(largestPrinted).printNameLocAsPrefix();
  module->print(file.os(), flags);
  file.os() << "\n";
  file.keep();
  return success();
}

LogicalResult Compilation::run() {
  llvm::Expected<TargetInfo> target = resolveTarget(options.triple, options.cpu, options.features);
  if (!target)
    return fail(target.takeError());
  llvm::Expected<std::shared_ptr<OnnxFile>> file = OnnxFile::open(options.inputPath);
  if (!file)
    return fail(file.takeError());
  module = importModel(*file, &context, options.import);
  EmitOptions emission = makeEmitOptions(options, *target);
  if (!module || failed(checkOutputs(**file, emission)))
    return failure();
  (*file)->releasePages();
  llvm::Expected<ModelInfo> info = describeModel(*module, **file, options);
  if (!info)
    return fail(info.takeError());

  rt::setTarget(*module, cast<rt::TargetAttr>(getKernelTarget(&context, *target)));
  ConstantEvaluator evaluator = makeConstantEvaluator(*target, [&] { (*file)->releasePages(); });
  for (const Stage &stage : getStages(*target, std::move(evaluator))) {
    PassManager passes(&context, ModuleOp::getOperationName());
    stage.build(passes);
    if (failed(passes.run(*module)))
      return failure();
    if (stage.emit == options.emit)
      return writeIR();
  }
  std::string statistics;
  llvm::raw_string_ostream os(statistics);
  if (options.printStatistics)
    printStatistics(*module, os);
  ModelWeights weights = collectWeights(*module);
  if (llvm::Error error = emitArtifact(*module, *info, weights.layout, emission))
    return fail(std::move(error));
  llvm::outs() << statistics;
  return success();
}

} // namespace

LogicalResult compileModel(const CompileOptions &options, llvm::raw_ostream &errors) {
  return Compilation(options, errors).run();
}

} // namespace onnxc
