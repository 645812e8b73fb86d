//===- Artifact.cpp - From the llvm dialect to files -----------------------===//
#include "codegen/Artifact.h"
#include "codegen/Descriptor.h"
#include "codegen/Header.h"
#include "codegen/LLVMIR.h"
#include "codegen/Link.h"
#include "codegen/Object.h"
#include "codegen/Output.h"
#include "codegen/RuntimeFiles.h"
#include "codegen/Weights.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Path.h"
#include <future>

using namespace llvm;

namespace onnxc {

namespace {
/// One run of emitArtifact: the steps share the inputs and the output set.
class Emitter {
public:
  Emitter(mlir::ModuleOp module, const ModelInfo &info, const WeightsLayout &weights,
          const EmitOptions &options)
      : module(module), info(info), weights(weights), options(options), target(options.target),
        prefix(info.symbolPrefix()) {}

  Error run();

private:
  Expected<IRModule> buildWhole();
  Expected<std::vector<MemoryFile>> compileParts(IRModule whole);
  Error emitText(IRModule whole);
  Error emitBinary(IRModule whole);
  Expected<std::string> writeWeightsFiles();
  Error linkObject(ArrayRef<std::string> code, StringRef output);
  Error linkStaticLibrary(StringRef code, StringRef weightsObject, StringRef output);
  Error emitObjectOrLibrary(ArrayRef<std::string> code, StringRef weightsObject, StringRef output);
  Error writeHeaderFiles();
  Error fillEmbedded(StringRef output) {
    return weights.bytes && options.weightsPath.empty() ? fillWeights(output, weights, prefix)
                                                        : Error::success();
  }
  Error checkWeightsFit();
  void begin(StringRef phase) {
    if (options.progress)
      options.progress(phase, 0, 0);
  }

