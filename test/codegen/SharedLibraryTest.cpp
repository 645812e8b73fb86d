//===- SharedLibraryTest.cpp - Models as shared libraries, called ----------===//
#include "Models.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"
#include <dlfcn.h>
#include <thread>

using namespace onnxc;
using namespace onnxc::test;

namespace {
/// A loaded model and one call of it.
struct Session {
  explicit Session(const std::string &path, const char *symbol) {
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(library, nullptr) << dlerror();
    if (library)
      model = static_cast<const onnxc_model *>(dlsym(library, symbol));
  }
  ~Session() {
    if (library)
      dlclose(library);
  }
  void *library = nullptr;
  const onnxc_model *model = nullptr;
};

struct Inference {
  explicit Inference(int64_t batch) : x(batch * 4), y(batch * 4), inDims{batch, 4} {
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = 0.5f * static_cast<float>(i);
    input = {x.data(), inDims, x.size() * 4, 2, ONNXC_FLOAT, ONNXC_TENSOR, 0};
    output = {y.data(), outDims, y.size() * 4, 2, ONNXC_FLOAT, ONNXC_TENSOR, 0};
    call.abi_version = ONNXC_ABI_VERSION;
    call.num_inputs = call.num_outputs = 1;
    call.inputs = &input;
    call.outputs = &output;
    call.workspace = workspace;
    call.workspace_bytes = sizeof workspace;
    call.message = message;
    call.message_bytes = sizeof message;
  }
  bool isRight() const {
    for (size_t i = 0; i < x.size(); ++i)
      if (y[i] != x[i] * static_cast<float>(i % 4 + 1) + 1)
        return false;
    return true;
  }
  std::vector<float> x, y;
  int64_t inDims[2], outDims[2] = {0, 0};
  onnxc_view input, output;
  onnxc_call call = {};
  alignas(ONNXC_ALIGNMENT) char workspace[2048];
  char message[256] = {};
};

class SharedLibrary : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    folder = new TemporaryFolder;
    EmitOptions options = makeOptions("", "native");
    options.outputPath = folder->file("scale.so");
    emitError = messageOf(
        emitArtifact(*testModel().module, testModel().info, testModel().weights, options));
    ASSERT_EQ(emitError, "");
    session = new Session(options.outputPath, "scale_add_model");
  }
  static void TearDownTestSuite() {
    delete session;
    delete folder;
  }
  static TestModel &testModel() {
    static TestModel model;
    return model;
  }
  void SetUp() override {
    ASSERT_EQ(emitError, "");
    ASSERT_TRUE(session && session->model);
    model = session->model;
  }
  static TemporaryFolder *folder;
  static Session *session;
  static std::string emitError;
  const onnxc_model *model;
};
TemporaryFolder *SharedLibrary::folder;
Session *SharedLibrary::session;
std::string SharedLibrary::emitError;
} // namespace

TEST_F(SharedLibrary, DescriptorSaysWhatModelInfoSaid) {
  EXPECT_EQ(model->abi_version, unsigned(ONNXC_ABI_VERSION));
  EXPECT_STREQ(model->name, "scale-add");
  ASSERT_EQ(model->num_inputs, 1);
  EXPECT_STREQ(model->inputs[0].name, "x");
  EXPECT_EQ(model->inputs[0].rank, 2);
  EXPECT_EQ(model->inputs[0].dtype, ONNXC_FLOAT);
  EXPECT_EQ(model->inputs[0].dims[0].size, -1);
  EXPECT_EQ(model->inputs[0].dims[0].symbol, 0);
  EXPECT_STREQ(model->inputs[0].dims[0].text, "batch");
  EXPECT_EQ(model->inputs[0].dims[1].size, 4);
  ASSERT_EQ(model->num_symbols, 1);
  EXPECT_EQ(model->symbols[0].max, 64);
  EXPECT_EQ(model->weights_bytes, 16u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(model->weights) % ONNXC_ALIGNMENT, 0u);
  EXPECT_EQ(strlen(model->weights_sha256), 64u);
  EXPECT_EQ(model->weights_file, nullptr);
  EXPECT_EQ(model->opset, 21);
  EXPECT_STREQ(model->compiler_options, "--mcpu=\"x\" */");
}

TEST_F(SharedLibrary, PlanGivesSizes) {
  Inference run(5);
  run.call.workspace_bytes = 0;
  ASSERT_EQ(model->plan(&run.call), ONNXC_OK) << run.message;
  EXPECT_EQ(run.call.workspace_bytes, 80u);
  EXPECT_EQ(run.outDims[0], 5);
  EXPECT_EQ(run.outDims[1], 4);
  EXPECT_EQ(run.output.bytes, 80u);
}

