/* run.c - the entry points: all checks of a call, once, from the descriptor. */
#include "internal.h"

#define MODEL (&onnxc_rt_model)

/* "input "x": what, dim 1 'n' (found 4, expected at least 3)"; `dim` is -1 for none,
 * and is followed by its symbol when it has one; `bound` is "", "at least " or "at
 * most ". */
static onnxc_status fail_bound(onnxc_call *call, onnxc_status status, const char *direction,
                               const onnxc_value *value, const char *what, int32_t dim,
                               int64_t found, const char *bound, int64_t expected) {
  onnxc_rt_text text = onnxc_rt_text_begin(call->message, call->message_bytes);
  onnxc_rt_text_string(&text, direction);
  onnxc_rt_text_string(&text, " \"");
  onnxc_rt_text_string(&text, value->name);
  onnxc_rt_text_string(&text, "\": ");
  onnxc_rt_text_string(&text, what);
  if (dim >= 0) {
    int32_t symbol = value->dims[dim].symbol;
    onnxc_rt_text_string(&text, " ");
    onnxc_rt_text_number(&text, dim);
    if (symbol >= 0) {
      onnxc_rt_text_string(&text, " '");
      onnxc_rt_text_string(&text, MODEL->symbols[symbol].name);
      onnxc_rt_text_string(&text, "'");
    }
  }
  onnxc_rt_text_string(&text, " (found ");
  onnxc_rt_text_number(&text, found);
  onnxc_rt_text_string(&text, ", expected ");
  onnxc_rt_text_string(&text, bound);
  onnxc_rt_text_number(&text, expected);
  onnxc_rt_text_string(&text, ")");
  return status;
}

static onnxc_status fail_value(onnxc_call *call, onnxc_status status, const char *direction,
                               const onnxc_value *value, const char *what, int32_t dim,
                               int64_t found, int64_t expected) {
  return fail_bound(call, status, direction, value, what, dim, found, "", expected);
}

static onnxc_status fail_call(onnxc_call *call, onnxc_status status, const char *message,
                              int64_t found, int64_t expected) {
  onnxc_rt_context context = {call};
  return onnxc_rt_fail(&context, status, message, found, expected);
}

static uint64_t element_alignment(onnxc_dtype dtype) {
  uint32_t bytes = onnxc_dtype_bits(dtype) / 8;
  if (dtype == ONNXC_STRING)
    return _Alignof(onnxc_string);
  return bytes > 8 ? 8 : bytes ? bytes : 1;
}

/* The largest power of two that divides an address, for messages. */
static int64_t alignment_of(const void *pointer) {
  return (int64_t)((uintptr_t)pointer & (0 - (uintptr_t)pointer));
}

static int is_aligned(const void *pointer, uint64_t alignment) {
  return ((uintptr_t)pointer & (alignment - 1)) == 0;
}

/* Kind, type and rank: what must hold for inputs and outputs alike. */
static onnxc_status check_view(onnxc_call *call, const char *direction, const onnxc_value *value,
                               const onnxc_view *view) {
  if (view->kind != value->kind)
    return fail_value(call, ONNXC_INVALID_ARGUMENT, direction, value, "kind of value differs", -1,
                      view->kind, value->kind);
  if (view->kind != ONNXC_TENSOR)
    return ONNXC_OK;
  if (view->dtype != value->dtype)
    return fail_value(call, ONNXC_TYPE_MISMATCH, direction, value, "element type differs", -1,
                      view->dtype, value->dtype);
  if (view->rank != value->rank)
    return fail_value(call, ONNXC_SHAPE_MISMATCH, direction, value, "rank differs", -1, view->rank,
                      value->rank);
  if (view->rank > 0 && !view->dims)
    return fail_value(call, ONNXC_INVALID_ARGUMENT, direction, value, "dims are NULL", -1, 0,
                      view->rank);
  return ONNXC_OK;
}

