// 8 threads, 1000 runs each of one model, each thread with its own input. Every
// result equals the single-threaded one bit by bit. Built plainly and with TSan.
#include "model_call.h"
#include <atomic>
#include <thread>
#include <vector>

extern "C" const onnxc_model attend_model;

static const int64_t dims[2] = {6, 16};

static std::vector<float> inputOf(int thread) {
  std::vector<float> data(6 * 16);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = float((i * 37 + size_t(thread) * 11) % 23) / 7.0f - 1.5f;
  return data;
}

static bool runEquals(model_call &c, const std::vector<float> &wanted) {
  return model_call_run(&c) == ONNXC_OK &&
         memcmp(c.outputs[0].data, wanted.data(), wanted.size() * sizeof(float)) == 0;
}

static void prepare(model_call &c, const std::vector<float> &input) {
  model_call_begin(&c, &attend_model);
  model_call_input(&c, 0, input.data(), dims);
  CHECK(model_call_plan(&c) == ONNXC_OK);
}

int main() {
  constexpr int threads = 8, runs = 1000;
  std::vector<std::vector<float>> inputs, wanted;
  for (int t = 0; t < threads; ++t) {
    inputs.push_back(inputOf(t));
    model_call c;
    prepare(c, inputs.back());
    CHECK(model_call_run(&c) == ONNXC_OK);
    auto *out = static_cast<float *>(c.outputs[0].data);
    wanted.emplace_back(out, out + c.outputs[0].dims[0] * c.outputs[0].dims[1]);
    model_call_end(&c);
  }

  std::atomic<int> wrong{0};
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      model_call c;
      prepare(c, inputs[t]);
      for (int i = 0; i < runs; ++i)
        wrong += !runEquals(c, wanted[t]);
      model_call_end(&c);
    });
  for (std::thread &worker : workers)
    worker.join();
  printf("%d of %d results differ\n", wrong.load(), threads * runs);
  return wrong != 0;
}
