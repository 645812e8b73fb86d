/* Two models in one program, as C and as C++: Add and Mul on two floats each. */
#include "model_call.h"

#ifdef __cplusplus
extern "C" {
#endif
extern const onnxc_model add_model, mul_model;
#ifdef __cplusplus
}
#endif

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

int main(void) {
  CHECK(call(&add_model, 3, 4) == 7);
  CHECK(call(&mul_model, 3, 4) == 12);
  CHECK(call(&add_model, 5, 6) == 11);
  return 0;
}
