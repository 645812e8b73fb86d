//===- Header.cpp - Generated headers --------------------------------------===//
#include "codegen/Header.h"
#include "codegen/RuntimeFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/onnxc_runtime.h"

using namespace llvm;

namespace onnxc {

/// A C string literal. Octal escapes have a fixed length, unlike \x.
static std::string quote(StringRef text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\' || c == '?' || c < 32 || c >= 127) {
      result += '\\';
      for (int shift : {6, 3, 0})
        result += static_cast<char>('0' + (c >> shift & 7));
    } else {
      result += static_cast<char>(c);
    }
  }
  return result + "\"";
}

/// Text inside a C comment.
static std::string comment(StringRef text) {
  std::string result;
  for (char c : text)
    result += isPrint(c) ? c : ' ';
  size_t end = 0;
  while ((end = result.find("*/", end)) != std::string::npos)
    result.replace(end, 2, "* ");
  return result;
}

static std::string shapeText(const ValueInfo &value) {
  if (!value.hasRank)
    return "[...]";
  std::string result = "[";
  ListSeparator separator(", ");
  for (const DimInfo &dim : value.dims) {
    result += StringRef(separator);
    result += comment(dim.text);
  }
  return result + "]";
}

static const char *dtypeName(int32_t dtype) {
  static const char *const names[] = {
      "UNDEFINED",  "FLOAT",          "UINT8",        "INT8",       "UINT16",
      "INT16",      "INT32",          "INT64",        "STRING",     "BOOL",
      "FLOAT16",    "DOUBLE",         "UINT32",       "UINT64",     "COMPLEX64",
      "COMPLEX128", "BFLOAT16",       "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ",
      "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "UINT4",        "INT4",       "FLOAT4E2M1",
      "FLOAT8E8M0", "UINT2",          "INT2"};
  bool known = dtype >= 0 && static_cast<size_t>(dtype) < std::size(names);
  return known ? names[dtype] : names[0];
}

/// The C type of an element as it lies in memory.
static const char *elementType(int32_t dtype) {
  switch (dtype) {
  case ONNXC_FLOAT:
  case ONNXC_COMPLEX64:
    return "float";
  case ONNXC_DOUBLE:
  case ONNXC_COMPLEX128:
    return "double";
  case ONNXC_INT8:
    return "int8_t";
  case ONNXC_INT16:
    return "int16_t";
  case ONNXC_INT32:
    return "int32_t";
  case ONNXC_INT64:
    return "int64_t";
  case ONNXC_UINT16:
  case ONNXC_FLOAT16:
  case ONNXC_BFLOAT16:
    return "uint16_t";
  case ONNXC_UINT32:
    return "uint32_t";
  case ONNXC_UINT64:
    return "uint64_t";
  case ONNXC_STRING:
    return "onnxc_string";
  default:
    return "uint8_t"; // bytes, f8, and the packed types
  }
}

static bool isStatic(const ValueInfo &value) {
  return value.kind == ONNXC_TENSOR && value.hasRank &&
         llvm::all_of(value.dims, [](const DimInfo &dim) { return dim.size >= 0; });
}

static std::string upper(StringRef text) { return text.upper(); }

/// ONNX names as identifiers, each only once.
static std::vector<std::string> identifiers(ArrayRef<ValueInfo> values) {
  StringSet<> used;
  std::vector<std::string> result;
  for (const auto &[i, value] : llvm::enumerate(values)) {
    std::string name;
    for (char c : value.name)
      name += isAlnum(c) ? c : '_';
    if (name.empty() || isDigit(name.front()))
      name.insert(0, "_");
    if (!used.insert(name).second)
      used.insert(name += "_" + std::to_string(i));
    result.push_back(name);
  }
  return result;
}

