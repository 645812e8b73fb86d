/* Where are the values that are not zero? As onnxc_allocator in the header says. */
#include "finder.h"
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, message); \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

static void *allocate(void *context, size_t bytes, size_t alignment) {
  ++*(int *)context;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void release(void *context, void *pointer) {
  --*(int *)context;
  free(pointer);
}

int main(void) {
  char message[200] = "";
  float x[4] = {0, 1, 2, 0}, picked = 0;
  int64_t index = 2, x_dims[] = {4}, one[] = {1}, places_dims[2], picked_dims[1];
  int live = 0;
  onnxc_allocator allocator = {&live, allocate, release};
  onnxc_view inputs[2] = {{0}}, outputs[2] = {{0}};
  onnxc_call call = {0};
  onnxc_view *places = &outputs[FINDER_OUTPUT_PLACES_INDEX];
  inputs[0] = (onnxc_view){x, x_dims, sizeof x, 1, ONNXC_FLOAT, ONNXC_TENSOR, 0};
  inputs[1] = (onnxc_view){&index, one, sizeof index, 1, ONNXC_INT64, ONNXC_TENSOR, 0};
  places->dims = places_dims;
  outputs[1].dims = picked_dims;
  call.abi_version = ONNXC_ABI_VERSION;
  call.num_inputs = call.num_outputs = 2;
  call.inputs = inputs;
  call.outputs = outputs;
  call.message = message;
  call.message_bytes = sizeof message;

  CHECK(finder_plan(&call) == ONNXC_OK);
  CHECK(places_dims[0] == 1 && places_dims[1] == -1 && places->bytes == 0);
  CHECK(outputs[1].bytes == sizeof picked);
  outputs[1].data = &picked;
  call.workspace = aligned_alloc(ONNXC_ALIGNMENT, (call.workspace_bytes / 64 + 1) * 64);
  CHECK(finder_run(&call) == ONNXC_OUT_OF_MEMORY); /* no allocator */
  call.allocator = &allocator;
  CHECK(finder_run(&call) == ONNXC_OK && live == 1);
  CHECK(places_dims[1] == 2 && places->bytes == 16 && picked == 2);
  CHECK(((int64_t *)places->data)[0] == 1 && ((int64_t *)places->data)[1] == 2);

  /* The next run gives a new block: the old one is the caller's. */
  void *first = places->data;
  x[1] = x[2] = 0;
  CHECK(finder_run(&call) == ONNXC_OK && live == 2);
  CHECK(places->data && places->data != first && places_dims[1] == 0 && places->bytes == 0);
  release(&live, first);
  release(&live, places->data);
  places->data = 0;

  index = 4;
  CHECK(finder_run(&call) == ONNXC_OUT_OF_RANGE);
  CHECK(!places->data && live == 0); /* a run that fails leaves nothing */
  free(call.workspace);
  return 0;
}
