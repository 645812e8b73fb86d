/* A model with fixed sizes in a C program: plain pointers in and out, and all
 * memory on this side. Build it with the commands in README.md. */
#include "classifier.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static float input[CLASSIFIER_INPUT_X_BYTES / sizeof(float)];
  static float probabilities[CLASSIFIER_OUTPUT_PROBS_BYTES / sizeof(float)];
  char message[256];
  onnxc_call call = {0};
  call.message = message;
  call.message_bytes = sizeof message;

  for (size_t i = 0; i < sizeof input / sizeof *input; ++i)
    input[i] = (float)(i % 16) / 16;

  /* Without a workspace the call only says how many bytes it needs. */
  if (classifier_infer(&call, input, probabilities) != ONNXC_OK)
    goto failed;
  call.workspace = aligned_alloc(ONNXC_ALIGNMENT, call.workspace_bytes + ONNXC_ALIGNMENT -
                                                      call.workspace_bytes % ONNXC_ALIGNMENT);
  if (classifier_infer(&call, input, probabilities) != ONNXC_OK)
    goto failed;

  for (size_t i = 0; i < sizeof probabilities / sizeof *probabilities; ++i)
    printf("%zu: %f\n", i, probabilities[i]);
  free(call.workspace);
  return 0;

failed:
  fprintf(stderr, "error: %s\n", message);
  free(call.workspace);
  return 1;
}
