// A model whose weights are in a side file, on the host's threads and profiler.
#include "aside.hpp"

#include <cstdio>

static void countTasks(void *context, int64_t count, onnxc_task_fn fn, void *args) {
  for (int64_t task = count; task-- > 0;)
    fn(args, task);
  *static_cast<int64_t *>(context) += count;
}
static void ignore(void *, const char *, const char *) {}

static bool says(const aside::Model &model, const std::string &text) {
  if (model.lastMessage() == text)
    return true;
  std::fprintf(stderr, "found '%s', expected '%s'\n", model.lastMessage(), text.c_str());
  return false;
}

int main() {
  int64_t tasks = 0;
  onnxc_threads threads = {};
  threads.context = &tasks;
  threads.parallel_for = countTasks;
  threads.concurrency = 1;
  aside::Model model(&threads);
  const onnxc_profiler profiler = {nullptr, ignore, ignore};
  model.setProfiler(&profiler);
  onnxc::Tensor<float> x{{2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}}, y;
  if (model.run(x, y) != ONNXC_INVALID_ARGUMENT ||
      !says(model, "the weights are in the side file \"aside.weights\"; none were given"))
    return 1;
  if (model.loadWeights("nowhere") != ONNXC_INVALID_ARGUMENT ||
      !says(model, "cannot open the weights 'nowhere'"))
    return 2;
  std::string path = WEIGHTS;
  for (const char *wrong : {".short", ".long"}) {
    std::string name = path + wrong;
    std::FILE *file = std::fopen(name.c_str(), "wb");
    bool isLong = wrong == std::string(".long");
    std::fwrite("0123456789abcdefgh", 1, isLong ? 17 : 15, file);
    std::fclose(file);
    const std::string start =
        "'" + name + "': not the side file that this model was compiled with: ";
    if (model.loadWeights(name) != ONNXC_WRONG_MODEL ||
        !says(model, start + (isLong ? "it has more bytes than the expected 16"
                                     : "its size differs (found 15 bytes, expected 16)")))
      return 3;
  }
  alignas(64) float own[5] = {0, 1, 2, 3, 4};
  model.setWeights(own + 1, 16);
  if (model.run(x, y) != ONNXC_MISALIGNED ||
      !says(model, "alignment of the weights (found 4, expected 64)"))
    return 4;
  model.setWeights(own, 20);
  if (model.run(x, y) != ONNXC_BUFFER_TOO_SMALL ||
      !says(model, "bytes of the weights (found 20, expected 16)"))
    return 5;
  if (model.loadWeights(path) != ONNXC_OK || model.run(x, y) != ONNXC_OK || y.data[7] != 33)
    return 6;
  return tasks == 2 ? 0 : 7;
}
