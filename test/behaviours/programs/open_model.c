/* usage: open_model add.so mul.so: opens both with the header of the first. */
#include "add.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "line %d: %s ('%s')\n", __LINE__, #condition, message); \
      return 1;                                                               \
    }                                                                         \
  } while (0)

int main(int argc, char **argv) {
  char message[512] = "untouched", small[20];
  CHECK(argc == 3);
  void *add_library = dlopen(argv[1], RTLD_NOW), *mul_library = dlopen(argv[2], RTLD_NOW);
  CHECK(add_library && mul_library);
  const onnxc_model *add = (const onnxc_model *)dlsym(add_library, "add_model");
  const onnxc_model *mul = (const onnxc_model *)dlsym(mul_library, "mul_model");
  CHECK(add && mul);
  CHECK(add_check(add, message, sizeof message) == ONNXC_OK && !message[0]);
  CHECK(add_check(mul, message, sizeof message) == ONNXC_WRONG_MODEL);
  CHECK(strstr(message, mul->id) && strstr(message, ADD_MODEL_ID));
  CHECK(strstr(message, mul->model_sha256) && strstr(message, ADD_MODEL_SHA256));
  CHECK(add_check(NULL, message, sizeof message) == ONNXC_INVALID_ARGUMENT && message[0]);
  CHECK(onnxc_check_model(mul, NULL, NULL, message, sizeof message) == ONNXC_OK);

  onnxc_model old = *add;
  old.abi_version = 1;
  CHECK(add_check(&old, message, sizeof message) == ONNXC_ABI_MISMATCH);
  CHECK(strstr(message, "(found 1, expected 2)"));
  CHECK(add_check(&old, small, sizeof small) == ONNXC_ABI_MISMATCH);
  CHECK(strlen(small) == sizeof small - 1);
  CHECK(add_check(&old, NULL, 0) == ONNXC_ABI_MISMATCH);
  return 0;
}
