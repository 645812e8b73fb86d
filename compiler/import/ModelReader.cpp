//===- ModelReader.cpp - Parsing a model without copying weights -----------===//
//
// Protobuf copies every `bytes` field. Here the messages on the way to a tensor
// are walked by hand, and protobuf parses what else is in them.
//
//===----------------------------------------------------------------------===//
#include "compiler/import/ModelReader.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>

using namespace llvm;
using namespace ::onnx;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;
using google::protobuf::io::StringOutputStream;

namespace onnxc {
namespace {

/// Where raw data lies in the model's bytes.
struct Place {
  uint64_t offset, size;
};

class ModelReader {
public:
  ModelReader(StringRef bytes, int maxDepth)
      : bytes(bytes),
        input(reinterpret_cast<const uint8_t *>(bytes.data()), static_cast<int>(bytes.size())),
        depthLeft(maxDepth) {
    input.PushLimit(static_cast<int>(bytes.size()));
  }

  bool read(ModelProto &model);

private:
  bool read(AttributeProto &attribute);
  bool read(FunctionProto &function);
  bool read(GraphProto &graph);
  bool read(NodeProto &node);
  bool read(SparseTensorProto &sparse);
  bool read(TensorProto &tensor);
  bool read(TrainingInfoProto &info);

  /// Reads fields up to the end of the current message. `readField` reads those
  /// of submessages and bytes that it knows; it answers nothing for others.
  template <typename Message>
  bool readFields(Message &message,
                  function_ref<std::optional<bool>(int field, uint32_t size)> readField);

  /// Reads a submessage of `size` bytes.
  template <typename Message> bool readNested(Message &message, uint32_t size) {
    if (depthLeft == 0)
      return false;
    --depthLeft;
    CodedInputStream::Limit limit = input.PushLimit(static_cast<int>(size));
    bool valid = read(message);
    input.PopLimit(limit);
    ++depthLeft;
    return valid;
  }

  /// Reads the size of a field, which has 32 bits in five bytes at most.
  bool readSize(uint32_t &size) {
    constexpr int mostBytes = 5;
    int begin = input.CurrentPosition();
    uint64_t number;
    if (!input.ReadVarint64(&number) || input.CurrentPosition() - begin > mostBytes ||
        number > static_cast<uint64_t>(input.BytesUntilLimit()))
      return false;
    size = static_cast<uint32_t>(number);
    return true;
  }

