// The inside of a server: requests for two models are answered by several
// threads, and all kernels of both models run on one thread pool of the host.
//
// The models own nothing: each answering thread has a workspace and outputs of
// its own, and hands the host's pool over with each call.
#include "ThreadPool.h"
#include "first.h"
#include "second.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using Bytes = std::vector<unsigned char>;

/// The host's pool in the shape that a model wants.
static void parallelFor(void *context, int64_t count, onnxc_task_fn task, void *args) {
  static_cast<ThreadPool *>(context)->parallelFor(count, [=](int64_t i) { task(args, i); });
}

static onnxc_threads hookOf(ThreadPool &pool) {
  onnxc_threads threads = {};
  threads.context = &pool;
  threads.parallel_for = parallelFor;
  threads.concurrency = static_cast<int32_t>(pool.size()) + 1;
  return threads;
}

struct FreeAligned {
  void operator()(void *memory) const { std::free(memory); }
};
using Aligned = std::unique_ptr<void, FreeAligned>;

static Aligned allocate(uint64_t bytes) {
  uint64_t rounded = (bytes / ONNXC_ALIGNMENT + 1) * ONNXC_ALIGNMENT;
  return Aligned(std::aligned_alloc(ONNXC_ALIGNMENT, rounded));
}

/// One answering thread's state for one model: made once, used for many requests.
class Session {
public:
  Session(const onnxc_model &model, const onnxc_threads *threads) : model(model) {
    call.abi_version = ONNXC_ABI_VERSION;
    call.num_inputs = model.num_inputs;
    call.num_outputs = model.num_outputs;
    call.threads = threads;
    call.message = message;
    call.message_bytes = sizeof message;
    describe(model.inputs, model.num_inputs, inputs, inputDims);
    describe(model.outputs, model.num_outputs, outputs, outputDims);
    call.inputs = inputs.data();
    call.outputs = outputs.data();
    for (onnxc_view &view : inputs) {
      view.bytes = onnxc_tensor_bytes(view.dtype, view.dims, view.rank);
      memory.push_back(allocate(view.bytes));
      std::memset(view.data = memory.back().get(), 0, view.bytes);
    }
    check(model.plan(&call));
    memory.push_back(allocate(call.workspace_bytes));
    call.workspace = memory.back().get();
    for (onnxc_view &view : outputs) {
      memory.push_back(allocate(view.bytes));
      view.data = memory.back().get();
    }
  }

  /// Answers one request: a number, from which the inputs are made.
  Bytes answer(int request) {
    for (onnxc_view &view : inputs)
      if (view.dtype == ONNXC_FLOAT)
        for (uint64_t i = 0; i < view.bytes / sizeof(float); ++i)
          static_cast<float *>(view.data)[i] = float((i * 31 + request * 17) % 101) / 50 - 1;
    check(model.run(&call));
    auto *data = static_cast<unsigned char *>(outputs[0].data);
    return Bytes(data, data + outputs[0].bytes);
  }

private:
  /// Views of values, with 2 for each size that is open.
  static void describe(const onnxc_value *values, int count, std::vector<onnxc_view> &views,
                       std::vector<std::vector<int64_t>> &dims) {
    views.resize(count);
    dims.resize(count);
    for (int i = 0; i < count; ++i) {
      for (int d = 0; d < values[i].rank; ++d)
        dims[i].push_back(values[i].dims[d].size < 0 ? 2 : values[i].dims[d].size);
      views[i].dims = dims[i].data();
      views[i].rank = values[i].rank;
      views[i].dtype = values[i].dtype;
    }
  }

  void check(onnxc_status status) {
    if (status == ONNXC_OK)
      return;
    std::fprintf(stderr, "error: %s: %s\n", model.name, message);
    std::exit(1);
  }

  const onnxc_model &model;
  onnxc_call call = {};
  std::vector<onnxc_view> inputs, outputs;
  std::vector<std::vector<int64_t>> inputDims, outputDims;
  std::vector<Aligned> memory;
  char message[256] = {};
};

int main() {
  constexpr int answering = 4, requests = 200;
  const onnxc_model *models[] = {&first_model, &second_model};

  // What each request is to be answered with, without any thread.
  std::vector<Bytes> wanted;
  Session serial[] = {{first_model, nullptr}, {second_model, nullptr}};
  for (int r = 0; r < requests; ++r)
    wanted.push_back(serial[r % 2].answer(r));

  ThreadPool pool(2);
  onnxc_threads hook = hookOf(pool);
  std::atomic<int> next{0}, right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < answering; ++t)
    threads.emplace_back([&] {
      Session sessions[] = {{*models[0], &hook}, {*models[1], &hook}};
      for (int r = next++; r < requests; r = next++)
        right += sessions[r % 2].answer(r) == wanted[r];
    });
  for (std::thread &thread : threads)
    thread.join();
  std::printf("%d of %d answers equal the serial ones bit by bit\n", right.load(), requests);
  return right == requests ? 0 : 1;
}
