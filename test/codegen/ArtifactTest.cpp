//===- ArtifactTest.cpp - What is and what is not in an artifact -----------===//
#include "Models.h"
#include "codegen/Descriptor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace onnxc;
using namespace onnxc::test;

namespace {
struct SymbolNames {
  std::set<std::string> defined, undefined, weak;
};

std::set<std::string> publicNames(const ModelInfo &info) {
  return {"scale_add_model", "scale_add_plan", "scale_add_run",
          "scale_add_init",  "scale_add_fini", "scale_add_model_" + info.id()};
}

template <typename Range> void collect(Range symbols, SymbolNames &names) {
  for (const object::ELFSymbolRef symbol : symbols) {
    std::string name = cantFail(symbol.getName()).str();
    uint32_t flags = cantFail(symbol.getFlags());
    bool isGlobal = symbol.getBinding() != ELF::STB_LOCAL;
    bool isVisible = symbol.getOther() == ELF::STV_DEFAULT;
    if (name.empty() || !isGlobal)
      continue;
    if (flags & object::SymbolRef::SF_Undefined)
      (symbol.getBinding() == ELF::STB_WEAK ? names.weak : names.undefined).insert(name);
    else if (isVisible)
      names.defined.insert(name);
  }
}

SymbolNames dynamicSymbols(const std::string &path) {
  SymbolNames names;
  auto file = cantFail(object::ObjectFile::createObjectFile(path));
  collect(cast<object::ELFObjectFileBase>(file.getBinary())->getDynamicSymbolIterators(), names);
  return names;
}

bool hasNeededLibraries(const std::string &path) {
  auto file = cantFail(object::ObjectFile::createObjectFile(path));
  auto needs = [](const auto &elf) {
    return llvm::any_of(cantFail(elf.getELFFile().dynamicEntries()),
                        [](const auto &entry) { return entry.d_tag == ELF::DT_NEEDED; });
  };
  if (auto *elf = dyn_cast<object::ELF64LEObjectFile>(file.getBinary()))
    return needs(*elf);
  return needs(*cast<object::ELF32LEObjectFile>(file.getBinary()));
}

struct Target {
  const char *name, *triple, *cpu;
};
class EveryTarget : public ::testing::TestWithParam<Target> {
protected:
  EmitOptions options(ArtifactKind kind, const char *file) {
    EmitOptions options = makeOptions(GetParam().triple, GetParam().cpu);
    options.kind = kind;
    options.outputPath = folder.file(file);
    return options;
  }
  std::string emit(const EmitOptions &options) {
    return messageOf(emitArtifact(*model.module, model.info, model.weights, options));
  }
  TemporaryFolder folder;
  TestModel model;
};
} // namespace

TEST_P(EveryTarget, SharedLibraryExportsThePublicNamesOnly) {
  EmitOptions o = options(ArtifactKind::sharedLibrary, "m.so");
  ASSERT_EQ(emit(o), "");
  SymbolNames names = dynamicSymbols(o.outputPath);
  EXPECT_EQ(names.defined, publicNames(model.info));
  EXPECT_EQ(names.undefined, std::set<std::string>());
  EXPECT_EQ(names.weak, (std::set<std::string>{"pthread_create", "pthread_join"}));
  EXPECT_FALSE(hasNeededLibraries(o.outputPath));
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"m.h", "m.hpp", "m.so"}));
}

TEST_P(EveryTarget, ObjectShowsThePublicNamesOnly) {
  EmitOptions o = options(ArtifactKind::object, "m.o");
  ASSERT_EQ(emit(o), "");
  SymbolNames names;
  auto file = cantFail(object::ObjectFile::createObjectFile(o.outputPath));
  collect(cast<object::ELFObjectFileBase>(file.getBinary())->symbols(), names);
  EXPECT_EQ(names.defined, publicNames(model.info));
  EXPECT_EQ(names.undefined, std::set<std::string>());
  EXPECT_EQ(names.weak, (std::set<std::string>{"pthread_create", "pthread_join"}));
}