  StringRef bytes;
  CodedInputStream input;
  int depthLeft;
};

template <typename Message>
bool ModelReader::readFields(
    Message &message, function_ref<std::optional<bool>(int field, uint32_t size)> readField) {
  std::string others;
  {
    StringOutputStream sink(&others);
    CodedOutputStream output(&sink);
    while (uint32_t tag = input.ReadTag()) {
      if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
        if (!WireFormatLite::SkipField(&input, tag, &output))
          return false;
        continue;
      }
      uint32_t size;
      if (!readSize(size))
        return false;
      std::optional<bool> valid = readField(WireFormatLite::GetTagFieldNumber(tag), size);
      if (valid && !*valid)
        return false;
      if (valid)
        continue;
      output.WriteTag(tag);
      output.WriteVarint32(size);
      output.WriteRaw(bytes.data() + input.CurrentPosition(), static_cast<int>(size));
      input.Skip(static_cast<int>(size));
    }
  }
  if (!input.ConsumedEntireMessage())
    return false;
  CodedInputStream rest(reinterpret_cast<const uint8_t *>(others.data()),
                        static_cast<int>(others.size()));
  rest.SetRecursionLimit(depthLeft);
  return message.MergeFromCodedStream(&rest) && rest.ConsumedEntireMessage();
}

bool ModelReader::read(ModelProto &model) {
  return readFields(model, [&](int field, uint32_t size) -> std::optional<bool> {
    if (field == ModelProto::kGraphFieldNumber)
      return readNested(*model.mutable_graph(), size);
    if (field == ModelProto::kFunctionsFieldNumber)
      return readNested(*model.add_functions(), size);
    if (field == ModelProto::kTrainingInfoFieldNumber)
      return readNested(*model.add_training_info(), size);
    return std::nullopt;
  });
}

bool ModelReader::read(TrainingInfoProto &info) {
  return readFields(info, [&](int field, uint32_t size) -> std::optional<bool> {
    if (field == TrainingInfoProto::kInitializationFieldNumber)
      return readNested(*info.mutable_initialization(), size);
    if (field == TrainingInfoProto::kAlgorithmFieldNumber)
      return readNested(*info.mutable_algorithm(), size);
    return std::nullopt;
  });
}

bool ModelReader::read(FunctionProto &function) {
  return readFields(function, [&](int field, uint32_t size) -> std::optional<bool> {
    if (field == FunctionProto::kNodeFieldNumber)
      return readNested(*function.add_node(), size);
    if (field == FunctionProto::kAttributeProtoFieldNumber)
      return readNested(*function.add_attribute_proto(), size);
    return std::nullopt;
  });
}

bool ModelReader::read(GraphProto &graph) {
  return readFields(graph, [&](int field, uint32_t size) -> std::optional<bool> {
    if (field == GraphProto::kNodeFieldNumber)
      return readNested(*graph.add_node(), size);
    if (field == GraphProto::kInitializerFieldNumber)
      return readNested(*graph.add_initializer(), size);
    if (field == GraphProto::kSparseInitializerFieldNumber)
      return readNested(*graph.add_sparse_initializer(), size);
    return std::nullopt;
  });
}

bool ModelReader::read(NodeProto &node) {
  return readFields(node, [&](int field, uint32_t size) -> std::optional<bool> {
    if (field == NodeProto::kAttributeFieldNumber)
      return readNested(*node.add_attribute(), size);
    return std::nullopt;
  });
}

bool ModelReader::read(AttributeProto &attribute) {
  return readFields(attribute, [&](int field, uint32_t size) -> std::optional<bool> {
    switch (field) {
    case AttributeProto::kTFieldNumber: return readNested(*attribute.mutable_t(), size);
    case AttributeProto::kTensorsFieldNumber: return readNested(*attribute.add_tensors(), size);
    case AttributeProto::kGFieldNumber: return readNested(*attribute.mutable_g(), size);
    case AttributeProto::kGraphsFieldNumber: return readNested(*attribute.add_graphs(), size);
    case AttributeProto::kSparseTensorFieldNumber:
      return readNested(*attribute.mutable_sparse_tensor(), size);
    case AttributeProto::kSparseTensorsFieldNumber:
      return readNested(*attribute.add_sparse_tensors(), size);
    default: return std::nullopt;
    }
  });
}

bool ModelReader::read(SparseTensorProto &sparse) {
  return readFields(sparse, [&](int field, uint32_t size) -> std::optional<bool> {
    if (field == SparseTensorProto::kValuesFieldNumber)
      return readNested(*sparse.mutable_values(), size);
    if (field == SparseTensorProto::kIndicesFieldNumber)
      return readNested(*sparse.mutable_indices(), size);
    return std::nullopt;
  });
}

bool ModelReader::read(TensorProto &tensor) {
  return readFields(tensor, [&](int field, uint32_t size) -> std::optional<bool> {
    if (field != TensorProto::kRawDataFieldNumber)
      return std::nullopt;
    Place place = {static_cast<uint64_t>(input.CurrentPosition()), size};
    if (size)
      tensor.set_raw_data(&place, sizeof place);
    else
      tensor.set_raw_data("");
    return input.Skip(static_cast<int>(size));
  });
}

} // namespace

bool readModel(StringRef bytes, int maxDepth, ModelProto &model) {
  return ModelReader(bytes, maxDepth).read(model);
}

StringRef findRawData(StringRef bytes, const TensorProto &tensor) {
  Place place;
  if (tensor.raw_data().size() != sizeof place)
    return StringRef();
  memcpy(&place, tensor.raw_data().data(), sizeof place);
  return bytes.substr(place.offset, place.size);
}

} // namespace onnxc
