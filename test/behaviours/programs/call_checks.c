/* A MatMul [4,4]x[4,3] called wrongly in each way; built with ASan, on buffers of
 * exactly the right size. Each wrong call has a status and a message. */
#include "model_call.h"

extern const onnxc_model matmul_model;

static float *a_data, *b_data;
static const int64_t a_dims[2] = {4, 4}, b_dims[2] = {4, 3};

static void begin(model_call *c) {
  model_call_begin(c, &matmul_model);
  model_call_input(c, 0, a_data, a_dims);
  model_call_input(c, 1, b_data, b_dims);
}

/* Plans rightly, breaks something, and expects the run to refuse it. */
#define EXPECT_REFUSED(wanted, statement)                                        \
  do {                                                                           \
    model_call c;                                                                \
    begin(&c);                                                                   \
    CHECK(model_call_plan(&c) == ONNXC_OK);                                      \
    model_call good = c;                                                         \
    statement;                                                                   \
    onnxc_status status = model_call_run(&c);                                    \
    if (status != (wanted) || !c.message[0]) {                                   \
      fprintf(stderr, "%s: error: status %d, message '%s', expected %d\n", #statement, \
              (int)status, c.message, (int)(wanted));                            \
      exit(1);                                                                   \
    }                                                                            \
    printf("%s: %s\n", #statement, c.message);                                   \
    model_call_end(&good);                                                       \
  } while (0)

static void expect_right(void) {
  model_call c;
  begin(&c);
  CHECK(model_call_plan(&c) == ONNXC_OK);
  CHECK(model_call_run(&c) == ONNXC_OK);
  const float *out = (const float *)c.outputs[0].data;
  for (int i = 0; i < 12; ++i) {
    float wanted = 0;
    for (int k = 0; k < 4; ++k)
      wanted += a_data[i / 3 * 4 + k] * b_data[k * 3 + i % 3];
    CHECK(out[i] == wanted);
  }
  model_call_end(&c);
}

int main(void) {
  a_data = (float *)malloc(16 * sizeof(float));
  b_data = (float *)malloc(12 * sizeof(float));
  float *ten = (float *)malloc(10 * sizeof(float));
  for (int i = 0; i < 16; ++i)
    a_data[i] = (float)(i - 5);
  for (int i = 0; i < 12; ++i)
    b_data[i] = (float)(7 - i);
  memset(ten, 0, 10 * sizeof(float));

  expect_right();
  EXPECT_REFUSED(ONNXC_BUFFER_TOO_SMALL, (c.inputs[0].data = ten, c.inputs[0].bytes = 40));
  EXPECT_REFUSED(ONNXC_SHAPE_MISMATCH, c.inputs[0].dims[0] = 5);
  EXPECT_REFUSED(ONNXC_SHAPE_MISMATCH, c.inputs[0].dims[1] = -4);
  EXPECT_REFUSED(ONNXC_SHAPE_MISMATCH, c.inputs[0].rank = 1);
  EXPECT_REFUSED(ONNXC_TYPE_MISMATCH, c.inputs[0].dtype = ONNXC_DOUBLE);
  EXPECT_REFUSED(ONNXC_INVALID_ARGUMENT, c.inputs[0].data = NULL);
  EXPECT_REFUSED(ONNXC_INVALID_ARGUMENT, c.call.inputs = NULL);
  EXPECT_REFUSED(ONNXC_INVALID_ARGUMENT, c.call.num_inputs = 1);
  EXPECT_REFUSED(ONNXC_BUFFER_TOO_SMALL, c.outputs[0].bytes = 47);
  EXPECT_REFUSED(ONNXC_INVALID_ARGUMENT, c.outputs[0].data = NULL);
  expect_right();
  free(a_data);
  free(b_data);
  free(ten);
  return 0;
}
