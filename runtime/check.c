/* check.c - what tensors may hold, checked before a kernel reads them. */
#include "elements.h"

/* attributes: number of columns, whether indices are unsigned, then the lowest and
 * highest allowed index of each column. */
onnxc_status onnxc_rt_check_indices(onnxc_rt_context *context, const onnxc_rt_view *inputs,
                                    int64_t num_inputs, onnxc_rt_view *outputs, int64_t num_outputs,
                                    const int64_t *attributes) {
  int64_t columns = attributes[0], count = onnxc_rt_count(inputs, 0, inputs->rank);
  int64_t i, column = 0;
  (void)num_inputs, (void)outputs, (void)num_outputs;
  for (i = 0; i < count; ++i) {
    int64_t index = onnxc_rt_index(inputs, i);
    int64_t low = attributes[2 + 2 * column], high = attributes[3 + 2 * column];
    if (attributes[1] && inputs->dtype == ONNXC_INT32)
      index = (int64_t)(uint32_t)index;
    if (index < low || index > high)
      return onnxc_rt_fail(context, ONNXC_OUT_OF_RANGE, "an index is out of range", index,
                           index < low ? low : high);
    column = column + 1 == columns ? 0 : column + 1;
  }
  return ONNXC_OK;
}

/* Without an early exit, so that it becomes vector code. */
#define HAS_ZERO(TYPE)                  \
  do {                                  \
    const TYPE *element = inputs->data; \
    for (i = 0; i < count; ++i)         \
      found |= element[i] == 0;         \
  } while (0)

/* No element of an integer tensor may be 0. */
onnxc_status onnxc_rt_check_divisors(onnxc_rt_context *context, const onnxc_rt_view *inputs,
                                     int64_t num_inputs, onnxc_rt_view *outputs,
                                     int64_t num_outputs, const int64_t *attributes) {
  int64_t count = onnxc_rt_count(inputs, 0, inputs->rank), i;
  int found = 0;
  (void)num_inputs, (void)outputs, (void)num_outputs, (void)attributes;
  switch (onnxc_rt_element_bytes(inputs->dtype)) {
  case 1: HAS_ZERO(uint8_t); break;
  case 2: HAS_ZERO(uint16_t); break;
  case 4: HAS_ZERO(uint32_t); break;
  default: HAS_ZERO(uint64_t); break;
  }
  return found ? onnxc_rt_fail_text(context, ONNXC_INVALID_VALUE, "an integer is divided by zero")
               : ONNXC_OK;
}
