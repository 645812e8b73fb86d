// A model with two threads in a program that may be static.
#include "add.hpp"

int main() {
  add::Model model(/*threads=*/2);
  std::puts(model.lastMessage());
  if (model.status() != ONNXC_OK)
    return model.status();
  const onnxc::Tensor<float> a{{1}, {3}}, b{{1}, {4}};
  onnxc::Tensor<float> y;
  return model.run(a, b, y) == ONNXC_OK && y.data[0] > 6.5F ? 0 : 100;
}
