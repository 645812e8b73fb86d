// Links a compiled model and runs it: is this line of text upside down?
//
//   textdir image.f32 HEIGHT WIDTH [RUNS]
//
// image.f32 holds 3 x HEIGHT x WIDTH floats. Prints the two probabilities; with
// RUNS also the median time of a run in microseconds.
#include "textdir.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

using Clock = std::chrono::steady_clock;

static double medianMicroseconds(textdir::Model &model, const onnxc::Tensor<float> &image,
                                 onnxc::Tensor<float> &result, int runs) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    auto start = Clock::now();
    if (model.run(image, result) != ONNXC_OK)
      return 0;
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[runs / 2];
}

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: textdir image.f32 HEIGHT WIDTH [RUNS]\n");
    return 2;
  }
  onnxc::Tensor<float> image, result;
  image.dims = {1, 3, std::atol(argv[2]), std::atol(argv[3])};
  image.data.resize(3 * image.dims[2] * image.dims[3]);
  std::ifstream file(argv[1], std::ios::binary);
  if (!file.read(reinterpret_cast<char *>(image.data.data()), image.data.size() * sizeof(float))) {
    std::fprintf(stderr, "error: %s holds fewer than %zu floats\n", argv[1], image.data.size());
    return 1;
  }

  textdir::Model model;
  if (model.run(image, result) != ONNXC_OK) {
    std::fprintf(stderr, "error: %s\n", model.lastMessage());
    return 1;
  }
  std::printf("%.9g %.9g\n", result.data[0], result.data[1]);
  if (argc > 4)
    std::printf("%.1f\n",
                medianMicroseconds(model, image, result, std::max(1, std::atoi(argv[4]))));
}
