//===- CppHeader.cpp - The generated C++ header ----------------------------===//
#include "codegen/Header.h"
#include "codegen/HeaderText.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace onnxc {

using namespace header;

bool isReservedPrefix(StringRef prefix) {
  static const StringSet<> keywords = {"alignas",       "alignof",     "and",
                                       "and_eq",        "asm",         "auto",
                                       "bitand",        "bitor",       "bool",
                                       "break",         "case",        "catch",
                                       "char",          "char16_t",    "char32_t",
                                       "char8_t",       "class",       "co_await",
                                       "co_return",     "co_yield",    "compl",
                                       "concept",       "const",       "const_cast",
                                       "consteval",     "constexpr",   "constinit",
                                       "continue",      "decltype",    "default",
                                       "delete",        "do",          "double",
                                       "dynamic_cast",  "else",        "enum",
                                       "explicit",      "export",      "extern",
                                       "false",         "float",       "for",
                                       "friend",        "goto",        "if",
                                       "inline",        "int",         "long",
                                       "mutable",       "namespace",   "new",
                                       "noexcept",      "not",         "not_eq",
                                       "nullptr",       "operator",    "or",
                                       "or_eq",         "private",     "protected",
                                       "public",        "register",    "reinterpret_cast",
                                       "requires",      "return",      "short",
                                       "signed",        "sizeof",      "static",
                                       "static_assert", "static_cast", "struct",
                                       "switch",        "template",    "this",
                                       "thread_local",  "throw",       "true",
                                       "try",           "typedef",     "typeid",
                                       "typename",      "union",       "unsigned",
                                       "using",         "virtual",     "void",
                                       "volatile",      "wchar_t",     "while",
                                       "xor",           "xor_eq"};
  // Global names that the header brings, or that programs commonly include.
  static const StringSet<> library = {
      "abort",    "abs",      "accept",  "access",    "alarm",    "asctime", "atexit",
      "bind",     "brk",      "bsearch", "calloc",    "ceil",     "chdir",   "clock",
      "clone",    "close",    "connect", "copysign",  "cos",      "ctime",   "difftime",
      "div",      "dup",      "environ", "erf",       "errno",    "exit",    "exp",
      "fabs",     "fclose",   "floor",   "fmax",      "fmin",     "fopen",   "fork",
      "fprintf",  "fread",    "free",    "frexp",     "fseek",    "fwrite",  "gamma",
      "getc",     "getenv",   "getline", "gets",      "hypot",    "index",   "initstate",
      "kill",     "labs",     "ldiv",    "link",      "linux",    "listen",  "log",
      "lseek",    "main",     "malloc",  "memchr",    "memcmp",   "memcpy",  "memmove",
      "memset",   "mktime",   "modf",    "nan",       "nice",     "open",    "pause",
      "perror",   "pipe",     "poll",    "popen",     "posix",    "pow",     "printf",
      "putc",     "puts",     "qsort",   "raise",     "rand",     "random",  "read",
      "realloc",  "realpath", "recv",    "remainder", "remove",   "rename",  "rewind",
      "rindex",   "rint",     "rmdir",   "round",     "scanf",    "select",  "send",
      "setstate", "shutdown", "signal",  "sin",       "sleep",    "socket",  "sprintf",
      "sqrt",     "srand",    "stat",    "std",       "stderr",   "stdin",   "stdout",
      "strcat",   "strchr",   "strcmp",  "strcpy",    "strlen",   "strstr",  "swab",
      "symlink",  "sync",     "sysconf", "system",    "tan",      "tanh",    "time",
      "timezone", "tolower",  "toupper", "trunc",     "truncate", "tzname",  "uint",
      "ulong",    "ungetc",   "unix",    "unlink",    "ushort",   "utime",   "vfork",
      "wait",     "write",    "yn"};
  return keywords.contains(prefix) || library.contains(prefix) || prefix == "onnxc" ||
         prefix.starts_with("onnxc_");
}

