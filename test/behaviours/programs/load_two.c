/* usage: load_two add.so mul.so: both opened with RTLD_GLOBAL; the first model is
 * still right after the second was loaded and closed. */
#include "model_call.h"
#include <dlfcn.h>

static float call(const onnxc_model *model, float a, float b) {
  const int64_t dims[1] = {1};
  model_call c;
  model_call_begin(&c, model);
  model_call_input(&c, 0, &a, dims);
  model_call_input(&c, 1, &b, dims);
  CHECK(model_call_plan(&c) == ONNXC_OK);
  CHECK(model_call_run(&c) == ONNXC_OK);
  float result = *(float *)c.outputs[0].data;
  model_call_end(&c);
  return result;
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  void *add = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  CHECK(add != NULL);
  const onnxc_model *add_model = (const onnxc_model *)dlsym(add, "add_model");
  CHECK(add_model != NULL && call(add_model, 3, 4) == 7);
  void *mul = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL);
  CHECK(mul != NULL);
  const onnxc_model *mul_model = (const onnxc_model *)dlsym(mul, "mul_model");
  CHECK(mul_model != NULL && call(mul_model, 3, 4) == 12);
  CHECK(call(add_model, 3, 4) == 7);
  dlclose(mul);
  CHECK(call(add_model, 5, 6) == 11);
  dlclose(add);
  return 0;
}
