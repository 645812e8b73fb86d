/* select.c - NonZero and Compress: the data says how many elements remain. */
#include "elements.h"

static const char no_memory[] = "cannot allocate memory for a result";

/* Whether an element differs from zero; -0 does not, an empty string is zero. */
static int is_set(int64_t dtype, const char *element, int64_t bytes) {
  int64_t i, last = bytes - 1;
  int is_float = dtype == ONNXC_FLOAT || dtype == ONNXC_DOUBLE || dtype == ONNXC_FLOAT16 ||
                 dtype == ONNXC_BFLOAT16;
  if (dtype == ONNXC_STRING)
    return ((const onnxc_string *)(const void *)element)->length != 0;
  for (i = 0; i < bytes; ++i)
    if (is_float && i == last ? element[i] & 0x7f : element[i])
      return 1;
  return 0;
}

/* attributes: element type. */
onnxc_status onnxc_rt_nonzero(onnxc_rt_context *context, const onnxc_rt_view *inputs,
                              int64_t num_inputs, onnxc_rt_view *outputs, int64_t num_outputs,
                              const int64_t *attributes) {
  int64_t dtype = attributes[0], bytes = onnxc_rt_element_bytes(dtype), rank = inputs->rank;
  int64_t count = onnxc_rt_count(inputs, 0, rank), found = 0, next = 0, i, d;
  const char *data = inputs->data;
  int64_t *out;
  (void)num_inputs, (void)num_outputs;
  for (i = 0; i < count; ++i)
    found += is_set(dtype, data + i * bytes, bytes);
  out = onnxc_rt_alloc(context, rank * found * 8);
  if (!out)
    return onnxc_rt_fail(context, ONNXC_OUT_OF_MEMORY, no_memory, 0, rank * found * 8);
  outputs->data = out;
  outputs->dims[0] = rank;
  outputs->dims[1] = found;
  for (i = 0; i < count; ++i) {
    int64_t rest = i;
    if (!is_set(dtype, data + i * bytes, bytes))
      continue;
    for (d = rank; d-- > 0;) {
      out[d * found + next] = rest % inputs->dims[d];
      rest /= inputs->dims[d];
    }
    ++next;
  }
  return ONNXC_OK;
}

/* attributes: element type, axis or -1 for the flattened input. */
onnxc_status onnxc_rt_compress(onnxc_rt_context *context, const onnxc_rt_view *inputs,
                               int64_t num_inputs, onnxc_rt_view *outputs, int64_t num_outputs,
                               const int64_t *attributes) {
  const onnxc_rt_view *input = &inputs[0];
  const uint8_t *condition = inputs[1].data;
  int64_t axis = attributes[1], bytes = onnxc_rt_element_bytes(attributes[0]);
  int64_t outer = axis < 0 ? 1 : onnxc_rt_count(input, 0, axis);
  int64_t size = axis < 0 ? onnxc_rt_count(input, 0, input->rank) : input->dims[axis];
  int64_t inner = (axis < 0 ? 1 : onnxc_rt_count(input, axis + 1, input->rank)) * bytes;
  int64_t length = inputs[1].dims[0], kept = 0, i, row;
  char *out;
  (void)num_inputs, (void)num_outputs;
  if (length > size)
    return onnxc_rt_fail(context, ONNXC_SHAPE_MISMATCH, "the condition is longer than the axis",
                         length, size);
  for (i = 0; i < length; ++i)
    kept += condition[i] != 0;
  out = onnxc_rt_alloc(context, outer * kept * inner);
  if (!out)
    return onnxc_rt_fail(context, ONNXC_OUT_OF_MEMORY, no_memory, 0, outer * kept * inner);
  outputs->data = out;
  for (i = 0; i < outputs->rank; ++i)
    outputs->dims[i] = axis < 0 || i == axis ? kept : input->dims[i];
  for (row = 0; row < outer; ++row)
    for (i = 0; i < length; ++i)
      if (condition[i]) {
        __builtin_memcpy(out, (const char *)input->data + (row * size + i) * inner, (size_t)inner);
        out += inner;
      }
  return ONNXC_OK;
}