/// What all generated wrappers share.
static const char *const commonCpp = R"cpp(#ifndef ONNXC_MODEL_HPP
#define ONNXC_MODEL_HPP

#if __cplusplus < 201703L
#error "the C++ header of a model needs C++17; model.h works with C11 and C++11"
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace onnxc {

/// A tensor that owns its elements, dense and row-major. BOOL is uint8_t (0 or 1);
/// FLOAT16 and BFLOAT16 are uint16_t, their bit patterns; COMPLEX64 is two floats
/// for each element; 2- and 4-bit elements are packed, first in the lowest bits.
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

/// Memory for values whose size depends on the data. What a run leaves, which is
/// its results, is freed at the end.
class ResultBlocks {
public:
  ResultBlocks() = default;
  ResultBlocks(const ResultBlocks &) = delete;
  ResultBlocks &operator=(const ResultBlocks &) = delete;
  ~ResultBlocks() {
    while (first)
      release(this, reinterpret_cast<char *>(first) + ONNXC_ALIGNMENT);
  }
  onnxc_allocator hook() { return {this, allocate, release}; }

private:
  /// Lies in the ONNXC_ALIGNMENT bytes before the block.
  struct Link {
    Link *previous, *next;
  };
  static void *allocate(void *context, size_t bytes, size_t /*alignment*/) {
    if (bytes > SIZE_MAX - 2 * ONNXC_ALIGNMENT)
      return nullptr;
    size_t rounded = (bytes + 2 * ONNXC_ALIGNMENT - 1) / ONNXC_ALIGNMENT * ONNXC_ALIGNMENT;
    void *memory = std::aligned_alloc(ONNXC_ALIGNMENT, rounded);
    if (!memory)
      return nullptr;
    auto *blocks = static_cast<ResultBlocks *>(context);
    Link *link = new (memory) Link{nullptr, blocks->first};
    if (link->next)
      link->next->previous = link;
    blocks->first = link;
    return static_cast<char *>(memory) + ONNXC_ALIGNMENT;
  }
  static void release(void *context, void *pointer) {
    auto *link = reinterpret_cast<Link *>(static_cast<char *>(pointer) - ONNXC_ALIGNMENT);
    (link->previous ? link->previous->next : static_cast<ResultBlocks *>(context)->first) =
        link->next;
    if (link->next)
      link->next->previous = link->previous;
    std::free(link);
  }
  Link *first = nullptr;
};

/// A model with an instance, a workspace and a thread pool. Not to be shared
/// between threads: one object per thread that runs the model.
class ModelRunner {
public:
  onnxc_status status() const { return state; }
  const char *lastMessage() const { return message; }

  /// The side file's bytes, for a model built with --weights=file: model.weights_bytes
  /// of them, aligned to ONNXC_ALIGNMENT (as mmap and std::aligned_alloc do, but
  /// no std::vector). They are not copied: they must outlive the last run, and may
  /// be shared by any number of objects.
  void setWeights(const void *bytes, uint64_t size) {
    weights = bytes;
    weightsBytes = size;
  }
  /// Reads the side file into memory of this object. Its size is checked, not its
  /// content, whose SHA-256 is `model.weights_sha256`.
  onnxc_status loadWeights(const std::string &path) {
    if (model.weights || !model.weights_bytes)
      return fail(ONNXC_INVALID_ARGUMENT, "the weights are in the model, not in a side file");
    if (!ownWeights.reserve(model.weights_bytes + 1))
      return fail(ONNXC_OUT_OF_MEMORY, "no memory for the weights");
    std::FILE *file = std::fopen(path.c_str(), "rb");
    if (!file)
      return fail(ONNXC_INVALID_ARGUMENT, "cannot open the weights '" + path + "'");
    // One byte more than there should be shows a file that is too large.
    uint64_t size = std::fread(ownWeights.data(), 1, model.weights_bytes + 1, file);
    std::fclose(file);
    if (size != model.weights_bytes)
      return fail(ONNXC_BUFFER_TOO_SMALL,
                  "'" + path + "' is not this model's side file (found " +
                      (size > model.weights_bytes ? "more" : std::to_string(size)) +
                      " bytes, expected " + std::to_string(model.weights_bytes) + ")");
    setWeights(ownWeights.data(), size);
    message[0] = 0;
    return ONNXC_OK;
  }
  /// Called around each kernel; must outlive the last run. nullptr: none.
  void setProfiler(const onnxc_profiler *hook) { profiler = hook; }

protected:
  ModelRunner(const onnxc_model &m, int threads) : ModelRunner(m, nullptr) {
    if (state != ONNXC_OK || threads == 1)
      return;
    if (threads < 1 || threads > 32767)
      state = fail(ONNXC_INVALID_ARGUMENT, "threads: expected 1 to 32767, found " +
                                               std::to_string(threads));
    else if (!poolMemory.reserve(model.pool->bytes(threads)))
      state = fail(ONNXC_OUT_OF_MEMORY, "no memory for the thread pool");
    else if ((state = model.pool->create(poolMemory.data(), poolMemory.size(), threads, &pool)))
      fail(state, "cannot start " + std::to_string(threads) + " threads");
    else
      hostThreads = &pool;
  }
  ModelRunner(const onnxc_model &m, const onnxc_threads *hook) : model(m), hostThreads(hook) {
    if (!instance.reserve(model.instance_bytes))
      state = fail(ONNXC_OUT_OF_MEMORY, "no memory for the instance");
    else
      state = model.init(instance.data(), instance.size(), message, sizeof message);
  }
  ModelRunner(const ModelRunner &) = delete;
  ModelRunner &operator=(const ModelRunner &) = delete;
  ~ModelRunner() {
    if (pool.context)
      model.pool->destroy(&pool);
    if (instance.data())
      model.fini(instance.data());
  }

  onnxc_status fail(onnxc_status reason, const std::string &text) {
    std::snprintf(message, sizeof message, "%s", text.c_str());
    return reason;
  }
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
    call.threads = hostThreads;
    call.profiler = profiler;
    call.message = message;
    call.message_bytes = sizeof message;
    message[0] = 0;
    return call;
  }
  onnxc_status setWorkspace(onnxc_call &call) {
    if (!workspace.reserve(call.workspace_bytes))
      return fail(ONNXC_OUT_OF_MEMORY, "no memory for a workspace of " +
                                           std::to_string(call.workspace_bytes) + " bytes");
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
    tensor.dims.assign(static_cast<size_t>(rank), 0);
    view.dims = tensor.dims.data();
  }
  /// The runtime takes a view that is larger than it must be; here that is a mistake.
  onnxc_status checkSize(const onnxc_view &view, const char *name) {
    int64_t wanted = onnxc_tensor_bytes(view.dtype, view.dims, view.rank);
    if (wanted < 0 || view.bytes <= static_cast<uint64_t>(wanted))
      return ONNXC_OK;
    return fail(ONNXC_INVALID_ARGUMENT, std::string("input \"") + name +
                                            "\": too many bytes for its dims (found " +
                                            std::to_string(view.bytes) + ", expected " +
                                            std::to_string(wanted) + ")");
  }
  template <typename T> static void allocate(Tensor<T> &tensor, onnxc_view &view) {
    tensor.data.resize((view.bytes + sizeof(T) - 1) / sizeof(T));
    view.data = tensor.data.data();
  }
  /// Takes a result that the run allocated because its size depends on the data.
  template <typename T> static void collect(Tensor<T> &tensor, const onnxc_view &view) {
    if (view.data == tensor.data.data())
      return;
    tensor.data.resize((view.bytes + sizeof(T) - 1) / sizeof(T));
    if (view.bytes)
      std::memcpy(tensor.data.data(), view.data, view.bytes);
  }

  const onnxc_model &model;
  onnxc_status state = ONNXC_OK;

private:
  AlignedMemory instance, workspace, poolMemory, ownWeights;
  onnxc_threads pool = {};
  const onnxc_threads *hostThreads = nullptr;
  const onnxc_profiler *profiler = nullptr;
  const void *weights = nullptr;
  uint64_t weightsBytes = 0;
  char message[512] = {};
};

} // namespace onnxc