TEST_F(SharedLibrary, RunsSeriallyAndInThePool) {
  Inference serial(33);
  ASSERT_EQ(model->run(&serial.call), ONNXC_OK) << serial.message;
  EXPECT_TRUE(serial.isRight());
  EXPECT_EQ(serial.outDims[0], 33);
  for (int threads : {1, 2, 3}) {
    std::vector<char> memory(model->pool->bytes(threads) + ONNXC_ALIGNMENT);
    void *aligned = reinterpret_cast<void *>(
        (reinterpret_cast<uintptr_t>(memory.data()) + ONNXC_ALIGNMENT - 1) &
        ~uintptr_t(ONNXC_ALIGNMENT - 1));
    onnxc_threads hooks;
    ASSERT_EQ(model->pool->create(aligned, model->pool->bytes(threads), threads, &hooks), ONNXC_OK);
    Inference run(33);
    run.call.threads = &hooks;
    ASSERT_EQ(model->run(&run.call), ONNXC_OK) << run.message;
    EXPECT_EQ(run.y, serial.y);
    model->pool->destroy(&hooks);
  }
}

TEST_F(SharedLibrary, InstanceIsChecked) {
  alignas(ONNXC_ALIGNMENT) char instance[ONNXC_ALIGNMENT] = {};
  Inference run(2);
  run.call.instance = instance;
  EXPECT_EQ(model->run(&run.call), ONNXC_INVALID_ARGUMENT);
  ASSERT_EQ(model->init(instance, sizeof instance, nullptr, 0), ONNXC_OK);
  EXPECT_EQ(model->run(&run.call), ONNXC_OK);
  EXPECT_TRUE(run.isRight());
  model->fini(instance);
  EXPECT_EQ(model->run(&run.call), ONNXC_INVALID_ARGUMENT);
}

/// Each way of calling wrongly, its status and its message.
TEST_F(SharedLibrary, WrongCallsGetAStatusAndAMessage) {
  struct Case {
    void (*spoil)(Inference &);
    onnxc_status status;
    const char *message;
  };
  static int64_t negative[] = {-2, 4}, narrow[] = {5, 3}, none[] = {0, 4}, many[] = {65, 4};
  const Case cases[] = {
      {[](Inference &r) { r.call.abi_version = 99; }, ONNXC_ABI_MISMATCH, ""},
      {[](Inference &r) { r.call.num_inputs = 2; }, ONNXC_INVALID_ARGUMENT,
       "wrong number of inputs (found 2, expected 1)"},
      {[](Inference &r) { r.call.num_outputs = 0; }, ONNXC_INVALID_ARGUMENT,
       "wrong number of outputs (found 0, expected 1)"},
      {[](Inference &r) { r.call.inputs = nullptr; }, ONNXC_INVALID_ARGUMENT,
       "inputs or outputs are NULL (found 0, expected 2)"},
      {[](Inference &r) { r.input.kind = ONNXC_SEQUENCE; }, ONNXC_INVALID_ARGUMENT,
       "input \"x\": kind of value differs (found 1, expected 0)"},
      {[](Inference &r) { r.input.dtype = ONNXC_DOUBLE; }, ONNXC_TYPE_MISMATCH,
       "input \"x\": element type differs (found 11, expected 1)"},
      {[](Inference &r) { r.input.rank = 3; }, ONNXC_SHAPE_MISMATCH,
       "input \"x\": rank differs (found 3, expected 2)"},
      {[](Inference &r) { r.input.dims = nullptr; }, ONNXC_INVALID_ARGUMENT,
       "input \"x\": dims are NULL (found 0, expected 2)"},
      {[](Inference &r) { r.input.dims = negative; }, ONNXC_SHAPE_MISMATCH,
       "input \"x\": negative size of dim 0 'batch' (found -2, expected at least 1)"},
      {[](Inference &r) { r.input.dims = narrow; }, ONNXC_SHAPE_MISMATCH,
       "input \"x\": size of dim 1 (found 3, expected 4)"},
      {[](Inference &r) { r.input.dims = none; }, ONNXC_SHAPE_MISMATCH,
       "input \"x\": size below the minimum of dim 0 'batch' (found 0, expected at least 1)"},
      {[](Inference &r) { r.input.dims = many; }, ONNXC_SHAPE_MISMATCH,
       "input \"x\": size above the maximum of dim 0 'batch' (found 65, expected at most 64)"},
      {[](Inference &r) { r.input.bytes = 79; }, ONNXC_BUFFER_TOO_SMALL,
       "input \"x\": too few bytes (found 79, expected 80)"},
      {[](Inference &r) { r.input.data = nullptr; }, ONNXC_INVALID_ARGUMENT,
       "input \"x\": data is NULL (found 0, expected 80)"},
      {[](Inference &r) { r.input.data = reinterpret_cast<char *>(r.x.data()) + 1; },
       ONNXC_MISALIGNED, "input \"x\": alignment of the data (found 1, expected 4)"},
      {[](Inference &r) { r.output.bytes = 4; }, ONNXC_BUFFER_TOO_SMALL,
       "output \"y\": too few bytes (found 4, expected 80)"},
      {[](Inference &r) { r.call.workspace_bytes = 64; }, ONNXC_BUFFER_TOO_SMALL,
       "workspace is too small (found 64, expected 80)"},
      {[](Inference &r) { r.call.workspace = nullptr; }, ONNXC_INVALID_ARGUMENT,
       "workspace is NULL (found 0, expected 80)"},
      {[](Inference &r) { r.call.workspace = r.workspace + 4; }, ONNXC_MISALIGNED,
       "alignment of the workspace (found 4, expected 64)"},
  };
  for (const Case &wrong : cases) {
    Inference run(5);
    wrong.spoil(run);
    EXPECT_EQ(model->run(&run.call), wrong.status) << wrong.message;
    EXPECT_STREQ(run.message, wrong.message);
  }
  EXPECT_EQ(model->run(nullptr), ONNXC_INVALID_ARGUMENT);
}

