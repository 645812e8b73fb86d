/* A MatMul [4,4]x[4,3] called wrongly in each way. Each wrong call has a status and
 * a message. A page that cannot be touched lies right behind each buffer, which
 * catches the model's own code too. */
#include "model_call.h"
#include <sys/mman.h>
#include <unistd.h>

extern const onnxc_model matmul_model;

static float *a_data, *b_data, *y_data;
static const int64_t a_dims[2] = {4, 4}, b_dims[2] = {4, 3};

/* `count` floats that end where a page without access begins. */
static float *guarded(size_t count) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = count * sizeof(float);
  char *memory =
      (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED && mprotect(memory + page, page, PROT_NONE) == 0);
  return (float *)(memory + page - bytes);
}

/* A right call, planned. */
static void begin(model_call *c) {
  model_call_begin(c, &matmul_model);
  model_call_input(c, 0, a_data, a_dims);
  model_call_input(c, 1, b_data, b_dims);
  CHECK(model_call_plan(c) == ONNXC_OK);
  free(c->outputs[0].data);
  c->outputs[0].data = y_data;
}

/* Breaks a right call, and expects the run to refuse it. */
#define EXPECT_REFUSED(wanted, statement)                                              \
  do {                                                                                 \
    model_call c;                                                                      \
    begin(&c);                                                                         \
    void *workspace = c.call.workspace;                                                \
    statement;                                                                         \
    onnxc_status status = model_call_run(&c);                                          \
    if (status != (wanted) || !c.message[0]) {                                         \
      fprintf(stderr, "%s: error: status %d, message '%s', expected %d\n", #statement, \
              (int)status, c.message, (int)(wanted));                                  \
      exit(1);                                                                         \
    }                                                                                  \
    printf("%s: %s\n", #statement, c.message);                                         \
    free(workspace);                                                                   \
  } while (0)

static void expect_right(void) {
  model_call c;
  begin(&c);
  CHECK(model_call_run(&c) == ONNXC_OK);
  for (int i = 0; i < 12; ++i) {
    float wanted = 0;
    for (int k = 0; k < 4; ++k)
      wanted += a_data[i / 3 * 4 + k] * b_data[k * 3 + i % 3];
    CHECK(y_data[i] == wanted);
  }
  free(c.call.workspace);
}

int main(void) {
  a_data = guarded(16);
  b_data = guarded(12);
  y_data = guarded(12);
  float *ten = guarded(10);
  for (int i = 0; i < 16; ++i)
    a_data[i] = (float)(i - 5);
  for (int i = 0; i < 12; ++i)
    b_data[i] = (float)(7 - i);

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
  EXPECT_REFUSED(ONNXC_INVALID_ARGUMENT, c.outputs[0].data = a_data + 4);
  EXPECT_REFUSED(ONNXC_INVALID_ARGUMENT, c.outputs[0].data = b_data);
  expect_right();
  return 0;
}