static void writeValueConstants(raw_ostream &os, StringRef prefix, StringRef direction,
                                ArrayRef<ValueInfo> values) {
  os << "#define " << prefix << "_NUM_" << direction << "S " << values.size() << "\n";
  for (const auto &[name, pair] :
       llvm::zip_equal(identifiers(values), llvm::enumerate(values))) {
    const ValueInfo &value = pair.value();
    std::string base = (prefix + "_" + direction + "_" + upper(name)).str();
    os << "\n/* " << comment(value.name) << ": " << dtypeName(value.dtype) << " "
       << shapeText(value) << " */\n";
    os << "#define " << base << "_INDEX " << pair.index() << "\n";
    os << "#define " << base << "_NAME " << quote(value.name) << "\n";
    os << "#define " << base << "_DTYPE ONNXC_" << dtypeName(value.dtype) << "\n";
    os << "#define " << base << "_RANK "
       << (value.hasRank ? static_cast<int64_t>(value.dims.size()) : -1) << "\n";
    if (!isStatic(value))
      continue;
    SmallVector<int64_t> dims;
    for (auto [i, dim] : llvm::enumerate(value.dims)) {
      os << "#define " << base << "_DIM" << i << " INT64_C(" << dim.size << ")\n";
      dims.push_back(dim.size);
    }
    os << "#define " << base << "_BYTES INT64_C("
       << onnxc_tensor_bytes(value.dtype, dims.data(), dims.size()) << ")\n";
  }
  os << "\n";
}

/// A typed run for models of static shapes: plain pointers in and out.
static void writeTypedRun(raw_ostream &os, const ModelInfo &info, StringRef name) {
  if (!llvm::all_of(info.inputs, isStatic) || !llvm::all_of(info.outputs, isStatic))
    return;
  std::vector<std::string> inputs = identifiers(info.inputs);
  std::vector<std::string> outputs = identifiers(info.outputs);
  os << "/* One inference on plain pointers. `call` carries the rest: zero it, set\n"
        " * workspace and, if wanted, threads, instance, message. With a NULL\n"
        " * workspace it only plans: see call->workspace_bytes. */\n"
     << "static inline onnxc_status " << name << "_infer(onnxc_call *call";
  for (auto [id, value] : llvm::zip_equal(inputs, info.inputs))
    os << ", const " << elementType(value.dtype) << " *in_" << id;
  for (auto [id, value] : llvm::zip_equal(outputs, info.outputs))
    os << ", " << elementType(value.dtype) << " *out_" << id;
  os << ") {\n  onnxc_status status;\n";
  auto writeViews = [&](StringRef direction, ArrayRef<std::string> ids,
                        ArrayRef<ValueInfo> values) {
    for (auto [id, value] : llvm::zip_equal(ids, values)) {
      os << "  int64_t " << direction << "_dims_" << id << "[] = {";
      for (const DimInfo &dim : value.dims)
        os << "INT64_C(" << dim.size << "), ";
      os << "0};\n";
    }
    os << "  onnxc_view " << direction << "_views[" << values.size() + 1 << "] = {\n";
    for (auto [id, value] : llvm::zip_equal(ids, values)) {
      SmallVector<int64_t> dims;
      for (const DimInfo &dim : value.dims)
        dims.push_back(dim.size);
      os << "      {(void *)" << direction << "_" << id << ", " << direction << "_dims_" << id
         << ", " << onnxc_tensor_bytes(value.dtype, dims.data(), dims.size()) << "u, "
         << dims.size() << ", ONNXC_" << dtypeName(value.dtype) << ", ONNXC_TENSOR, 0},\n";
    }
    os << "      {0, 0, 0, 0, 0, 0, 0}};\n";
  };
  writeViews("in", inputs, info.inputs);
  writeViews("out", outputs, info.outputs);
  os << "  call->abi_version = ONNXC_ABI_VERSION;\n"
     << "  call->num_inputs = " << info.inputs.size() << ";\n"
     << "  call->num_outputs = " << info.outputs.size() << ";\n"
     << "  call->inputs = in_views;\n  call->outputs = out_views;\n"
     << "  status = call->workspace ? " << name << "_run(call) : " << name
     << "_plan(call);\n"
     << "  call->inputs = 0;\n  call->outputs = 0;\n  return status;\n}\n\n";
}

