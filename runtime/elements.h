/* elements.h - elements of any type, for irregular operators. */
#ifndef ONNXC_RUNTIME_ELEMENTS_H
#define ONNXC_RUNTIME_ELEMENTS_H

#include "internal.h"

/* Bytes of an element in memory; 4- and 2-bit types have none of their own. */
static inline int64_t onnxc_rt_element_bytes(int64_t dtype) {
  return dtype == ONNXC_STRING ? (int64_t)sizeof(onnxc_string)
                               : (int64_t)(onnxc_dtype_bits((onnxc_dtype)dtype) / 8);
}

/* The product of the dims [first, last). */
static inline int64_t onnxc_rt_count(const onnxc_rt_view *view, int64_t first, int64_t last) {
  int64_t count = 1, i;
  for (i = first; i < last; ++i)
    count *= view->dims[i];
  return count;
}

/* Element `i` of an int32 or int64 tensor. */
static inline int64_t onnxc_rt_index(const onnxc_rt_view *view, int64_t i) {
  return view->dtype == ONNXC_INT32 ? ((const int32_t *)view->data)[i]
                                    : ((const int64_t *)view->data)[i];
}

/* A number that orders elements of one type as their values: -0 equals 0, and
 * NaN is above all. For integers, bool and floats. */
uint64_t onnxc_rt_order(int64_t dtype, const void *element);

/* Orders two elements of one type, strings too: below, at or above 0. */
int onnxc_rt_compare(int64_t dtype, const void *a, const void *b);

/* target = target <reduction> source, ONNXC_RT_ADD and so on. Returns a status. */
onnxc_status onnxc_rt_combine(int64_t dtype, int64_t reduction, void *target, const void *source);

#endif /* ONNXC_RUNTIME_ELEMENTS_H */
