//===- Model.cpp - A loaded model and calls of it --------------------------===//
#include "tools/onnxc-run/Model.h"
#include "tools/onnxc-run/ModelFile.h"
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace onnxc::runner {

void AlignedMemory::Free::operator()(void *pointer) const { std::free(pointer); }

AlignedMemory::AlignedMemory(uint64_t bytes) : bytes(bytes) {
  uint64_t rounded = (bytes + ONNXC_ALIGNMENT - 1) / ONNXC_ALIGNMENT * ONNXC_ALIGNMENT;
  memory.reset(std::aligned_alloc(ONNXC_ALIGNMENT, rounded ? rounded : ONNXC_ALIGNMENT));
}

double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(time).count();
}

MappedFile::~MappedFile() {
  if (bytes)
    munmap(const_cast<char *>(bytes), length);
}

Failure MappedFile::map(const std::string &path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info;
  bool isOpen = fd >= 0 && fstat(fd, &info) == 0;
  void *mapped = MAP_FAILED;
  if (isOpen && S_ISDIR(info.st_mode))
    errno = EISDIR;
  else if (isOpen && info.st_size == 0)
    mapped = nullptr; // nothing to map is no error
  else if (isOpen)
    mapped = mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
  Failure failure;
  if (mapped == MAP_FAILED)
    failure = "cannot read '" + path + "': " + std::strerror(errno);
  if (fd >= 0)
    close(fd);
  if (failure.empty()) {
    bytes = static_cast<const char *>(mapped);
    length = static_cast<uint64_t>(info.st_size);
  }
  return failure;
}

/// For the machine that this program runs on?
static Failure checkMachine(unsigned machine, const std::string &path) {
#if defined(__x86_64__)
  constexpr unsigned own = EM_X86_64;
#elif defined(__aarch64__)
  constexpr unsigned own = EM_AARCH64;
#elif defined(__riscv)
  constexpr unsigned own = EM_RISCV;
#else
  constexpr unsigned own = EM_ARM;
#endif
  if (machine == own)
    return "";
  return "'" + path + "' is for " + machineName(machine) + ", this onnxc-run is for " +
         machineName(own) + "; compile without --mtriple to run it here";
}

Failure Model::loadWeights(const std::string &folder, const std::string &givenPath) {
  if (!descriptor->weights_file || !descriptor->weights_bytes)
    return givenPath.empty()
               ? ""
               : "--weights=" + givenPath + ": this model has no side file, " +
                     (descriptor->weights_bytes ? "its weights are inside" : "it has no weights");
  std::string path = givenPath.empty() ? folder + descriptor->weights_file : givenPath;
  if (Failure bad = weights.map(path); !bad.empty())
    return bad + "; --weights=FILE says where the side file with the weights is";
  // A side file of another build gives wrong results without a sign.
  char message[512] = {};
  if (descriptor->check_weights(weights.data(), weights.size(), message, sizeof message))
    return "'" + path + "': " + message;
  return "";
}

Failure Model::load(const std::string &path, const std::string &weightsPath) {
  MappedFile file;
  if (Failure bad = file.map(path); !bad.empty())
    return bad;
  ModelFile model;
  if (Failure bad = model.read({file.data(), file.size()}, path, nullptr); !bad.empty())
    return bad;
  if (Failure bad = checkMachine(model.machine, path); !bad.empty())
    return bad;
  if (!model.isShared)
    return "'" + path + "' is no shared library, which alone can be run; link it into a program";
  // A bare name would be looked for in the system's folders.
  std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return dlerror();
  descriptor = static_cast<const onnxc_model *>(dlsym(library, model.symbol.c_str()));
  if (!descriptor)
    return dlerror();
  char message[512] = {};
  if (onnxc_check_model(descriptor, nullptr, nullptr, message, sizeof message))
    return message;
  if (Failure bad = loadWeights(place.substr(0, place.rfind('/') + 1), weightsPath); !bad.empty())
    return bad;
  instance = AlignedMemory(descriptor->instance_bytes);
  onnxc_status status = descriptor->init(instance.data(), instance.size(), message, sizeof message);
  if (status)
    return "status " + std::to_string(status) + ": " + message;
  return "";
}

Model::~Model() {
  if (descriptor && instance.data())
    descriptor->fini(instance.data());
  if (library)
    dlclose(library);
}

Failure Threads::makePool(const Model &model, int count) {
  pool = model.descriptor->pool;
  memory = AlignedMemory(pool->bytes(count));
  onnxc_status status = pool->create(memory.data(), memory.size(), count, &threads);
  if (status) {
    pool = nullptr;
    return "cannot start " + std::to_string(count) + " threads: status " + std::to_string(status) +
           (status == ONNXC_UNSUPPORTED
                ? ", there is no pthread_create; link a static program with "
                  "-Wl,-u,pthread_create,-u,pthread_join"
                : "");
  }
  isUsed = true;
  return "";
}

