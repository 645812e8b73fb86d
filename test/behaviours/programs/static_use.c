/* The same in C: prints whether the pool could start a thread, then runs with what there is. */
#include "add.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const onnxc_pool_api *pool = add_model.pool;
  onnxc_threads threads = {0};
  void *memory = aligned_alloc(ONNXC_ALIGNMENT, pool->bytes(2));
  onnxc_status started = pool->create(memory, pool->bytes(2), 2, &threads);
  float a = 3, b = 4, y = 0;
  onnxc_call call = {0};
  if (started == ONNXC_OK)
    call.threads = &threads;
  printf("threads: %d\n", started == ONNXC_OK);
  if (started != ONNXC_OK && started != ONNXC_UNSUPPORTED)
    return 1;
  if (add_infer(&call, &a, &b, &y) != ONNXC_OK)
    return 2;
  call.workspace = aligned_alloc(ONNXC_ALIGNMENT, call.workspace_bytes + ONNXC_ALIGNMENT -
                                                      call.workspace_bytes % ONNXC_ALIGNMENT);
  if (add_infer(&call, &a, &b, &y) != ONNXC_OK || y < 6.5f)
    return 3;
  pool->destroy(&threads);
  free(call.workspace);
  free(memory);
  return 0;
}
