//===- CommandLine.cpp - The command line of onnxc ------------------------===//
//
// The only cl::opt of the project. LLVM's libraries bring thousands of their
// own: they are hidden, and names such as threads, color or stats are taken.
//
//===----------------------------------------------------------------------===//
#include "tools/onnxc/CommandLine.h"
#include "codegen/Header.h"
#include "codegen/RuntimeFiles.h"
#include "codegen/Target.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace onnxc {
namespace {

Error optionError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// One of an option's values. A fault is kept for the caller to report.
template <typename Enum> struct ChoiceParser : cl::parser<Enum> {
  using cl::parser<Enum>::parser;
  bool parse(cl::Option &option, StringRef, StringRef text, Enum &value) {
    std::string list;
    for (const auto &row : this->Values) {
      if (row.Name == text) {
        value = row.V.getValue();
        return false;
      }
      list += (list.empty() ? "" : ", ") + row.Name.str();
    }
    fault = ("--" + option.ArgStr + ": expected one of " + list + ", found '" + text + "'").str();
    return true;
  }
  std::string fault;
};

/// Constructed when the command line is read, not when the program starts.
struct CommandLine {
  std::string targets = "Target; default: this machine; one of " + listTargets();
  cl::OptionCategory category{"onnxc options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("<model.onnx>"), cl::cat(category)};
  cl::opt<std::string> output{"o", cl::value_desc("file"),
                              cl::desc("Output file; default: the model's name with the ending of "
                                       "what is emitted, for IR standard output"),
                              cl::cat(category)};
  cl::opt<Emit, false, ChoiceParser<Emit>> emit{
      "emit", cl::desc("What to write; default: by the ending of -o, else a shared library"),
      cl::values(clEnumValN(Emit::onnx, "onnx", "IR: the graph after simplification and layout"),
                 clEnumValN(Emit::linalg, "linalg", "IR: after lowering to linalg"),
                 clEnumValN(Emit::kernels, "kernels", "IR: fused kernels and their launches"),
                 clEnumValN(Emit::llvm, "llvm", "LLVM IR"),
                 clEnumValN(Emit::assembly, "asm", "assembly of the target"),
                 clEnumValN(Emit::object, "obj", "object file"),
                 clEnumValN(Emit::staticLibrary, "staticlib", "archive"),
                 clEnumValN(Emit::sharedLibrary, "sharedlib", "shared library")),
      cl::cat(category)};
  cl::opt<std::string> name{
      "name", cl::value_desc("prefix"),
      cl::desc("Prefix of the exported symbols and namespace of the C++ header; "
               "default: the output's name, '_' for what C does not allow"),
      cl::cat(category)};
  cl::opt<std::string> triple{"mtriple", cl::value_desc("triple"), cl::desc(targets),
                              cl::cat(category)};
  cl::opt<std::string> cpu{"mcpu", cl::value_desc("name"),
                           cl::desc("CPU to compile for; default: native, for another target its "
                                    "baseline; help: list them"),
                           cl::cat(category)};
  cl::opt<std::string> features{"mattr", cl::value_desc("+a,-b"),
                                cl::desc("CPU features to add or remove; help: list them"),
                                cl::cat(category)};
  cl::list<std::string> shapes{"shapes", cl::value_desc("input:1x3x224x224"), cl::CommaSeparated,
                               cl::desc("Shape of an input; '?' leaves a dim dynamic"),
                               cl::cat(category)};
  cl::list<std::string> dims{"dim", cl::value_desc("batch=1"), cl::CommaSeparated,
                             cl::desc("Size of a symbolic dim, or its bounds: batch=1..64"),
                             cl::cat(category)};
  cl::opt<bool> statistics{
      "report", cl::desc("Print kernels, weights, workspace and live memory of the artifact"),
      cl::cat(category)};
  cl::opt<bool> timing{"timing", cl::desc("Print where the time of the compilation went"),
                       cl::cat(category)};
  cl::list<std::string> keptInputs{
      "keep-input", cl::value_desc("name"), cl::CommaSeparated,
      cl::desc("Input that has an initializer, which is its default and would "
               "be compiled as a constant: the caller gives it"),
      cl::cat(category)};
  /// Gives the names back: the linker registers some of them again.
  ~CommandLine() {
    SmallVector<cl::Option *> own;
    for (auto &entry : cl::getRegisteredOptions())
      if (is_contained(entry.second->Categories, &category))
        own.push_back(entry.second);
    for (cl::Option *option : own)
      option->removeArgument();
    input.removeArgument();
  }
  enum WeightsPlace { embedded, file };
  cl::opt<WeightsPlace, false, ChoiceParser<WeightsPlace>> weights{
      "weights", cl::desc("Where the weights go"), cl::init(embedded),
      cl::values(clEnumValN(embedded, "embedded", "into the artifact (default)"),
                 clEnumValN(file, "file", "into a file beside it, OUTPUT.weights")),
      cl::cat(category)};
};

Error parseSize(StringRef text, int64_t &size) {
  if (text.getAsInteger(10, size) || size < 0)
    return optionError("expected a size, found '" + text + "'");
  return Error::success();
}

/// The artifacts: how messages call them, and the endings of their files, of which
/// the first is the default.
struct ArtifactForm {
  Emit emit;
  StringLiteral title, ending, otherEnding = "";
};
constexpr ArtifactForm artifactForms[] = {
    {Emit::llvm, "LLVM IR", ".ll"},
    {Emit::assembly, "assembly", ".s"},
    {Emit::object, "an object file", ".o", ".obj"},
    {Emit::staticLibrary, "an archive", ".a"},
    {Emit::sharedLibrary, "a shared library", ".so"},
};

/// The form of an artifact; null for the IR of a stage.
const ArtifactForm *formOf(Emit emit) {
  const auto *form =
      find_if(artifactForms, [&](const ArtifactForm &row) { return row.emit == emit; });
  return form == std::end(artifactForms) ? nullptr : form;
}

/// What the ending of the output file asks for; nothing when it is none of ours.
std::optional<Emit> emitFromEnding(StringRef path) {
  StringRef ending = sys::path::extension(path);
  for (const ArtifactForm &form : artifactForms)
    if (!ending.empty() && (ending == form.ending || ending == form.otherEnding))
      return form.emit;
  return std::nullopt;
}

/// What is emitted, in messages.
StringRef titleOf(Emit emit) {
  const ArtifactForm *form = formOf(emit);
  return form ? StringRef(form->title) : "the IR of a stage";
}

/// Sets `options.emit` from --emit (nothing: not given), the output's ending or the
/// default, unless they contradict one another.
Error chooseEmit(std::optional<Emit> wanted, CompileOptions &options) {
  std::optional<Emit> fromEnding = emitFromEnding(options.outputPath);
  StringRef ending = sys::path::extension(options.outputPath);
  if (!wanted && !fromEnding && !ending.empty())
    return optionError(
        "-o " + options.outputPath + ": unknown ending '" + ending +
        "', expected .so, .a, .o, .obj, .s or .ll; with --emit also any other ending");
  options.emit = wanted.value_or(fromEnding.value_or(Emit::sharedLibrary));
  if (fromEnding && *fromEnding != options.emit)
    return optionError("--emit asks for " + titleOf(options.emit) + ", but the ending of '" +
                       options.outputPath + "' for " + titleOf(*fromEnding) +
                       "; leave out --emit or give the file another ending");
  if (options.outputPath == "-" && !options.emitsText())
    return optionError("-o -: " + titleOf(options.emit) +
                       " cannot go to standard output; name a file");
  return Error::success();
}

} // namespace

Error parseDim(StringRef text, CompileOptions &options) {
  auto [name, value] = text.rsplit('=');
  if (name.empty() || value.empty())
    return optionError("--dim: expected name=size or name=min..max, found '" + text + "'");
  auto [low, high] = value.split("..");
  DimRange range;
  if (Error error = parseSize(low, range.min))
    return optionError("--dim " + text + ": " + toString(std::move(error)));
  bool isFixed = !value.contains("..");
  if (isFixed)
    range.max = range.min;
  else if (Error error = parseSize(high, range.max))
    return optionError("--dim " + text + ": " + toString(std::move(error)));
  if (range.min > range.max)
    return optionError("--dim " + text + ": the lower bound is above the upper one");
  auto size = options.import.dims.find(name.str());
  auto bounds = options.import.ranges.find(name.str());
  bool differs = false;
  if (size != options.import.dims.end())
    differs = !isFixed || size->second != range.min;
  if (bounds != options.import.ranges.end())
    differs = isFixed || bounds->second.min != range.min || bounds->second.max != range.max;
  if (differs)
    return optionError("--dim " + text + ": '" + name +
                       "' has another size or bounds in the same command");
  if (isFixed)
    options.import.dims[name.str()] = range.min;
  else
    options.import.ranges[name.str()] = range;
  return Error::success();
}

Error parseShape(StringRef text, CompileOptions &options) {
  auto [name, sizes] = text.rsplit(':');
  if (name.empty() || !text.contains(':'))
    return optionError("--shapes: expected input:1x3x224x224, found '" + text + "'");
  std::vector<int64_t> shape;
  SmallVector<StringRef> parts;
  if (!sizes.empty())
    sizes.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t size = -1;
    if (part != "?")
      if (Error error = parseSize(part, size))
        return optionError("--shapes " + text + ": " + toString(std::move(error)));
    shape.push_back(size);
  }
  auto [known, isNew] = options.import.shapes.try_emplace(name.str(), shape);
  if (!isNew && known->second != shape)
    return optionError("--shapes " + text + ": '" + name +
                       "' has another shape in the same command");
  return Error::success();
}

