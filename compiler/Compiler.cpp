//===- Compiler.cpp - From a model to an artifact -------------------------===//
#include "compiler/Compiler.h"
#include "codegen/Header.h"
#include "codegen/Jit.h"
#include "codegen/Output.h"
#include "codegen/Target.h"
#include "compiler/Diagnostics.h"
#include "compiler/EvaluateModule.h"
#include "compiler/LoweringTarget.h"
#include "compiler/ModelDescription.h"
#include "compiler/ModelWeights.h"
#include "compiler/Pipelines.h"
#include "compiler/StageTimer.h"
#include "compiler/Statistics.h"
#include "compiler/Version.h"
#include "compiler/import/Importer.h"
#include "dialects/onnx/OnnxDialect.h"
#include "dialects/rt/RtDialect.h"
#include "lowering/cpu/CpuTarget.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace onnxc {

Model Model::fromFile(std::string path) {
  Model model;
  model.path = std::move(path);
  model.isFile = true;
  return model;
}

Model Model::fromBytes(std::string_view bytes, std::string folder) {
  Model model;
  model.bytes = bytes;
  model.folder = std::move(folder);
  return model;
}

std::string_view getVersion() { return version; }

namespace {

/// A folder of files that are read back and removed.
class TemporaryFolder {
public:
  static llvm::Expected<TemporaryFolder> create() {
    TemporaryFolder folder;
    if (std::error_code code = llvm::sys::fs::createUniqueDirectory("onnxc", folder.path))
      return llvm::createStringError("cannot make a folder for temporary files: " + code.message());
    return std::move(folder);
  }
  TemporaryFolder(TemporaryFolder &&other) : path(std::exchange(other.path, {})) {}
  ~TemporaryFolder() {
    if (!path.empty())
      llvm::sys::fs::remove_directories(path);
  }

  std::string getPath(StringRef name) const {
    SmallString<128> result(path);
    llvm::sys::path::append(result, name);
    return result.str().str();
  }

private:
  TemporaryFolder() = default;
  SmallString<128> path;
};

llvm::Error readFile(StringRef path, std::string &content) {
  if (path.empty())
    return llvm::Error::success();
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  content = (*buffer)->getBuffer().str();
  return llvm::Error::success();
}

/// One compilation: the context, the model, where faults go.
class Compilation {
public:
  Compilation(const Model &source, const CompileOptions &options, const ProgressCallback &progress)
      : source(source), options(options), diagnostics(&context), timer(progress) {
    DialectRegistry targets;
    cpu::registerCpuTarget(targets);
    context.appendDialectRegistry(targets);
    context.loadDialect<onnx::OnnxDialect, rt::RtDialect>();
    context.printOpOnDiagnostic(false);
  }

  CompileResult run() {
    CompileResult result;
    result.succeeded = succeeded(compile(result));
    result.diagnostics = diagnostics.take();
    result.timings = timer.take();
    return result;
  }

private:
  LogicalResult compile(CompileResult &result);
  llvm::Expected<std::shared_ptr<OnnxFile>> open() {
    if (source.isFile)
      return OnnxFile::open(source.path);
    return OnnxFile::fromBytes({source.bytes.data(), source.bytes.size()}, source.folder);
  }
  LogicalResult fail(llvm::Error error) {
    return diagnostics.addError(llvm::toString(std::move(error))), failure();
  }
  LogicalResult runStage(const Stage &stage);
  LogicalResult checkOutputs(const OnnxFile &file, const EmitOptions &emission);
  LogicalResult emit(const ModelInfo &info, EmitOptions emission, CompileResult &result);
  LogicalResult emitToMemory(const ModelInfo &info, EmitOptions emission, CompileResult &result);
  LogicalResult writeIR(CompileResult &result);

  const Model &source;
  const CompileOptions &options;
  MLIRContext context;
  DiagnosticCollector diagnostics;
  StageTimer timer;
  OwningOpRef<ModuleOp> module;
};

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
    // By the output's name, as the headers: two models of one prefix in a folder have
    // files of their own.
    SmallString<128> path(options.outputPath);
    llvm::sys::path::replace_extension(path, ".weights");
    emission.weightsPath = path.str().str();
  }
  return emission;
}

