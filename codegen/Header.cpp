//===- Header.cpp - The generated C header ---------------------------------===//
#include "codegen/Header.h"
#include "codegen/HeaderText.h"
#include "codegen/RuntimeFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/onnxc_runtime.h"

using namespace llvm;

namespace onnxc {

using namespace header;

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
        " * workspace and, if wanted, threads, allocator, instance, message. With a\n"
        " * NULL workspace it only plans: see call->workspace_bytes. */\n"
     << "static inline onnxc_status " << name << "_infer(onnxc_call *call";
  for (auto [id, value] : llvm::zip_equal(inputs, info.inputs))
    os << ", const " << elementType(value.dtype) << " *in_" << id;
  for (auto [id, value] : llvm::zip_equal(outputs, info.outputs))
    os << ", " << elementType(value.dtype) << " *out_" << id;
  os << ") {\n  onnxc_status status;\n";
  // Parameters begin with in_ or out_, so nothing else here does.
  auto writeViews = [&](StringRef direction, ArrayRef<std::string> ids,
                        ArrayRef<ValueInfo> values) {
    for (auto [id, value] : llvm::zip_equal(ids, values)) {
      os << "  int64_t dims_of_" << direction << "_" << id << "[] = {";
      for (const DimInfo &dim : value.dims)
        os << "INT64_C(" << dim.size << "), ";
      os << "0};\n";
    }
    os << "  onnxc_view views_" << direction << "[" << values.size() + 1 << "] = {\n";
    for (auto [id, value] : llvm::zip_equal(ids, values)) {
      SmallVector<int64_t> dims;
      for (const DimInfo &dim : value.dims)
        dims.push_back(dim.size);
      os << "      {(void *)" << direction << "_" << id << ", dims_of_" << direction << "_"
         << id << ", " << onnxc_tensor_bytes(value.dtype, dims.data(), dims.size()) << "u, "
         << dims.size() << ", ONNXC_" << dtypeName(value.dtype) << ", ONNXC_TENSOR, 0},\n";
    }
    os << "      {0, 0, 0, 0, 0, 0, 0}};\n";
  };
  writeViews("in", inputs, info.inputs);
  writeViews("out", outputs, info.outputs);
  os << "  call->abi_version = ONNXC_ABI_VERSION;\n"
     << "  call->num_inputs = " << info.inputs.size() << ";\n"
     << "  call->num_outputs = " << info.outputs.size() << ";\n"
     << "  call->inputs = views_in;\n  call->outputs = views_out;\n"
     << "  status = call->workspace ? " << name << "_run(call) : " << name
     << "_plan(call);\n"
     << "  call->inputs = 0;\n  call->outputs = 0;\n  return status;\n}\n\n";
}

/// Says which outputs come from the allocator.
static void writeDataDependent(raw_ostream &os, ArrayRef<ValueInfo> outputs) {
  std::string names;
  for (const ValueInfo &value : outputs)
    if (llvm::any_of(value.dims, [](const DimInfo &dim) { return dim.dataDependent; }))
      names += (names.empty() ? "\"" : ", \"") + comment(value.name) + "\"";
  if (!names.empty())
    os << "/* Sizes depend on the data, so `allocator` must be set, and the blocks that\n"
          " * a run leaves are the caller's (see onnxc_allocator), of the outputs\n * "
       << names << " */\n\n";
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
  writeDataDependent(os, info.outputs);
  writeTypedRun(os, info, name);
  os << "#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n#endif\n";
  return text;
}

} // namespace onnxc
