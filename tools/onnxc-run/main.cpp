//===- main.cpp - Run, compare and measure a compiled model -----------===//
#include "tools/onnxc-run/Model.h"
#include "tools/onnxc-run/ModelFile.h"
#include "tools/onnxc-run/ValueFiles.h"
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <unistd.h>

using namespace onnxc::runner;

static const char *const usage = R"(usage: onnxc-run MODEL.so [FOLDER] [options]

Runs a compiled model, and says what it compared or what came out.

FOLDER holds every input, and the outputs to compare with, where it has them:
input_<i>.pb, input_<i>.npy or NAME.npy (output_<i>... likewise; i counts from
0; a / in a name is _ in the file's). Without FOLDER, inputs that are not given
are random.

  --input=[NAME=]@FILE   an input (.npy or .pb), in order or by name
  --expected=[NAME=]@FILE  what an output should be, in order or by name
  --output=[NAME=]@FILE  where to write an output (.npy), in order or by name
  --rtol=R --atol=A      tolerance: |found - expected| <= A + R * |expected|
  --dim NAME=SIZE        size of a symbolic dim for random inputs
  --seed=N               of the random inputs
  --weights=FILE         the side file, when it is not beside the model
  --threads=N            use the model's pool with N threads
  --hook=serial          use a host's hook that runs tasks one by one
  --concurrent=K         K threads call the model at once; results must be equal
  --bench                measure: median, 90th and 99th percentile
  --iterations=N         runs to measure instead of one second's worth
  --profile=FILE         time per kernel, for a trace viewer
  --info                 print the model's signature and exit; also of an object, of an
                         archive, and for any architecture
  --json                 print results as JSON

Exit code: 0 when all is well, 1 when an output differs, 2 for other errors.
)";

namespace {
struct Options {
  std::string model, folder, weights, profile;
  std::vector<FileArgument> inputs, expected, outputs;
  std::vector<std::pair<std::string, int64_t>> dims;
  Tolerance tolerance;
  int threads = 1, concurrent = 1, iterations = 0;
  uint64_t seed = 1;
  bool serialHook = false, bench = false, info = false, json = false;
};
} // namespace

static std::string parseNumber(const std::string &text, int64_t minimum, int64_t &number) {
  char *end = nullptr;
  number = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end || number < minimum)
    return "expected a number of at least " + std::to_string(minimum) + ", found '" + text + "'";
  return "";
}

static Failure parseFile(const std::string &text, std::vector<FileArgument> &files) {
  size_t at = text.find('@');
  if (at == std::string::npos || (at > 0 && text[at - 1] != '='))
    return "expected [NAME=]@FILE, found '" + text + "'";
  files.push_back({at ? text.substr(0, at - 1) : "", text.substr(at + 1)});
  return "";
}

static Failure parseInt(const std::string &text, int64_t minimum, int &result) {
  int64_t number = 0;
  Failure bad = parseNumber(text, minimum, number);
  if (bad.empty() && number > INT_MAX)
    bad = "number too large: '" + text + "'";
  result = static_cast<int>(number);
  return bad;
}

static Failure parseDim(const std::string &text, Options &options) {
  size_t equals = text.rfind('=');
  int64_t size = 0;
  if (equals == std::string::npos)
    return "expected NAME=SIZE, found '" + text + "'";
  Failure bad = parseNumber(text.substr(equals + 1), 0, size);
  options.dims.push_back({text.substr(0, equals), size});
  return bad;
}

static Failure parseReal(const std::string &text, double &number) {
  char *end = nullptr;
  number = std::strtod(text.c_str(), &end);
  return text.empty() || *end || !(number >= 0) ? "expected a tolerance, found '" + text + "'" : "";
}

