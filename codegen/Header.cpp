//===- Header.cpp - The generated C header ---------------------------------===//
#include "codegen/Header.h"
#include "codegen/Descriptor.h"
#include "codegen/HeaderText.h"
#include "codegen/RuntimeFiles.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace onnxc {

using namespace header;

/// The sizes at the upper bounds of their symbols, where all have one.
static void writeLargestSizes(raw_ostream &os, StringRef base, const ValueInfo &value) {
  if (value.kind != ONNXC_TENSOR || !value.hasRank ||
      !llvm::all_of(value.dims, [](const DimInfo &dim) { return dim.max >= 0; }))
    return;
  SmallVector<int64_t> dims =
      llvm::map_to_vector(value.dims, [](const DimInfo &dim) { return dim.max; });
  int64_t bytes = onnxc_tensor_bytes(value.dtype, dims.data(), dims.size());
  if (bytes < 0)
    return;
  for (auto [i, dim] : llvm::enumerate(dims))
    os << "#define " << base << "_MAX_DIM" << i << " INT64_C(" << dim << ")\n";
  os << "#define " << base << "_MAX_BYTES INT64_C(" << bytes << ")\n";
}

/// The workspace of any call, for programs that set it aside before.
static void writeLargestWorkspace(raw_ostream &os, const ModelInfo &info, StringRef prefix) {
  if (!info.workspaceBytes)
    return;
  // Never 0, so that an array may have it.
  uint64_t bytes = std::max<uint64_t>(*info.workspaceBytes, ONNXC_ALIGNMENT);
  os << "/* No call needs a larger workspace. It may be a static array, aligned to\n"
        " * ONNXC_ALIGNMENT. Likewise, *_MAX_BYTES hold an input or output of the sizes\n"
        " * *_MAX_DIM<i>, at the upper bounds that the compiler was given. */\n"
     << "#define " << prefix << "_MAX_WORKSPACE_BYTES INT64_C(" << bytes << ")\n\n";
}

static void writeValueConstants(raw_ostream &os, StringRef prefix, StringRef direction,
                                ArrayRef<ValueInfo> values) {
  os << "#define " << prefix << "_NUM_" << direction << "S " << values.size() << "\n";
  for (const auto &[name, pair] : llvm::zip_equal(identifiers(values), llvm::enumerate(values))) {
    const ValueInfo &value = pair.value();
    std::string base = (prefix + "_" + direction + "_" + upper(name)).str();
    os << "\n/* " << comment(value.name) << ": " << dtypeName(value.dtype) << " "
       << shapeText(value) << " */\n";
    os << "#define " << base << "_INDEX " << pair.index() << "\n";
    os << "#define " << base << "_NAME " << quote(value.name) << "\n";
    os << "#define " << base << "_DTYPE ONNXC_" << dtypeName(value.dtype) << "\n";
    os << "#define " << base << "_RANK "
       << (value.hasRank ? static_cast<int64_t>(value.dims.size()) : -1) << "\n";
    if (!isStatic(value)) {
      writeLargestSizes(os, base, value);
      continue;
    }
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
    os << "  onnxc_view views_" << direction << "[" << std::max<size_t>(values.size(), 1) << "];\n";
  };
  auto fillViews = [&](StringRef direction, ArrayRef<std::string> ids, ArrayRef<ValueInfo> values) {
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(ids, values))) {
      auto [id, value] = pair;
      os << "  views_" << direction << "[" << i << "] = onnxc_tensor_view(ONNXC_"
         << dtypeName(value.dtype) << ", " << direction << "_" << id << ", dims_of_" << direction
         << "_" << id << ", " << value.dims.size() << ");\n";
    }
  };
  writeViews("in", inputs, info.inputs);
  writeViews("out", outputs, info.outputs);
  fillViews("in", inputs, info.inputs);
  fillViews("out", outputs, info.outputs);
  os << "  call->abi_version = ONNXC_ABI_VERSION;\n"
     << "  call->num_inputs = " << info.inputs.size() << ";\n"
     << "  call->num_outputs = " << info.outputs.size() << ";\n"
     << "  call->inputs = views_in;\n  call->outputs = views_out;\n"
     << "  status = call->workspace ? " << name << "_run(call) : " << name << "_plan(call);\n"
     << "  call->inputs = NULL;\n  call->outputs = NULL;\n  return status;\n}\n\n";
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

void header::writeGuard(raw_ostream &os, const ModelInfo &info, StringRef ending) {
  std::string guard = "ONNXC_MODEL_" + upper(info.symbolPrefix()) + "_" + ending.str();
  std::string own = guard + "_" + info.id();
  os << "\n#ifdef " << guard << "\n#ifndef " << own << "\n#error \"headers of two models called "
     << info.symbolPrefix()
     << ": compile one of them with another --name\"\n#endif\n#else\n#define " << guard
     << "\n#define " << own << "\n\n";
}

/// The descriptor by the symbol that carries the id, and what is reached through it.
static void writeEntryPoints(raw_ostream &os, const ModelInfo &info) {
  std::string name = info.symbolPrefix(), prefix = upper(name);
  os << "/* This very model: a library of another one called " << name
     << " does not link. A program that\n * opens the library itself refers to nothing here but "
     << name << "_check. */\n"
     << "#ifdef __GNUC__\nextern const onnxc_model " << name << "_model __asm__(\""
     << getTiedName(info) << "\");\n#else\nextern const onnxc_model " << getTiedName(info)
     << ";\n#define " << name << "_model " << getTiedName(info) << "\n#endif\n";
  for (const char *entry : {"plan", "run"})
    os << "static inline onnxc_status " << name << "_" << entry << "(onnxc_call *call) {\n  return "
       << name << "_model." << entry << "(call);\n}\n";
  os << "static inline onnxc_status " << name
     << "_init(void *instance, uint64_t bytes, char *message,\n"
        "    uint64_t message_bytes) {\n  return "
     << name << "_model.init(instance, bytes, message, message_bytes);\n}\n"
     << "static inline void " << name << "_fini(void *instance) {\n  " << name
     << "_model.fini(instance);\n}\n"
     << "/* Does this header belong to `model`? See onnxc_check_model. */\n"
     << "static inline onnxc_status " << name
     << "_check(const onnxc_model *model, char *message,\n    uint64_t message_bytes) {\n"
     << "  return onnxc_check_model(model, " << quote(info.id()) << ",\n      "
     << quote(info.modelSha256) << ", message,\n      message_bytes);\n}\n\n";
}

std::string buildCHeader(const ModelInfo &info) {
  std::string text;
  raw_string_ostream os(text);
  std::string name = info.symbolPrefix(), prefix = upper(name);
  os << "/* Generated by onnxc " << comment(info.compilerVersion) << " for the model \""
     << comment(info.name) << "\".\n * Options: " << comment(info.compilerOptions) << "\n */\n\n"
     << getRuntimeHeader();
  writeGuard(os, info, "H");
  os << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  writeEntryPoints(os, info);
  os << "#define " << prefix << "_MODEL_ID " << quote(info.id()) << "\n"
     << "#define " << prefix << "_COMPILER_VERSION " << quote(info.compilerVersion) << "\n"
     << "#define " << prefix << "_COMPILER_OPTIONS " << quote(info.compilerOptions) << "\n"
     << "#define " << prefix << "_MODEL_SHA256 " << quote(info.modelSha256) << "\n"
     << "#define " << prefix << "_OPSET " << info.opset << "\n\n";
  writeLargestWorkspace(os, info, prefix);
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
