//===- ModelReaderTest.cpp - The reader agrees with protobuf ---------------===//
#include "compiler/import/ModelReader.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <google/protobuf/stubs/logging.h>

using namespace llvm;
using namespace ::onnx;

namespace {

constexpr int maxDepth = 60;

void fillTensor(TensorProto &tensor, const std::string &name) {
  tensor.set_name(name);
  tensor.set_data_type(TensorProto::FLOAT);
  tensor.add_dims(2);
  tensor.set_raw_data("raw of " + name);
}

/// A model with raw data at every place that can hold a tensor.
std::string makeModel() {
  ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("test");
  GraphProto *graph = model.mutable_graph();
  fillTensor(*graph->add_initializer(), "initializer");
  graph->add_initializer()->set_raw_data("");
  TensorProto *typed = graph->add_initializer();
  typed->add_float_data(3);
  typed->set_name("typed");
  fillTensor(*graph->add_sparse_initializer()->mutable_values(), "values");
  fillTensor(*graph->mutable_sparse_initializer(0)->mutable_indices(), "indices");
  graph->add_input()->mutable_type()->mutable_tensor_type()->set_elem_type(1);
  AttributeProto *attribute = graph->add_node()->add_attribute();
  attribute->set_name("value");
  attribute->add_ints(-1);
  fillTensor(*attribute->mutable_t(), "t");
  fillTensor(*attribute->add_tensors(), "tensors");
  fillTensor(*attribute->mutable_g()->add_initializer(), "g");
  fillTensor(*attribute->add_graphs()->add_initializer(), "graphs");
  fillTensor(*attribute->mutable_sparse_tensor()->mutable_values(), "sparse");
  fillTensor(*attribute->add_sparse_tensors()->mutable_indices(), "sparse of several");
  fillTensor(*model.add_functions()->add_node()->add_attribute()->mutable_t(), "function");
  fillTensor(*model.mutable_functions(0)->add_attribute_proto()->mutable_t(), "default");
  fillTensor(*model.add_training_info()->mutable_algorithm()->add_initializer(), "algorithm");
  fillTensor(*model.mutable_training_info(0)->mutable_initialization()->add_initializer(),
             "initialization");
  return model.SerializeAsString();
}

/// Puts raw data back to where protobuf has it.
class Restorer {
public:
  explicit Restorer(StringRef bytes) : bytes(bytes) {}

  void restore(ModelProto &model) {
    if (model.has_graph())
      restore(*model.mutable_graph());
    for (FunctionProto &function : *model.mutable_functions()) {
      restoreAll(*function.mutable_node());
      restoreAll(*function.mutable_attribute_proto());
    }
    for (TrainingInfoProto &info : *model.mutable_training_info()) {
      if (info.has_initialization())
        restore(*info.mutable_initialization());
      if (info.has_algorithm())
        restore(*info.mutable_algorithm());
    }
  }

private:
  template <typename Messages> void restoreAll(Messages &messages) {
    for (auto &message : messages)
      restore(message);
  }
  void restore(GraphProto &graph) {
    restoreAll(*graph.mutable_node());
    restoreAll(*graph.mutable_initializer());
    restoreAll(*graph.mutable_sparse_initializer());
  }
  void restore(NodeProto &node) { restoreAll(*node.mutable_attribute()); }
  void restore(AttributeProto &attribute) {
    if (attribute.has_t())
      restore(*attribute.mutable_t());
    if (attribute.has_g())
      restore(*attribute.mutable_g());
    if (attribute.has_sparse_tensor())
      restore(*attribute.mutable_sparse_tensor());
    restoreAll(*attribute.mutable_tensors());
    restoreAll(*attribute.mutable_graphs());
    restoreAll(*attribute.mutable_sparse_tensors());
  }
  void restore(SparseTensorProto &sparse) {
    if (sparse.has_values())
      restore(*sparse.mutable_values());
    if (sparse.has_indices())
      restore(*sparse.mutable_indices());
  }
  void restore(TensorProto &tensor) {
    if (tensor.has_raw_data())
      tensor.set_raw_data(onnxc::findRawData(bytes, tensor).str());
  }

  StringRef bytes;
};

/// Both read the bytes alike, or both refuse them.
void expectAgreement(const std::string &bytes) {
  ModelProto expected, model;
  bool valid = expected.ParseFromString(bytes);
  ASSERT_EQ(onnxc::readModel(bytes, maxDepth, model), valid);
  if (!valid)
    return;
  Restorer(bytes).restore(model);
  ASSERT_EQ(model.SerializeAsString(), expected.SerializeAsString());
}

class ModelReader : public ::testing::Test {
  google::protobuf::LogSilencer silencer;
};

TEST_F(ModelReader, LeavesRawDataWhereItIs) {
  std::string bytes = makeModel();
  ModelProto model;
  ASSERT_TRUE(onnxc::readModel(bytes, maxDepth, model));
  StringRef data = onnxc::findRawData(bytes, model.graph().initializer(0));
  EXPECT_EQ(data, "raw of initializer");
  EXPECT_GE(data.data(), bytes.data());
  EXPECT_LE(data.end(), bytes.data() + bytes.size());
  expectAgreement(bytes);
}

TEST_F(ModelReader, CutOffAnywhere) {
  std::string bytes = makeModel();
  for (size_t size = 0; size <= bytes.size(); ++size) {
    SCOPED_TRACE(size);
    expectAgreement(bytes.substr(0, size));
  }
}

TEST_F(ModelReader, AnyByteChanged) {
  std::string bytes = makeModel();
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      SCOPED_TRACE(std::to_string(i) + " changed by " + std::to_string(change));
      std::string changed = bytes;
      changed[i] ^= change;
      expectAgreement(changed);
    }
}

/// A size has 32 bits in five bytes at most.
TEST_F(ModelReader, SizesOfAnyLength) {
  std::string data = "raw";
  for (const char *size : {"83", "8380", "838080", "83808080", "8380808010", "8380808020",
                           "838080808000", "83808080808001", "838080808080808080"}) {
    SCOPED_TRACE(size);
    std::string varint = fromHex(size);
    // The last byte of a varint has no continuation bit.
    if (varint.back() & 0x80)
      varint.push_back(0);
    auto nested = [](int field, const std::string &content) {
      return std::string(1, static_cast<char>(field << 3 | 2)) + static_cast<char>(content.size()) +
             content;
    };
    std::string bytes = nested(ModelProto::kGraphFieldNumber,
                               nested(GraphProto::kInitializerFieldNumber, "\x4a" + varint + data));
    expectAgreement(bytes);
    // The same for a field that protobuf reads.
    std::string name = nested(ModelProto::kGraphFieldNumber, "\x12" + varint + data);
    expectAgreement(name);
  }
}

TEST_F(ModelReader, RepeatedFieldsMerge) {
  std::string bytes = makeModel();
  expectAgreement(bytes + bytes);
}

TEST_F(ModelReader, RefusesDeepNesting) {
  for (int levels : {10, 40}) {
    ModelProto model;
    GraphProto *graph = model.mutable_graph();
    for (int i = 0; i < levels; ++i)
      graph = graph->add_node()->add_attribute()->mutable_g();
    ModelProto read;
    EXPECT_EQ(onnxc::readModel(model.SerializeAsString(), maxDepth, read), levels == 10);
  }
}

} // namespace
