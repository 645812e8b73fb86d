// usage: open_model add.so mul.so: makes objects of both with the first one's wrapper.
#include "add.hpp"
#include <dlfcn.h>

static const onnxc_model &open(const char *path, const char *symbol) {
  return *static_cast<const onnxc_model *>(dlsym(dlopen(path, RTLD_NOW), symbol));
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  const onnxc_model &add = open(argv[1], "add_model"), &mul = open(argv[2], "mul_model");
  onnxc::Tensor<float> a{{1}, {3}}, b{{1}, {4}}, y;
  add::Model right(add, /*threads=*/2);
  if (right.run(a, b, y) != ONNXC_OK || y.data[0] != 7)
    return 2;
  add::Model wrong(mul, 2);
  if (wrong.status() != ONNXC_WRONG_MODEL || wrong.run(a, b, y) != ONNXC_WRONG_MODEL ||
      std::string(wrong.lastMessage()).find(mul.model_sha256) == std::string::npos)
    return 3;
  onnxc_model old = add;
  old.abi_version = 1;
  add::Model outdated(old);
  if (outdated.status() != ONNXC_ABI_MISMATCH ||
      std::string(outdated.lastMessage()).find("found 1, expected 2") == std::string::npos)
    return 4;
  return 0;
}
