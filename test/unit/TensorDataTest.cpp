//===- TensorDataTest.cpp - TensorProto to ElementsAttr --------------------===//
#include "compiler/import/OnnxFile.h"
#include "dialects/onnx/OnnxDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using ::onnx::TensorProto;

namespace {

class TensorData : public ::testing::Test {
protected:
  TensorData() : file(onnxc::OnnxFile::create({})) {
    context.loadDialect<onnxc::onnx::OnnxDialect>();
  }

  TensorProto make(int type, std::vector<int64_t> dims) {
    TensorProto tensor;
    tensor.set_data_type(type);
    for (int64_t dim : dims)
      tensor.add_dims(dim);
    return tensor;
  }
  /// The tensor as MLIR prints it, or what is wrong with it.
  std::string read(const TensorProto &tensor) {
    llvm::Expected<ElementsAttr> elements = file->readTensor(&context, tensor);
    if (!elements)
      return llvm::toString(elements.takeError());
    std::string text;
    llvm::raw_string_ostream(text) << *elements;
    return text;
  }

  MLIRContext context;
  std::shared_ptr<onnxc::OnnxFile> file;
};

TEST_F(TensorData, TypedFields) {
  TensorProto floats = make(TensorProto::FLOAT, {2});
  floats.add_float_data(1.5);
  floats.add_float_data(-2);
  EXPECT_EQ(read(floats), "dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf32>");
  TensorProto doubles = make(TensorProto::DOUBLE, {});
  doubles.add_double_data(0.1);
  EXPECT_EQ(read(doubles), "dense<1.000000e-01> : tensor<f64>");
  TensorProto longs = make(TensorProto::INT64, {1});
  longs.add_int64_data(-(int64_t(1) << 40));
  EXPECT_EQ(read(longs), "dense<-1099511627776> : tensor<1xi64>");
  for (auto [type, name] :
       {std::pair(TensorProto::UINT32, "ui32"), {TensorProto::UINT64, "ui64"}}) {
    TensorProto unsigneds = make(type, {1});
    unsigneds.add_uint64_data(4000000000);
    EXPECT_EQ(read(unsigneds), std::string("dense<4000000000> : tensor<1x") + name + ">");
  }
  TensorProto complex = make(TensorProto::COMPLEX64, {1});
  complex.add_float_data(1);
  complex.add_float_data(2);
  EXPECT_EQ(read(complex), "dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>");
}

TEST_F(TensorData, SmallTypesInTheInt32Field) {
  struct Row {
    int type;
    int32_t value;
    const char *text;
  };
  for (Row row : {Row{TensorProto::INT32, -7, "dense<-7> : tensor<1xi32>"},
                  {TensorProto::INT16, -7, "dense<-7> : tensor<1xi16>"},
                  {TensorProto::INT8, -7, "dense<-7> : tensor<1xi8>"},
                  {TensorProto::UINT16, 65535, "dense<65535> : tensor<1xui16>"},
                  {TensorProto::UINT8, 255, "dense<255> : tensor<1xui8>"},
                  {TensorProto::BOOL, 1, "dense<true> : tensor<1xi1>"},
                  {TensorProto::BOOL, 256, "dense<true> : tensor<1xi1>"},
                  // Bits of floats.
                  {TensorProto::FLOAT16, 0x3c00, "dense<1.000000e+00> : tensor<1xf16>"},
                  {TensorProto::BFLOAT16, 0x3f80, "dense<1.000000e+00> : tensor<1xbf16>"},
                  {TensorProto::FLOAT8E4M3FN, 0x38, "dense<1.000000e+00> : tensor<1xf8E4M3FN>"},
                  {TensorProto::FLOAT8E5M2, 0x3c, "dense<1.000000e+00> : tensor<1xf8E5M2>"}}) {
    TensorProto tensor = make(row.type, {1});
    tensor.add_int32_data(row.value);
    EXPECT_EQ(read(tensor), row.text);
  }
}

TEST_F(TensorData, PackedElements) {
  TensorProto nibbles = make(TensorProto::INT4, {3});
  nibbles.add_int32_data(0x72); // 2, 7: the first in the lowest bits
  nibbles.add_int32_data(0x0f); // -1
  EXPECT_EQ(read(nibbles), "dense<[2, 7, -1]> : tensor<3xi4>");
  TensorProto raw = make(TensorProto::UINT4, {3});
  raw.set_raw_data("\x72\x0f");
  EXPECT_EQ(read(raw), "dense<[2, 7, 15]> : tensor<3xui4>");
  TensorProto pairs = make(TensorProto::UINT2, {4});
  pairs.set_raw_data("\xe4");
  EXPECT_EQ(read(pairs), "dense<[0, 1, 2, 3]> : tensor<4xui2>");
  TensorProto missing = make(TensorProto::INT4, {3});
  missing.set_raw_data("\x72");
  EXPECT_EQ(read(missing), "has 1 bytes of data, its dims say 2");
}

TEST_F(TensorData, RawData) {
  TensorProto tensor = make(TensorProto::INT16, {2});
  tensor.set_raw_data(std::string("\x01\x00\xff\xff", 4));
  EXPECT_EQ(read(tensor), "dense<[1, -1]> : tensor<2xi16>");
  TensorProto bools = make(TensorProto::BOOL, {2});
  bools.set_raw_data(std::string("\x00\x02", 2));
  EXPECT_EQ(read(bools), "dense<[false, true]> : tensor<2xi1>");
}

TEST_F(TensorData, Strings) {
  TensorProto tensor = make(TensorProto::STRING, {2});
  tensor.add_string_data("a");
  tensor.add_string_data("\"b\"");
  EXPECT_EQ(read(tensor), "dense<[\"a\", \"\\22b\\22\"]> : tensor<2x!onnx.string>");
}

TEST_F(TensorData, NoElements) {
  EXPECT_EQ(read(make(TensorProto::FLOAT, {0, 3})), "dense<> : tensor<0x3xf32>");
  EXPECT_EQ(read(make(TensorProto::STRING, {0})), "dense<> : tensor<0x!onnx.string>");
  EXPECT_EQ(read(make(TensorProto::FLOAT, {1})), "has 0 bytes of data, its dims say 4");
}

TEST_F(TensorData, ExternalDataNeedsAFolder) {
  TensorProto tensor = make(TensorProto::FLOAT, {1});
  tensor.set_data_location(TensorProto::EXTERNAL);
  auto *location = tensor.add_external_data();
  location->set_key("location");
  location->set_value("weights");
  EXPECT_EQ(read(tensor), "external data in a model without a folder");
}

TEST_F(TensorData, DataTypesAreNumberedAsInOnnx) {
  for (int type = TensorProto::FLOAT; type <= TensorProto::INT2; ++type)
    EXPECT_EQ(onnxc::getDataType(onnxc::getElementType(&context, type)), type);
  EXPECT_FALSE(onnxc::getElementType(&context, 0));
  EXPECT_FALSE(onnxc::getElementType(&context, 99));
  EXPECT_EQ(onnxc::getDataType(IndexType::get(&context)), 0);
}

} // namespace
