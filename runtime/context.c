/* context.c - what compiled code asks of its call: the hooks of the host. */
#include "internal.h"

void *onnxc_rt_alloc(onnxc_rt_context *context, int64_t bytes) {
  const onnxc_allocator *allocator = context->call->allocator;
  if (!allocator || !allocator->allocate || bytes < 0 || (uint64_t)bytes > SIZE_MAX)
    return 0;
  /* Kernels may look at the first element even of an empty tensor. */
  return allocator->allocate(allocator->context, bytes ? (size_t)bytes : ONNXC_ALIGNMENT,
                             ONNXC_ALIGNMENT);
}

void onnxc_rt_free(onnxc_rt_context *context, void *pointer) {
  const onnxc_allocator *allocator = context->call->allocator;
  if (pointer && allocator && allocator->release)
    allocator->release(allocator->context, pointer);
}

/* The capacity is the power of two from FIRST_ROWS on, so the count alone says when
 * the block is full. */
void *onnxc_rt_grow(onnxc_rt_context *context, void **block, int64_t count, int64_t row_bytes) {
  enum { FIRST_ROWS = 4 };
  int64_t bytes;
  void *grown;
  if (count && (count < FIRST_ROWS || (count & (count - 1))))
    return *block;
  if (__builtin_mul_overflow(count ? 2 * count : FIRST_ROWS, row_bytes, &bytes))
    return 0;
  grown = onnxc_rt_alloc(context, bytes);
  if (!grown)
    return 0;
  if (count)
    __builtin_memcpy(grown, *block, (size_t)(count * row_bytes));
  onnxc_rt_free(context, *block);
  return *block = grown;
}

/* Not inlined: a model has hundreds of launches, and what is called is out of line. */
__attribute__((noinline)) void onnxc_rt_launch(onnxc_rt_context *context, const char *name,
                                               const char *nodes, int64_t count, onnxc_task_fn fn,
                                               void *args) {
  const onnxc_threads *threads = context->call->threads;
  const onnxc_profiler *profiler = context->call->profiler;
  int64_t task;
  if (profiler)
    profiler->begin(profiler->context, name, nodes);
  if (count > 1 && threads && threads->parallel_for)
    threads->parallel_for(threads->context, count, fn, args);
  else
    for (task = 0; task < count; ++task)
      fn(args, task);
  if (profiler)
    profiler->end(profiler->context, name, nodes);
}
