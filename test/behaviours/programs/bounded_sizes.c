/* A program without any allocation: arrays of the sizes that the header gives serve every
 * call within the bounds, and the call at the upper bounds needs them whole. */
#include "layers.h"
#include <stdio.h>
#include <string.h>

static _Alignas(ONNXC_ALIGNMENT) unsigned char workspace[LAYERS_MAX_WORKSPACE_BYTES];
static float x[LAYERS_INPUT_X_MAX_BYTES / sizeof(float)];
static float z[LAYERS_INPUT_Z_MAX_BYTES / sizeof(float)];
static float y[LAYERS_OUTPUT_Y_MAX_BYTES / sizeof(float)];

static onnxc_status call_model(int64_t n, int64_t m, int64_t *needed) {
  int64_t x_dims[] = {n, 16}, z_dims[] = {n, m}, y_dims[2] = {0, 0};
  onnxc_view inputs[] = {
      {x, x_dims, (uint64_t)n * 16 * sizeof(float), 2, ONNXC_FLOAT, ONNXC_TENSOR, 0},
      {z, z_dims, (uint64_t)n * (uint64_t)m * sizeof(float), 2, ONNXC_FLOAT, ONNXC_TENSOR, 0}};
  onnxc_view outputs[] = {{y, y_dims, sizeof y, 2, ONNXC_FLOAT, ONNXC_TENSOR, 0}};
  char message[256] = "";
  onnxc_call call;
  onnxc_status status;
  memset(&call, 0, sizeof call);
  call.abi_version = ONNXC_ABI_VERSION;
  call.num_inputs = 2;
  call.num_outputs = 1;
  call.inputs = inputs;
  call.outputs = outputs;
  call.message = message;
  call.message_bytes = sizeof message;
  status = layers_plan(&call);
  *needed = (int64_t)call.workspace_bytes;
  call.workspace = workspace;
  call.workspace_bytes = sizeof workspace;
  if (!status)
    status = layers_run(&call);
  if (status)
    printf("n = %d, m = %d: %s\n", (int)n, (int)m, message);
  return status;
}

int main(void) {
  int64_t n, m, needed = 0, largest = 0;
  for (n = 1; n <= LAYERS_INPUT_X_MAX_DIM0; ++n)
    for (m = 0; m <= LAYERS_INPUT_Z_MAX_DIM1; ++m) {
      if (call_model(n, m, &needed) != ONNXC_OK)
        return 1;
      largest = needed > largest ? needed : largest;
    }
  if (largest != LAYERS_MAX_WORKSPACE_BYTES) {
    printf("the largest call needs %d bytes\n", (int)largest);
    return 1;
  }
  if (call_model(LAYERS_INPUT_X_MAX_DIM0 + 1, 1, &needed) != ONNXC_SHAPE_MISMATCH)
    return 1;
  printf("workspace %d\n", (int)sizeof workspace);
  return 0;
}