/* Compares the sizes with the model's; the first use of a symbol binds it. */
static onnxc_status bind_dims(onnxc_call *call, const onnxc_value *value, const onnxc_view *view,
                              int64_t *symbols) {
  int32_t i;
  for (i = 0; i < value->rank; ++i) {
    const onnxc_dim *dim = &value->dims[i];
    int64_t found = view->dims[i];
    int64_t *bound = dim->symbol >= 0 ? &symbols[dim->symbol] : 0;
    if (dim->size >= 0 && found != dim->size)
      return fail_value(call, ONNXC_SHAPE_MISMATCH, "input", value, "size of dim", i, found,
                        dim->size);
    if (found < 0)
      return fail_bound(call, ONNXC_SHAPE_MISMATCH, "input", value, "negative size of dim", i,
                        found, "at least ", dim->symbol >= 0 ? MODEL->symbols[dim->symbol].min : 0);
    if (!bound)
      continue;
    if (*bound < 0) {
      const onnxc_symbol *symbol = &MODEL->symbols[dim->symbol];
      if (found < symbol->min)
        return fail_bound(call, ONNXC_SHAPE_MISMATCH, "input", value,
                          "size below the minimum of dim", i, found, "at least ", symbol->min);
      if (found > symbol->max)
        return fail_bound(call, ONNXC_SHAPE_MISMATCH, "input", value,
                          "size above the maximum of dim", i, found, "at most ", symbol->max);
      *bound = found;
    } else if (*bound != found) {
      return fail_value(call, ONNXC_SHAPE_MISMATCH, "input", value,
                        "size differs from an earlier use of the same symbol, dim", i, found,
                        *bound);
    }
  }
  return ONNXC_OK;
}

static onnxc_status check_bytes(onnxc_call *call, const char *direction, const onnxc_value *value,
                                const int64_t *dims) {
  int64_t needed = onnxc_tensor_bytes(value->dtype, dims, value->rank);
  if (needed < 0)
    return fail_value(call, ONNXC_SHAPE_MISMATCH, direction, value, "size overflows", -1, needed,
                      INT64_MAX);
  return ONNXC_OK;
}

static onnxc_status check_data(onnxc_call *call, const char *direction, const onnxc_value *value,
                               const onnxc_view *view, const int64_t *dims) {
  int64_t needed = onnxc_tensor_bytes(value->dtype, dims, value->rank);
  uint64_t alignment = element_alignment(value->dtype);
  onnxc_status status = check_bytes(call, direction, value, dims);
  if (status)
    return status;
  if (view->bytes < (uint64_t)needed)
    return fail_value(call, ONNXC_BUFFER_TOO_SMALL, direction, value, "too few bytes", -1,
                      (int64_t)view->bytes, needed);
  if (needed && !view->data)
    return fail_value(call, ONNXC_INVALID_ARGUMENT, direction, value, "data is NULL", -1, 0,
                      needed);
  if (!is_aligned(view->data, alignment))
    return fail_value(call, ONNXC_MISALIGNED, direction, value, "alignment of the data", -1,
                      alignment_of(view->data), (int64_t)alignment);
  return ONNXC_OK;
}

static onnxc_status check_call(onnxc_call *call) {
  if (!call)
    return ONNXC_INVALID_ARGUMENT;
  if (call->abi_version != ONNXC_ABI_VERSION)
    return ONNXC_ABI_MISMATCH; /* the place of `message` is not known */
  if (call->num_inputs != MODEL->num_inputs)
    return fail_call(call, ONNXC_INVALID_ARGUMENT, "wrong number of inputs", call->num_inputs,
                     MODEL->num_inputs);
  if (call->num_outputs != MODEL->num_outputs)
    return fail_call(call, ONNXC_INVALID_ARGUMENT, "wrong number of outputs", call->num_outputs,
                     MODEL->num_outputs);
  if ((MODEL->num_inputs && !call->inputs) || (MODEL->num_outputs && !call->outputs))
    return fail_call(call, ONNXC_INVALID_ARGUMENT, "inputs or outputs are NULL", 0,
                     MODEL->num_inputs + MODEL->num_outputs);
  return ONNXC_OK;
}

/* Checks the inputs and binds the symbols. `with_data` is 0 for the plan, which
 * needs no data. */
static onnxc_status check_inputs(onnxc_call *call, int64_t *symbols, int with_data) {
  int32_t i;
  for (i = 0; i < MODEL->num_symbols; ++i)
    symbols[i] = -1;
  for (i = 0; i < MODEL->num_inputs; ++i) {
    const onnxc_value *value = &MODEL->inputs[i];
    const onnxc_view *view = &call->inputs[i];
    onnxc_status status = check_view(call, "input", value, view);
    if (!status && value->kind == ONNXC_TENSOR)
      status = bind_dims(call, value, view, symbols);
    if (!status && value->kind == ONNXC_TENSOR)
      status = with_data ? check_data(call, "input", value, view, view->dims)
                         : check_bytes(call, "input", value, view->dims);
    if (!status && with_data && value->kind != ONNXC_TENSOR && !view->data)
      status = fail_value(call, ONNXC_INVALID_ARGUMENT, "input", value, "data is NULL", -1, 0, 1);
    if (status)
      return status;
  }
  return ONNXC_OK;
}

