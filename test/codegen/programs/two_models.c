/* Two models in one program, through the generated C headers. */
#include "first.h"
#include "second.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check(onnxc_status (*infer)(onnxc_call *, const float *, float *)) {
  float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {0};
  const float expected[8] = {2, 5, 10, 17, 6, 13, 22, 33};
  onnxc_call call;
  memset(&call, 0, sizeof call);
  if (infer(&call, x, y) != ONNXC_OK || call.workspace_bytes != 32)
    return 1;
  call.workspace = aligned_alloc(ONNXC_ALIGNMENT, ONNXC_ALIGNMENT);
  if (infer(&call, x, y) != ONNXC_OK)
    return 2;
  free(call.workspace);
  return memcmp(y, expected, sizeof y) ? 3 : 0;
}

int main(void) {
  if (FIRST_NUM_INPUTS != 1 || FIRST_INPUT_X_RANK != 2 || FIRST_INPUT_X_DIM0 != 2 ||
      FIRST_INPUT_X_DIM1 != 4 || FIRST_OUTPUT_Y_BYTES != 32 ||
      FIRST_OUTPUT_Y_DTYPE != ONNXC_FLOAT || FIRST_OPSET != 21 || strcmp(FIRST_INPUT_X_NAME, "x") ||
      strcmp(FIRST_COMPILER_VERSION, "0.1.0") || strlen(FIRST_MODEL_SHA256) != 64 ||
      strcmp(first_model.name, "first") || strcmp(second_model.name, "second"))
    return 10;
  int result = check(first_infer);
  return result ? result : check(second_infer);
}
