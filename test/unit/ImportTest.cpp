//===- ImportTest.cpp - Import of models made in memory --------------------===//
#include "compiler/import/Importer.h"
#include "compiler/import/OpsetUpgrade.h"
#include "dialects/onnx/OnnxOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;
using ::onnx::ValueInfoProto;

namespace {

class Import : public ::testing::Test {
protected:
  Import() {
    model.set_ir_version(8);
    setOpset(18);
    graph = model.mutable_graph();
    handler.emplace(&context, [this](mlir::Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
      return mlir::success();
    });
  }

  void setOpset(int64_t version) {
    model.clear_opset_import();
    model.add_opset_import()->set_version(version);
  }
  void input(const char *name, std::vector<std::string> dims, int type = TensorProto::FLOAT) {
    ValueInfoProto *info = graph->add_input();
    info->set_name(name);
    auto *tensor = info->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    tensor->mutable_shape();
    for (const std::string &dim : dims) {
      auto *added = tensor->mutable_shape()->add_dim();
      if (isdigit(dim[0]))
        added->set_dim_value(std::stoll(dim));
      else
        added->set_dim_param(dim);
    }
  }
  NodeProto *node(const char *op, std::vector<std::string> inputs,
                  std::vector<std::string> outputs) {
    NodeProto *added = graph->add_node();
    added->set_op_type(op);
    added->set_name(std::string("the_") + op);
    for (const std::string &name : inputs)
      added->add_input(name);
    for (const std::string &name : outputs)
      added->add_output(name);
    return added;
  }
  void output(const char *name) { graph->add_output()->set_name(name); }
  TensorProto *initializer(const char *name, std::vector<int64_t> dims,
                           int type = TensorProto::FLOAT) {
    TensorProto *tensor = graph->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    for (int64_t dim : dims)
      tensor->add_dims(dim);
    return tensor;
  }

  /// Imports the model; null when that fails.
  mlir::func::FuncOp import() {
    module = onnxc::importModel(onnxc::OnnxFile::create(model), &context, options);
    return module ? module->lookupSymbol<mlir::func::FuncOp>("main") : nullptr;
  }
  std::string resultType() {
    mlir::func::FuncOp main = import();
    if (!main)
      return errors;
    std::string text;
    llvm::raw_string_ostream(text) << main.getResultTypes()[0];
    return text;
  }
  void expectError(const std::string &part) {
    EXPECT_FALSE(import());
    EXPECT_NE(errors.find(part), std::string::npos) << errors;
  }

