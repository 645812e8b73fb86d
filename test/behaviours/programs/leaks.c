/* 10,000 runs of each model and 1,000 refused runs: the resident size stays flat.
 * Built with ASan, whose leak check runs at the end. */
#include "model_call.h"
#include <unistd.h>

extern const onnxc_model matmul_model, loop_model, concat_model;

static long resident_pages(void) {
  long total = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file && fscanf(file, "%ld %ld", &total, &resident) == 2);
  fclose(file);
  return resident;
}

static void run_once(const onnxc_model *model, int64_t rows) {
  static float data[64 * 8];
  const int64_t dims[2] = {rows, 8};
  int64_t trips = rows;
  model_call c;
  model_call_begin(&c, model);
  for (int32_t i = 0; i < model->num_inputs; ++i)
    model_call_input(&c, i, model->inputs[i].dtype == ONNXC_INT64 ? (void *)&trips : data, dims);
  CHECK(model_call_plan(&c) == ONNXC_OK);
  if (model_call_run(&c) != ONNXC_OK) {
    fprintf(stderr, "error: %s\n", c.message);
    exit(1);
  }
  model_call_end(&c);
}

static void refused_once(void) {
  float data[4] = {0};
  const int64_t dims[2] = {1, 4};
  model_call c;
  model_call_begin(&c, &matmul_model);
  model_call_input(&c, 0, data, dims);
  CHECK(matmul_model.plan(&c.call) == ONNXC_SHAPE_MISMATCH);
}

int main(void) {
  const onnxc_model *models[] = {&matmul_model, &loop_model, &concat_model};
  long first = 0;
  for (int turn = 0; turn < 11; ++turn) {
    for (int m = 0; m < 3; ++m)
      for (int i = 0; i < 1000; ++i)
        run_once(models[m], 1 + i % 64);
    for (int i = 0; i < 100; ++i)
      refused_once();
    if (turn == 0)
      first = resident_pages();
  }
  /* ASan keeps freed blocks for a while, in a quarantine of bounded size. */
  long grown = (resident_pages() - first) * sysconf(_SC_PAGESIZE);
  printf("grew by %ld bytes after the first runs\n", grown);
  CHECK(grown < (4 << 20));
  return 0;
}