TEST_P(EveryTarget, StaticLibraryShowsThePublicNamesOnly) {
  EmitOptions o = options(ArtifactKind::staticLibrary, "m.a");
  ASSERT_EQ(emit(o), "");
  SymbolNames names;
  auto buffer = cantFail(errorOrToExpected(MemoryBuffer::getFile(o.outputPath)));
  auto archive = cantFail(object::Archive::create(*buffer));
  Error error = Error::success();
  std::vector<std::string> members;
  for (const object::Archive::Child &child : archive->children(error)) {
    members.push_back(cantFail(child.getName()).str());
    auto binary = cantFail(child.getAsBinary());
    collect(cast<object::ELFObjectFileBase>(binary.get())->symbols(), names);
  }
  cantFail(std::move(error));
  EXPECT_EQ(members, (std::vector<std::string>{"scale_add.o", "scale_add_weights.o"}));
  EXPECT_EQ(names.defined, publicNames(model.info));
  // Found in the other member.
  EXPECT_EQ(names.undefined,
            (std::set<std::string>{"scale_add_onnxc_weights", "scale_add_onnxc_weights_sha256"}));
}

TEST_P(EveryTarget, TextKindsHaveTheEntryPoints) {
  for (ArtifactKind kind : {ArtifactKind::llvmIR, ArtifactKind::assembly}) {
    EmitOptions o = options(kind, "m.txt");
    ASSERT_EQ(emit(o), "");
    auto buffer = cantFail(errorOrToExpected(MemoryBuffer::getFile(o.outputPath)));
    for (const std::string &name : publicNames(model.info))
      EXPECT_NE(buffer->getBuffer().find(name), StringRef::npos) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Artifact, EveryTarget,
    ::testing::Values(Target{"x86_64", "x86_64-linux-gnu", ""},
                      Target{"x86_64_v3", "x86_64-linux-gnu", "x86-64-v3"},
                      Target{"native", "", "native"}, Target{"aarch64", "aarch64-linux-gnu", ""},
                      Target{"cortex_a72", "aarch64-linux-gnu", "cortex-a72"},
                      Target{"riscv64", "riscv64-linux-gnu", ""},
                      Target{"armv7", "armv7-linux-gnueabihf", ""},
                      Target{"cortex_a9", "armv7-linux-gnueabihf", "cortex-a9"}),
    [](const auto &info) { return std::string(info.param.name); });

/// The section that a model's weights are in, with its content.
static std::pair<std::string, std::string> sectionOfWeights(const std::string &path) {
  auto file = cantFail(object::ObjectFile::createObjectFile(path));
  for (const object::SymbolRef &symbol : file.getBinary()->symbols()) {
    if (cantFail(symbol.getName()) != WeightsInfo::dataSymbol("scale_add"))
      continue;
    object::SectionRef section = *cantFail(symbol.getSection());
    uint64_t begin = cantFail(symbol.getValue()) - section.getAddress();
    return {cantFail(section.getName()).str(), cantFail(section.getContents()).substr(begin).str()};
  }
  return {};
}

/// Name and bytes of the weights' section in an artifact of the model.
static std::pair<std::string, std::string> emittedWeights(TestModel &model, ArtifactKind kind) {
  TemporaryFolder folder;
  EmitOptions options = makeOptions("x86_64-linux-gnu");
  options.kind = kind;
  options.outputPath = folder.file("m");
  EXPECT_EQ(messageOf(emitArtifact(*model.module, model.info, model.weights, options)), "");
  return sectionOfWeights(options.outputPath);
}

TEST(Artifact, ObjectHoldsTheWeights) {
  TestModel model;
  for (ArtifactKind kind : {ArtifactKind::object, ArtifactKind::sharedLibrary}) {
    auto [name, bytes] = emittedWeights(model, kind);
    EXPECT_EQ(name, ".rodata");
    ASSERT_GE(bytes.size(), 16u);
    EXPECT_EQ(memcmp(bytes.data(), model.weightValues.data(), 16), 0);
  }
}

/// Where 32-bit distances could overflow, weights lie apart from what the code
/// addresses.
TEST(Artifact, LargeWeightsHaveASectionOfTheirOwn) {
  TestModel model;
  uint64_t last = 256u << 20;
  model.weights.chunks.push_back(model.weights.chunks[0]);
  model.weights.chunks[1].offset = last;
  model.weights.bytes = last + 16;
  for (ArtifactKind kind : {ArtifactKind::object, ArtifactKind::sharedLibrary}) {
    auto [name, bytes] = emittedWeights(model, kind);
    EXPECT_EQ(name, ".lrodata");
    ASSERT_GE(bytes.size(), last + 16);
    EXPECT_EQ(memcmp(bytes.data(), model.weightValues.data(), 16), 0);
    EXPECT_EQ(bytes[16], 0);
    EXPECT_EQ(memcmp(bytes.data() + last, model.weightValues.data(), 16), 0);
  }
}

TEST(Artifact, SideFileHoldsTheWeights) {
  TemporaryFolder folder;
  TestModel model;
  EmitOptions options = makeOptions();
  options.outputPath = folder.file("m.so");
  options.weightsPath = folder.file("m.weights");
  ASSERT_EQ(messageOf(emitArtifact(*model.module, model.info, model.weights, options)), "");
  auto buffer = cantFail(errorOrToExpected(MemoryBuffer::getFile(options.weightsPath)));
  ASSERT_EQ(buffer->getBufferSize(), 16u);
  EXPECT_EQ(memcmp(buffer->getBufferStart(), model.weightValues.data(), 16), 0);
}

/// Each way to fail; none leaves a file behind.
/// The headers' endings are longer than ".so": a name that has no room for them is refused
/// as a whole.
TEST(Artifact, NamesAsLongAsTheSystemAllows) {
  TemporaryFolder folder;
  TestModel model;
  EmitOptions options = makeOptions();
  options.outputPath = folder.file(std::string(251, 'n') + ".so");
  EXPECT_EQ(messageOf(emitArtifact(*model.module, model.info, model.weights, options)), "");
  EXPECT_EQ(folder.list().size(), 3u);
  options.outputPath = folder.file(std::string(252, 'm') + ".so");
  std::string message = messageOf(emitArtifact(*model.module, model.info, model.weights, options));
  EXPECT_NE(message.find(".hpp': File name too long"), std::string::npos) << message;
  EXPECT_EQ(folder.list().size(), 3u);
}

TEST(Artifact, FailuresLeaveNoFile) {
  struct Case {
    std::function<void(TestModel &, EmitOptions &)> spoil;
    const char *message;
  };
  const Case cases[] = {
      {[](TestModel &m, EmitOptions &) { m.weights.bytes = 8; },
       "weights exceed their size (found 16 bytes, expected 8)"},
      {[](TestModel &m, EmitOptions &o) {
         m.weights.bytes = uint64_t(4) << 30;
         o.target = makeOptions("aarch64-linux-gnu").target;
         o.weightsPath.clear();
       },
       "the weights take 4294967296 bytes, more than the 4227858432 that can be embedded; put "
       "them into a file of their own with --weights=file"},
      {[](TestModel &m, EmitOptions &) { m.weights.chunks.push_back(m.weights.chunks[0]); },
       "weights overlap (found offset 0, expected at least 16)"},
      {[](TestModel &m, EmitOptions &) {
         m.module = mlir::parseSourceString<mlir::ModuleOp>(
             "llvm.mlir.global internal @counter(0 : i64) : i64", &m.context);
       },
       "mutable global 'counter' in a model, expected none"},
      {[](TestModel &m, EmitOptions &) {
         m.module = mlir::parseSourceString<mlir::ModuleOp>("module {}", &m.context);
       },
       "the module does not define 'onnxc_plan'"},
      {[](TestModel &m, EmitOptions &) {
         m.module = mlir::parseSourceString<mlir::ModuleOp>(
             "llvm.func @onnxc_plan() { llvm.return }\nllvm.func @onnxc_body()", &m.context);
       },
       "the module does not define 'onnxc_body'"},
      {[](TestModel &m, EmitOptions &) {
         m.context.allowUnregisteredDialects();
         m.module = mlir::parseSourceString<mlir::ModuleOp>(
             "llvm.func @onnxc_plan() { \"left.over\"() : () -> () llvm.return }", &m.context);
       },
       "the module cannot be translated to LLVM IR"},
  };
  for (const Case &wrong : cases) {
    TemporaryFolder folder;
    TestModel model;
    EmitOptions options = makeOptions();
    options.outputPath = folder.file("m.so");
    options.weightsPath = folder.file("m.weights");
    wrong.spoil(model, options);
    std::string message =
        messageOf(emitArtifact(*model.module, model.info, model.weights, options));
    EXPECT_TRUE(StringRef(message).starts_with(wrong.message)) << message;
    EXPECT_EQ(folder.list(), std::vector<std::string>()) << wrong.message;
  }
}

TEST(Artifact, UndefinedFunctionIsAnError) {
  TemporaryFolder folder;
  TestModel model;
  std::string text;
  raw_string_ostream stream(text);
  model.module->print(stream);
  size_t body = text.find("llvm.func @scale_add");
  text.insert(body, "llvm.func @sinf(f32) -> f32\n"
                    "llvm.func @unused(%x: f32) -> f32 {\n"
                    "  %y = llvm.call @sinf(%x) : (f32) -> f32\n  llvm.return %y : f32\n}\n");
  size_t plan = text.find("llvm.return", text.find("llvm.func @onnxc_plan"));
  text.insert(plan, "%pi = llvm.load %arg0 : !llvm.ptr -> f32\n"
                    "%sine = llvm.call @unused(%pi) : (f32) -> f32\n"
                    "llvm.store %sine, %arg1 : f32, !llvm.ptr\n");
  model.module = mlir::parseSourceString<mlir::ModuleOp>(text, &model.context);
  ASSERT_TRUE(model.module);
  for (ArtifactKind kind :
       {ArtifactKind::sharedLibrary, ArtifactKind::staticLibrary, ArtifactKind::object}) {
    EmitOptions options = makeOptions();
    options.kind = kind;
    options.outputPath = folder.file("m.out");
    std::string message =
        messageOf(emitArtifact(*model.module, model.info, model.weights, options));
    EXPECT_NE(message.find("undefined symbol: sinf"), std::string::npos) << message;
    EXPECT_EQ(folder.list(), std::vector<std::string>());
  }
}

TEST(Artifact, MissingFolderIsAnError) {
  TemporaryFolder folder;
  TestModel model;
  EmitOptions options = makeOptions();
  options.outputPath = folder.file("none/m.so");
  std::string message = messageOf(emitArtifact(*model.module, model.info, model.weights, options));
  EXPECT_EQ(message, "cannot write '" + options.outputPath + "': No such file or directory");
  EXPECT_EQ(folder.list(), std::vector<std::string>());
}

TEST(Artifact, AFolderIsNotOverwritten) {
  TemporaryFolder folder;
  TestModel model;
  EmitOptions options = makeOptions();
  options.outputPath = folder.file(".");
  for (ArtifactKind kind : {ArtifactKind::sharedLibrary, ArtifactKind::llvmIR}) {
    options.kind = kind;
    EXPECT_EQ(messageOf(emitArtifact(*model.module, model.info, model.weights, options)),
              "cannot write '" + options.outputPath + "': it exists and is no regular file");
  }
}
