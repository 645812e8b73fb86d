//===- CppHeader.cpp - The generated C++ header ----------------------------===//
#include "codegen/Header.h"
#include "codegen/HeaderText.h"
#include "codegen/RuntimeFiles.h"
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
  os << "  // NOLINTNEXTLINE(bugprone-easily-swappable-parameters): two may be of one type.\n"
        "  [[nodiscard]] onnxc_status run(";
  ListSeparator separator;
  for (auto [id, value] : llvm::zip_equal(inputs, info.inputs))
    os << separator << "const onnxc::Input<" << elementType(value.dtype) << "> &in_" << id;
  for (auto [id, value] : llvm::zip_equal(outputs, info.outputs))
    os << separator << "const onnxc::Output<" << elementType(value.dtype) << "> &out_" << id;
  os << ") {\n    if (status() != ONNXC_OK)\n      return status();\n"
     << "    onnxc_view inputs[" << std::max<size_t>(inputs.size(), 1) << "] = {};\n"
     << "    onnxc_view outputs[" << std::max<size_t>(outputs.size(), 1) << "] = {};\n";
  for (auto [i, id] : llvm::enumerate(inputs))
    os << "    inputs[" << i << "] = in_" << id << ".view(ONNXC_" << dtypeName(info.inputs[i].dtype)
       << ");\n";
  for (auto [i, id] : llvm::enumerate(outputs))
    os << "    out_" << id << ".prepare(outputs[" << i << "], " << info.outputs[i].dims.size()
       << ");\n";
  os << "    onnxc_call call = makeCall(inputs, outputs);\n"
     << "    onnxc::ResultBlocks blocks;\n"
     << "    const onnxc_allocator allocator = blocks.hook();\n"
     << "    call.allocator = &allocator;\n"
     << "    onnxc_status result = plan(call);\n";
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(inputs, info.inputs)))
    os << "    if (result == ONNXC_OK)\n      result = checkSize(in_" << std::get<0>(pair)
       << ", inputs[" << i << "], " << quote(std::get<1>(pair).name) << ");\n";
  os << "    if (result != ONNXC_OK)\n      return result;\n";
  for (auto [i, id] : llvm::enumerate(outputs))
    os << "    out_" << id << ".allocate(outputs[" << i << "]);\n";
  os << "    result = execute(call);\n";
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(outputs, info.outputs)))
    os << "    if (result == ONNXC_OK)\n      result = collect(out_" << std::get<0>(pair)
       << ", outputs[" << i << "], " << quote(std::get<1>(pair).name) << ");\n";
  os << "    return result;\n  }\n";
}

std::string buildCppHeader(const ModelInfo &info, StringRef include) {
  std::string text;
  raw_string_ostream os(text);
  std::string name = info.symbolPrefix(), prefix = upper(name);
  os << "// Generated by onnxc " << comment(info.compilerVersion) << " for the model \""
     << comment(info.name) << "\". Needs C++17 and " << comment(include) << ".\n#include \""
     << include << "\"\n\n"
     << getRuntimeWrapper();
  writeGuard(os, info, "HPP");
  os << "namespace " << name << " {\n\n"
     << "class Model : public onnxc::ModelRunner {\npublic:\n"
     << "  /// `threads`, the caller's included, of a pool that this object has.\n"
     << "  explicit Model(int threads = 1) : Model(" << name << "_model, threads) {}\n"
     << "  /// The host's own threads; the hook must outlive this object. nullptr: none.\n"
     << "  explicit Model(const onnxc_threads *threads) : Model(" << name << "_model, threads) {}\n"
     << "  /// The same for a library that the program opened itself: the descriptor is the\n"
     << "  /// symbol " << name << "_model. One of another model ends in status().\n"
     << "  explicit Model(const onnxc_model &descriptor, int threads = 1)\n"
     << "      : ModelRunner(descriptor, {" << prefix << "_MODEL_ID, " << prefix
     << "_MODEL_SHA256}, threads) {}\n"
     << "  Model(const onnxc_model &descriptor, const onnxc_threads *threads)\n"
     << "      : ModelRunner(descriptor, {" << prefix << "_MODEL_ID, " << prefix
     << "_MODEL_SHA256}, threads) {}\n\n";
  if (llvm::all_of(info.inputs, canWrap) && llvm::all_of(info.outputs, canWrap))
    writeWrapperRun(os, info);
  else
    os << "  // No run(): an input or output is no tensor, or its rank varies. Call\n"
       << "  // " << name << "_run of " << comment(include) << ".\n";
  os << "};\n\n} // namespace " << name << "\n\n#endif\n";
  return text;
}

} // namespace onnxc