#endif

)cpp";

/// The wrapper knows tensors; other models are called through the C interface.
static bool canWrap(const ValueInfo &value) { return value.kind == ONNXC_TENSOR && value.hasRank; }

static void writeWrapperRun(raw_ostream &os, const ModelInfo &info) {
  std::vector<std::string> inputs = identifiers(info.inputs);
  std::vector<std::string> outputs = identifiers(info.outputs);
  os << "  /// Runs the model; outputs are resized, and must not be inputs too.\n";
  auto writeDocs = [&](StringRef direction, ArrayRef<std::string> ids, ArrayRef<ValueInfo> values) {
    for (auto [id, value] : llvm::zip_equal(ids, values))
      os << "  ///   " << direction << id << ": " << dtypeName(value.dtype) << " "
         << shapeText(value) << "\n";
  };
  writeDocs("in_", inputs, info.inputs);
  writeDocs("out_", outputs, info.outputs);
  os << "  onnxc_status run(";
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
    os << "    prepare(out_" << id << ", outputs[" << i << "], " << info.outputs[i].dims.size()
       << ");\n";
  os << "    onnxc_call call = makeCall(inputs, outputs);\n"
     << "    onnxc::ResultBlocks blocks;\n"
     << "    const onnxc_allocator allocator = blocks.hook();\n"
     << "    call.allocator = &allocator;\n"
     << "    onnxc_status result = model.plan(&call);\n";
  for (auto [i, value] : llvm::enumerate(info.inputs))
    os << "    if (result == ONNXC_OK)\n      result = checkSize(inputs[" << i << "], "
       << quote(value.name) << ");\n";
  os << "    if (result == ONNXC_OK)\n      result = setWorkspace(call);\n"
     << "    if (result != ONNXC_OK)\n      return result;\n";
  for (auto [i, id] : llvm::enumerate(outputs))
    os << "    allocate(out_" << id << ", outputs[" << i << "]);\n";
  os << "    result = model.run(&call);\n"
     << "    if (result != ONNXC_OK)\n      return result;\n";
  for (auto [i, id] : llvm::enumerate(outputs))
    os << "    collect(out_" << id << ", outputs[" << i << "]);\n";
  os << "    return ONNXC_OK;\n  }\n";
}

