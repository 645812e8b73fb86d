/* scatter.c - ScatterElements, ScatterND. */
#include "elements.h"

static const char out_of_range[] = "an index is out of range";

/* An index counted from the front; a status when it is outside. */
static onnxc_status wrap_index(onnxc_rt_context *context, int64_t size, int64_t *index) {
  int64_t found = *index;
  if (found < -size || found >= size)
    return onnxc_rt_fail(context, ONNXC_OUT_OF_RANGE, out_of_range, found,
                         found < 0 ? -size : size - 1);
  *index = found < 0 ? found + size : found;
  return ONNXC_OK;
}

/* attributes: element type, axis, reduction. */
onnxc_status onnxc_rt_scatter_elements(onnxc_rt_context *context, const onnxc_rt_view *inputs,
                                       int64_t num_inputs, onnxc_rt_view *outputs,
                                       int64_t num_outputs, const int64_t *attributes) {
  const onnxc_rt_view *data = &inputs[0], *indices = &inputs[1], *updates = &inputs[2];
  int64_t dtype = attributes[0], axis = attributes[1], reduction = attributes[2];
  int64_t bytes = onnxc_rt_element_bytes(dtype), i, d;
  int64_t count = onnxc_rt_count(indices, 0, indices->rank);
  char *out = outputs->data;
  (void)num_inputs, (void)num_outputs;
  for (d = 0; d < data->rank; ++d)
    if (d != axis && indices->dims[d] > data->dims[d])
      return onnxc_rt_fail(context, ONNXC_SHAPE_MISMATCH,
                           "there are more indices than data along an axis", indices->dims[d],
                           data->dims[d]);
  __builtin_memcpy(out, data->data, (size_t)(onnxc_rt_count(data, 0, data->rank) * bytes));
  for (i = 0; i < count; ++i) {
    int64_t index = onnxc_rt_index(indices, i), rest = i, position = 0, stride = 1;
    onnxc_status status = wrap_index(context, data->dims[axis], &index);
    if (status)
      return status;
    for (d = data->rank; d-- > 0;) {
      position += (d == axis ? index : rest % indices->dims[d]) * stride;
      rest /= indices->dims[d];
      stride *= data->dims[d];
    }
    status = onnxc_rt_combine(dtype, reduction, out + position * bytes,
                              (const char *)updates->data + i * bytes);
    if (status)
      return onnxc_rt_fail(context, status, "no such reduction of this element type", dtype,
                           reduction);
  }
  return ONNXC_OK;
}

/* attributes: element type, reduction. */
onnxc_status onnxc_rt_scatter_nd(onnxc_rt_context *context, const onnxc_rt_view *inputs,
                                 int64_t num_inputs, onnxc_rt_view *outputs, int64_t num_outputs,
                                 const int64_t *attributes) {
  const onnxc_rt_view *data = &inputs[0], *indices = &inputs[1], *updates = &inputs[2];
  int64_t dtype = attributes[0], reduction = attributes[1];
  int64_t bytes = onnxc_rt_element_bytes(dtype), depth = indices->dims[indices->rank - 1];
  int64_t rows = onnxc_rt_count(indices, 0, indices->rank - 1);
  int64_t block = onnxc_rt_count(data, depth, data->rank), row, i;
  char *out = outputs->data;
  (void)num_inputs, (void)num_outputs;
  __builtin_memcpy(out, data->data, (size_t)(onnxc_rt_count(data, 0, data->rank) * bytes));
  for (row = 0; row < rows; ++row) {
    int64_t position = 0;
    const char *source = (const char *)updates->data + row * block * bytes;
    char *target;
    for (i = 0; i < depth; ++i) {
      int64_t index = onnxc_rt_index(indices, row * depth + i);
      onnxc_status status = wrap_index(context, data->dims[i], &index);
      if (status)
        return status;
      position = position * data->dims[i] + index;
    }
    target = out + position * block * bytes;
    if (reduction == ONNXC_RT_REPLACE) {
      __builtin_memcpy(target, source, (size_t)(block * bytes));
      continue;
    }
    for (i = 0; i < block; ++i) {
      onnxc_status status =
          onnxc_rt_combine(dtype, reduction, target + i * bytes, source + i * bytes);
      if (status)
        return onnxc_rt_fail(context, status, "no such reduction of this element type", dtype,
                             reduction);
    }
  }
  return ONNXC_OK;
}