/// No file that is written may be one that is read: the model would be lost. The
/// folder must be there: compiling a large model in vain takes time.
LogicalResult Compilation::checkOutputs(const OnnxFile &file, const EmitOptions &emission) {
  if (options.outputPath.empty())
    return success();
  OutputPaths paths;
  if (options.emitsIR())
    paths.artifact = options.outputPath;
  else
    paths = getOutputPaths(emission);
  for (const std::string &path : {paths.artifact, paths.cHeader, paths.cppHeader, paths.weights})
    if (!path.empty() && file.isInput(path))
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

LogicalResult Compilation::writeIR(CompileResult &result) {
  // Weights are never printed; the local scope leaves out their section.
  constexpr int64_t largestPrinted = 64;
  OpPrintingFlags flags;
  flags.useLocalScope().elideLargeElementsAttrs(largestPrinted).printNameLocAsPrefix();
  llvm::raw_string_ostream os(result.artifact);
  module->print(os, flags);
  os << "\n";
  if (options.outputPath.empty())
    return success();
  std::string text = std::exchange(result.artifact, "");
  if (llvm::Error error = writeFile(options.outputPath, ArrayRef<char>(text.data(), text.size())))
    return fail(std::move(error));
  return success();
}

LogicalResult Compilation::emitToMemory(const ModelInfo &info, EmitOptions emission,
                                        CompileResult &result) {
  llvm::Expected<TemporaryFolder> folder = TemporaryFolder::create();
  if (!folder)
    return fail(folder.takeError());
  emission.outputPath = folder->getPath(options.name + ".so");
  if (!emission.weightsPath.empty())
    emission.weightsPath = folder->getPath(options.name + ".weights");
  if (failed(emit(info, emission, result)))
    return failure();
  OutputPaths paths = getOutputPaths(emission);
  for (auto [path, content] :
       {std::pair(&paths.artifact, &result.artifact), std::pair(&paths.cHeader, &result.cHeader),
        std::pair(&paths.cppHeader, &result.cppHeader), std::pair(&paths.weights, &result.weights)})
    if (llvm::Error error = readFile(*path, *content))
      return fail(std::move(error));
  return success();
}

LogicalResult Compilation::emit(const ModelInfo &info, EmitOptions emission,
                                CompileResult &result) {
  if (emission.outputPath.empty())
    return emitToMemory(info, std::move(emission), result);
  ModelWeights weights = collectWeights(*module);
  emission.progress = [&](StringRef phase, size_t done, size_t total) {
    timer.report(phase, done, total);
  };
  if (llvm::Error error = emitArtifact(*module, info, weights.layout, emission))
    return fail(std::move(error));
  return success();
}

LogicalResult Compilation::runStage(const Stage &stage) {
  timer.begin(stage.name);
  diagnostics.setTrusted(stage.readsModel);
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.addInstrumentation(timer.makePassTimer());
  stage.build(passes);
  if (succeeded(passes.run(*module)))
    return success();
  if (!diagnostics.hasErrors())
    diagnostics.addError("the stage '" + stage.name + "' failed", /*isInternal=*/true);
  return failure();
}

LogicalResult Compilation::compile(CompileResult &result) {
  timer.begin("import");
  ModelInfo named;
  named.name = options.name;
  if (!options.emitsText() && (options.name.empty() || isReservedPrefix(named.symbolPrefix())))
    return fail(llvm::createStringError("'" + options.name +
                                        "' cannot be the prefix of the symbols, as C++, its "
                                        "library or onnxc use it; choose another name"));
  llvm::Expected<TargetInfo> target = resolveTarget(options.triple, options.cpu, options.features);
  if (!target)
    return fail(target.takeError());
  llvm::Expected<std::shared_ptr<OnnxFile>> file = open();
  if (!file)
    return fail(file.takeError());
  module = importModel(*file, &context, options.import);
  EmitOptions emission = makeEmitOptions(options, *target);
  if (!module || failed(checkOutputs(**file, emission)))
    return failure();
  (*file)->releasePages();
  ModelInfo info = describeModel(*module, **file, options);

  diagnostics.setImporting(false);
  llvm::Expected<TargetInfo> host = getEvaluationTarget(*target);
  if (!host)
    return fail(host.takeError());
  rt::setTargets(*module, getKernelTarget(&context, *target), getKernelTarget(&context, *host));
  ConstantEvaluator evaluator = makeConstantEvaluator(*target, [&] { (*file)->releasePages(); });
  for (const Stage &stage : getStages(*target, std::move(evaluator))) {
    if (failed(runStage(stage)))
      return failure();
    if (stage.emit == options.emit)
      return writeIR(result);
  }
  llvm::raw_string_ostream os(result.report);
  printStatistics(*module, os);
  if (auto bytes = (*module)->getAttrOfType<IntegerAttr>(rt::attributes::workspaceBytes))
    info.workspaceBytes = bytes.getInt();
  return emit(info, std::move(emission), result);
}

} // namespace

CompileResult compile(const Model &model, const CompileOptions &options,
                      const ProgressCallback &progress) {
  return Compilation(model, options, progress).run();
}

} // namespace onnxc
