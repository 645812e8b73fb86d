// Whatever a program does with the wrapper, in one place: compiled with all the warnings that
// people use, then run.
#include "add.hpp"
#include "finder.hpp"

using Floats = std::vector<float>;

// Input and outputs in memory of the program's.
static int useViews(add::Model &model) {
  const float a[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  float y[16] = {};
  const onnxc::TensorView<const float> left{{4, 3}, a, 12};
  onnxc::TensorView<float> sum{{}, y, 16};
  const onnxc::Tensor<float> right{{4, 3}, Floats(12, 1.0F)};
  if (model.run(left, right, sum) != ONNXC_OK || y[11] < 12.5F || sum.dims[1] != 3)
    return 1;
  if (model.run(left, left, onnxc::TensorView<float>{{}, y, 12}) != ONNXC_OK || y[11] < 23.5F)
    return 2;
  sum.size = 11;
  if (model.run(left, right, sum) != ONNXC_BUFFER_TOO_SMALL)
    return 3;
  // In place: refused, since kernels read and write in any order.
  onnxc::TensorView<float> both{{4, 3}, y, 12};
  if (model.run(both, right, both) == ONNXC_OK)
    return 4;
  onnxc::TensorView<float> inside{{}, y + 4, 12};
  const onnxc::TensorView<float> overlapped{{4, 3}, y, 12};
  if (model.run(overlapped, right, inside) != ONNXC_INVALID_ARGUMENT ||
      model.lastMessage() !=
          std::string("output \"y\" overlaps input \"a\"; give it memory of its own"))
    return 5;
  return 0;
}

// Results whose size the data decides.
static int useFinder() {
  int64_t places[8] = {};
  onnxc::TensorView<int64_t> found{{}, places, 8}, few{{}, places, 1};
  const onnxc::Tensor<int64_t> index{{1}, {0}};
  const onnxc::Tensor<float> x{{3}, {1, 0, 2}};
  onnxc::Tensor<float> picked;
  finder::Model model;
  if (model.run(x, index, found, picked) != ONNXC_OK || found.dims[1] != 2 || places[1] != 2)
    return 11;
  return model.run(x, index, few, picked) == ONNXC_BUFFER_TOO_SMALL ? 0 : 12;
}

int main() {
  std::vector<add::Model> models;
  models.emplace_back(2);
  models.emplace_back();
  models.emplace_back(3);
  for (add::Model &model : models)
    if (const int bad = useViews(model))
      return bad;
  add::Model moved = std::move(models[0]);
  const onnxc::Tensor<float> a{{4, 3}, Floats(12, 2.0F)};
  onnxc::Tensor<float> y;
  if (models[0].run(a, a, y) == ONNXC_OK || // NOLINT(bugprone-use-after-move): that is asked here
      models[0].lastMessage() != std::string("this model has been moved"))
    return 21;
  models[0] = std::move(moved);
  if (models[0].run(a, a, y) != ONNXC_OK || y.data[5] < 3.5F)
    return 22;
  models.erase(models.begin());
  return useFinder();
}