TEST_F(SharedLibrary, ModelsErrorsReachTheCaller) {
  Inference run(13);
  EXPECT_EQ(model->run(&run.call), ONNXC_OUT_OF_RANGE);
  EXPECT_STREQ(run.message, "node \"Mul_1\": unlucky batch (found 13, expected 12)");
  Inference cut(13);
  cut.call.message_bytes = 8;
  EXPECT_EQ(model->run(&cut.call), ONNXC_OUT_OF_RANGE);
  EXPECT_STREQ(cut.message, "node \"M");
  Inference silent(13);
  silent.call.message = nullptr;
  EXPECT_EQ(model->run(&silent.call), ONNXC_OUT_OF_RANGE);
}

TEST_F(SharedLibrary, AllocatorHookIsUsed) {
  Inference none(14);
  EXPECT_EQ(model->run(&none.call), ONNXC_OUT_OF_MEMORY);
  static size_t asked;
  asked = 0;
  onnxc_allocator allocator = {};
  allocator.allocate = [](void *, size_t bytes, size_t alignment) -> void * {
    asked = bytes;
    return aligned_alloc(alignment, alignment);
  };
  Inference run(14);
  run.call.allocator = &allocator;
  EXPECT_EQ(model->run(&run.call), ONNXC_OK);
  EXPECT_EQ(asked, 14u);
  allocator.allocate = [](void *, size_t, size_t) -> void * { return nullptr; };
  EXPECT_EQ(model->run(&run.call), ONNXC_OUT_OF_MEMORY);
}

TEST_F(SharedLibrary, ManyThreadsCallOneModelWithOnePool) {
  std::vector<char> memory(model->pool->bytes(3) + ONNXC_ALIGNMENT);
  void *aligned =
      reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(memory.data()) + ONNXC_ALIGNMENT - 1) &
                               ~uintptr_t(ONNXC_ALIGNMENT - 1));
  onnxc_threads hooks;
  ASSERT_EQ(model->pool->create(aligned, model->pool->bytes(3), 3, &hooks), ONNXC_OK);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        Inference run(1 + (t * 7 + i) % 12);
        run.call.threads = &hooks;
        if (model->run(&run.call) != ONNXC_OK || !run.isRight())
          ++wrong;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  model->pool->destroy(&hooks);
}

TEST(CpuCheck, MissingFeatureIsAStatus) {
  if (llvm::sys::getHostCPUFeatures()["avx512fp16"])
    GTEST_SKIP() << "this CPU has every feature that the test asks for";
  TemporaryFolder folder;
  TestModel testModel;
  EmitOptions options = makeOptions("x86_64-linux-gnu", "", "+avx512fp16");
  options.outputPath = folder.file("m.so");
  ASSERT_EQ(messageOf(emitArtifact(*testModel.module, testModel.info, testModel.weights, options)),
            "");
  Session session(options.outputPath, "scale_add_model");
  ASSERT_TRUE(session.model);
  Inference run(2);
  EXPECT_EQ(session.model->run(&run.call), ONNXC_UNSUPPORTED_CPU);
  std::string message = run.message;
  EXPECT_EQ(message.find("this CPU lacks what the model was built for: "), 0u) << message;
  EXPECT_NE(message.find("avx512fp16"), std::string::npos) << message;
  alignas(ONNXC_ALIGNMENT) char instance[ONNXC_ALIGNMENT];
  EXPECT_EQ(session.model->init(instance, sizeof instance, run.message, sizeof run.message),
            ONNXC_UNSUPPORTED_CPU);
}