std::string buildCppHeader(const ModelInfo &info, StringRef include) {
  std::string text;
  raw_string_ostream os(text);
  std::string name = info.symbolPrefix();
  os << "// Generated by onnxc " << comment(info.compilerVersion) << " for the model \""
     << comment(info.name) << "\". Needs C++17 and " << comment(include)
     << ".\n#ifndef ONNXC_MODEL_" << upper(name) << "_HPP\n#define ONNXC_MODEL_" << upper(name)
     << "_HPP\n\n#include \"" << include << "\"\n\n"
     << commonCpp << "namespace " << name << " {\n\n"
     << "class Model : public onnxc::ModelRunner {\npublic:\n"
     << "  /// `threads`, the caller's included, of a pool that this object has.\n"
     << "  explicit Model(int threads = 1) : ModelRunner(" << name << "_model, threads) {}\n"
     << "  /// The host's own threads; the hook must outlive this object. nullptr: none.\n"
     << "  explicit Model(const onnxc_threads *threads) : ModelRunner(" << name
     << "_model, threads) {}\n\n";
  if (llvm::all_of(info.inputs, canWrap) && llvm::all_of(info.outputs, canWrap))
    writeWrapperRun(os, info);
  else
    os << "  // No run(): an input or output is no tensor, or its rank varies. Call\n"
       << "  // " << name << "_run of " << comment(include) << ".\n";
  os << "};\n\n} // namespace " << name << "\n\n#endif\n";
  return text;
}

} // namespace onnxc