  mlir::MLIRContext context;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
  std::string errors;
  ModelProto model;
  GraphProto *graph;
  onnxc::ImportOptions options;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(Import, KeepsSymbolsOfInputs) {
  input("x", {"batch", "3"});
  node("Exp", {"x"}, {"y"});
  output("y");
  EXPECT_EQ(resultType(), "tensor<?x3xf32, #onnx.shape<[\"batch\", 3]>>");
}

TEST_F(Import, FixesDims) {
  input("x", {"batch size", "3"});
  node("Exp", {"x"}, {"y"});
  output("y");
  options.dims["batch size"] = 7;
  EXPECT_EQ(resultType(), "tensor<7x3xf32>");
}

TEST_F(Import, RefusesUnknownDims) {
  input("x", {"batch"});
  node("Exp", {"x"}, {"y"});
  output("y");
  options.dims["bach"] = 7;
  expectError("no input has a dim 'bach'; the model's dims are: 'batch'");
}

TEST_F(Import, ExpressionOfAnInputIsCheckedAtRunTime) {
  input("a", {"past"});
  input("b", {"past + 1"});
  node("Exp", {"b"}, {"y"});
  output("y");
  EXPECT_EQ(resultType(), "tensor<?xf32, #onnx.shape<[\"past+1\"]>>");
  mlir::func::FuncOp main = module->lookupSymbol<mlir::func::FuncOp>("main");
  EXPECT_EQ(llvm::range_size(main.getOps<onnxc::onnx::RefineOp>()), 1);
}

TEST_F(Import, SortsNodes) {
  input("x", {"2"});
  node("Exp", {"t"}, {"y"});
  node("Sqrt", {"x"}, {"t"});
  output("y");
  EXPECT_EQ(resultType(), "tensor<2xf32>");
}

TEST_F(Import, RefusesCycles) {
  node("Exp", {"t"}, {"y"});
  node("Sqrt", {"y"}, {"t"});
  output("y");
  expectError("is on a cycle");
}

TEST_F(Import, ReportsAllFaultsAtOnce) {
  input("x", {"2"});
  node("Foo", {"x"}, {"a"});
  node("Bar", {"a"}, {"b"});
  NodeProto *exp = node("Exp", {"x"}, {"y"});
  exp->add_attribute()->set_name("alpha");
  output("y");
  expectError("operator 'Foo' (ai.onnx 18) is not supported");
  EXPECT_NE(errors.find("operator 'Bar'"), std::string::npos);
  EXPECT_NE(errors.find("unknown attribute 'alpha'"), std::string::npos);
}

TEST_F(Import, RefusesOperatorsNewerThanTheOpset) {
  input("x", {"2"});
  node("Gelu", {"x"}, {"y"});
  output("y");
  expectError("operator 'Gelu' exists from opset 20 on, the model imports opset 18");
}

TEST_F(Import, UpgradesAxesToAnInput) {
  setOpset(11);
  input("x", {"2", "1", "n"});
  auto *axes = node("Squeeze", {"x"}, {"y"})->add_attribute();
  axes->set_name("axes");
  axes->set_type(::onnx::AttributeProto::INTS);
  axes->add_ints(1);
  output("y");
  EXPECT_EQ(resultType(), "tensor<2x?xf32, #onnx.shape<[2, \"n\"]>>");
}

TEST_F(Import, UpgradesBroadcastAxis) {
  setOpset(6);
  input("x", {"2", "3", "4"});
  input("b", {"3"});
  NodeProto *add = node("Add", {"x", "b"}, {"y"});
  for (auto [name, value] : {std::pair("axis", 1), std::pair("broadcast", 1)}) {
    auto *attribute = add->add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::INT);
    attribute->set_i(value);
  }
  output("y");
  EXPECT_EQ(resultType(), "tensor<2x3x4xf32>");
}

TEST_F(Import, RefusesDataThatDoesNotFitTheDims) {
  initializer("w", {4, 4})->add_float_data(1);
  node("Exp", {"w"}, {"y"});
  output("y");
  expectError("has 4 bytes of data, its dims say 64");
}

TEST_F(Import, RefusesDimsThatOverflow) {
  initializer("w", {int64_t(1) << 40, int64_t(1) << 40});
  node("Exp", {"w"}, {"y"});
  output("y");
  expectError("dims are too large");
}

TEST_F(Import, RefusesExternalDataOutsideTheFolder) {
  TensorProto *w = initializer("w", {4});
  w->set_data_location(TensorProto::EXTERNAL);
  auto *location = w->add_external_data();
  location->set_key("location");
  location->set_value("../secret");
  node("Exp", {"w"}, {"y"});
  output("y");
  expectError("external data location '../secret' leaves the model's folder");
}

TEST_F(Import, BigWeightsAreNotCopied) {
  std::string bytes(4096, '\1');
  initializer("w", {1024})->set_raw_data(bytes);
  input("x", {"1024"});
  node("Add", {"x", "w"}, {"y"});
  output("y");
  mlir::func::FuncOp main = import();
  ASSERT_TRUE(main) << errors;
  auto constant = *main.getOps<onnxc::onnx::ConstantOp>().begin();
  EXPECT_TRUE(mlir::isa<mlir::DenseResourceElementsAttr>(constant.getValue()));
}

TEST_F(Import, InlinesFunctions) {
  auto *function = model.add_functions();
  function->set_name("twice");
  function->set_domain("local");
  function->add_input("a");
  function->add_output("b");
  function->add_opset_import()->set_version(18);
  NodeProto *add = function->add_node();
  add->set_op_type("Add");
  add->add_input("a");
  add->add_input("a");
  add->add_output("b");
  auto *domain = model.add_opset_import();
  domain->set_domain("local");
  domain->set_version(1);
  input("x", {"2"});
  node("twice", {"x"}, {"y"})->set_domain("local");
  output("y");
  EXPECT_EQ(resultType(), "tensor<2xf32>");
}

/// Where the form of an operator changes, the op's versions say so.
TEST(OtherForms, EndAtVersionsOfTheirOperator) {
  mlir::MLIRContext context;
  context.loadDialect<onnxc::onnx::OnnxDialect>();
  onnxc::Operators operators(&context);
  for (const onnxc::OtherForm &form : onnxc::getOtherForms()) {
    const onnxc::Domain *domain = onnxc::findDomain(form.domain);
    ASSERT_TRUE(domain) << form.op.str();
    EXPECT_LT(form.from, form.to) << form.op.str();
    const onnxc::Operator *known = operators.find(form.domain, form.op);
    if (known && form.to != onnxc::always)
      EXPECT_TRUE(llvm::is_contained(known->info.versions, form.to)) << form.op.str();
    if (!known)
      EXPECT_EQ(form.to, onnxc::always) << form.op.str() << " has no op of its own";
  }
}

/// An op whose types follow from its operands is an operator, unless passes make it.
TEST(Operators, StateTheirVersions) {
  const std::set<std::string> ours = {"onnx.FusedAttention"};
  mlir::MLIRContext context;
  context.loadDialect<onnxc::onnx::OnnxDialect>();
  for (mlir::RegisteredOperationName op : context.getRegisteredOperationsByDialect("onnx")) {
    auto *interface = op.getInterface<onnxc::onnx::OnnxOpInterface>();
    if (interface && op.hasInterface<mlir::InferTypeOpInterface>())
      EXPECT_EQ(interface->getOperatorInfo().versions.empty(),
                ours.count(op.getStringRef().str()) == 1)
          << op.getStringRef().str() << ": without Onnx_Since no model can have it";
  }
}

TEST(Operators, HaveVersionsThatCanBeImported) {
  mlir::MLIRContext context;
  context.loadDialect<onnxc::onnx::OnnxDialect>();
  onnxc::Operators operators(&context);
  EXPECT_TRUE(operators.find("", "Add"));
  EXPECT_TRUE(operators.find("ai.onnx.ml", "Binarizer"));
  EXPECT_FALSE(operators.find("", "Binarizer"));
  EXPECT_FALSE(operators.find("", "Refine"));
  for (const auto &[key, known] : operators.getAll()) {
    const onnxc::Domain *domain = onnxc::findDomain(key.first);
    ASSERT_TRUE(domain) << key.second;
    llvm::ArrayRef<int64_t> versions = known.info.versions;
    EXPECT_TRUE(llvm::is_sorted(versions)) << key.second;
    EXPECT_LE(domain->minVersion, versions.front()) << key.second;
    EXPECT_LE(versions.back(), domain->maxVersion) << key.second;
  }
}

} // namespace