/// An option that takes a value.
static Failure setOption(const std::string &name, const std::string &value, Options &options) {
  int64_t number = 0;
  Failure bad;
  if (name == "input")
    return parseFile(value, options.inputs);
  if (name == "expected")
    return parseFile(value, options.expected);
  if (name == "output")
    return parseFile(value, options.outputs);
  if (name == "rtol")
    return parseReal(value, options.tolerance.relative);
  if (name == "atol")
    return parseReal(value, options.tolerance.absolute);
  if (name == "dim")
    return parseDim(value, options);
  if (name == "threads")
    return parseInt(value, 1, options.threads);
  if (name == "concurrent")
    return parseInt(value, 1, options.concurrent);
  if (name == "iterations")
    return parseInt(value, 1, options.iterations);
  if (name == "weights" || name == "profile") {
    (name == "weights" ? options.weights : options.profile) = value;
    return "";
  }
  if (name == "seed") {
    bad = parseNumber(value, 0, number);
    options.seed = static_cast<uint64_t>(number);
    return bad;
  }
  if (name == "hook") {
    options.serialHook = value == "serial";
    return options.serialHook ? "" : "unknown hook '" + value + "', expected 'serial'";
  }
  return "unknown option '--" + name + "'";
}

static bool *findFlag(const std::string &name, Options &options) {
  if (name == "bench")
    return &options.bench;
  if (name == "info")
    return &options.info;
  if (name == "json")
    return &options.json;
  return nullptr;
}

static Failure parseOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.compare(0, 2, "--") != 0) {
      std::string &place = options.model.empty() ? options.model : options.folder;
      if (!place.empty())
        return "unexpected argument '" + argument + "'";
      place = argument;
      continue;
    }
    size_t equals = argument.find('=');
    std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (bool *flag = findFlag(name, options)) {
      *flag = true;
      continue;
    }
    if (equals == std::string::npos && i + 1 >= argc)
      return "option '" + argument + "' is unknown or lacks its value";
    std::string value = equals == std::string::npos ? argv[++i] : argument.substr(equals + 1);
    if (Failure bad = setOption(name, value, options); !bad.empty())
      return "--" + name + ": " + bad;
  }
  return options.model.empty() ? "no model given" : "";
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static double machineBytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

static Failure makeRandom(const onnxc_model &model, const onnxc_value &declared, uint64_t seed,
                          const Options &options, Value &value) {
  value.kind = declared.kind;
  value.dtype = declared.dtype;
  if (declared.kind != ONNXC_TENSOR)
    return "";
  for (int32_t i = 0; i < declared.rank; ++i) {
    const onnxc_dim &dim = declared.dims[i];
    int64_t size = dim.size;
    if (size < 0) {
      size = dim.symbol >= 0 ? std::max<int64_t>(model.symbols[dim.symbol].min, 1) : 1;
      for (const auto &[name, given] : options.dims)
        if (name == dim.text)
          size = given;
    }
    value.dims.push_back(size);
  }
  int64_t bytes = onnxc_tensor_bytes(value.dtype, value.dims.data(), declared.rank);
  if (bytes < 0)
    return std::string("input \"") + declared.name + "\" is too large";
  // Asked for more, Linux may promise it and end the process later.
  if (double memory = machineBytes(); static_cast<double>(bytes) > memory)
    return std::string("input \"") + declared.name + "\" of " + typeText(value) + " needs " +
           std::to_string(bytes) + " bytes, this machine has " +
           std::to_string(static_cast<int64_t>(memory)) + "; give smaller sizes with --dim";
  fillRandom(value, seed);
  return "";
}