static onnxc_status call_plan(onnxc_call *call, const int64_t *symbols, int64_t *output_dims,
                              int64_t *workspace_bytes) {
  onnxc_rt_context context = {call};
  *workspace_bytes = 0;
  return onnxc_plan(symbols, output_dims, workspace_bytes, &context);
}

/* Dims of all tensor outputs in a row; other kinds have none. */
static int32_t count_output_dims(void) {
  int32_t i, count = 0;
  for (i = 0; i < MODEL->num_outputs; ++i)
    if (MODEL->outputs[i].kind == ONNXC_TENSOR)
      count += MODEL->outputs[i].rank;
  return count;
}

static void copy_dims(int64_t *to, const int64_t *from, int32_t rank) {
  int32_t i;
  for (i = 0; i < rank; ++i)
    to[i] = from[i];
}

onnxc_status onnxc_rt_entry_plan(onnxc_call *call) {
  /* The counts are the model's, not the caller's. */
  int64_t symbols[MODEL->num_symbols + 1];
  int64_t output_dims[count_output_dims() + 1];
  int64_t *dims = output_dims;
  int64_t workspace_bytes;
  int32_t i;
  onnxc_status status = check_call(call);
  if (!status)
    status = check_inputs(call, symbols, 0);
  if (!status)
    status = call_plan(call, symbols, output_dims, &workspace_bytes);
  if (status)
    return status;
  call->workspace_bytes = (uint64_t)workspace_bytes;
  for (i = 0; i < MODEL->num_outputs; ++i) {
    const onnxc_value *value = &MODEL->outputs[i];
    onnxc_view *view = &call->outputs[i];
    view->kind = value->kind;
    view->dtype = value->dtype;
    view->bytes = 0;
    if (value->kind != ONNXC_TENSOR)
      continue;
    if (value->rank > 0 && !view->dims)
      return fail_value(call, ONNXC_INVALID_ARGUMENT, "output", value, "dims are NULL", -1, 0,
                        value->rank);
    view->rank = value->rank;
    copy_dims(view->dims, dims, value->rank);
    int64_t bytes = onnxc_tensor_bytes(value->dtype, dims, value->rank);
    view->bytes = bytes < 0 ? 0 : (uint64_t)bytes;
    dims += value->rank;
  }
  return ONNXC_OK;
}

static int has_unknown(const int64_t *dims, int32_t rank) {
  int32_t i;
  for (i = 0; i < rank; ++i)
    if (dims[i] < 0)
      return 1;
  return 0;
}

/* Where a tensor without elements is: kernels that replace what they read outside of a
 * tensor may look at its first element. */
static const uint64_t nothing[ONNXC_ALIGNMENT / sizeof(uint64_t)];

static void *data_of(const onnxc_value *value, const onnxc_view *view, const int64_t *dims) {
  int is_empty =
      value->kind == ONNXC_TENSOR && !onnxc_tensor_bytes(value->dtype, dims, value->rank);
  return is_empty ? (void *)nothing : view->data;
}

/* Outputs whose sizes are known must fit; the others come from the allocator. */
static onnxc_status check_outputs(onnxc_call *call, const int64_t *dims, void **outputs) {
  int32_t i;
  for (i = 0; i < MODEL->num_outputs; ++i) {
    const onnxc_value *value = &MODEL->outputs[i];
    const onnxc_view *view = &call->outputs[i];
    onnxc_status status = check_view(call, "output", value, view);
    if (status)
      return status;
    outputs[i] = 0;
    if (value->kind != ONNXC_TENSOR)
      continue;
    if (!has_unknown(dims, value->rank)) {
      outputs[i] = data_of(value, view, dims);
      status = check_data(call, "output", value, view, dims);
      if (status)
        return status;
    }
    dims += value->rank;
  }
  return ONNXC_OK;
}

/* A piece of the caller's memory. `value` is NULL for the workspace. */
typedef struct region {
  uintptr_t begin, end;
  const char *what; /* "input", "output", "the workspace" */
  const onnxc_value *value;
} region;

