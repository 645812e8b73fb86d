// The generated C++ wrapper, and one model's pool for another model.
#include "first.hpp"
#include "scale_add.hpp"

int main() {
  scale_add::Model model(2);
  if (model.status() != ONNXC_OK)
    return 1;
  onnxc::Tensor<float> x{{3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, y;
  if (model.run(x, y) != ONNXC_OK)
    return 2;
  if (y.dims != std::vector<int64_t>{3, 4} ||
      y.data != std::vector<float>{2, 5, 10, 17, 6, 13, 22, 33, 10, 21, 34, 49})
    return 3;
  x.dims = {13, 4};
  x.data.resize(52);
  if (model.run(x, y) != ONNXC_OUT_OF_RANGE ||
      std::string(model.lastMessage()).find("Mul_1") == std::string::npos)
    return 4;
  first::Model other;
  x = {{2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}};
  if (other.run(x, y) != ONNXC_OK || y.data[7] != 33)
    return 5;
  x.dims = {1, 4};
  if (other.run(x, y) != ONNXC_SHAPE_MISMATCH)
    return 6;
  x.dims = {2, 4};
  x.data.resize(9);
  if (other.run(x, y) != ONNXC_INVALID_ARGUMENT ||
      other.lastMessage() !=
          std::string("input \"x\": too many bytes for its dims (found 36, expected 32)"))
    return 7;
  for (int threads : {-3, 0, 100000}) {
    first::Model wrong(threads);
    if (wrong.status() != ONNXC_INVALID_ARGUMENT || wrong.run(x, y) != wrong.status() ||
        wrong.lastMessage() != "threads: expected 1 to 32767, found " + std::to_string(threads))
      return 8;
  }
  // The model asks for memory and keeps it: the wrapper gives and frees it.
  x.dims = {14, 4};
  x.data.assign(56, 1);
  if (model.run(x, y) != ONNXC_OK || y.data.back() != 5)
    return 9;
  return other.loadWeights("weights") == ONNXC_INVALID_ARGUMENT ? 0 : 10;
}