std::string buildCHeader(const ModelInfo &info) {
  std::string text;
  raw_string_ostream os(text);
  std::string name = info.symbolPrefix(), prefix = upper(name);
  os << "/* Generated by onnxc " << comment(info.compilerVersion) << " for the model \""
     << comment(info.name) << "\".\n * Options: " << comment(info.compilerOptions)
     << "\n */\n\n" << getRuntimeHeader() << "\n#ifndef ONNXC_MODEL_" << prefix
     << "_H\n#define ONNXC_MODEL_" << prefix << "_H\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "extern const onnxc_model " << name << "_model;\n"
     << "onnxc_status " << name << "_plan(onnxc_call *call);\n"
     << "onnxc_status " << name << "_run(onnxc_call *call);\n"
     << "onnxc_status " << name << "_init(void *instance, uint64_t bytes, char *message,\n"
     << "    uint64_t message_bytes);\n"
     << "void " << name << "_fini(void *instance);\n\n"
     << "#define " << prefix << "_COMPILER_VERSION " << quote(info.compilerVersion) << "\n"
     << "#define " << prefix << "_COMPILER_OPTIONS " << quote(info.compilerOptions) << "\n"
     << "#define " << prefix << "_MODEL_SHA256 " << quote(info.modelSha256) << "\n"
     << "#define " << prefix << "_OPSET " << info.opset << "\n\n";
  for (auto [i, symbol] : llvm::enumerate(info.symbols))
    os << "/* symbol " << i << ": " << comment(symbol.name) << " */\n";
  writeValueConstants(os, prefix, "INPUT", info.inputs);
  writeValueConstants(os, prefix, "OUTPUT", info.outputs);
  writeTypedRun(os, info, name);
  os << "#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n#endif\n";
  return text;
}

