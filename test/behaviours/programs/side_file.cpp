// usage: side_file own.weights other.weights: with a model whose weights are in the first.
#include HEADER

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  m::Model model;
  onnxc::Tensor<float> a{{1, 64}, std::vector<float>(64, 1)}, right, wrong;
  if (model.loadWeights(argv[2]) != ONNXC_WRONG_MODEL)
    return 2;
  std::puts(model.lastMessage());
  if (model.run(a, right) != ONNXC_INVALID_ARGUMENT)
    return 3;
  if (model.loadWeights(argv[1]) != ONNXC_OK || model.run(a, right) != ONNXC_OK)
    return 4;
  // Whoever does not want to wait for the check gets what is in the file.
  if (model.loadWeights(argv[2], /*check=*/false) != ONNXC_OK || model.run(a, wrong) != ONNXC_OK)
    return 5;
  return wrong.data == right.data ? 6 : 0;
}