static void text_region(onnxc_rt_text *text, const region *part) {
  onnxc_rt_text_string(text, part->what);
  if (!part->value)
    return;
  onnxc_rt_text_string(text, " \"");
  onnxc_rt_text_string(text, part->value->name);
  onnxc_rt_text_string(text, "\"");
}

static onnxc_status check_apart(onnxc_call *call, const region *a, const region *b) {
  onnxc_rt_text text;
  if (a->begin >= b->end || b->begin >= a->end)
    return ONNXC_OK;
  text = onnxc_rt_text_begin(call->message, call->message_bytes);
  text_region(&text, a);
  onnxc_rt_text_string(&text, " overlaps ");
  text_region(&text, b);
  onnxc_rt_text_string(&text, "; give it memory of its own");
  return ONNXC_INVALID_ARGUMENT;
}

static region region_of(const char *what, const onnxc_value *value, const void *data,
                        uint64_t bytes) {
  return (region){(uintptr_t)data, (uintptr_t)data + (uintptr_t)(data ? bytes : 0), what, value};
}

static region tensor_region(const char *what, const onnxc_value *value, const void *data,
                            const int64_t *dims) {
  int64_t bytes = onnxc_tensor_bytes(value->dtype, dims, value->rank);
  return region_of(what, value, data, bytes > 0 ? (uint64_t)bytes : 0);
}

/* What a run writes may be nothing that it reads or writes for another purpose: kernels
 * run in any order, and indices are checked before they are used. `outputs` holds NULL
 * for those that the allocator gives. */
static onnxc_status check_overlaps(onnxc_call *call, const int64_t *dims, void *const *outputs,
                                   int64_t workspace_bytes) {
  region written[MODEL->num_outputs + 1];
  int32_t i, k, num_written = 0;
  onnxc_status status = ONNXC_OK;
  for (i = 0; i < MODEL->num_outputs; ++i) {
    const onnxc_value *value = &MODEL->outputs[i];
    if (value->kind != ONNXC_TENSOR)
      continue;
    if (outputs[i])
      written[num_written++] = tensor_region("output", value, outputs[i], dims);
    dims += value->rank;
  }
  written[num_written++] =
      region_of("the workspace", 0, call->workspace, (uint64_t)workspace_bytes);
  for (i = 0; !status && i < num_written; ++i)
    for (k = i + 1; !status && k < num_written; ++k)
      status = check_apart(call, &written[i], &written[k]);
  for (i = 0; !status && i < MODEL->num_inputs; ++i) {
    const onnxc_value *value = &MODEL->inputs[i];
    const onnxc_view *view = &call->inputs[i];
    region input;
    if (value->kind != ONNXC_TENSOR)
      continue;
    input = tensor_region("input", value, view->data, view->dims);
    for (k = 0; !status && k < num_written; ++k)
      status = check_apart(call, &written[k], &input);
  }
  return status;
}

static onnxc_status fail_no_weights(onnxc_call *call) {
  onnxc_rt_text text = onnxc_rt_text_begin(call->message, call->message_bytes);
  onnxc_rt_text_string(&text, "the weights are in the side file \"");
  onnxc_rt_text_string(&text, MODEL->weights_file);
  onnxc_rt_text_string(&text, "\"; none were given");
  return ONNXC_INVALID_ARGUMENT;
}

static onnxc_status check_memory(onnxc_call *call, int64_t workspace_bytes, const void **weights) {
  if (call->workspace_bytes < (uint64_t)workspace_bytes)
    return fail_call(call, ONNXC_BUFFER_TOO_SMALL, "workspace is too small",
                     (int64_t)call->workspace_bytes, workspace_bytes);
  if (workspace_bytes && !call->workspace)
    return fail_call(call, ONNXC_INVALID_ARGUMENT, "workspace is NULL", 0, workspace_bytes);
  if (!is_aligned(call->workspace, ONNXC_ALIGNMENT))
    return fail_call(call, ONNXC_MISALIGNED, "alignment of the workspace",
                     alignment_of(call->workspace), ONNXC_ALIGNMENT);
  *weights = MODEL->weights;
  if (*weights || !MODEL->weights_bytes)
    return ONNXC_OK;
  if (!call->weights)
    return fail_no_weights(call);
  if (call->weights_bytes != MODEL->weights_bytes)
    return fail_call(call, ONNXC_BUFFER_TOO_SMALL, "bytes of the weights",
                     (int64_t)call->weights_bytes, (int64_t)MODEL->weights_bytes);
  if (!is_aligned(call->weights, ONNXC_ALIGNMENT))
    return fail_call(call, ONNXC_MISALIGNED, "alignment of the weights",
                     alignment_of(call->weights), ONNXC_ALIGNMENT);
  *weights = call->weights;
  return ONNXC_OK;
}