/// `randomNames`: of the inputs for which there is no file.
static Failure readInputs(const onnxc_model &model, const Options &options,
                          std::vector<Value> &inputs, std::vector<std::string> &randomNames) {
  std::vector<std::string> paths;
  Failure bad = orderFiles(options.inputs, inputsOf(model), paths);
  if (!bad.empty())
    return bad;
  for (const auto &[name, size] : options.dims) {
    bool known = false;
    std::string list;
    for (int32_t i = 0; i < model.num_symbols; ++i) {
      known |= name == model.symbols[i].name;
      list += (i ? ", '" : "'") + std::string(model.symbols[i].name) + "'";
    }
    if (!known)
      return "the model has no dim '" + name + "', only " + (list.empty() ? "fixed sizes" : list);
  }
  if (bad = addFolder(options.folder, inputsOf(model), paths); !bad.empty())
    return bad;
  inputs.resize(model.num_inputs);
  for (int32_t i = 0; i < model.num_inputs; ++i) {
    if (paths[i].empty() && !options.folder.empty())
      return missingFile(options.folder, inputsOf(model), i);
    if (paths[i].empty())
      randomNames.push_back(model.inputs[i].name);
    bad = paths[i].empty()
              ? makeRandom(model, model.inputs[i], options.seed + i, options, inputs[i])
              : readValue(paths[i], model.inputs[i].kind, inputs[i]);
    if (!bad.empty())
      return bad;
    // .npy has no name for types such as bfloat16; their bits come as integers.
    onnxc_dtype dtype = model.inputs[i].dtype;
    bool isBits = inputs[i].dtype == ONNXC_UINT16 || inputs[i].dtype == ONNXC_UINT8;
    if (isBits && onnxc_dtype_bits(dtype) == onnxc_dtype_bits(inputs[i].dtype) &&
        (dtype == ONNXC_BFLOAT16 || dtype >= ONNXC_FLOAT8E4M3FN))
      inputs[i].dtype = dtype;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// What to do with the model
//===----------------------------------------------------------------------===//

static int fail(const Failure &failure) {
  std::fprintf(stderr, "onnxc-run: error: %s\n", failure.c_str());
  return 2;
}

namespace {
/// What came of comparing outputs with files.
struct Comparison {
  int compared = 0;
  bool isEqual = true;
  double maxError = 0; ///< of outputs that are equal within the tolerance
};
} // namespace

/// Compares with the expected files, and says which outputs differ.
static Failure compare(const onnxc_model &model, const Options &options,
                       const std::vector<Value> &outputs, Comparison &result) {
  std::vector<std::string> paths;
  Failure bad = orderFiles(options.expected, outputsOf(model), paths);
  if (bad.empty())
    bad = addFolder(options.folder, outputsOf(model), paths);
  for (int32_t i = 0; bad.empty() && i < model.num_outputs; ++i) {
    if (paths[i].empty())
      continue;
    Value expected;
    if (bad = readValue(paths[i], model.outputs[i].kind, expected); !bad.empty())
      return bad;
    ++result.compared;
    std::string difference =
        compareValues(outputs[i], expected, options.tolerance, result.maxError);
    if (difference.empty())
      continue;
    std::fprintf(stderr, "onnxc-run: output \"%s\": %s\n", model.outputs[i].name,
                 difference.c_str());
    result.isEqual = false;
  }
  // A model without inputs takes any folder: one that proves nothing is a mistake.
  bool provesNothing = !options.folder.empty() && !model.num_inputs && !result.compared;
  return bad.empty() && provesNothing ? missingFile(options.folder, outputsOf(model), 0) : bad;
}

/// "ran on random inputs", or which of them are.
static std::string inputsText(const onnxc_model &model,
                              const std::vector<std::string> &randomNames) {
  if (!model.num_inputs)
    return "";
  if (randomNames.size() == static_cast<size_t>(model.num_inputs))
    return " on random inputs";
  std::string text = " on the given inputs";
  for (size_t i = 0; i < randomNames.size(); ++i)
    text += (i ? ", \"" : ", random for \"") + randomNames[i] + "\"";
  return text;
}

/// One line about a run in which nothing went wrong.
static void printSummary(const onnxc_model &model, const Options &options,
                         const std::vector<std::string> &randomNames,
                         const std::vector<Value> &outputs, const Comparison &comparison) {
  std::string from = inputsText(model, randomNames);
  if (comparison.compared) {
    std::string count = std::to_string(comparison.compared);
    if (comparison.compared < model.num_outputs)
      count += " of " + std::to_string(model.num_outputs);
    std::printf("%s output%s equal (maximum error %.2g)%s\n", count.c_str(),
                count == "1" ? "" : "s", comparison.maxError,
                randomNames.empty() ? "" : from.c_str());
    return;
  }
  std::string text = "ran" + from;
  if (!options.folder.empty())
    text += ", without outputs to compare with";
  for (int32_t i = 0; i < model.num_outputs; ++i)
    text += (i ? ", " : "; ") + std::string(model.outputs[i].name) + " " + typeText(outputs[i]);
  std::puts(text.c_str());
}

static Failure writeOutputs(const onnxc_model &model, const Options &options,
                            const std::vector<Value> &outputs) {
  std::vector<std::string> paths;
  Failure bad = orderFiles(options.outputs, outputsOf(model), paths);
  for (int32_t i = 0; bad.empty() && i < model.num_outputs; ++i)
    if (!paths[i].empty())
      bad = writeNpy(paths[i], outputs[i]);
  return bad;
}

/// Bit-equality, NaN patterns included.
static bool sameBits(const Value &a, const Value &b) {
  if (a.kind != b.kind || a.dtype != b.dtype || a.dims != b.dims || a.bytes != b.bytes ||
      a.strings != b.strings || a.elements.size() != b.elements.size())
    return false;
  for (size_t i = 0; i < a.elements.size(); ++i)
    if (!sameBits(a.elements[i], b.elements[i]))
      return false;
  return true;
}

/// How often each of the concurrent threads calls the model.
static constexpr int concurrentCalls = 4;

/// Many threads call the model, sharing its pool or hook.
static int runConcurrently(const Model &model, const Options &options, std::vector<Value> &inputs,
                           const onnxc_threads *threads, const std::vector<Value> &expected) {
  std::vector<Failure> failures(options.concurrent);
  auto work = [&](int index) {
    Call call(model, inputs, threads);
    failures[index] = call.plan();
    for (int i = 0; i < concurrentCalls && failures[index].empty(); ++i) {
      failures[index] = call.run();
      std::vector<Value> outputs = call.outputs();
      for (size_t o = 0; o < outputs.size() && failures[index].empty(); ++o)
        if (!sameBits(outputs[o], expected[o]))
          failures[index] = "output " + std::to_string(o) + " differs between concurrent calls";
    }
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < options.concurrent; ++i)
    workers.emplace_back(work, i);
  for (std::thread &worker : workers)
    worker.join();
  for (const Failure &failure : failures) {
    if (failure.empty())
      continue;
    std::fprintf(stderr, "onnxc-run: %s\n", failure.c_str());
    return 1;
  }
  if (!options.json)
    std::printf("%d threads called the model %d times each: all outputs equal those of a single "
                "call, bit by bit\n",
                options.concurrent, concurrentCalls);
  return 0;
}

static double percentile(const std::vector<double> &sorted, double part) {
  size_t index = static_cast<size_t>(part * static_cast<double>(sorted.size() - 1) + 0.5);
  return sorted[std::min(index, sorted.size() - 1)];
}

static int bench(Call &call, const Options &options) {
  double start = now();
  for (int i = 0; i < 3 || now() - start < 200; ++i)
    if (Failure bad = call.run(); !bad.empty())
      return fail(bad);
  std::vector<double> times;
  start = now();
  while (options.iterations ? times.size() < static_cast<size_t>(options.iterations)
                            : times.size() < 5 || now() - start < 1000) {
    double before = now();
    onnxc_status status = call.runOnce();
    times.push_back(now() - before);
    if (status)
      return fail("status " + std::to_string(status));
  }
  std::sort(times.begin(), times.end());
  std::printf(options.json ? "{\"runs\": %zu, \"min_ms\": %.6f, \"median_ms\": %.6f, "
                             "\"p90_ms\": %.6f, \"p99_ms\": %.6f, \"workspace_bytes\": %llu, "
                             "\"threads\": %d}\n"
                           : "%zu runs: min %.4f ms, median %.4f ms, p90 %.4f ms, p99 %.4f ms, "
                             "workspace %llu bytes, %d thread(s)\n",
              times.size(), times.front(), percentile(times, .5), percentile(times, .9),
              percentile(times, .99), static_cast<unsigned long long>(call.workspaceBytes()),
              options.threads);
  return 0;
}

/// To compare nothing is not to be equal.
static void printJson(const Options &options, const Comparison &comparison, bool areEqual) {
  std::string text = "{\"compared\": " + std::to_string(comparison.compared);
  if (comparison.compared)
    text += std::string(", \"equal\": ") + (comparison.isEqual ? "true" : "false");
  // Not run when an output already differs.
  if (options.concurrent > 1 && comparison.isEqual)
    text += ", \"concurrent_calls\": " + std::to_string(options.concurrent * concurrentCalls) +
            ", \"concurrent_equal\": " + (areEqual ? "true" : "false");
  std::puts((text + "}").c_str());
}

static int runModel(const Model &model, const Options &options) {
  std::vector<Value> inputs;
  std::vector<std::string> randomNames;
  if (Failure bad = readInputs(*model.descriptor, options, inputs, randomNames); !bad.empty())
    return fail(bad);
  Threads threads;
  if (options.serialHook)
    threads.makeSerialHook();
  else if (options.threads > 1)
    if (Failure bad = threads.makePool(model, options.threads); !bad.empty())
      return fail(bad);
  Profile profile;
  Call call(model, inputs, threads.hooks(), options.profile.empty() ? nullptr : &profile.profiler);
  Failure bad = call.plan();
  if (bad.empty())
    bad = call.run();
  std::vector<Value> outputs;
  if (bad.empty()) {
    outputs = call.outputs();
    bad = writeOutputs(*model.descriptor, options, outputs);
  }
  if (bad.empty() && !options.profile.empty())
    bad = profile.write(options.profile);
  Comparison comparison;
  if (bad.empty())
    bad = compare(*model.descriptor, options, outputs, comparison);
  if (!bad.empty())
    return fail(bad);
  int result = comparison.isEqual ? 0 : 1;
  bool areEqual = true;
  if (result == 0 && options.concurrent > 1)
    areEqual = (result = runConcurrently(model, options, inputs, threads.hooks(), outputs)) == 0;
  if (options.json)
    printJson(options, comparison, areEqual);
  if (result == 0 && !options.json)
    printSummary(*model.descriptor, options, randomNames, outputs, comparison);
  if (result == 0 && options.bench)
    result = bench(call, options);
  return result;
}

static int showInfo(const Options &options) {
  MappedFile file;
  ModelFile model;
  ModelFacts facts;
  if (Failure bad = file.map(options.model); !bad.empty())
    return fail(bad);
  if (Failure bad = model.read({file.data(), file.size()}, options.model, &facts); !bad.empty())
    return fail(bad);
  printInfo(facts, options.json);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && std::strcmp(argv[1], "--help") == 0) {
    std::fputs(usage, stdout);
    return 0;
  }
  Options options;
  if (Failure bad = parseOptions(argc, argv, options); !bad.empty()) {
    std::fprintf(stderr, "onnxc-run: error: %s; see --help\n", bad.c_str());
    return 2;
  }
  try {
    if (options.info)
      return showInfo(options);
    Model model;
    if (Failure bad = model.load(options.model, options.weights); !bad.empty())
      return fail(bad);
    return runModel(model, options);
  } catch (const std::bad_alloc &) {
    return fail("out of memory");
  }
}
