// Where are the values that are not zero? The wrapper takes the results over.
#include "finder.hpp"

#include <cstdio>

using Places = std::vector<int64_t>;

int main() {
  finder::Model model(/*threads=*/2);
  onnxc::Tensor<int64_t> index{{1}, {2}}, places;
  onnxc::Tensor<float> picked;
  auto find = [&](const std::vector<float> &values) {
    onnxc::Tensor<float> x{{static_cast<int64_t>(values.size())}, values};
    return model.run(x, index, places, picked);
  };
  if (find({0, 1, 2, 0, 4}) != ONNXC_OK || places.dims != Places{1, 3} ||
      places.data != Places{1, 2, 4} || picked.data != std::vector<float>{2}) {
    std::fprintf(stderr, "error: %s\n", model.lastMessage());
    return 1;
  }
  if (find({5, 0, 0}) != ONNXC_OK || places.dims != Places{1, 1} || places.data != Places{0})
    return 2;
  if (find({0, 0, 0}) != ONNXC_OK || places.dims != Places{1, 0} || !places.data.empty())
    return 3;
  index.data = {7};
  if (find({1, 1, 1}) != ONNXC_OUT_OF_RANGE)
    return 4;
  index.data = {0};
  return find({3, 3}) == ONNXC_OK && places.data == Places{0, 1} ? 0 : 5;
}