static onnxc_status check_cpu(char *message, uint64_t message_bytes) {
  uint64_t missing = onnxc_rt_missing_cpu_features(MODEL->required_cpu_features);
  onnxc_rt_text text;
  if (!missing)
    return ONNXC_OK;
  text = onnxc_rt_text_begin(message, message_bytes);
  onnxc_rt_text_string(&text, "this CPU lacks what the model was built for: ");
  onnxc_rt_text_cpu_features(&text, missing);
  onnxc_rt_text_string(&text, "; compile it for this CPU, with --mcpu");
  return ONNXC_UNSUPPORTED_CPU;
}

static onnxc_status check_instance(onnxc_call *call) {
  const onnxc_rt_instance *instance = call->instance;
  if (!instance)
    return check_cpu(call->message, call->message_bytes);
  if (instance->model != MODEL)
    return fail_call(call, ONNXC_INVALID_ARGUMENT, "instance of another model", 0, 1);
  return ONNXC_OK;
}

/* Hands sizes and allocated data back through the views. */
static void store_outputs(onnxc_call *call, void **outputs, const int64_t *dims) {
  int32_t i;
  for (i = 0; i < MODEL->num_outputs; ++i) {
    const onnxc_value *value = &MODEL->outputs[i];
    onnxc_view *view = &call->outputs[i];
    if (value->kind != ONNXC_TENSOR) {
      view->data = outputs[i];
      continue;
    }
    copy_dims(view->dims, dims, value->rank);
    if (view->data != outputs[i] && outputs[i] != nothing) {
      view->data = outputs[i];
      view->bytes = (uint64_t)onnxc_tensor_bytes(value->dtype, dims, value->rank);
    }
    dims += value->rank;
  }
}

onnxc_status onnxc_rt_entry_run(onnxc_call *call) {
  /* The counts are the model's, not the caller's. */
  int64_t symbols[MODEL->num_symbols + 1];
  int64_t output_dims[count_output_dims() + 1];
  void *inputs[MODEL->num_inputs + 1];
  void *outputs[MODEL->num_outputs + 1];
  onnxc_rt_context context = {call};
  const void *weights = 0;
  int64_t workspace_bytes;
  int32_t i;
  onnxc_status status = check_call(call);
  if (!status)
    status = check_instance(call);
  if (!status)
    status = check_inputs(call, symbols, 1);
  if (!status)
    status = call_plan(call, symbols, output_dims, &workspace_bytes);
  if (!status)
    status = check_outputs(call, output_dims, outputs);
  if (!status)
    status = check_memory(call, workspace_bytes, &weights);
  if (!status)
    status = check_overlaps(call, output_dims, outputs, workspace_bytes);
  if (status)
    return status;
  for (i = 0; i < MODEL->num_inputs; ++i)
    inputs[i] = data_of(&MODEL->inputs[i], &call->inputs[i], call->inputs[i].dims);
  status = onnxc_body(symbols, inputs, outputs, output_dims, call->workspace, weights, &context);
  if (!status)
    store_outputs(call, outputs, output_dims);
  return status;
}

onnxc_status onnxc_rt_entry_init(void *instance, uint64_t bytes, char *message,
                                 uint64_t message_bytes) {
  onnxc_call call = {.message = message, .message_bytes = message_bytes};
  if (!instance || !is_aligned(instance, ONNXC_ALIGNMENT))
    return fail_call(&call, ONNXC_MISALIGNED, "alignment of the instance, 0 for NULL",
                     alignment_of(instance), ONNXC_ALIGNMENT);
  if (bytes < sizeof(onnxc_rt_instance))
    return fail_call(&call, ONNXC_BUFFER_TOO_SMALL, "instance is too small", (int64_t)bytes,
                     sizeof(onnxc_rt_instance));
  onnxc_status status = check_cpu(message, message_bytes);
  ((onnxc_rt_instance *)instance)->model = status ? 0 : MODEL;
  return status;
}

void onnxc_rt_entry_fini(void *instance) {
  if (instance)
    ((onnxc_rt_instance *)instance)->model = 0;
}
