// Three compiled forms of one model: their results are the same.
#include "beside.hpp"
#include "inside.hpp"
#include "made.hpp"

template <typename Model> static bool runs(Model &model, std::vector<float> &result) {
  onnxc::Tensor<float> input, output;
  const onnxc_value &signature = inside_model.inputs[0];
  size_t elements = 1;
  for (int i = 0; i < signature.rank; ++i) {
    input.dims.push_back(signature.dims[i].size < 0 ? 1 : signature.dims[i].size);
    elements *= static_cast<size_t>(input.dims.back());
  }
  input.data.assign(elements, 0.5F);
  if (model.run(input, output) != ONNXC_OK) {
    std::fprintf(stderr, "error: %s\n", model.lastMessage());
    return false;
  }
  result = output.data;
  return !result.empty();
}

int main() {
  inside::Model inside(/*threads=*/2);
  beside::Model beside(2);
  made::Model made(2);
  std::vector<float> first, second, third;
  if (beside.loadWeights(WEIGHTS) != ONNXC_OK) {
    std::fprintf(stderr, "error: %s\n", beside.lastMessage());
    return 1;
  }
  if (!runs(inside, first) || !runs(beside, second) || !runs(made, third))
    return 2;
  return first == second && first == third ? 0 : 3;
}
