//===- RunnerTest.cpp - onnxc-run on a small model -------------------------===//
#include "Models.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace onnxc;
using namespace onnxc::test;

namespace {
struct Result {
  int code;
  std::string output; ///< both streams
};

class Runner : public ::testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    EmitOptions options = makeOptions();
    options.outputPath = library = folder.file("m.so");
    if (GetParam())
      options.weightsPath = folder.file("m.weights");
    ASSERT_EQ(messageOf(emitArtifact(*model.module, model.info, model.weights, options)), "");
  }
  Result run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {ONNXC_RUN, library});
    std::vector<StringRef> views(arguments.begin(), arguments.end());
    std::string log = folder.file("log");
    std::optional<StringRef> redirects[] = {StringRef(), StringRef(log), StringRef(log)};
    int code = sys::ExecuteAndWait(ONNXC_RUN, views, std::nullopt, redirects, 60);
    return {code, (*MemoryBuffer::getFile(log))->getBuffer().str()};
  }
  TemporaryFolder folder;
  TestModel model;
  std::string library;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Weights, Runner, ::testing::Bool(),
                         [](const auto &info) { return info.param ? "SideFile" : "Inside"; });

TEST_P(Runner, PrintsTheSignature) {
  Result result = run({"--info"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.output.find("input 0 \"x\": float32[batch, 4]"), std::string::npos)
      << result.output;
}

TEST_P(Runner, ComparesWithExpectedOutputs) {
  std::string x = folder.file("x.npy"), y = folder.file("y.npy");
  ASSERT_EQ(run({"--dim", "batch=5", "--output=@" + y}).code, 0);
  EXPECT_EQ(run({"--dim", "batch=5", "--expected=@" + y}).code, 0);
  EXPECT_EQ(run({"--dim=batch=5", "--expected=y=@" + y, "--threads", "3"}).code, 0);
  EXPECT_EQ(run({"--dim=batch=5", "--expected=y=@" + y, "--hook=serial"}).code, 0);
  Result shape = run({"--dim=batch=6", "--expected=@" + y});
  EXPECT_EQ(shape.code, 1);
  EXPECT_NE(
      shape.output.find("output \"y\": type differs (found float32[6, 4], expected float32[5, 4])"),
      std::string::npos)
      << shape.output;
  Result values = run({"--dim=batch=5", "--seed=9", "--expected=@" + y});
  EXPECT_EQ(values.code, 1);
  EXPECT_NE(values.output.find("of 20 elements differ, first at [0, 0] (found "), std::string::npos)
      << values.output;
  // An output as an input: read back from a file.
  EXPECT_EQ(run({"--input=@" + y, "--output=@" + x}).code, 0);
  EXPECT_EQ(run({"--input=x=@" + y, "--expected=@" + x, "--rtol=0", "--atol=0"}).code, 0);
}

TEST_P(Runner, ReadsADataSet) {
  // TensorProto: dims 1, 4; type float; raw data 1, 2, 3, 4.
  std::string tensor("\x08\x01\x08\x04\x10\x01\x4a\x10", 8);
  auto write = [&](StringRef name, std::vector<float> values) {
    std::error_code code;
    raw_fd_ostream(folder.file(name), code)
        << tensor << StringRef(reinterpret_cast<char *>(values.data()), 16);
  };
  write("input_0.pb", {1, 2, 3, 4});
  write("output_0.pb", {2, 5, 10, 17});
  EXPECT_EQ(run({folder.file(".")}).code, 0);
  write("output_0.pb", {2, 5, 11, 17});
  Result result = run({folder.file(".")});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.output.find("1 of 4 elements differ, first at [0, 2] (found 10, expected 11), "
                               "maximum error 1 at [0, 2] (found 10, expected 11)"),
            std::string::npos)
      << result.output;
}

TEST_P(Runner, ConcurrentCallsAgree) {
  EXPECT_EQ(run({"--concurrent=4", "--threads=2", "--dim=batch=40"}).code, 0);
}

TEST_P(Runner, Measures) {
  Result result = run({"--bench", "--iterations=20", "--json"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.output.find("\"runs\": 20, \"min_ms\": "), std::string::npos) << result.output;
}

TEST_P(Runner, WritesAProfile) {
  std::string path = folder.file("trace.json");
  EXPECT_EQ(run({"--profile=" + path}).code, 0);
  EXPECT_NE((*MemoryBuffer::getFile(path))->getBuffer().find("\"traceEvents\""), StringRef::npos);
}

TEST_P(Runner, ErrorsEndWithTwo) {
  auto expect = [&](std::vector<std::string> arguments, StringRef message) {
    Result result = run(arguments);
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.output.find(message), std::string::npos) << result.output;
  };
  expect({"--frobnicate=1"}, "unknown option '--frobnicate'");
  expect({"--dim=time=3"}, "the model has no dim 'time'");
  expect({"--dim=batch"}, "expected NAME=SIZE, found 'batch'");
  expect({"--threads=0"}, "expected a number of at least 1, found '0'");
  expect({"--input=x.npy"}, "expected [NAME=]@FILE, found 'x.npy'");
  expect({"--input=@/none.npy"}, "cannot read '/none.npy'");
  expect({"--input=z=@/none.npy"}, "the model has no input 'z', only 'x'");
  expect({"--dim=batch=13"}, "status 6: node \"Mul_1\": unlucky batch (found 13, expected 12)");
  expect({"--dim=batch=99"}, "status 3: input \"x\": size above the maximum of dim 0");
}
