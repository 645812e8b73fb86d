/* sort.c - TopK and Unique. Positions are sorted, never the elements. */
#include "elements.h"

/* What decides the order of positions: of equal elements the first wins. */
typedef struct order {
  const char *data;
  int64_t dtype;
  int64_t bytes;
  int64_t stride;       /* elements between neighbouring positions */
  int64_t outer, inner; /* elements of one position: outer * inner of them */
  int64_t outer_stride;
  int descending;
} order;

/* Orders the elements at two positions: below, at or above 0. */
static int compare_at(const order *by, int64_t a, int64_t b) {
  int64_t row, i;
  for (row = 0; row < by->outer; ++row)
    for (i = 0; i < by->inner; ++i) {
      int64_t offset = row * by->outer_stride + i;
      int compared = onnxc_rt_compare(by->dtype, by->data + (offset + a * by->stride) * by->bytes,
                                      by->data + (offset + b * by->stride) * by->bytes);
      if (compared)
        return by->descending ? -compared : compared;
    }
  return 0;
}

/* Whether position `a` comes before position `b`. */
static int comes_before(const order *by, int64_t a, int64_t b) {
  int compared = compare_at(by, a, b);
  return compared ? compared < 0 : a < b;
}

/* A heap whose root comes last; entry i is at heap[i * step]. */
static void sift_down(const order *by, int64_t *heap, int64_t step, int64_t root, int64_t count) {
  int64_t position = heap[root * step];
  for (;;) {
    int64_t child = 2 * root + 1;
    if (child >= count)
      break;
    if (child + 1 < count && comes_before(by, heap[child * step], heap[(child + 1) * step]))
      ++child;
    if (!comes_before(by, position, heap[child * step]))
      break;
    heap[root * step] = heap[child * step];
    root = child;
  }
  heap[root * step] = position;
}

static void make_heap(const order *by, int64_t *heap, int64_t step, int64_t count) {
  int64_t i;
  for (i = count / 2; i-- > 0;)
    sift_down(by, heap, step, i, count);
}

/* Sorts a heap in place. */
static void sort_heap(const order *by, int64_t *heap, int64_t step, int64_t count) {
  int64_t i;
  for (i = count - 1; i > 0; --i) {
    int64_t last = heap[0];
    heap[0] = heap[i * step];
    heap[i * step] = last;
    sift_down(by, heap, step, 0, i);
  }
}

/* attributes: element type, axis, largest. The heap of the k best positions is
 * the output of indices itself. */
onnxc_status onnxc_rt_topk(onnxc_rt_context *context, const onnxc_rt_view *inputs,
                           int64_t num_inputs, onnxc_rt_view *outputs, int64_t num_outputs,
                           const int64_t *attributes) {
  int64_t axis = attributes[1], size = inputs->dims[axis], kept = outputs->dims[axis];
  int64_t outer = onnxc_rt_count(inputs, 0, axis), row, column, i, b;
  int64_t inner = onnxc_rt_count(inputs, axis + 1, inputs->rank);
  order by = {0, attributes[0],     onnxc_rt_element_bytes(attributes[0]), inner, 1, 1,
              0, attributes[2] != 0};
  (void)context, (void)num_inputs, (void)num_outputs;
  for (row = 0; row < outer && kept > 0; ++row)
    for (column = 0; column < inner; ++column) {
      int64_t *heap = (int64_t *)outputs[1].data + row * kept * inner + column;
      char *values = (char *)outputs[0].data + (row * kept * inner + column) * by.bytes;
      by.data = (const char *)inputs->data + (row * size * inner + column) * by.bytes;
      for (i = 0; i < kept; ++i)
        heap[i * inner] = i;
      make_heap(&by, heap, inner, kept);
      for (i = kept; i < size; ++i)
        if (comes_before(&by, i, heap[0])) {
          heap[0] = i;
          sift_down(&by, heap, inner, 0, kept);
        }
      sort_heap(&by, heap, inner, kept);
      for (i = 0; i < kept; ++i)
        for (b = 0; b < by.bytes; ++b)
          values[i * inner * by.bytes + b] = by.data[heap[i * inner] * inner * by.bytes + b];
    }
  return ONNXC_OK;
}

