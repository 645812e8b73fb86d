/* nms.c - NonMaxSuppression. */
#include "elements.h"

/* A box as its lower and upper corner. */
typedef struct box {
  float y0, x0, y1, x1;
} box;

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

static box read_box(const float *numbers, int64_t is_centered) {
  box b;
  if (is_centered) { /* x, y, width, height */
    b.x0 = numbers[0] - numbers[2] / 2;
    b.x1 = numbers[0] + numbers[2] / 2;
    b.y0 = numbers[1] - numbers[3] / 2;
    b.y1 = numbers[1] + numbers[3] / 2;
    return b;
  }
  b.y0 = smaller(numbers[0], numbers[2]);
  b.y1 = larger(numbers[0], numbers[2]);
  b.x0 = smaller(numbers[1], numbers[3]);
  b.x1 = larger(numbers[1], numbers[3]);
  return b;
}

static int overlaps(box a, box b, float threshold) {
  float height = smaller(a.y1, b.y1) - larger(a.y0, b.y0);
  float width = smaller(a.x1, b.x1) - larger(a.x0, b.x0);
  float shared, areas;
  if (height <= 0 || width <= 0)
    return 0;
  shared = height * width;
  areas = (a.y1 - a.y0) * (a.x1 - a.x0) + (b.y1 - b.y0) * (b.x1 - b.x0) - shared;
  return areas > 0 && shared / areas > threshold;
}

/* The candidates' order: the higher score, then the lower index first. */
static int comes_before(const float *scores, int64_t a, int64_t b) {
  return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
}

static void sift_down(const float *scores, int64_t *heap, int64_t root, int64_t count) {
  int64_t candidate = heap[root];
  for (;;) {
    int64_t child = 2 * root + 1;
    if (child >= count)
      break;
    if (child + 1 < count && comes_before(scores, heap[child + 1], heap[child]))
      ++child;
    if (!comes_before(scores, heap[child], candidate))
      break;
    heap[root] = heap[child];
    root = child;
  }
  heap[root] = candidate;
}

typedef struct options {
  int64_t limit; /* boxes per class */
  float overlap;
  int has_score;
  float score;
  int64_t is_centered;
} options;

/* Selects boxes of one class into rows of 3 numbers, whose last is the box.
 * `heap` has space for all boxes. Returns how many. */
static int64_t select_boxes(const options *options, const float *boxes, const float *scores,
                            int64_t count, int64_t *heap, int64_t *rows) {
  int64_t candidates = 0, selected = 0, i;
  for (i = 0; i < count; ++i)
    if (!options->has_score || scores[i] > options->score)
      heap[candidates++] = i;
  for (i = candidates / 2; i-- > 0;)
    sift_down(scores, heap, i, candidates);
  while (candidates > 0 && selected < options->limit) {
    int64_t best = heap[0];
    box candidate = read_box(boxes + 4 * best, options->is_centered);
    int kept = 1;
    heap[0] = heap[--candidates];
    if (candidates)
      sift_down(scores, heap, 0, candidates);
    for (i = 0; i < selected && kept; ++i)
      kept = !overlaps(candidate, read_box(boxes + 4 * rows[3 * i + 2], options->is_centered),
                       options->overlap);
    if (kept)
      rows[3 * selected++ + 2] = best;
  }
  return selected;
}

/* attributes: bit i says that optional input i is given; center_point_box. */
onnxc_status onnxc_rt_nonmaxsuppression(onnxc_rt_context *context, const onnxc_rt_view *inputs,
                                        int64_t num_inputs, onnxc_rt_view *outputs,
                                        int64_t num_outputs, const int64_t *attributes) {
  const float *boxes = inputs[0].data, *scores = inputs[1].data;
  int64_t batches = inputs[1].dims[0], classes = inputs[1].dims[1], count = inputs[1].dims[2];
  const onnxc_rt_view *next = inputs + 2;
  options options = {0, 0, 0, 0, attributes[1]};
  int64_t found = 0, batch, class_, i, *heap, *rows;
  (void)num_inputs, (void)num_outputs;
  if (attributes[0] & 1)
    options.limit = onnxc_rt_index(next++, 0);
  if (attributes[0] & 2)
    options.overlap = *(const float *)(next++)->data;
  if (attributes[0] & 4) {
    options.has_score = 1;
    options.score = *(const float *)next->data;
  }
  if (options.limit < 0)
    options.limit = 0;
  if (options.limit > count)
    options.limit = count;
  heap = onnxc_rt_alloc(context, count * 8);
  outputs->data = rows = onnxc_rt_alloc(context, batches * classes * options.limit * 24);
  if (!heap || !rows) {
    onnxc_rt_free(context, heap);
    return onnxc_rt_fail(context, ONNXC_OUT_OF_MEMORY, "cannot allocate memory for a result", 0,
                         batches * classes * options.limit * 24);
  }
  for (batch = 0; batch < batches; ++batch)
    for (class_ = 0; class_ < classes; ++class_) {
      int64_t selected =
          select_boxes(&options, boxes + batch * count * 4,
                       scores + (batch * classes + class_) * count, count, heap, rows + 3 * found);
      for (i = 0; i < selected; ++i, ++found) {
        rows[3 * found] = batch;
        rows[3 * found + 1] = class_;
      }
    }
  onnxc_rt_free(context, heap);
  outputs->dims[0] = found;
  outputs->dims[1] = 3;
  return ONNXC_OK;
}
