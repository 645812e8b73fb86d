//===- Model.h - A loaded model and calls of it -------------------*- C++ -*-===//
#ifndef ONNXC_TOOLS_ONNXC_RUN_MODEL_H
#define ONNXC_TOOLS_ONNXC_RUN_MODEL_H

#include "tools/onnxc-run/Value.h"
#include <map>

namespace onnxc::runner {

/// Memory aligned for workspaces and instances.
class AlignedMemory {
public:
  AlignedMemory() = default;
  explicit AlignedMemory(uint64_t bytes);
  void *data() const { return memory.get(); }
  uint64_t size() const { return bytes; }

private:
  struct Free {
    void operator()(void *pointer) const;
  };
  std::unique_ptr<void, Free> memory;
  uint64_t bytes = 0;
};

/// A file mapped for reading.
class MappedFile {
public:
  MappedFile() = default;
  MappedFile(const MappedFile &) = delete;
  ~MappedFile();
  Failure map(const std::string &path);
  const char *data() const { return bytes; }
  uint64_t size() const { return length; }

private:
  const char *bytes = nullptr;
  uint64_t length = 0;
};

/// A shared library with a model, its weights and an instance.
class Model {
public:
  Model() = default;
  Model(const Model &) = delete;
  ~Model();
  /// `weightsPath` replaces the place where the side file is looked for.
  Failure load(const std::string &path, const std::string &weightsPath);

  const onnxc_model *descriptor = nullptr;
  MappedFile weights; ///< the side file; empty when the weights are inside
  void *instanceData() const { return instance.data(); }

private:
  /// Maps the side file, in the model's folder unless its path is given.
  Failure loadWeights(const std::string &folder, const std::string &givenPath);

  void *library = nullptr;
  AlignedMemory instance;
};

/// Where a call's tasks run.
class Threads {
public:
  Threads() = default;
  Threads(const Threads &) = delete;
  ~Threads();
  /// The model's own pool.
  Failure makePool(const Model &model, int count);
  /// A host's hook that runs the tasks one after another, last one first.
  void makeSerialHook();
  const onnxc_threads *hooks() const { return isUsed ? &threads : nullptr; }

private:
  bool isUsed = false;
  onnxc_threads threads = {};
  const onnxc_pool_api *pool = nullptr;
  AlignedMemory memory;
};

/// Collects one event per kernel for a trace viewer.
class Profile {
public:
  Profile();
  onnxc_profiler profiler = {};
  Failure write(const std::string &path) const;

private:
  struct Event {
    std::string name, nodes;
    int64_t start = 0, end = 0; ///< ns
  };
  static void begin(void *context, const char *name, const char *nodes);
  static void end(void *context, const char *name, const char *nodes);
  std::vector<Event> events;
};

/// A planned call with its outputs and workspace; may be run many times.
class Call {
public:
  Call(const Model &model, std::vector<Value> &inputs, const onnxc_threads *threads,
       const onnxc_profiler *profiler = nullptr);
  ~Call();
  Call(const Call &) = delete;

  /// Sizes, buffers. Must come first.
  Failure plan();
  /// The bare run, for measuring.
  onnxc_status runOnce();
  Failure run();
  /// Copies of the outputs of the last run.
  std::vector<Value> outputs() const;
  uint64_t workspaceBytes() const { return workspace.size(); }

private:
  Failure describe(onnxc_status status) const;
  static void *allocate(void *context, size_t bytes, size_t alignment);
  static void release(void *context, void *pointer);

  const Model &model;
  std::vector<std::unique_ptr<ValueView>> inputStorage;
  std::vector<onnxc_view> inputViews, outputViews;
  std::vector<std::vector<int64_t>> outputDims;
  std::vector<AlignedMemory> outputMemory;
  AlignedMemory workspace;
  onnxc_allocator allocator = {};
  std::map<void *, AlignedMemory> allocated;
  onnxc_call call = {};
  char message[1024] = {};
};

/// Milliseconds on a steady clock.
double now();

} // namespace onnxc::runner

#endif // ONNXC_TOOLS_ONNXC_RUN_MODEL_H