/// What all generated wrappers share.
static const char *const commonCpp = R"cpp(#ifndef ONNXC_MODEL_HPP
#define ONNXC_MODEL_HPP

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace onnxc {

/// A tensor that owns its elements.
template <typename T> struct Tensor {
  std::vector<int64_t> dims;
  std::vector<T> data;
};

/// Memory aligned as the runtime wants it.
class AlignedMemory {
public:
  /// Grows to `bytes`; the content is lost. Returns false when out of memory.
  bool reserve(uint64_t bytes) {
    if (bytes <= capacity)
      return true;
    uint64_t rounded = (bytes + ONNXC_ALIGNMENT - 1) / ONNXC_ALIGNMENT * ONNXC_ALIGNMENT;
    memory.reset(std::aligned_alloc(ONNXC_ALIGNMENT, rounded));
    capacity = memory ? rounded : 0;
    return memory != nullptr;
  }
  void *data() const { return memory.get(); }
  uint64_t size() const { return capacity; }

private:
  struct Free {
    void operator()(void *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<void, Free> memory;
  uint64_t capacity = 0;
};

/// A model with an instance, a workspace and a thread pool. Not to be shared
/// between threads: one object per thread that runs the model.
class ModelRunner {
public:
  ModelRunner(const onnxc_model &model, int threads) : model(model) {
    if (!instance.reserve(model.instance_bytes)) {
      state = ONNXC_OUT_OF_MEMORY;
      return;
    }
    state = model.init(instance.data(), instance.size(), message, sizeof message);
    if (state != ONNXC_OK || threads <= 1)
      return;
    if (!poolMemory.reserve(model.pool->bytes(threads)))
      state = ONNXC_OUT_OF_MEMORY;
    else
      state = model.pool->create(poolMemory.data(), poolMemory.size(), threads, &pool);
  }
  ModelRunner(const ModelRunner &) = delete;
  ModelRunner &operator=(const ModelRunner &) = delete;
  ~ModelRunner() {
    if (pool.context)
      model.pool->destroy(&pool);
    if (instance.data())
      model.fini(instance.data());
  }

  onnxc_status status() const { return state; }
  const char *lastMessage() const { return message; }
  /// The side file's bytes, for a model built with one.
  void setWeights(const void *bytes, uint64_t size) {
    weights = bytes;
    weightsBytes = size;
  }

protected:
  onnxc_call makeCall(onnxc_view *inputs, onnxc_view *outputs) {
    onnxc_call call = {};
    call.abi_version = ONNXC_ABI_VERSION;
    call.num_inputs = model.num_inputs;
    call.num_outputs = model.num_outputs;
    call.inputs = inputs;
    call.outputs = outputs;
    call.weights = weights;
    call.weights_bytes = weightsBytes;
    call.instance = instance.data();
    call.threads = pool.context ? &pool : nullptr;
    call.message = message;
    call.message_bytes = sizeof message;
    message[0] = 0;
    return call;
  }
  onnxc_status setWorkspace(onnxc_call &call) {
    if (!workspace.reserve(call.workspace_bytes))
      return ONNXC_OUT_OF_MEMORY;
    call.workspace = workspace.data();
    call.workspace_bytes = workspace.size();
    return ONNXC_OK;
  }
  template <typename T> static onnxc_view viewOf(const Tensor<T> &tensor, int dtype) {
    onnxc_view view = {};
    view.data = const_cast<T *>(tensor.data.data());
    view.dims = const_cast<int64_t *>(tensor.dims.data());
    view.bytes = tensor.data.size() * sizeof(T);
    view.rank = static_cast<int32_t>(tensor.dims.size());
    view.dtype = dtype;
    return view;
  }
  template <typename T> static void prepare(Tensor<T> &tensor, onnxc_view &view, int rank) {
    tensor.dims.assign(rank, 0);
    view.dims = tensor.dims.data();
  }
  template <typename T> static void allocate(Tensor<T> &tensor, onnxc_view &view) {
    tensor.data.resize((view.bytes + sizeof(T) - 1) / sizeof(T));
    view.data = tensor.data.data();
  }

  const onnxc_model &model;
  onnxc_status state = ONNXC_OK;

private:
  AlignedMemory instance, workspace, poolMemory;
  onnxc_threads pool = {};
  const void *weights = nullptr;
  uint64_t weightsBytes = 0;
  char message[512] = {};
};

} // namespace onnxc

#endif

)cpp";

/// The wrapper knows tensors whose sizes the plan computes; other models are
/// called through the C interface.
static bool canWrap(const ValueInfo &value) {
  return value.kind == ONNXC_TENSOR && value.hasRank &&
         llvm::none_of(value.dims, [](const DimInfo &dim) { return dim.dataDependent; });
}

static void writeWrapperRun(raw_ostream &os, const ModelInfo &info) {
  std::vector<std::string> inputs = identifiers(info.inputs);
  std::vector<std::string> outputs = identifiers(info.outputs);
  os << "  /// Runs the model; outputs are resized.\n  onnxc_status run(";
  ListSeparator separator;
  for (auto [id, value] : llvm::zip_equal(inputs, info.inputs))
    os << separator << "const onnxc::Tensor<" << elementType(value.dtype) << "> &in_" << id;
  for (auto [id, value] : llvm::zip_equal(outputs, info.outputs))
    os << separator << "onnxc::Tensor<" << elementType(value.dtype) << "> &out_" << id;
  os << ") {\n    if (status() != ONNXC_OK)\n      return status();\n"
     << "    onnxc_view inputs[" << inputs.size() + 1 << "] = {};\n"
     << "    onnxc_view outputs[" << outputs.size() + 1 << "] = {};\n";
  for (auto [i, id] : llvm::enumerate(inputs))
    os << "    inputs[" << i << "] = viewOf(in_" << id << ", ONNXC_"
       << dtypeName(info.inputs[i].dtype) << ");\n";
  for (auto [i, id] : llvm::enumerate(outputs))
    os << "    prepare(out_" << id << ", outputs[" << i << "], "
       << info.outputs[i].dims.size() << ");\n";
  os << "    onnxc_call call = makeCall(inputs, outputs);\n"
     << "    onnxc_status result = model.plan(&call);\n"
     << "    if (result == ONNXC_OK)\n      result = setWorkspace(call);\n"
     << "    if (result != ONNXC_OK)\n      return result;\n";
  for (auto [i, id] : llvm::enumerate(outputs))
    os << "    allocate(out_" << id << ", outputs[" << i << "]);\n";
  os << "    return model.run(&call);\n  }\n";
}

std::string buildCppHeader(const ModelInfo &info, StringRef include) {
  std::string text;
  raw_string_ostream os(text);
  std::string name = info.symbolPrefix();
  os << "// Generated by onnxc " << comment(info.compilerVersion) << " for the model \""
     << comment(info.name) << "\".\n#ifndef ONNXC_MODEL_" << upper(name)
     << "_HPP\n#define ONNXC_MODEL_" << upper(name) << "_HPP\n\n#include \""
     << include << "\"\n\n"
     << commonCpp << "namespace " << name << " {\n\n"
     << "class Model : public onnxc::ModelRunner {\npublic:\n"
     << "  explicit Model(int threads = 1) : ModelRunner(" << name << "_model, threads) {}\n";
  if (llvm::all_of(info.inputs, canWrap) && llvm::all_of(info.outputs, canWrap)) {
    os << "\n";
    writeWrapperRun(os, info);
  }
  os << "};\n\n} // namespace " << name << "\n\n#endif\n";
  return text;
}

} // namespace onnxc
