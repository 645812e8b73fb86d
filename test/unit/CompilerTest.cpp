//===- CompilerTest.cpp - The compiler as a library ------------------------===//
#include "compiler/Compiler.h"
#include "compiler/import/onnx-ml.pb.h"
#include "gtest/gtest.h"
#include <thread>

using namespace onnxc;

namespace {

/// `op` on a row of `size` floats.
std::string makeModel(const char *op, int64_t size, const char *node = "the_node") {
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(18);
  ::onnx::GraphProto *graph = model.mutable_graph();
  graph->set_name("g");
  for (auto [name, list] :
       {std::pair("x", graph->mutable_input()), std::pair("y", graph->mutable_output())}) {
    ::onnx::ValueInfoProto *value = list->Add();
    value->set_name(name);
    auto *tensor = value->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(::onnx::TensorProto::FLOAT);
    tensor->mutable_shape()->add_dim()->set_dim_value(size);
  }
  ::onnx::NodeProto *added = graph->add_node();
  added->set_op_type(op);
  added->set_name(node);
  added->add_input("x");
  added->add_output("y");
  return model.SerializeAsString();
}

std::string textOf(const CompileResult &result) {
  std::string text;
  for (const Diagnostic &diagnostic : result.diagnostics)
    text += format(diagnostic, "m");
  return text;
}

TEST(Compiler, FromBytesToBytes) {
  std::string model = makeModel("Relu", 4);
  CompileResult result = compile(Model::fromBytes(model), CompileOptions());
  ASSERT_TRUE(result.succeeded) << textOf(result);
  EXPECT_EQ(result.artifact.substr(0, 4), "\x7f"
                                          "ELF");
  EXPECT_NE(result.cHeader.find("model_run"), std::string::npos);
  EXPECT_NE(result.cppHeader.find("namespace model"), std::string::npos);
  EXPECT_TRUE(result.weights.empty());
  EXPECT_NE(result.report.find("kernels: 1\n"), std::string::npos) << result.report;
}

TEST(Compiler, TwiceAndInTwoThreadsIsTheSame) {
  std::string relu = makeModel("Relu", 4), exp = makeModel("Exp", 5);
  CompileOptions options;
  std::string firstRelu = compile(Model::fromBytes(relu), options).artifact;
  std::string firstExp = compile(Model::fromBytes(exp), options).artifact;
  ASSERT_FALSE(firstRelu.empty());
  EXPECT_EQ(compile(Model::fromBytes(relu), options).artifact, firstRelu);
  std::string otherRelu, otherExp;
  std::thread thread([&] { otherExp = compile(Model::fromBytes(exp), options).artifact; });
  otherRelu = compile(Model::fromBytes(relu), options).artifact;
  thread.join();
  EXPECT_EQ(otherRelu, firstRelu);
  EXPECT_EQ(otherExp, firstExp);
}

TEST(Compiler, TextIsBytesToo) {
  std::string model = makeModel("Relu", 4);
  CompileOptions options;
  options.emit = Emit::kernels;
  EXPECT_NE(compile(Model::fromBytes(model), options).artifact.find("rt.launch"),
            std::string::npos);
  options.emit = Emit::assembly;
  EXPECT_NE(compile(Model::fromBytes(model), options).artifact.find("\t.file"), std::string::npos);
}

TEST(Compiler, DiagnosticsAreData) {
  std::string model = makeModel("Sigmod", 4);
  CompileResult result = compile(Model::fromBytes(model), CompileOptions());
  EXPECT_FALSE(result.succeeded);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  const Diagnostic &diagnostic = result.diagnostics.front();
  EXPECT_EQ(diagnostic.severity, Severity::error);
  EXPECT_EQ(diagnostic.kind, "node");
  EXPECT_EQ(diagnostic.name, "the_node");
  EXPECT_EQ(diagnostic.op, "Sigmod");
  EXPECT_FALSE(diagnostic.isInternal);
  EXPECT_EQ(format(diagnostic, "m").rfind("error: m: node 'the_node' (Sigmod): ", 0), 0u);
  EXPECT_TRUE(result.artifact.empty());
}

TEST(Compiler, FaultsOfOptionsAreDiagnostics) {
  std::string model = makeModel("Relu", 4);
  CompileOptions options;
  options.name = "class";
  EXPECT_NE(textOf(compile(Model::fromBytes(model), options)).find("choose another name"),
            std::string::npos);
  options = CompileOptions();
  options.triple = "mips-linux-gnu";
  EXPECT_NE(textOf(compile(Model::fromBytes(model), options)).find("unsupported target"),
            std::string::npos);
  EXPECT_NE(textOf(compile(Model::fromBytes("no model"), CompileOptions())).find("not an ONNX"),
            std::string::npos);
  EXPECT_NE(textOf(compile(Model::fromFile("/nowhere.onnx"), CompileOptions())).find("No such"),
            std::string::npos);
}

TEST(Compiler, AnInternalFaultSaysSo) {
  Diagnostic diagnostic;
  diagnostic.kind = "node";
  diagnostic.name = "n";
  diagnostic.op = "Relu";
  diagnostic.reason = "'linalg.generic' op is wrong";
  diagnostic.isInternal = true;
  EXPECT_EQ(format(diagnostic, "m.onnx"),
            "error: m.onnx: node 'n' (Relu): this is a bug of onnxc, please report it with the "
            "model: 'linalg.generic' op is wrong\n");
}

TEST(Compiler, ProgressAndTimingsNameTheStages) {
  std::string model = makeModel("Relu", 4);
  std::vector<std::string> seen;
  size_t counted = 0;
  CompileResult result =
      compile(Model::fromBytes(model), CompileOptions(), [&](const Progress &progress) {
        if (seen.empty() || seen.back() != progress.stage)
          seen.emplace_back(progress.stage);
        if (progress.total)
          counted = std::max(counted, progress.done);
        EXPECT_LE(progress.done, std::max<size_t>(progress.total, progress.done));
      });
  ASSERT_TRUE(result.succeeded);
  EXPECT_EQ(seen.front(), "import");
  EXPECT_EQ(seen.back(), "link");
  EXPECT_GT(counted, 0u);
  std::vector<std::string> timed;
  for (const Timing &timing : result.timings)
    if (timing.depth == 0)
      timed.push_back(timing.name);
  EXPECT_EQ(timed, seen);
}

} // namespace
