// Runs a model of one float input and one float output, of shape [batch, ...].
#include "classifier.hpp"

#include <cstdio>

int main() {
  onnxc::Tensor<float> input, output;
  const onnxc_value &signature = classifier_model.inputs[0];
  size_t elements = 1;
  for (int i = 0; i < signature.rank; ++i) {
    input.dims.push_back(signature.dims[i].size < 0 ? 1 : signature.dims[i].size);
    elements *= input.dims.back();
  }
  for (size_t i = 0; i < elements; ++i)
    input.data.push_back(float(i % 16) / 16);

  classifier::Model model(/*threads=*/2);
  if (model.run(input, output) != ONNXC_OK) {
    std::fprintf(stderr, "error: %s\n", model.lastMessage());
    return 1;
  }
  for (float value : output.data)
    std::printf("%f\n", value);
}