/// Is the prefix of the symbols one that the headers can use? `namesCode` is
/// false for IR, which has neither.
static Error checkName(StringRef name, bool isExplicit, bool namesCode) {
  ModelInfo info;
  info.name = name.str();
  std::string prefix = info.symbolPrefix();
  if (isExplicit && name != prefix)
    return optionError("--name: expected a C identifier, found '" + name + "'");
  if (namesCode && isReservedPrefix(prefix))
    return optionError((isExplicit ? "--name: '" + prefix + "' is"
                                   : "the prefix of the symbols would be '" + prefix + "',") +
                       " a name of C++, its library or onnxc; choose another" +
                       (isExplicit ? "" : " with --name"));
  return Error::success();
}

static std::string describe(const CommandLine &line) {
  std::string text;
  auto add = [&](StringRef name, StringRef value) {
    if (!value.empty())
      text += ((text.empty() ? "--" : " --") + name + "=" + value).str();
  };
  add("mtriple", line.triple);
  add("mcpu", line.cpu);
  add("mattr", line.features);
  add("shapes", join(line.shapes, ","));
  add("dim", join(line.dims, ","));
  add("keep-input", join(line.keptInputs, ","));
  return text;
}

Expected<Command> parseCommandLine(int argc, char **argv) {
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  cl::SetVersionPrinter([](raw_ostream &os) {
    os << "onnxc " << getVersion();
    if (!getCommit().empty())
      os << " (commit " << getCommit() << ")";
    os << ", ABI version " << ONNXC_ABI_VERSION << "\n";
  });
  std::string messages;
  raw_string_ostream stream(messages);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "onnxc: compiles an ONNX model ahead of time to native code\n", &stream)) {
    for (StringRef fault : {line.emit.getParser().fault, line.weights.getParser().fault})
      if (!fault.empty())
        return optionError(fault);
    // LLVM prints some faults to standard error itself.
    return optionError(messages.empty() ? "wrong arguments; see onnxc --help"
                                        : StringRef(messages).rtrim());
  }

  Command command;
  if (line.cpu == "help" || line.features == "help") {
    Expected<std::string> list =
        line.cpu == "help" ? listCpus(line.triple) : listFeatures(line.triple);
    if (!list)
      return list.takeError();
    command.help = std::move(*list);
    return command;
  }
  if (line.input.empty())
    return optionError("expected a model: onnxc <model.onnx>; see onnxc --help");
  CompileOptions &options = command.options;
  command.inputPath = line.input;
  command.printReport = line.statistics;
  command.printTiming = line.timing;
  options.outputPath = line.output;
  std::optional<Emit> wanted;
  if (line.emit.getNumOccurrences())
    wanted = line.emit.getValue();
  if (Error error = chooseEmit(wanted, options))
    return error;
  options.triple = line.triple;
  options.cpu = line.cpu;
  // Code for the machine at hand is the default, but only on that machine.
  if (options.cpu.empty() && options.triple.empty())
    options.cpu = "native";
  options.features = line.features;
  options.weightsInFile = line.weights == CommandLine::file;
  options.text = describe(line);
  command.writesToStdout =
      options.outputPath == "-" || (options.outputPath.empty() && options.emitsIR());
  if (command.writesToStdout)
    options.outputPath.clear();
  else if (options.outputPath.empty())
    options.outputPath = (sys::path::stem(command.inputPath) + formOf(options.emit)->ending).str();
  bool fromOutput = !options.emitsIR() && !command.writesToStdout;
  options.name = line.name.getNumOccurrences()
                     ? line.name.getValue()
                     : sys::path::stem(fromOutput ? options.outputPath : command.inputPath).str();
  if (Error error = checkName(options.name, line.name.getNumOccurrences(),
                              /*namesCode=*/fromOutput))
    return error;
  options.import.keptInputs.insert(line.keptInputs.begin(), line.keptInputs.end());
  for (const std::string &text : line.dims)
    if (Error error = parseDim(text, options))
      return error;
  for (const std::string &text : line.shapes)
    if (Error error = parseShape(text, options))
      return error;
  return command;
}

} // namespace onnxc
