//===- HeaderTest.cpp - Generated headers in host programs -----------------===//
#include "codegen/Header.h"
#include "Models.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace onnxc;
using namespace onnxc::test;

namespace {
struct Host {
  const char *name, *triple, *emulator, *sysroot;
};

/// Compiles programs/ against emitted static libraries and runs them.
class Program : public ::testing::TestWithParam<Host> {
protected:
  void SetUp() override {
    std::string folder = GetParam().sysroot;
    if (!folder.empty() &&
        (!sys::fs::exists(folder + "/include/c++") || !sys::findProgramByName(GetParam().emulator)))
      GTEST_SKIP() << "no C++ library or emulator for " << GetParam().name;
  }
  void emit(TestModel &model, StringRef name, StringRef weights = "") {
    EmitOptions options = makeOptions(GetParam().triple);
    if (!weights.empty())
      options.weightsPath = folder.file(weights);
    options.kind = ArtifactKind::staticLibrary;
    options.outputPath = folder.file((name + ".a").str());
    ASSERT_EQ(messageOf(emitArtifact(*model.module, model.info, model.weights, options)), "");
  }
  int execute(std::vector<std::string> arguments) {
    std::string program = *sys::findProgramByName(arguments[0]);
    std::vector<StringRef> views(arguments.begin(), arguments.end());
    return sys::ExecuteAndWait(program, views, std::nullopt, {}, 300);
  }
  /// The program's exit code.
  int buildAndRun(StringRef source, std::vector<std::string> arguments) {
    bool isCpp = source.ends_with(".cpp");
    std::vector<std::string> command = {ONNXC_CLANG,
                                        isCpp ? "-std=c++17" : "-std=c11",
                                        "-Wall",
                                        "-Wextra",
                                        "-Wshadow-all",
                                        "-Werror",
                                        "-pedantic",
                                        "-O1",
                                        "-I" + folder.file(""),
                                        (ONNXC_PROGRAMS "/" + source).str(),
                                        "-o",
                                        folder.file("program"),
                                        "-fuse-ld=lld",
                                        "-pthread"};
    if (isCpp)
      command.push_back("--driver-mode=g++");
    if (*GetParam().triple)
      command.push_back(std::string("--target=") + GetParam().triple);
    for (const std::string &argument : arguments)
      command.push_back(argument);
    if (int code = execute(command))
      return 1000 + code;
    std::vector<std::string> run = {folder.file("program")};
    if (*GetParam().emulator)
      run = {GetParam().emulator, "-L", GetParam().sysroot, folder.file("program")};
    return execute(run);
  }
  TemporaryFolder folder;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Headers, Program,
                         ::testing::Values(Host{"here", "", "", ""},
                                           Host{"aarch64", "aarch64-linux-gnu", "qemu-aarch64",
                                                "/usr/aarch64-linux-gnu"}),
                         [](const auto &info) { return std::string(info.param.name); });

TEST_P(Program, TwoModelsInC) {
  TestModel first("first"), second("second");
  emit(first, "first");
  emit(second, "second");
  EXPECT_EQ(buildAndRun("two_models.c", {folder.file("first.a"), folder.file("second.a")}), 0);
}

TEST_P(Program, WrapperInCpp) {
  TestModel first("first"), dynamic;
  emit(first, "first");
  emit(dynamic, "scale_add");
  EXPECT_EQ(buildAndRun("wrapper.cpp", {folder.file("first.a"), folder.file("scale_add.a")}), 0);
}

TEST_P(Program, WrapperWithTheHostsThreadsAndWeights) {
  TestModel model("aside");
  emit(model, "aside", "aside.weights");
  EXPECT_EQ(buildAndRun("host_hooks.cpp", {folder.file("aside.a"),
                                           "-DWEIGHTS=\"" + folder.file("aside.weights") + "\""}),
            0);
}

/// Names that meet each other, the headers' own names or C's comments.
TEST_P(Program, HeadersOfAwkwardNamesCompile) {
  TestModel model("first");
  DimInfo two{2, -1, false, "2"}, found{-1, -1, true, "/*?hits*/"};
  for (const char *name : {"dims_x", "views", "X", "x", "x_4", "/*", "*/\\", "class", "call"}) {
    model.info.inputs.push_back({name, ONNXC_BOOL, ONNXC_TENSOR, {two}, true});
    model.info.outputs.push_back({name, ONNXC_FLOAT16, ONNXC_TENSOR, {two}, true});
  }
  emit(model, "first");
  EXPECT_EQ(buildAndRun("awkward_names.cpp", {folder.file("first.a")}), 0);
  EXPECT_EQ(buildAndRun("awkward_names.c", {folder.file("first.a")}), 0);
  // The same without the function on plain pointers.
  model.info.outputs.push_back({"hits", ONNXC_INT64, ONNXC_TENSOR, {two, found}, true});
  emit(model, "first");
  EXPECT_EQ(buildAndRun("awkward_names.cpp", {folder.file("first.a")}), 0);
  EXPECT_EQ(buildAndRun("awkward_names.c", {folder.file("first.a")}), 0);
}

TEST(Helpers, ArmRuntimeAbi) {
  if (!sys::findProgramByName("qemu-arm"))
    GTEST_SKIP() << "no qemu-arm";
  TemporaryFolder folder;
  std::string program = folder.file("program");
  auto execute = [](std::vector<StringRef> arguments) {
    return sys::ExecuteAndWait(*sys::findProgramByName(arguments[0]), arguments, std::nullopt, {},
                               60);
  };
  // Cortex-A9 has no division.
  ASSERT_EQ(execute({ONNXC_CLANG, "--target=armv7-linux-gnueabihf", "-mcpu=cortex-a9", "-O1",
                     "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-fuse-ld=lld",
                     ONNXC_PROGRAMS "/aeabi.c", ONNXC_HELPERS "/aeabi.c", "-o", program}),
            0);
  EXPECT_EQ(execute({"qemu-arm", program}), 0);
}

TEST(Header, NamesBecomeIdentifiersOnce) {
  ModelInfo info;
  info.name = "3 models/ü";
  EXPECT_EQ(info.symbolPrefix(), "_3_models___");
  for (const char *name : {"a.b", "a:b", "7", "", "say \"hi\"\\ */"})
    info.inputs.push_back({name, ONNXC_INT4, ONNXC_TENSOR, {{5, -1, false, "5"}}, true});
  info.outputs.push_back({"s", ONNXC_STRING, ONNXC_SEQUENCE, {}, false});
  std::string text = buildCHeader(info);
  for (const char *line :
       {"#define _3_MODELS____INPUT_A_B_NAME \"a.b\"",
        "#define _3_MODELS____INPUT_A_B_1_NAME \"a:b\"", "#define _3_MODELS____INPUT__7_NAME \"7\"",
        "#define _3_MODELS____INPUT___NAME \"\"", "_NAME \"say \\042hi\\042\\134 */\"",
        "#define _3_MODELS____INPUT_A_B_BYTES INT64_C(3)", "#define _3_MODELS____OUTPUT_S_RANK -1"})
    EXPECT_NE(text.find(line), std::string::npos) << line;
  EXPECT_EQ(text.find("_infer("), std::string::npos);
}

TEST(Header, SaysWhichOutputsTheAllocatorGives) {
  ModelInfo info;
  info.name = "finder";
  DimInfo found{-1, -1, true, "?hits"};
  info.outputs.push_back({"fixed", ONNXC_FLOAT, ONNXC_TENSOR, {{5, -1, false, "5"}}, true});
  EXPECT_EQ(buildCHeader(info).find("Sizes depend on the data"), std::string::npos);
  info.outputs.push_back({"places", ONNXC_INT64, ONNXC_TENSOR, {found}, true});
  EXPECT_NE(buildCHeader(info).find("of the outputs\n * \"places\" */"), std::string::npos);
  EXPECT_NE(buildCppHeader(info, "finder.h").find("///   out_places: INT64 [?hits]"),
            std::string::npos);
}

TEST(Header, SaysWhyThereIsNoRun) {
  ModelInfo info;
  info.name = "lists";
  info.outputs.push_back({"s", ONNXC_FLOAT, ONNXC_SEQUENCE, {}, false});
  std::string text = buildCppHeader(info, "lists.h");
  EXPECT_EQ(text.find("onnxc_status run("), std::string::npos);
  EXPECT_NE(text.find("// No run(): "), std::string::npos);
}

TEST(Header, TheIdFollowsFileAndSignature) {
  ModelInfo info;
  info.name = "m";
  info.modelSha256 = std::string(64, 'a');
  DimInfo n{-1, 0, false, "n"};
  info.symbols = {{"n", 1, 64}};
  info.inputs.push_back({"x", ONNXC_FLOAT, ONNXC_TENSOR, {n}, true});
  std::set<std::string> ids = {info.id()};
  EXPECT_EQ(info.id().size(), 16u);
  auto differs = [&](auto change) {
    ModelInfo other = info;
    change(other);
    EXPECT_TRUE(ids.insert(other.id()).second);
  };
  differs([](ModelInfo &other) { other.modelSha256[63] = 'b'; });
  differs([](ModelInfo &other) { other.inputs[0].name = "y"; });
  differs([](ModelInfo &other) { other.inputs[0].dtype = ONNXC_DOUBLE; });
  differs([](ModelInfo &other) { other.inputs[0].dims.clear(); });
  differs([](ModelInfo &other) { other.inputs[0].dims[0] = {3, -1, false, "3"}; });
  differs([](ModelInfo &other) { other.symbols[0].max = 63; });
  differs([](ModelInfo &other) { std::swap(other.inputs, other.outputs); });
  // What one header serves.
  ModelInfo other = info;
  other.compilerOptions = "--mcpu=cortex-a72";
  other.compilerVersion = "9";
  EXPECT_EQ(other.id(), info.id());
}

TEST(Header, PrefixesThatNoNamespaceCanHave) {
  for (const char *name :
       {"class", "int",      "and",    "std",           "onnxc",     "onnxc_rt", "time",  "main",
        "NULL",  "EOF",      "size_t", "uint8_t",       "INT64_MAX", "ONNXC_OK", "OnnxC", "ONNXC",
        "errno", "restrict", "typeof", "char8_t",       "co_await",  "requires", "_Bool", "__x",
        "_Exit", "stat",     "linux",  "pthread_mutex", "sem",       "import"})
    EXPECT_TRUE(isReservedPrefix(name)) << name;
  for (const char *name : {"model", "Class", "onnxcat", "resnet50", "_3_models", "net", "encoder",
                           "bert", "gpt2", "MobileNet", "yolo", "Null", "int8"})
    EXPECT_FALSE(isReservedPrefix(name)) << name;
}