  mlir::ModuleOp module;
  const ModelInfo &info;
  const WeightsLayout &weights;
  const EmitOptions &options;
  const TargetInfo &target;
  std::string prefix;
  std::future<std::string> hash;
  OutputSet outputs;
  OutputSet intermediates; // never committed
};
} // namespace

/// The model, its descriptor and the runtime in one module.
Expected<IRModule> Emitter::buildWhole() {
  Expected<IRModule> whole = translateToLLVM(module, target);
  if (!whole)
    return whole;
  for (const char *name : {"onnxc_plan", "onnxc_body"}) {
    Function *function = whole->module->getFunction(name);
    if (!function || function->isDeclaration())
      return createStringError("the module does not define '%s'", name);
  }
  WeightsInfo weightsInfo{weights.bytes, sys::path::filename(options.weightsPath).str()};
  addDescriptor(*whole->module, info, weightsInfo, target);
  if (Error bad = linkRuntime(*whole->module, target))
    return std::move(bad);
  setTargetAttributes(*whole->module, target);
  return whole;
}

Error Emitter::emitText(IRModule whole) {
  begin(compilePhase);
  Expected<Bytes> text = compileToText(std::move(whole), target, getLinkedNames(info),
                                       options.kind == ArtifactKind::assembly);
  if (!text)
    return text.takeError();
  return outputs.write(options.outputPath, *text);
}

/// Objects of all parts, as files that the linker can open.
Expected<std::vector<MemoryFile>> Emitter::compileParts(IRModule whole) {
  Expected<std::vector<Bytes>> objects =
      compileObjects(std::move(whole), target, getLinkedNames(info), options.progress);
  if (!objects)
    return objects.takeError();
  std::vector<MemoryFile> files;
  for (const Bytes &object : *objects) {
    Expected<MemoryFile> file = MemoryFile::create("kernels", object);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }
  return std::move(files);
}

/// The side file, if wanted, and the object that keeps the weights' place;
/// returns the object's path, empty when the model has no weights.
Expected<std::string> Emitter::writeWeightsFiles() {
  if (!weights.bytes)
    return std::string();
  bool embed = options.weightsPath.empty();
  if (!embed) {
    Expected<sys::fs::TempFile &> file = outputs.create(options.weightsPath);
    if (!file)
      return file.takeError();
    FileWriter writer(file->FD);
    writeWeights(writer, weights);
    if (Error bad = writer.finish(options.weightsPath))
      return std::move(bad);
  }
  Expected<sys::fs::TempFile &> file = intermediates.create(options.outputPath);
  if (!file)
    return file.takeError();
  FileWriter writer(file->FD);
  writeWeightsObject(writer, weights, hash.get(), prefix, embed, target);
  if (Error bad = writer.finish(options.outputPath))
    return std::move(bad);
  return file->TmpName;
}

/// All code in one object whose only visible symbols are the public ones.
Error Emitter::linkObject(ArrayRef<std::string> code, StringRef output) {
  if (Error bad = linkRelocatable(code, output))
    return bad;
  if (Error bad = checkUndefined(
          output, {WeightsInfo::dataSymbol(prefix), WeightsInfo::hashSymbol(prefix)}))
    return bad;
  return localizeHidden(output);
}

Error Emitter::linkStaticLibrary(StringRef code, StringRef weightsObject, StringRef output) {
  std::vector<std::pair<std::string, std::string>> members = {{prefix + ".o", code.str()}};
  if (!weightsObject.empty()) {
    Expected<sys::fs::TempFile &> filled = intermediates.create(options.outputPath);
    if (!filled)
      return filled.takeError();
    if (Error bad = linkRelocatable({weightsObject.str()}, filled->TmpName))
      return bad;
    if (Error bad = fillEmbedded(filled->TmpName))
      return bad;
    members.push_back({prefix + "_weights.o", filled->TmpName});
  }
  return writeStaticLibrary(members, output);
}

Error Emitter::emitObjectOrLibrary(ArrayRef<std::string> code, StringRef weightsObject,
                                   StringRef output) {
  bool isObject = options.kind == ArtifactKind::object;
  if (isObject && weightsObject.empty())
    return linkObject(code, output);
  Expected<sys::fs::TempFile &> codeObject = intermediates.create(options.outputPath);
  if (!codeObject)
    return codeObject.takeError();
  if (Error bad = linkObject(code, codeObject->TmpName))
    return bad;
  if (!isObject)
    return linkStaticLibrary(codeObject->TmpName, weightsObject, output);
  if (Error bad = linkRelocatable({codeObject->TmpName, weightsObject.str()}, output))
    return bad;
  return fillEmbedded(output);
}

Error Emitter::emitBinary(IRModule whole) {
  bool isShared = options.kind == ArtifactKind::sharedLibrary;
  Expected<sys::fs::TempFile &> output = outputs.create(options.outputPath, isShared);
  if (!output)
    return output.takeError();
  Expected<std::vector<MemoryFile>> objects = compileParts(std::move(whole));
  if (!objects)
    return objects.takeError();
  StringRef bytes = getRuntimeFiles(target).archive.getBuffer();
  Expected<MemoryFile> archive =
      MemoryFile::create("runtime", ArrayRef<char>(bytes.data(), bytes.size()));
  if (!archive)
    return archive.takeError();
  Expected<std::string> weightsObject = writeWeightsFiles();
  if (!weightsObject)
    return weightsObject.takeError();

  begin("link");
  std::vector<std::string> code;
  uint64_t size = weights.bytes;
  for (const MemoryFile &object : *objects) {
    code.push_back(object.path());
    size += object.size();
  }
  if (Error bad = checkSpace(options.outputPath, size))
    return bad;
  code.push_back(archive->path());
  if (!isShared)
    return emitObjectOrLibrary(code, *weightsObject, output->TmpName);
  if (!weightsObject->empty())
    code.push_back(*weightsObject);
  if (Error bad = linkShared(code, sys::path::filename(options.outputPath), output->TmpName))
    return bad;
  return fillEmbedded(output->TmpName);
}

Error Emitter::writeHeaderFiles() {
  OutputPaths paths = getOutputPaths(options);
  std::string header = buildCHeader(info);
  if (Error bad = outputs.write(paths.cHeader, ArrayRef<char>(header.data(), header.size())))
    return bad;
  std::string wrapper = buildCppHeader(info, sys::path::filename(paths.cHeader).str());
  return outputs.write(paths.cppHeader, ArrayRef<char>(wrapper.data(), wrapper.size()));
}

/// Embedded weights stand between code and its constants, which reach one another
/// by a distance of 4 GiB on AArch64 and of 2 GiB elsewhere. Only x86-64 has a
/// section for large data.
Error Emitter::checkWeightsFit() {
  constexpr uint64_t room = uint64_t(64) << 20; // for code and constants
  uint64_t limit = (uint64_t(target.arch == TargetArch::aarch64 ? 4 : 2) << 30) - room;
  if (!options.emitsBinary() || target.arch == TargetArch::x86_64 || !options.weightsPath.empty() ||
      weights.bytes <= limit)
    return Error::success();
  return createStringError(
      "the weights take %llu bytes, more than the %llu that can be embedded; put them into a "
      "file of their own with --weights=file",
      static_cast<unsigned long long>(weights.bytes), static_cast<unsigned long long>(limit));
}

Error Emitter::run() {
  if (Error bad = verifyLayout(weights))
    return bad;
  if (Error bad = checkWeightsFit())
    return bad;
  // Hashing takes as long as compiling a small model: both at once.
  if (weights.bytes && options.emitsBinary())
    hash = std::async(std::launch::async, [this] { return hashWeights(weights); });
  begin("translate");
  Expected<IRModule> whole = buildWhole();
  if (!whole)
    return whole.takeError();
  if (Error bad =
          options.emitsBinary() ? emitBinary(std::move(*whole)) : emitText(std::move(*whole)))
    return bad;
  if (options.emitsBinary())
    if (Error bad = writeHeaderFiles())
      return bad;
  return outputs.commit();
}

OutputPaths getOutputPaths(const EmitOptions &options) {
  OutputPaths paths;
  paths.artifact = options.outputPath;
  if (!options.emitsBinary())
    return paths;
  for (auto [ending, header] :
       {std::pair(".h", &paths.cHeader), std::pair(".hpp", &paths.cppHeader)}) {
    SmallString<128> path(options.outputPath);
    sys::path::replace_extension(path, ending);
    *header = path.str().str();
  }
  paths.weights = options.weightsPath;
  return paths;
}

Error emitArtifact(mlir::ModuleOp module, const ModelInfo &info, const WeightsLayout &weights,
                   const EmitOptions &options) {
  return Emitter(module, info, weights, options).run();
}

} // namespace onnxc