void Threads::makeSerialHook() {
  isUsed = true;
  threads.concurrency = 1;
  threads.parallel_for = [](void *, int64_t count, onnxc_task_fn fn, void *args) {
    while (count-- > 0)
      fn(args, count);
  };
}

Threads::~Threads() {
  if (pool)
    pool->destroy(&threads);
}

Profile::Profile() { profiler = {this, begin, end}; }

static int64_t nanoseconds() { return static_cast<int64_t>(now() * 1e6); }

void Profile::begin(void *context, const char *name, const char *nodes) {
  auto *profile = static_cast<Profile *>(context);
  profile->events.push_back({name, nodes ? nodes : "", nanoseconds(), 0});
}

void Profile::end(void *context, const char *, const char *) {
  auto *profile = static_cast<Profile *>(context);
  if (!profile->events.empty())
    profile->events.back().end = nanoseconds();
}

Failure Profile::write(const std::string &path) const {
  FILE *file = std::fopen(path.c_str(), "w");
  if (!file)
    return "cannot write '" + path + "': " + std::strerror(errno);
  std::fputs("{\"traceEvents\":[", file);
  for (size_t i = 0; i < events.size(); ++i) {
    const Event &event = events[i];
    std::fprintf(file,
                 "%s\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":%s,\"ts\":%.3f,\"dur\":%.3f,"
                 "\"args\":{\"nodes\":%s}}",
                 i ? "," : "", jsonText(event.name).c_str(), static_cast<double>(event.start) / 1e3,
                 static_cast<double>(event.end - event.start) / 1e3, jsonText(event.nodes).c_str());
  }
  std::fputs("\n]}\n", file);
  return std::fclose(file) ? "cannot write '" + path + "'" : "";
}

Call::Call(const Model &model, std::vector<Value> &inputs, const onnxc_threads *threads,
           const onnxc_profiler *profiler)
    : model(model) {
  const onnxc_model &descriptor = *model.descriptor;
  for (Value &input : inputs) {
    inputStorage.push_back(std::make_unique<ValueView>(input));
    inputViews.push_back(inputStorage.back()->view);
  }
  outputViews.resize(descriptor.num_outputs);
  outputDims.resize(descriptor.num_outputs);
  outputMemory.resize(descriptor.num_outputs);
  for (int32_t i = 0; i < descriptor.num_outputs; ++i) {
    outputDims[i].resize(std::max(descriptor.outputs[i].rank, 0) + 1);
    outputViews[i].dims = outputDims[i].data();
  }
  allocator = {this, allocate, release};
  call.abi_version = ONNXC_ABI_VERSION;
  call.num_inputs = static_cast<int32_t>(inputViews.size());
  call.num_outputs = descriptor.num_outputs;
  call.inputs = inputViews.data();
  call.outputs = outputViews.data();
  call.weights = model.weights.data();
  call.weights_bytes = model.weights.size();
  call.instance = model.instanceData();
  call.threads = threads;
  call.allocator = &allocator;
  call.profiler = profiler;
  call.message = message;
  call.message_bytes = sizeof message;
}

Call::~Call() = default;

void *Call::allocate(void *context, size_t bytes, size_t) {
  auto *self = static_cast<Call *>(context);
  AlignedMemory memory(bytes);
  void *pointer = memory.data();
  if (pointer)
    self->allocated[pointer] = std::move(memory);
  return pointer;
}

void Call::release(void *context, void *pointer) {
  static_cast<Call *>(context)->allocated.erase(pointer);
}

Failure Call::describe(onnxc_status status) const {
  if (!status)
    return "";
  return "status " + std::to_string(status) + ": " + message;
}

Failure Call::plan() {
  if (Failure bad = describe(model.descriptor->plan(&call)); !bad.empty())
    return bad;
  workspace = AlignedMemory(call.workspace_bytes);
  call.workspace = workspace.data();
  for (size_t i = 0; i < outputViews.size(); ++i) {
    outputMemory[i] = AlignedMemory(outputViews[i].bytes);
    outputViews[i].data = outputMemory[i].data();
    if (!outputViews[i].data)
      return "out of memory for output " + std::to_string(i);
  }
  return call.workspace ? "" : "out of memory for the workspace";
}

onnxc_status Call::runOnce() {
  // What the last run allocated is no longer wanted; views that were pointed at
  // it get their own memory back.
  if (!allocated.empty()) {
    allocated.clear();
    for (size_t i = 0; i < outputViews.size(); ++i) {
      outputViews[i].data = outputMemory[i].data();
      outputViews[i].bytes = outputMemory[i].size();
    }
  }
  return model.descriptor->run(&call);
}

Failure Call::run() { return describe(runOnce()); }

std::vector<Value> Call::outputs() const {
  std::vector<Value> values;
  for (const onnxc_view &view : outputViews)
    values.push_back(copyView(view));
  return values;
}

} // namespace onnxc::runner