/* Numbers the groups of equal positions by where they first occur instead. */
static onnxc_status number_by_occurrence(onnxc_rt_context *context, int64_t *firsts,
                                         int64_t *inverse, int64_t *counts, int64_t groups,
                                         int64_t size) {
  int64_t *numbers = onnxc_rt_alloc(context, groups * 8), next = 0, i;
  if (!numbers)
    return ONNXC_OUT_OF_MEMORY;
  for (i = 0; i < size; ++i)
    if (firsts[inverse[i]] == i)
      numbers[inverse[i]] = next++;
  for (i = 0; i < groups; ++i)
    counts[i] = 0;
  for (i = 0; i < size; ++i) {
    inverse[i] = numbers[inverse[i]];
    ++counts[inverse[i]];
  }
  for (i = 0, next = 0; i < size; ++i)
    if (inverse[i] == next)
      firsts[next++] = i;
  onnxc_rt_free(context, numbers);
  return ONNXC_OK;
}

/* attributes: element type, axis or -1 for the flattened input, sorted.
 * outputs: inverse_indices (given), then Y, indices, counts. */
onnxc_status onnxc_rt_unique(onnxc_rt_context *context, const onnxc_rt_view *inputs,
                             int64_t num_inputs, onnxc_rt_view *outputs, int64_t num_outputs,
                             const int64_t *attributes) {
  static const char no_memory[] = "cannot allocate memory for a result";
  int64_t axis = attributes[1], bytes = onnxc_rt_element_bytes(attributes[0]);
  int64_t all = onnxc_rt_count(inputs, 0, inputs->rank);
  int64_t size = axis < 0 ? all : inputs->dims[axis];
  int64_t outer = axis < 0 ? 1 : onnxc_rt_count(inputs, 0, axis);
  int64_t inner = axis < 0 ? 1 : onnxc_rt_count(inputs, axis + 1, inputs->rank);
  order by = {inputs->data, attributes[0], bytes, inner, outer, inner, size * inner, 0};
  int64_t *inverse = outputs[0].data, *firsts, *counts, groups = 0, i, row, previous = 0;
  onnxc_status status = ONNXC_OK;
  char *out;
  (void)num_inputs, (void)num_outputs;
  outputs[2].data = firsts = onnxc_rt_alloc(context, size * 8);
  outputs[3].data = counts = onnxc_rt_alloc(context, size * 8);
  if (!firsts || !counts)
    return onnxc_rt_fail(context, ONNXC_OUT_OF_MEMORY, no_memory, 0, size * 8);
  for (i = 0; i < size; ++i)
    firsts[i] = i;
  make_heap(&by, firsts, 1, size);
  sort_heap(&by, firsts, 1, size);
  /* The sorted positions are overwritten by the groups' first ones, which are
   * never ahead. */
  for (i = 0; i < size; ++i) {
    int64_t position = firsts[i];
    if (i == 0 || compare_at(&by, previous, position) != 0) {
      firsts[groups] = position;
      counts[groups++] = 0;
    }
    ++counts[groups - 1];
    inverse[position] = groups - 1;
    previous = position;
  }
  if (!attributes[2])
    status = number_by_occurrence(context, firsts, inverse, counts, groups, size);
  outputs[1].data = out = status ? 0 : onnxc_rt_alloc(context, outer * groups * inner * bytes);
  if (!out)
    return onnxc_rt_fail(context, ONNXC_OUT_OF_MEMORY, no_memory, 0,
                         outer * groups * inner * bytes);
  for (row = 0; row < outer; ++row)
    for (i = 0; i < groups; ++i)
      __builtin_memcpy(out + (row * groups + i) * inner * bytes,
                       by.data + (row * size + firsts[i]) * inner * bytes, (size_t)(inner * bytes));
  for (i = 0; i < outputs[1].rank; ++i)
    outputs[1].dims[i] = axis < 0 || i == axis ? groups : inputs->dims[i];
  outputs[2].dims[0] = outputs[3].dims[0] = groups;
  return ONNXC_OK;
}
