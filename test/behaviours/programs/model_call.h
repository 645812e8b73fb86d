/* Calling a model from C: what a host does, in one place for the test programs. */
#ifndef MODEL_CALL_H
#define MODEL_CALL_H

#include "onnxc_runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VALUES 8
#define MAX_RANK 8

/* A call with the memory that belongs to it. */
typedef struct model_call {
  const onnxc_model *model;
  onnxc_call call;
  onnxc_view inputs[MAX_VALUES], outputs[MAX_VALUES];
  int64_t input_dims[MAX_VALUES][MAX_RANK], output_dims[MAX_VALUES][MAX_RANK];
  char message[512];
} model_call;

static inline void *hook_allocate(void *context, size_t bytes, size_t alignment) {
  (void)context;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void hook_release(void *context, void *pointer) {
  (void)context;
  free(pointer);
}

static const onnxc_allocator malloc_hook = {0, hook_allocate, hook_release};

static inline void *aligned_bytes(uint64_t bytes) {
  uint64_t rounded = (bytes + ONNXC_ALIGNMENT - 1) / ONNXC_ALIGNMENT * ONNXC_ALIGNMENT;
  return aligned_alloc(ONNXC_ALIGNMENT, rounded ? rounded : ONNXC_ALIGNMENT);
}

/* Prepares a call; the inputs are set with model_call_input. */
static inline void model_call_begin(model_call *c, const onnxc_model *model) {
  memset(c, 0, sizeof *c);
  c->model = model;
  c->call.abi_version = ONNXC_ABI_VERSION;
  c->call.num_inputs = model->num_inputs;
  c->call.num_outputs = model->num_outputs;
  c->call.inputs = c->inputs;
  c->call.outputs = c->outputs;
  c->call.allocator = &malloc_hook;
  c->call.message = c->message;
  c->call.message_bytes = sizeof c->message;
  for (int32_t i = 0; i < model->num_inputs; ++i) {
    c->inputs[i].dims = c->input_dims[i];
    c->inputs[i].rank = model->inputs[i].rank;
    c->inputs[i].dtype = model->inputs[i].dtype;
  }
  for (int32_t i = 0; i < model->num_outputs; ++i) {
    c->outputs[i].dims = c->output_dims[i];
    c->outputs[i].rank = model->outputs[i].rank;
    c->outputs[i].dtype = model->outputs[i].dtype;
  }
}

static inline void model_call_input(model_call *c, int32_t index, const void *data,
                                    const int64_t *dims) {
  onnxc_view *view = &c->inputs[index];
  for (int32_t i = 0; i < view->rank; ++i)
    view->dims[i] = dims[i];
  view->data = (void *)data;
  view->bytes = (uint64_t)onnxc_tensor_bytes(view->dtype, view->dims, view->rank);
}

/* Plans, and allocates the workspace and the outputs whose size is known. */
static inline onnxc_status model_call_plan(model_call *c) {
  onnxc_status status = c->model->plan(&c->call);
  if (status)
    return status;
  c->call.workspace = aligned_bytes(c->call.workspace_bytes);
  for (int32_t i = 0; i < c->model->num_outputs; ++i) {
    int64_t bytes = onnxc_tensor_bytes(c->outputs[i].dtype, c->outputs[i].dims, c->outputs[i].rank);
    c->outputs[i].data = bytes < 0 ? NULL : aligned_bytes((uint64_t)bytes);
  }
  return ONNXC_OK;
}

/* One run after model_call_plan. */
static inline onnxc_status model_call_run(model_call *c) { return c->model->run(&c->call); }

static inline void model_call_end(model_call *c) {
  free(c->call.workspace);
  for (int32_t i = 0; i < c->model->num_outputs; ++i)
    free(c->outputs[i].data);
}

#define CHECK(condition)                                                               \
  do {                                                                                 \
    if (!(condition)) {                                                                \
      fprintf(stderr, "%s:%d: error: not true: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                         \
    }                                                                                  \
  } while (0)

#endif /* MODEL_CALL_H */
